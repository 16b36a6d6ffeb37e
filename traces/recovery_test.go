package traces_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces"
)

// taking returns the run of a model in which steps with such beginnings are taken.
func taking(t *testing.T, spec string, args, texts []string) *traces.Run {
	t.Helper()
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == spec })
	in, _, err := specs.All[i].Instantiate(args)
	if err != nil {
		t.Fatal(err)
	}
	initial := in.Plain.Init()[0].Next
	at, taken := initial, []lts.Transition{}
	for _, text := range texts {
		steps := in.Plain.Steps(at)
		k := slices.IndexFunc(steps, func(tr lts.Transition) bool {
			return strings.HasPrefix(tr.Text(), text)
		})
		if k < 0 {
			t.Fatalf("%q is not enabled", text)
		}
		taken, at = append(taken, steps[k]), steps[k].Next
	}
	r, err := traces.FromRun(in, traces.Header{Spec: spec, Parameters: map[string]string{}}, initial, taken)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRecoveredProcessIsDrawnAlive: its line ends where it crashes and begins again where it recovers.
func TestRecoveredProcessIsDrawnAlive(t *testing.T) {
	r := taking(t, "ring-recovery", []string{"n=2", "scheme=1", "f=1"},
		[]string{"p2 crash", "p1 detect", "p2 recover", "p1 "})
	rows := strings.Split(rendered(t, "chart", r, 80), "\n")[4:]
	const lane = 6 + 12
	for i, want := range []string{"│", "✗", " ", "●", "│"} {
		line := []rune(rows[i] + strings.Repeat(" ", lane))
		if got := string(line[lane]); got != want {
			t.Errorf("row %d has %q for p2, want %q:\n%s", i, got, want, rows[i])
		}
	}
	svg := rendered(t, "svg", r, 0)
	for _, want := range []string{`class="lane" x1="0" y1="155" x2="114"`, `class="lane" x1="266" y1="155"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("there is no %s in\n%s", want, svg)
		}
	}
}

// TestAliveFitsTheStates compares who is alive after each step with the states themselves.
func TestAliveFitsTheStates(t *testing.T) {
	shown(t, func(t *testing.T, name string, r *traces.Run) {
		alive := map[string]bool{}
		for i := range r.Trace.Steps {
			dead := map[string]bool{}
			for _, v := range r.States[min(i, len(r.States)-1)].Vars() {
				dead[v.Owner] = dead[v.Owner] || v.Name == "crashed"
			}
			for owner := range dead {
				was, met := alive[owner]
				is := r.Trace.Steps[i].Alive(owner, was || !met)
				if alive[owner] = is; is == dead[owner] {
					t.Errorf("%s, step %d: %s is alive: %t, dead: %t", name, i, owner, is, dead[owner])
				}
			}
		}
	})
}
