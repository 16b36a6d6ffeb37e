// Package modeltest tests models, in one line of a test:
//
//	func TestRing(t *testing.T) { modeltest.Check(t, Spec) }
package modeltest

import (
	"context"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/lint"
	"github.com/atmostk/atmostk/explore/naive"
	"github.com/atmostk/atmostk/model"
)

// few is the number of states up to which a reference is explored naively, too.
const few = 2000

// Check tests a model on its References, except Large ones. It reports the findings of lint:
// mistakes in declarations, figures that differ, vacuous properties without an Excuse.
// It also explores small references by the plain semantics, which run every
// handler each time and know no symmetry: figures, verdicts and the lengths of shortest runs
// have to be the same. It logs the notes of lint, such as a variable that never changes.
func Check(t testing.TB, spec model.Spec) {
	t.Helper()
	if err := spec.Check(); err != nil {
		t.Fatal(err)
	}
	found, err := lint.Spec(context.Background(), &spec, lint.Options{})
	if err != nil {
		t.Fatalf("%s: %v", spec.Name, err)
	}
	for _, f := range found {
		report := t.Errorf
		if f.Note {
			report = t.Logf
		}
		report("%s %s: %s", f.Spec, f.Args, f.What)
	}
	for _, ref := range spec.References {
		if ref.States <= few && !ref.Large {
			compare(t, &spec, ref.Args)
		}
	}
}

// compare explores an instance naively and by the search, with one worker, since lint uses several.
func compare(t testing.TB, spec *model.Spec, args string) {
	t.Helper()
	in, _, err := spec.Instantiate(strings.Fields(args))
	if err != nil {
		t.Errorf("%s %s: %v", spec.Name, args, err)
		return
	}
	asked := lint.Judged(in.Space)
	r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true, Workers: 1,
		Properties: asked})
	if err != nil {
		t.Errorf("%s %s: %v", spec.Name, args, err)
		return
	}
	want, ok := naive.Explore(in.Plain, in.Space.Actions(), in.Space.Properties(), 10*few)
	if !ok && in.Space.Reduced() { // each state stands for many
		return
	}
	if !ok || !r.Complete {
		t.Errorf("%s %s: more states than the reference says", spec.Name, args)
		return
	}
	if how := want.Differs(r); how != "" && !in.Space.Reduced() {
		t.Errorf("%s %s: %s", spec.Name, args, how)
	}
	for k, i := range asked {
		p := &r.Properties[k]
		if p.Kind == model.Liveness { // found by the graph, not by a state or a step
			continue
		}
		steps, found := want.Found[i]
		if !found {
			steps = -1
		}
		if p.Length != steps {
			t.Errorf("%s %s: %s is found after %d steps, by the plain semantics after %d (-1: never)",
				spec.Name, args, p.Name, p.Length, steps)
		}
	}
}
