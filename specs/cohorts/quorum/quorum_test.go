package quorum

import (
	"testing"

	"github.com/atmostk/atmostk/model"
)

// TestPaper uses the nine quorums that section 3 lists for ({1,2},{3,4,5}).
func TestPaper(t *testing.T) {
	s := Consecutive([]int{2, 3}, 1)
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	var quorums []model.Set
	for _, q := range [][2]model.Proc{{3, 4}, {3, 5}, {4, 5}, {1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}, {2, 5}} {
		quorums = append(quorums, model.SetOf(q[:]...))
	}
	for nodes := range model.Set(1 << 6) {
		one, two := false, false
		for _, p := range quorums {
			for _, q := range quorums {
				one = one || p&^nodes == 0
				two = two || p&q == 0 && (p|q)&^nodes == 0
			}
		}
		if s.Contains(nodes, 1) != one || s.Contains(nodes, 2) != two {
			t.Errorf("%v: one quorum %v, two disjoint ones %v", nodes, one, two)
		}
	}
}

// TestCheck breaks one property at a time.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		structure Structure
		broken    string
	}{
		{Consecutive([]int{1, 2}, 0), ""},
		{Consecutive([]int{2, 3, 5}, 0), ""},
		{Structure{2, []model.Set{model.SetOf(0)}}, "P1"},
		{Consecutive([]int{1, 1}, 0), "P2"},
		{Consecutive([]int{2, 2}, 0), "P2"},
		{Structure{1, []model.Set{model.SetOf(0), model.SetOf(0, 1)}}, "P3"},
	} {
		broken := ""
		if err := c.structure.Check(); err != nil {
			broken = err.Error()[:2]
		}
		if broken != c.broken {
			t.Errorf("%v: broken is %q, want %q", c.structure, broken, c.broken)
		}
	}
}
