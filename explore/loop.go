package explore

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model/check"
)

// explore visits the reachable states and, unless it stops, proves that it visited all of them.
func (s *search) explore() error {
	if err := s.levels(); err != nil || s.disproved {
		return err
	}
	if s.report.Stopped != "" {
		if n := s.next.Count; n > 0 { // the unfinished level
			s.report.Levels = append(s.report.Levels, int64(n))
			s.report.Depth++
		}
		return nil
	}
	if gap := s.gap(); gap != "" {
		return fmt.Errorf("%w: the search ended before it was complete: %s", ErrInternal, gap)
	}
	s.exhausted = true
	s.exhaust()
	return nil
}

// exhaust completes the report of a search that has no state left to expand.
func (s *search) exhaust() {
	r := &s.report
	r.Complete = s.counts.Beyond == 0 && s.opt.Store.Kind.proves()
	switch {
	case s.counts.Beyond > 0:
		r.Stopped = "complete within bounds: " + s.in.Space.Bounds()
	case !s.opt.Store.Kind.proves():
		r.Stopped = "no state is left to expand; probably no state was left out, but that is not proved"
	}
}

// levels visits the reachable states, level by level, until no state is left or it has to
// stop; the reason is in Report.Stopped then.
func (s *search) levels() error {
	if s.in.Until != nil {
		defer s.in.Until(s.ctx)()
	}
	s.recordProgress()
	s.opt.setAbandonable(true)
	var err error
	if e := check.Caught(func() { err = s.initial() }); e != nil {
		s.fail(e, find{})
	}
	s.opt.setAbandonable(false)
	s.report.Stopped = cmp.Or(s.report.Stopped, s.enough())
	if err != nil || s.report.Stopped != "" {
		return err
	}
	defer s.opt.setAbandonable(false)
	for s.now.Count > 0 || s.next.Count > 0 {
		if s.now.Count == 0 {
			s.now, s.next = s.next, s.now
			s.report.Levels = append(s.report.Levels, int64(s.now.Count))
			s.report.Depth++
		}
		err := s.expandAll()
		s.disproved = err == nil && s.mistake == nil && s.space.EndLevel()
		if err != nil || s.report.Stopped != "" || s.disproved {
			return err
		}
	}
	return nil
}

// expandAll expands the remaining states of the level, or of the part of the level in memory, unless it has
// to stop.
func (s *search) expandAll() error {
	for s.now.Count > 0 {
		if s.report.Stopped = s.limit(atExpansion); s.report.Stopped != "" {
			return nil
		}
		s.pause()
		if err := s.expandNext(); err != nil {
			return err
		}
		if s.report.Stopped = cmp.Or(s.report.Stopped, s.enough()); s.report.Stopped != "" {
			return nil
		}
	}
	return nil
}

// enough returns the reason to stop that the finds are; "": none.
func (s *search) enough() string {
	found := uint64(0)
	for i := range s.finds {
		if s.finds[i].known {
			found |= 1 << i
		}
	}
	switch {
	case s.opt.Finds > 0 && bits.OnesCount64(found) >= s.opt.Finds:
		return "all was found"
	case found&^s.goals != 0 && !s.opt.KeepGoing:
		return "stopped at the first violation"
	}
	return ""
}

// length returns the number of words of an entry of a queue.
func (s *search) length() int { return s.width + s.behind }

// gap returns evidence that the search missed a reachable state. "" proves that it visited all:
// the initial states are stored, each stored state was put into one level and expanded
// once, and no state waits for its expansion.
func (s *search) gap() string {
	stored, levels := int64(s.tables.Used()), int64(0)
	for _, n := range s.report.Levels {
		levels += n
	}
	var b kernel.Batch
	b.Reset(s.width)
	s.space.Init(&b)
	for i := range b.Len() {
		if !s.visited.(rememberingSet).Holds(b.At(i), b.Hash(i)) {
			return "an initial state is not stored"
		}
	}
	waiting := int64(s.now.Count + s.next.Count)
	if waiting != 0 || levels != stored || s.counts.Expanded != stored || s.report.States != stored {
		return fmt.Sprintf("%d states stored, %d counted, %d in levels, %d expanded, %d to be expanded",
			stored, s.report.States, levels, s.counts.Expanded, waiting)
	}
	return ""
}

// initial visits the initial states.
func (s *search) initial() error {
	ch := &s.chunks[0]
	ch.reset(s.width)
	s.space.Init(&ch.batch)
	b := &ch.batch
	s.initialAgain(b)
	root := memory.RootLink
	if s.disk != nil {
		root = 0
	}
	for at := 0; at < len(b.Words); at += b.Stride {
		b.Words[at+b.Width+kernel.RecordParent] = root
	}
	s.counts.Generated = int64(b.Len() + b.Outside.Len())
	s.judgeOutside(s.cursors[0], ch, nil, 0)
	ch.sort(&s.siblingCaches[0], s.disk != nil)
	for i := range s.chunks { // not before: initial states are counted by their records
		next := &s.chunks[i].batch
		next.Distinct, next.CountOutside = !s.judgeSteps && s.disk == nil, !s.everyStep && !s.judgeAll
	}
	return s.lookUp(s.chunks[:1])
}

// initialAgain computes the initial states a second time. It panics if the constraint keeps another number.
func (s *search) initialAgain(first *kernel.Batch) {
	var again kernel.Batch
	again.Reset(s.width)
	s.space.Init(&again)
	if n, m := first.Len(), again.Len(); n != m && n+first.Outside.Len() == m+again.Outside.Len() {
		within := first
		if n == 0 {
			within = &again
		}
		said := "it keeps %d of the initial states"
		state := s.decode(within.At(0))
		panic(check.NoFunction("Constraint", state, fmt.Sprintf(said, n), fmt.Sprintf(said, m)))
	}
}
