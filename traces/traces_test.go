package traces_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces"
)

// The heap of these tests may grow as the command lets it for searches: many small ones would
// pay more for its collection than for themselves.
var _ = debug.SetGCPercent(1000)

// sweep is set for the larger sweep: CONTRIBUTING.md.
var sweep = os.Getenv("ATMOSTK_SWEEP") != ""

// A source is a model with counterexamples that the tests use.
type source struct {
	spec     string
	args     string
	property string // "" all that are violated or, for goals, reached
	steps    int
}

// The examples that the issue asks for.
var examples = []source{
	{"die-hard", "", "big-not-4", 6},
	{"2pc", "n=3", "never-commits", 8},
	{"bounded-buffer", "producers=3 consumers=2 capacity=2", "deadlock-freedom", 23},
	{"raymond", "n=3 k=2 rounds=2,1,0 crashes=1", "", 0},
}

// small are instances of all models, for tests that want many runs.
var small = []source{
	{spec: "die-hard"},
	{spec: "2pc", args: "n=3"},
	{spec: "2pc", args: "n=3 symmetry=on"},
	{spec: "bounded-buffer", args: "producers=2 consumers=1 capacity=1"},
	{spec: "bounded-buffer", args: "producers=3 consumers=2 capacity=2 symmetry=on"},
	{spec: "raymond", args: "n=3 k=2 rounds=2,1,0 crashes=1"},
	{spec: "raymond", args: "n=2 k=1 rounds=1,1 channel=fifo crashes=1"},
	{spec: "bas", args: "n=3 k=2 rounds=1,1,0 crashes=1"},
	{spec: "timerfree", args: "n=2 k=1 f=0 rounds=2,2"},
	{spec: "timerfree", args: "n=3 k=2 f=1 rounds=1,1,0 channel=fifo rp=T crashes=0"},
	{spec: "cohorts", args: "cohorts=1,2 h=1 crashes-arbiters=1"},
	{spec: "jiang2002", args: "h=1 crashes-arbiters=1"},
	{spec: "raynal", args: "n=2 m=2 h=1+2,1+1 rounds=2,2 accounting=addm"},
	{spec: "arbiter", args: "sets=1+2,2+3 k=1 h=1,1"},
	{spec: "vcube-tree", args: "n=4 crashes=1"},
	{spec: "vcube-broadcast", args: "n=4 crashes=1 line36=literal"},
	{spec: "vcube-kmutex", args: "n=2 k=2"},
	{spec: "vcube-stack", args: "n=2 rounds=2,0 crashes=1"},
	{spec: "vcube-rounds", args: "n=4 crashes=3"},
	{spec: "ring-election", args: "n=2"},
	{spec: "ring-basic", args: "n=2 ring-up=all"},
	{spec: "ring-recovery", args: "n=2 scheme=1 f=1"},
	{spec: "lamport-mutex"},
	{spec: "chang-roberts"},
	{spec: "ewd840"},
}

// named is a run with a name for subtests.
type named struct {
	name string
	in   model.Instance
	run  *traces.Run
}

var (
	searched sync.Mutex
	found    = map[source][]named{}
)

// runs returns the runs that a search reports for a source.
func (s source) runs(t testing.TB) []named {
	t.Helper()
	searched.Lock()
	defer searched.Unlock()
	if found[s] == nil {
		found[s] = s.search(t)
	}
	return found[s]
}

// few returns the first and the last of the runs, in the sweep all.
func (s source) few(t testing.TB) []named {
	t.Helper()
	runs := s.runs(t)
	if sweep || len(runs) < 3 {
		return runs
	}
	return []named{runs[0], runs[len(runs)-1]}
}

// instance returns the model of a source, and a header for its runs.
func (s source) instance(t testing.TB) (model.Instance, traces.Header) {
	t.Helper()
	in, args, err := lookup(t, s.spec).Instantiate(strings.Fields(s.args))
	if err != nil {
		t.Fatal(err)
	}
	h := traces.Header{Spec: s.spec, Property: s.property, Parameters: map[string]string{}, Tool: "test"}
	for _, kv := range args.List() {
		h.Parameters[kv[0]] = kv[1]
	}
	return in, h
}

func (s source) search(t testing.TB) (runs []named) {
	t.Helper()
	in, h := s.instance(t)
	opt := explore.Options{KeepGoing: true, Workers: 1, MaxStates: 100_000}
	for i, p := range in.Space.Properties() {
		refused := p.Kind == model.Liveness && in.Space.Reduced()
		if s.property == "" && !refused || p.Name == s.property {
			opt.Properties = append(opt.Properties, i)
		}
	}
	report, err := explore.Run(context.Background(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Properties {
		if p.Path == nil {
			continue
		}
		h.Property, h.CycleAt = p.Name, nil
		if p.Kind == model.Liveness {
			h.CycleAt = &p.CycleAt
		}
		var states []lts.State
		for _, step := range p.Path {
			states = append(states, step.State)
		}
		r, err := traces.FromPath(in, h, states, make([]string, len(states)))
		if err != nil {
			t.Fatalf("%s %s: %s: %v", s.spec, s.args, p.Name, err)
		}
		runs = append(runs, named{fmt.Sprintf("%s %s %s", s.spec, s.args, p.Name), in, r})
	}
	return runs
}

func lookup(t testing.TB, name string) *model.Spec {
	t.Helper()
	for i := range specs.All {
		if specs.All[i].Name == name {
			return &specs.All[i]
		}
	}
	t.Fatalf("there is no model %s", name)
	return nil
}

// rebuild returns the instance that the header of a trace describes.
func rebuild(t testing.TB, tr *traces.Trace) (model.Instance, error) {
	t.Helper()
	var args []string
	for k, v := range tr.Parameters {
		if v != "" {
			args = append(args, k+"="+v)
		}
	}
	in, _, err := lookup(t, tr.Spec).Instantiate(args)
	return in, err
}

// written returns the file that a trace is written to.
func written(t testing.TB, tr *traces.Trace) string {
	t.Helper()
	var b bytes.Buffer
	if err := traces.Write(&b, tr); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// reading reads and replays a file.
func reading(t testing.TB, file string) (*traces.Run, error) {
	t.Helper()
	tr, err := traces.Read(strings.NewReader(file))
	if err != nil {
		return nil, err
	}
	in, err := rebuild(t, tr)
	if err != nil {
		return nil, err
	}
	return traces.Replay(in, tr)
}

// TestWrittenRunReplays writes, reads and replays every run that a search of any model reports.
func TestWrittenRunReplays(t *testing.T) {
	for _, s := range append(small, examples...) {
		for _, n := range s.runs(t) {
			t.Run(n.name, func(t *testing.T) {
				if got := len(n.run.Trace.Steps) - 1; s.steps > 0 && got != s.steps {
					t.Errorf("%d steps, want %d", got, s.steps)
				}
				file := written(t, n.run.Trace)
				again, err := reading(t, file)
				if err != nil {
					t.Fatal(err)
				}
				if got := written(t, again.Trace); got != file {
					t.Errorf("written again it is another file:\n%s\n%s", file, got)
				}
			})
		}
	}
	if covered := coverage(); len(covered) != len(specs.All) {
		t.Errorf("runs of %v only", covered)
	}
}

// coverage returns the models of which there are instances in small.
func coverage() map[string]bool {
	names := map[string]bool{}
	for _, s := range small {
		names[s.spec] = true
	}
	return names
}
