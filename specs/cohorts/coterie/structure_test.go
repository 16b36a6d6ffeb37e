package coterie_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
)

// TestBrokenStructuresAreFound breaks one property at a time.
func TestBrokenStructuresAreFound(t *testing.T) {
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

// families draws any nonempty family of nonempty sets of at most seven nodes.
func families(t *rapid.T) coterie.Family {
	sets := rapid.SliceOfNDistinct(rapid.Uint16Range(1, 1<<7-1), 1, 12, rapid.ID).Draw(t, "sets")
	var f coterie.Family
	for _, s := range sets {
		f = append(f, model.Set(s))
	}
	return f
}

// packed is Pack without a table: the most disjoint quorums among those from i on.
func packed(f coterie.Family, i int, free model.Set) int {
	if i == len(f) {
		return 0
	}
	most := packed(f, i+1, free)
	if f[i]&^free == 0 {
		most = max(most, 1+packed(f, i+1, free&^f[i]))
	}
	return most
}

// TestFamiliesAgreeWithTheDefinitions compares packings, unions and the three properties with their
// definitions.
func TestFamiliesAgreeWithTheDefinitions(t *testing.T) {
	verdicts := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		f := families(t)
		for nodes, most := range f.Pack() {
			if want := packed(f, 0, model.Set(nodes)); int(most) != want {
				t.Fatalf("%v: packing %d, want %d", model.Set(nodes), most, want)
			}
		}
		k := rapid.IntRange(1, 3).Draw(t, "k")
		got, want := f.Check(k) == nil, isCoterie(f, k)
		if got != want {
			t.Fatalf("%v is a %d-coterie: %v, by definition %v", f, k, got, want)
		}
		verdicts[got]++
	})
	if verdicts[true] == 0 || verdicts[false] == 0 {
		t.Errorf("one-sided: %v", verdicts)
	}
}

// isCoterie is the definition of section 2, word by word.
func isCoterie(f coterie.Family, k int) bool {
	ok := true
	var extend func(chosen int, used model.Set)
	extend = func(chosen int, used model.Set) { // chosen: disjoint quorums
		more := false
		for _, q := range f {
			if q&used == 0 {
				more = true
				if chosen < k {
					extend(chosen+1, used|q)
				}
			}
		}
		ok = ok && more == (chosen < k)
	}
	extend(0, 0)
	for i, q := range f {
		for j, r := range f {
			ok = ok && (i == j || q&^r != 0)
		}
	}
	return ok
}
