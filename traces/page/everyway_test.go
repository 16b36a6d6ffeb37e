package page_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
)

// TestEveryWay walks kept counterexamples in the live page, as a browser asks for them, and takes every
// alternative on the way: each leads where the plain semantics lead, and offers there what they enable. With
// ATMOSTK_SWEEP=1 all are walked, which takes some minutes; those of a folder with -run TestEveryWay/FOLDER.
func TestEveryWay(t *testing.T) {
	files := keeps(t)
	if os.Getenv("ATMOSTK_SWEEP") == "" {
		files = files[1:4]
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ndjson")
		t.Run(filepath.Base(filepath.Dir(file))+"/"+name, func(t *testing.T) {
			r := replayed(t, file)
			p, err := page.PathOf(r)
			if err != nil {
				t.Fatal(err)
			}
			l := serveInstance(t, traces.Header{Spec: r.Trace.Spec, Parameters: r.Trace.Parameters},
				r.Instance())
			for i := range r.States {
				steps := plain(r.Instance(), r.States[i])
				l.offers(p.Initial, p.Choices[:i], nil, r.States[i], len(steps))
				for k := range steps {
					ends := 0
					if !steps[k].Outside {
						ends = len(plain(r.Instance(), steps[k].Next))
					}
					way := append(slices.Clone(p.Choices[:i]), k)
					l.offers(p.Initial, way, r.States[i], steps[k].Next, ends)
				}
			}
		})
	}
}

// plain returns the steps that the plain semantics take from a state.
func plain(in model.Instance, s lts.State) []lts.Transition {
	return slices.DeleteFunc(in.Plain.Steps(s), func(tr lts.Transition) bool { return tr.Pruned })
}

// offers wants of a path that its last step leads from one state to another, and that so much can happen
// there. Where nothing is said of the state before, that of the path up to there is not compared.
func (l *live) offers(initial int, path []int, from, to lts.State, choices int) {
	l.t.Helper()
	text, err := json.Marshal(path)
	if err != nil {
		l.t.Fatal(err)
	}
	first := len(path)
	if from == nil {
		first = 0
	}
	got := answered[shown](l, "run", fmt.Sprintf(`{"initial":%d,"path":%s,"from":%d}`, initial, text, first))
	now := map[string]string{}
	if from != nil {
		now = values(from.Vars())
	}
	for i := range got.Steps {
		now = leadsTo(now, got.Steps[i].Changed, got.Steps[i].Gone)
	}
	if want := values(to.Vars()); !maps.Equal(now, want) {
		l.t.Errorf("the path %v leads to %v, not %v", path, now, want)
	}
	if last := got.Steps[len(got.Steps)-1]; len(last.Choices) != choices {
		l.t.Errorf("after the path %v there are %d choices, not %d", path, len(last.Choices), choices)
	}
}
