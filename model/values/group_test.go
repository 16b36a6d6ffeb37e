package values_test

import (
	"testing"

	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// TestForgottenGroupIsAnyGroup: what comes out of a forgotten group is forgotten, or the same whatever the
// group was.
func TestForgottenGroupIsAnyGroup(t *testing.T) {
	var forgotten values.Group
	forgotten.Forget()
	for name, op := range map[string]func(g, h values.Group) values.Group{
		"union":        values.Group.Union,
		"meet":         values.Group.Meet,
		"minus":        values.Group.Minus,
		"union turned": func(g, h values.Group) values.Group { return h.Union(g) },
		"meet turned":  func(g, h values.Group) values.Group { return h.Meet(g) },
		"minus turned": func(g, h values.Group) values.Group { return h.Minus(g) },
		"with":         func(g, _ values.Group) values.Group { return g.With(1) },
		"without":      func(g, _ values.Group) values.Group { return g.Without(1) },
		"both":         func(g, _ values.Group) values.Group { return g.Union(g).Meet(g) },
	} {
		for h := range protocol.Set(8) {
			got := op(forgotten, values.GroupOf(h))
			if got.Forgotten() {
				continue
			}
			for x := range protocol.Set(8) {
				if want := op(values.GroupOf(x), values.GroupOf(h)); got != want {
					t.Errorf("%s of a forgotten group and %v is %v; of %v it is %v", name, h, got, x, want)
				}
			}
		}
	}
	if none := (values.Group{}); none.Meet(forgotten) != none || forgotten.Meet(none) != none ||
		none.Minus(forgotten) != none {
		t.Error("what the empty group decides is forgotten")
	}
}

// TestForgottenGroupCannotBeRead: its members are not known.
func TestForgottenGroupCannotBeRead(t *testing.T) {
	var forgotten values.Group
	forgotten.Forget()
	for name, read := range map[string]func(){
		"Has":   func() { forgotten.Has(1) },
		"Set":   func() { forgotten.Set() },
		"Len":   func() { forgotten.Len() },
		"Empty": func() { forgotten.Empty() },
		"Each":  func() { forgotten.Each() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s reads a forgotten group", name)
				}
			}()
			read()
		}()
	}
}
