package timerfree

import "testing"

// TestResponsive: what RP asks of the order of answers, at the smallest sizes where that differs.
func TestResponsive(t *testing.T) {
	for name, c := range map[string]struct {
		got  bool
		want bool
	}{
		"three, one crash":                 {mayKeep(3, 1), true},
		"four, two crashes":                {mayKeep(4, 2), false},
		"five, two crashes":                {mayKeep(5, 2), true},
		"one, none":                        {mayKeep(1, 0), true},
		"two, one crash":                   {mayKeep(2, 1), false},
		"the bound n > 2f":                 {satisfiable().Verdict == "holds", true},
		"a ring of five":                   {rings(5, 5, 2).Verdict == "holds", true},
		"a ring of four has no such order": {rings(4, 4, 2).Verdict == "holds", false},
		"neighbours next to last":          {rings(5, 5, 1).Verdict == "holds", false},
		"two clusters or more":             {grids(2, 6).Verdict == "holds", true},
		"one cluster":                      {grids(1, 3).Verdict == "holds", false},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v", name, c.got)
		}
	}
}
