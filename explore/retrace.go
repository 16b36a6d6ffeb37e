package explore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model/lts"
)

// Report returns the report of a search that stopped for a reason, a sentence; "": no state is left to be
// expanded. After an expansion that met a mistake of the model it is about that. Each counterexample is found
// in the files, and executed by the plain semantics. The Expander is of no use for expansions any more.
func (e *Expander) Report(ctx context.Context, files store.Files, at *store.Search, stopped string) (*Report,
	error) {
	s, r, c := e.s, &e.s.report, &at.Counts
	s.ctx = ctx
	r.Stopped, r.Levels, r.Depth, r.States = stopped, at.Levels, at.Level(), at.States()
	r.Generated, r.Outside, r.Beyond, r.Pruned = c.Generated, c.Outside, c.Beyond, c.Pruned
	r.Stuck, r.StuckDepth, r.Quiet = c.Stuck, c.StuckDepth, c.Quiet
	copy(r.Fired, c.Fired)
	for i, n := range c.Properties {
		r.Properties[i].Count = n
	}
	clear(s.finds)
	for i := range at.Finds {
		f := &at.Finds[i]
		s.finds[f.Property] = find{known: true, level: f.Level, coded: f}
	}
	if m := s.mistake; m != nil && m.at.known {
		s.space.Encode()
		m.at = find{known: true, level: m.at.level, coded: &store.Find{Level: m.at.level,
			State: s.space.Code(m.at.state)}}
	}
	s.trace = func(f *store.Find) ([][]uint32, error) { return s.retrace(files, at, f) }
	s.covered = &lts.Coverage{Unchanged: c.Unchanged, Unused: c.Unused}
	if stopped == "" {
		var stored int64
		for _, run := range slices.Concat(at.Visited...) {
			stored += run.States
		}
		if stored != r.States || c.Expanded != r.States {
			return nil, fmt.Errorf("%w: the search ended before it was complete: %d states in files, %d in "+
				"levels, %d expanded",
				ErrInternal, stored, r.States, c.Expanded)
		}
		s.exhausted = true
		s.exhaust()
	}
	mistake, err := s.end()
	if err == nil && mistake != nil {
		err = mistake
	}
	if err != nil {
		return nil, err
	}
	r.Elapsed = time.Duration(at.Seconds * float64(time.Second))
	r.Disk = at.Bytes()
	if r.States > 0 {
		r.StateBytes = int((at.Bytes() + r.States - 1) / r.States)
	}
	return r, nil
}

// retrace returns the states on the way to a find: of the states whose codes may be on it those that follow
// each other.
func (s *search) retrace(files store.Files, at *store.Search, f *store.Find) ([][]uint32, error) {
	lineage, err := at.Lineage(files, f.Level, f.State)
	if err != nil {
		return nil, err
	}
	if f.Beyond != nil {
		lineage = append(lineage, map[store.Code]bool{*f.Beyond: true})
	}
	path, err := s.follow(make([][]uint32, 0, len(lineage)), lineage)
	if err == nil && path == nil {
		err = fmt.Errorf("%w: no path to a visited state", ErrInternal)
	}
	return path, err
}

// follow completes a path by states with codes of the lineage, one for each level; nil: there is no such
// path. The path has room for all of them, so that it stays the same one when its states are translated.
func (s *search) follow(path [][]uint32, lineage []map[store.Code]bool) ([][]uint32, error) {
	if len(path) == len(lineage) {
		return path, nil
	}
	for _, next := range slices.SortedFunc(maps.Keys(lineage[len(path)]), store.Compare) {
		v, err := s.successor(path, next, len(path) == len(lineage)-1)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		if whole, err := s.follow(append(path, v), lineage); whole != nil || err != nil {
			return whole, err
		}
	}
	return nil, nil
}

// successor returns the successor of the last state of a path, or the initial state if there is none, that
// has a code; nil if none has. Outside: it may be one that the constraint rejects. If the layout of vectors
// has to change the path is translated.
func (s *search) successor(path [][]uint32, code store.Code, outside bool) ([]uint32, error) {
	var b kernel.Batch
	b.Reset(s.width)
	if len(path) == 0 {
		s.space.Init(&b)
	} else {
		for {
			if _, ok := s.learner.Expand(path[len(path)-1], 0, &b); ok {
				break
			}
			if err := s.learner.Err(); err != nil {
				return nil, err
			}
			translate := s.space.Grow()
			s.width = s.space.Width()
			s.newCursors()
			for i, v := range path {
				path[i] = make([]uint32, s.width)
				translate(path[i], v)
			}
			b.Reset(s.width)
		}
	}
	if last := len(path) - 1; outside && last >= 0 && s.code(path[last]) == code {
		return path[last], nil
	}
	for i := range b.Len() {
		if s.code(b.At(i)) == code {
			return slices.Clone(b.At(i)), nil
		}
	}
	for i := range b.Outside.Len() {
		if outside && s.code(b.Outside.At(i)) == code {
			return slices.Clone(b.Outside.At(i)), nil
		}
	}
	return nil, nil
}
