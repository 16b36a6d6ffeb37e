package coterie_test

import (
	"slices"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
)

// TestPaper uses the nine quorums that section 3 lists for ({1,2},{3,4,5}).
func TestPaper(t *testing.T) {
	s := coterie.Consecutive([]int{2, 3}, 0)
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	var quorums coterie.Family
	for _, q := range [][2]model.Proc{{0, 2}, {1, 2}, {0, 3}, {1, 3}, {0, 4}, {1, 4}, {2, 3}, {2, 4},
		{3, 4}} {
		quorums = append(quorums, model.SetOf(q[:]...))
	}
	got := s.Quorums()
	slices.Sort(got)
	slices.Sort(quorums)
	if !slices.Equal(got, quorums) {
		t.Errorf("quorums are %v, want %v", got, quorums)
	}
	if err := got.Check(2); err != nil {
		t.Error(err)
	}
}

// TestCheckStructure breaks one property at a time.
func TestCheckStructure(t *testing.T) {
	for _, c := range []struct {
		structure coterie.Structure
		broken    string
	}{
		{coterie.Consecutive([]int{1, 2}, 0), ""},
		{coterie.Consecutive([]int{2, 3, 5}, 0), ""},
		{coterie.Structure{K: 2, Cohorts: []model.Set{model.SetOf(0)}}, "P1"},
		{coterie.Consecutive([]int{1, 1}, 0), "P2"},
		{coterie.Consecutive([]int{2, 2}, 0), "P2"},
		{coterie.Structure{K: 1, Cohorts: []model.Set{model.SetOf(0), model.SetOf(0, 1)}}, "P3"},
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
