package specs_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
)

// TestSafetyIsVacuousWhereTooFewUnitsAreRequested: where no more units are requested than there are, the
// property that bounds them says that no algorithm violates it, and where one more is requested it does not.
func TestSafetyIsVacuousWhereTooFewUnitsAreRequested(t *testing.T) {
	for _, c := range []struct{ spec, property, fits, one string }{
		{"timerfree", "", "n=3 k=2 rounds=9,9,0", "n=3 k=2 rounds=1"},
		{"timerfree", "", "n=3 k=2 rounds=1 dead=3", "n=3 k=2 rounds=inf"},
		{"raymond", "", "n=3 k=1 rounds=0,0,2", "n=2 k=1"},
		{"raymond", "capacity-naive", "n=3 k=2 crashes=1 rounds=1,0,0", "n=3 k=2 crashes=1 rounds=1,1,0"},
		{"bas", "", "n=2 k=2", "n=2 k=1"},
		{"vcube-kmutex", "", "n=4 k=2 requesters=0,1", "n=4 k=2 requesters=0,1,2"},
		{"vcube-stack", "", "n=2 k=2", "n=2 k=1"},
		{"cohorts", "units", "cohorts=2,3 h=1,1", "cohorts=2,3 h=2,1"},
		{"arbiter", "units", "sets=1,2 k=3 h=2,1", "sets=1,2 k=3 h=2,2"},
		{"jiang2002", "units", "quorums=1,2 k=2 h=2,1 rounds=1,0", "quorums=1,2 k=2 h=2,1"},
		{"raynal", "units", "n=2 m=4 h=1+3,1", "n=2 m=4 h=1+3,2"},
		{"ring-basic", "mutual-exclusion", "n=3 rounds=3,0,0", "n=3 rounds=1,1,0"},
		{"ring-recovery", "mutual-exclusion", "n=3 rounds=3,0,0", "n=3 rounds=1,1,0"},
	} {
		for args, want := range map[string]bool{c.fits: true, c.one: false} {
			i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == c.spec })
			in, _, err := specs.All[i].Instantiate(strings.Fields(args))
			if err != nil {
				t.Errorf("%s %s: %v", c.spec, args, err)
				continue
			}
			for _, p := range in.Space.Properties() {
				if p.Name == cmp.Or(c.property, "at-most-k") && (p.Trivial != "") != want {
					t.Errorf("%s %s: %s is called vacuous: %q", c.spec, args, p.Name, p.Trivial)
				}
			}
		}
	}
}

// TestOneProcessAlone: the bounds on the messages of one process are 0, which is no limit and no mistake.
func TestOneProcessAlone(t *testing.T) {
	for spec, args := range map[string]string{
		"raymond": "n=1 k=1", "bas": "n=1 k=1", "timerfree": "n=1 k=1 f=0", "raynal": "n=1",
		"vcube-kmutex": "n=1",
	} {
		i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == spec })
		in, _, err := specs.All[i].Instantiate(strings.Fields(args))
		if err == nil && in.Mistake != nil {
			err = in.Mistake
		}
		if err != nil {
			t.Errorf("%s %s: %v", spec, args, err)
			continue
		}
		costs := 0
		for _, p := range in.Space.Properties() {
			if p.Kind == model.Costs {
				if costs++; p.Trivial == "" {
					t.Errorf("%s %s: %s is not called vacuous", spec, args, p.Name)
				}
			}
		}
		if costs == 0 {
			t.Errorf("%s: no bound on messages", spec)
		}
	}
}

// TestOneErrorOfSeveral: of several parameters that do not fit the same one is named each time.
func TestOneErrorOfSeveral(t *testing.T) {
	for args, named := range map[string]string{
		"ring-recovery variant=repaired coordinator-off=no after-election=reset": "coordinator-off=no",
		"raymond max-owed=3 last=forgotten":                                      "max-owed=3",
	} {
		words := strings.Fields(args)
		i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == words[0] })
		for range 30 { // an order that chance decides would differ
			if _, _, err := specs.All[i].Instantiate(words[1:]); err == nil ||
				!strings.HasPrefix(err.Error(), named+" ") {
				t.Fatalf("%s: %v, want %s named", args, err, named)
			}
		}
	}
}
