package specs_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/files"
)

// TestLivenessCasesHaveKnownVerdicts goes through the liveness rows of the conformance cases P5
// and P6, with one and with two workers.
func TestLivenessCasesHaveKnownVerdicts(t *testing.T) {
	election, termination := files.Spec("chang-roberts"), files.Spec("ewd840")
	for _, row := range []struct {
		name     string
		spec     model.Spec
		args     string
		property string
		want     explore.Verdict
		stutters bool // the only lassos there are stutter
		cycles   bool // no lasso stutters
	}{
		{"P5a", election, "n=3", "election", explore.Holds, false, false},
		{"P5b", election, "n=4", "election", explore.Holds, false, false},
		{"P5c", election, "n=5", "election", explore.Holds, false, false},
		{"P5d", election, "n=6", "election", explore.Holds, false, false},
		{"P5e", election, "n=3 fairness=none", "election", explore.Violated, true, false},
		{"P5f", election, "n=3", "deadlock-freedom", explore.Violated, false, false},
		{"P5g", election, "n=3 fairness=all-but-2", "election", explore.Violated, true, false},
		{"P6a", termination, "n=3", "detection", explore.Holds, false, false},
		{"P6b", termination, "n=4", "detection", explore.Holds, false, false},
		{"P6c", termination, "n=3", "false-liveness", explore.Violated, false, true},
		{"P6d", termination, "n=3 fairness=none", "detection", explore.Violated, true, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			var before []any
			for _, workers := range []int{1, 2} {
				in, _, err := row.spec.Instantiate(strings.Fields(row.args))
				if err != nil {
					t.Fatal(err)
				}
				i := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
					return p.Name == row.property
				})
				r, err := explore.Run(context.Background(), in, explore.Options{Properties: []int{i},
					Workers: workers, KeepGoing: true})
				if err != nil {
					t.Fatal(err)
				}
				p := r.Properties[0]
				if p.Verdict != row.want || r.Verdict != row.want || !r.Complete {
					t.Errorf("%d workers: %s %s, want %s", workers, row.property, p.Verdict, row.want)
				}
				stays := p.CycleAt == len(p.Path)-1
				if row.stutters && !stays || row.cycles && stays {
					t.Errorf("%d workers: a lasso with %d steps in its cycle", workers,
						len(p.Path)-1-p.CycleAt)
				}
				if workers == 2 && !reflect.DeepEqual(before, summary(r)) {
					t.Error("the number of workers makes a difference")
				}
				before = summary(r)
			}
		})
	}
}

// summary is all of a report that must not depend on the number of workers.
func summary(r *explore.Report) []any {
	s := []any{r.Verdict, r.States, r.Generated, r.Depth, r.Levels, r.Outside, r.Fired, r.Pruned, r.Stuck}
	for _, p := range r.Properties {
		s = append(s, p.Name, p.Verdict, p.Length, p.Count)
		for _, step := range p.Path {
			s = append(s, step.Text, step.State.Key())
		}
	}
	return s
}
