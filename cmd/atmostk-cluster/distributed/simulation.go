package distributed

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"hash/crc32"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
)

// A Simulation is random runs that workers play, with its progress. A task is runs with consecutive
// numbers. The client combines them in the order of their numbers, so the division into tasks does not
// matter.
type Simulation struct {
	Job     Job              `json:"job"` // Folder, Program, Model, Args
	Options simulate.Options `json:"options"`
	Batches []Batch          `json:"batches"` // played, in the order of their runs
	Tasks   int              `json:"tasks"`   // of the next round
	Size    int64            `json:"size"`    // runs of a task of the next round
	Over    bool             `json:"over"`    // a run ended it, all runs are played, or it was cancelled
}

// A Batch is runs that were played.
type Batch struct {
	Name  string `json:"name"` // of the file
	First int64  `json:"first"`
	Runs  int64  `json:"runs"`
	Steps int64  `json:"steps"`
	// Seconds is the time that they took.
	Seconds float64 `json:"seconds"`
	Last    bool    `json:"last,omitempty"` // no more runs are wanted: there was a violation or a mistake
}

// The first round has few tasks of few runs, since the first violation ends the simulation. Each later
// round has twice as many tasks: no more runs are wasted than were played before.
const (
	firstTasks, mostTasks = 8, 1024
	firstSteps            = 40_000  // of a task of the first round, at most
	growth                = 16      // of a task from one round to the next, at most
	taskSeconds           = 5       // that a task should take
	taskSteps             = 4 << 20 // of a task: some 32 MB of hashes of states
)

// Simulate is the workflow of a Simulation.
func Simulate(ctx workflow.Context, s Simulation) (*Simulation, error) {
	ctx = workflow.WithActivityOptions(ctx, activities(&s.Job))
	if s.Tasks == 0 {
		s.Tasks, s.Size = firstTasks, max(1, firstSteps/int64(s.Options.Steps))
	}
	for !s.Over {
		if workflow.GetInfo(ctx).GetCurrentHistoryLength() > historyEvents {
			return nil, workflow.NewContinueAsNewError(ctx, Simulate, s)
		}
		batches, err := each[simulate.Options, Batch](ctx, &s.Job, (*Worker).Play, s.plan(), func() {})
		if err != nil && !temporal.IsCanceledError(err) {
			return nil, err
		}
		s.Over = err != nil
		s.take(batches)
	}
	return &s, nil
}

// next is the number of the first run that was not played.
func (s *Simulation) next() int64 {
	if n := len(s.Batches); n > 0 {
		return s.Batches[n-1].First + s.Batches[n-1].Runs
	}
	return s.Options.First
}

// plan returns the tasks of a round.
func (s *Simulation) plan() (tasks []simulate.Options) {
	end := s.Options.First + s.Options.Runs
	for next := s.next(); len(tasks) < s.Tasks && (s.Options.Runs == 0 || next < end); {
		t := s.Options
		t.First, t.Runs = next, s.Size
		if s.Options.Runs > 0 {
			t.Runs = min(s.Size, end-next)
		}
		next += t.Runs
		tasks = append(tasks, t)
	}
	return tasks
}

// take adopts the batches of a round, up to the first that was not played.
func (s *Simulation) take(round []Batch) {
	var runs, steps int64
	var seconds float64
	for _, b := range round {
		if b.Name == "" { // it was cancelled
			break
		}
		s.Batches = append(s.Batches, b)
		runs, steps, seconds = runs+b.Runs, steps+b.Steps, seconds+b.Seconds
		if s.Over = s.Over || b.Last; b.Last {
			return
		}
	}
	if s.Over = s.Over || s.Options.Runs > 0 && s.next() >= s.Options.First+s.Options.Runs; s.Over {
		return
	}
	s.Tasks = min(2*s.Tasks, mostTasks)
	size := s.Size * growth
	if seconds > 0 {
		size = min(size, int64(taskSeconds*float64(runs)/seconds))
	}
	s.Size = max(1, min(size, taskSteps*runs/max(steps, 1)))
}

// Play plays runs, and keeps their results in a file. A second time it writes the same.
func (w *Worker) Play(ctx context.Context, j Job, opt simulate.Options) (Batch, error) {
	return task(ctx, w, &j, func(ctx context.Context, files store.Files) (b Batch, err error) {
		in, err := instantiate(j.Args)
		if err != nil {
			return b, err
		}
		if simulated(in) != j.Model {
			return b, otherModel(&j)
		}
		begun := time.Now()
		opt.Workers = w.Workers
		runs, more, err := simulate.Play(ctx, in, opt)
		if err != nil {
			return b, err
		}
		b = Batch{
			Name: fmt.Sprintf("runs-%012d-%d", opt.First, opt.Runs), First: opt.First, Runs: int64(len(runs)),
			Seconds: time.Since(begun).Seconds(), Last: !more,
		}
		for i := range runs {
			b.Steps += int64(runs[i].Length)
		}
		return b, writeRuns(files, b.Name, runs)
	})
}

// simulated identifies a model with its parameters.
func simulated(in model.Instance) string { return explore.Digest(in, explore.Options{}) }

// writeRuns writes runs, and a checksum behind them.
func writeRuns(files store.Files, name string, runs []simulate.Played) error {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(runs); err != nil {
		return err
	}
	return writeFile(files, name, binary.LittleEndian.AppendUint32(b.Bytes(), crc32.ChecksumIEEE(b.Bytes())))
}

// readRuns reads a file of writeRuns.
func readRuns(files store.Files, name string) (runs []simulate.Played, err error) {
	b, err := readFile(files, name)
	if err != nil {
		return nil, err
	}
	n := len(b) - 4
	if n < 0 || crc32.ChecksumIEEE(b[:n]) != binary.LittleEndian.Uint32(b[n:]) {
		return nil, &store.DamagedError{File: name, What: "its checksum is another one"}
	}
	if err := gob.NewDecoder(bytes.NewReader(b[:n])).Decode(&runs); err != nil {
		return nil, &store.DamagedError{File: name, What: "it has no runs"}
	}
	return runs, nil
}

// tally combines the runs.
func (s *Simulation) tally(files store.Files, t *simulate.Tally) error {
	for _, b := range s.Batches {
		runs, err := readRuns(files, b.Name)
		if err != nil {
			return err
		}
		for i := range runs {
			if !t.Add(&runs[i]) {
				return nil
			}
		}
	}
	return nil
}
