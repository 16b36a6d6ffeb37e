package modeltest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/modeltest"
	"github.com/atmostk/atmostk/specs"
)

// A listener takes down what a test is told.
type listener struct {
	testing.TB
	told []string
}

func (l *listener) Helper()             {}
func (l *listener) Logf(string, ...any) {}
func (l *listener) Errorf(format string, a ...any) {
	l.told = append(l.told, fmt.Sprintf(format, a...))
}

// TestFindings changes a correct model, and expects to be told.
func TestFindings(t *testing.T) {
	var jugs model.Spec
	for _, s := range specs.All {
		if s.Name == "die-hard" {
			jugs = *s.Loaded()
		}
	}
	wrong := jugs.References[0]
	wrong.States++
	for want, change := range map[string]func(s *model.Spec){
		"the reference has": func(s *model.Spec) {
			s.References = []model.Reference{
				wrong}
		},
		"it has no References":                    func(s *model.Spec) { s.References = nil },
		"odd holds vacuously: no state was quiet": func(s *model.Spec) { s.Build = odd },
		"the reference has it violated": func(s *model.Spec) {
			ref := jugs.References[0]
			ref.Violated = map[string]int{"big-not-4": 5}
			s.References = []model.Reference{ref}
		},
	} {
		s, l := jugs, &listener{TB: t}
		change(&s)
		modeltest.Check(l, s)
		if got := strings.Join(l.told, "\n"); !strings.Contains(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
	}
	l := &listener{TB: t}
	modeltest.Check(l, jugs)
	if l.told != nil {
		t.Errorf("of the model as it is, told %q", l.told)
	}
}

// odd builds a model that never rests, with a property of states in which it does.
func odd(*model.Args) (model.Instance, error) {
	type state struct{ N uint8 }
	return model.NewSystem(model.System[state]{
		Init: []state{{}},
		Actions: []model.SystemAction[state]{{Name: "turn", Do: func(s *state, _ int, _ *model.Choice) bool {
			s.N = 1 - s.N
			return true
		}}},
		Properties: []model.Property[state]{{Name: "odd", Kind: model.Quiet,
			Holds: func(s *state) bool { return s.N == 1 }}},
	}), nil
}
