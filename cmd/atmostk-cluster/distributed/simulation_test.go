package distributed

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"gocloud.dev/blob/memblob"

	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model/usage"
)

// play has runs played in the engine for tests, each task by any worker and some of them twice.
func (r *trial) play(s Simulation) (*Simulation, error) {
	env := quiet().NewTestWorkflowEnvironment()
	env.SetTestTimeout(time.Minute)
	env.RegisterWorkflow(Simulate)
	env.RegisterActivityWithOptions(again(r, (*Worker).Play), activity.RegisterOptions{Name: "Play"})
	env.ExecuteWorkflow(Simulate, s)
	if err := env.GetWorkflowError(); err != nil {
		return nil, explained(err)
	}
	return &s, env.GetWorkflowResult(&s)
}

// TestSimulationReportsAsOneProcess: the runs of workers add up to the report of one process: coverage, the
// first violation, and errors of the model.
func TestSimulationReportsAsOneProcess(t *testing.T) {
	files := &Files{bucket: memblob.OpenBucket(nil)}
	defer func() { _ = files.Close() }()
	r := newTrial(t, files)
	r.twice = rand.New(rand.NewPCG(1, 1))
	for _, line := range []string{
		"raymond n=3 k=2 rounds=1 crashes=1",
		"bas n=2 k=1 rounds=1 copies=1 channel=fifo",
		"timerfree n=3 k=2 f=1 rounds=1,0,0 crashes=1 variant=c rp=V",
		"ring-recovery n=2 f=1 rounds=1,0",
		"2pc n=3",
	} {
		args := strings.Fields(line)
		in, err := instantiate(args)
		if err != nil {
			t.Fatal(err)
		}
		opt := simulate.Options{Seed: 7, Scheduler: simulate.PCT, Depth: 2, First: 3, Runs: 700, Steps: 200}
		for i, p := range in.Space.Properties() {
			if p.Moot == "" {
				opt.Properties = append(opt.Properties, i)
			}
		}
		for _, opt.KeepGoing = range []bool{false, true} {
			want, err := simulate.Run(context.Background(), in, opt)
			if err != nil {
				t.Fatal(err)
			}
			s, err := r.play(Simulation{
				Job:     Job{Folder: "runs", Program: program, Model: simulated(in), Args: args},
				Options: opt,
			})
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			sum, err := simulate.NewTally(in, opt)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.tally(files.In(context.Background(), "runs"), sum); err != nil {
				t.Fatal(err)
			}
			if got := sum.Report(context.Background(), want.Elapsed); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, keep going %t, %d batches:\n%+v, want\n%+v",
					line, opt.KeepGoing, len(s.Batches), got, want)
			}
		}
	}
	_, err := r.play(Simulation{
		Job:     Job{Folder: "runs", Program: program, Model: "0123", Args: []string{"2pc", "n=3"}},
		Options: simulate.Options{Scheduler: simulate.Steps, Runs: 1, Steps: 1},
	})
	if !errors.As(err, new(*usage.Error)) {
		t.Errorf("runs of another model: %v", err)
	}
}

// TestPlansCoverEachRunOnce: tasks contain each run once, and grow in size and number up to their limits.
func TestPlansCoverEachRunOnce(t *testing.T) {
	s := Simulation{Options: simulate.Options{First: 5, Runs: 1_000_000}, Tasks: firstTasks, Size: 20}
	for rounds := 0; !s.Over; rounds++ {
		if rounds > 100 {
			t.Fatal("it does not end")
		}
		var round []Batch
		for _, o := range s.plan() {
			round = append(round, Batch{
				Name: "x", First: o.First, Runs: o.Runs, Steps: 100 * o.Runs, Seconds: float64(o.Runs) / 1000,
			})
		}
		if len(round) == 0 || len(round) > mostTasks || round[0].Runs > 1000*taskSeconds {
			t.Fatalf("a round of %d tasks, the first of %d runs", len(round), round[0].Runs)
		}
		s.take(round)
	}
	next := int64(5)
	for _, b := range s.Batches {
		if b.First != next {
			t.Fatalf("after run %d comes %d", next-1, b.First)
		}
		next += b.Runs
	}
	if next != 1_000_005 {
		t.Errorf("%d runs", next-5)
	}
	s = Simulation{Options: simulate.Options{Runs: 60}, Tasks: firstTasks, Size: 20, Over: true}
	s.take([]Batch{{Name: "x", Runs: 20}, {}, {Name: "x", First: 40, Runs: 20}})
	if len(s.Batches) != 1 {
		t.Errorf("%d batches go on after one that is missing", len(s.Batches))
	}
}

// TestDamagedRunsAreRejected: a flipped bit in a file of runs is an error.
func TestDamagedRunsAreRejected(t *testing.T) {
	files := store.Dir(t.TempDir())
	if err := writeRuns(files, "a", []simulate.Played{{Number: 1, States: []uint64{1, 2}}}); err != nil {
		t.Fatal(err)
	}
	if runs, err := readRuns(files, "a"); err != nil || len(runs) != 1 || runs[0].Number != 1 {
		t.Fatal(runs, err)
	}
	file := filepath.Join(string(files), "a")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 4
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readRuns(files, "a"); !errors.As(err, new(*store.DamagedError)) {
		t.Errorf("damaged: %v", err)
	}
}
