package explore

import (
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
)

// A follower looks for a path, level by level, among all states that may be on it, as there may be many.
type follower struct {
	*search
	levels []onPath
	batch  kernel.Batch
}

// An onPath has the states of a level that may be on a path, in the order of their codes.
type onPath struct {
	states  [][]uint32
	parents []int // per state: index of its parent in the level before
}

// follow returns a path by states with codes of the lineage, one for each level; nil: there is none. Where
// several lead to a state it is the one whose last state but one has the least code, and so on back.
func (s *search) follow(lineage []map[store.Code]bool) ([][]uint32, error) {
	f := follower{search: s}
	for i, codes := range lineage {
		f.levels = append(f.levels, onPath{})
		if err := f.level(codes, i == len(lineage)-1); err != nil {
			return nil, err
		}
	}
	path, at := make([][]uint32, len(lineage)), 0
	for i := len(path) - 1; i >= 0; i-- {
		if len(f.levels[i].states) == 0 {
			return nil, nil
		}
		path[i], at = f.levels[i].states[at], f.levels[i].parents[at]
	}
	return path, nil
}

// level fills the latest level: with initial states, or with successors of the level before, that have one of
// the codes. Outside: they may be such as the constraint rejects.
func (f *follower) level(codes map[store.Code]bool, outside bool) error {
	next := &f.levels[len(f.levels)-1]
	var order []store.Ref // At is the index in next
	found := map[store.Code]bool{}
	take := func(v []uint32, parent int) {
		if c := f.code(v); codes[c] && !found[c] {
			found[c] = true
			order = append(order, store.Ref{Code: c, At: uint32(len(order))})
			next.states, next.parents = append(next.states, slices.Clone(v)), append(next.parents, parent)
		}
	}
	takeAll := func(parent int) {
		for i := range f.batch.Len() {
			take(f.batch.At(i), parent)
		}
		for i := 0; outside && i < f.batch.Outside.Len(); i++ {
			take(f.batch.Outside.At(i), parent)
		}
	}
	if len(f.levels) == 1 {
		f.batch.Reset(f.width)
		f.space.Init(&f.batch)
		takeAll(0)
	} else {
		last := &f.levels[len(f.levels)-2]
		for i := range last.states {
			if err := f.expand(&last.states[i]); err != nil {
				return err
			}
			if outside {
				take(last.states[i], i) // of which a step may lead to itself
			}
			takeAll(i)
		}
	}
	var sorted onPath
	var sorter store.Sorter
	for _, r := range sorter.Sort(order) {
		sorted.states = append(sorted.states, next.states[r.At])
		sorted.parents = append(sorted.parents, next.parents[r.At])
	}
	*next = sorted
	return nil
}

// expand makes the batch the successors of a state of a level. If the layout of vectors has to change for
// them all states are translated.
func (f *follower) expand(v *[]uint32) error {
	for {
		f.batch.Reset(f.width)
		if _, ok := f.filler.Expand(*v, 0, &f.batch); ok {
			return nil
		}
		if err := f.filler.Err(); err != nil {
			return err
		}
		translate := f.space.Grow()
		f.width = f.space.Width()
		f.newCursors()
		for _, l := range f.levels {
			for i, v := range l.states {
				l.states[i] = make([]uint32, f.width)
				translate(l.states[i], v)
			}
		}
	}
}
