package explain

import (
	"slices"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/track"
	"github.com/atmostk/atmostk/traces/logs"
)

// rowGuess is how many lines in a row a guided pass takes to be missing.
const rowGuess = 3

// all are the stages of an exhaustive search: the next line of each process in
// turn, and then the hidden steps of each. A process whose line has been tried
// sleeps until something happens that may matter to it.
func (s *search) all(f *frame) {
	n := len(s.names)
	i := f.stage
	if len(f.loose) == 0 {
		i-- // stage 0 was another
	}
	p := model.Proc(i % n)
	switch {
	case i >= 2*n || i >= n && s.guided && f.row >= rowGuess:
		f.final = true
	case i >= n:
		s.offerHidden(f, p)
	case f.asleep.Has(p) || !s.ready(&f.config, p):
	default:
		s.offer(f, p, s.blockEnds(f, p))
		if len(f.loose) == 0 {
			f.tried = f.tried.With(p)
		}
	}
}

// interleave are the stages of a search for models whose steps do not commute: the next line of
// each process, the one with the earliest time first, then the hidden steps of each. Nobody sleeps.
func (s *search) interleave(f *frame) {
	n := len(s.names)
	i := f.stage
	switch {
	case i < n:
		if p := s.byTime(&f.config)[i]; s.ready(&f.config, p) {
			s.offer(f, p, s.visible(&f.config, p))
		}
	case i < 2*n && (!s.guided || f.row < rowGuess):
		s.offerHidden(f, model.Proc(i-n))
	default:
		f.final = true
	}
}

// byTime lists the processes by the times of their next lines, which are a hint where to begin.
func (s *search) byTime(c *config) (ps []model.Proc) {
	at := make([]time.Time, len(s.names))
	for p := range at {
		ps = append(ps, model.Proc(p))
		if i := int(c.cut[p]); i < len(s.lines[p]) {
			at[p] = s.h.Events[s.lines[p][i].event].Begin
		}
	}
	slices.SortStableFunc(ps, func(p, q model.Proc) int { return at[p].Compare(at[q]) })
	return ps
}

// guess are the stages of a guided pass between blocks. Where the node's own count
// tells that lines are missing, hidden steps come first; elsewhere they come after
// everything else.
func (s *search) guess(f *frame) {
	n := len(s.names)
	if f.stage > n {
		for p := range model.Proc(n) {
			if s.counted(&f.config, p) == 0 {
				s.offerHidden(f, p)
			}
		}
		f.final = true
		return
	}
	first := 0
	if f.via != nil {
		first = int(f.via.proc)
	}
	p := model.Proc((first + f.stage - 1) % n)
	if f.asleep.Has(p) {
		return
	}
	if s.counted(&f.config, p) > 0 {
		s.offerHidden(f, p)
		if s.ready(&f.config, p) {
			s.offer(f, p, s.visible(&f.config, p))
		}
		f.tried = f.tried.With(p)
		return
	}
	if s.ready(&f.config, p) {
		s.offer(f, p, s.visible(&f.config, p))
	}
	if len(f.options) > 0 {
		s.offerHidden(f, p)
		f.final = true
	}
}

// counted returns how many lines of p are missing before its next one by the
// node's own count; 0 if that is not known.
func (s *search) counted(c *config, p model.Proc) int {
	if s.done(c, p) || s.lines[p][c.cut[p]].gap <= 0 {
		return 0
	}
	return max(0, s.allowance(c, p))
}

// blockEnds returns the ways to explain the next line of p on which all hidden
// steps of the block come to depend; and none that could as well come before the
// last one.
func (s *search) blockEnds(f *frame, p model.Proc) (ns []next) {
	others := 0
	for _, l := range f.loose {
		if l.proc != p && !l.crash {
			others++
		}
	}
	if others > 1 { // a step receives one message
		return nil
	}
	for _, n := range s.visible(&f.config, p) {
		if n.skip && len(f.loose) > 0 || len(s.use(&f.config, &n.move)) > 0 || s.swaps(f, p, &n) {
			continue
		}
		ns = append(ns, n)
	}
	return ns
}

// swaps reports whether the last step was a hidden one of p, and it leads to the
// same if it comes after n instead. That it can come there must be certain, so the
// line after this one must not be numbered.
func (s *search) swaps(f *frame, p model.Proc, n *next) bool {
	at := int(f.cut[p]) + 1
	if f.row == 0 || f.via.proc != p || at >= len(s.lines[p]) || s.lines[p][at].gap >= 0 ||
		s.lines[p][at].class == track.CrashStep {
		return false
	}
	h := f.via
	for _, m := range s.outcomes(f.before, p, &s.lines[p][f.cut[p]], nil) {
		if s.reaches(m.point, p, f.before, h, n.point) {
			return true
		}
	}
	return false
}

// reaches reports whether the hidden step h, which was taken at v, can be taken at w
// and leads to goal.
func (s *search) reaches(w track.Point, p model.Proc, v track.Point, h *taken, goal track.Point) bool {
	var ms []track.Step
	if h.move.Envelope < 0 {
		ms = s.track.Steps(w, p, h.move.Action)
	} else {
		envelope := s.track.Inbox(v, p)[h.move.Envelope]
		i := slices.Index(s.track.Inbox(w, p), envelope)
		if i < 0 {
			return false
		}
		ms = s.track.Receive(w, p, i)
	}
	return slices.ContainsFunc(ms, func(m track.Step) bool {
		return m.Action == h.move.Action && m.Peer == h.move.Peer && slices.Equal(s.track.Take(w, &m, nil),
			goal)
	})
}

// heard reports whether p can have heard by n, which explains its next line, and since
// its last one of all that the vector clocks say. Clocks may travel in other ways than
// with the messages of the model, so only guided passes rely on this.
func (s *search) heard(c *config, p model.Proc, n *next) bool {
	l := &s.lines[p][c.cut[p]]
	e := &s.h.Events[l.event]
	if !s.clocks || e.Clock == nil || n.skip {
		return true
	}
	sources := []int{}
	unknown := false
	add := func(v track.Point, m *track.Step) {
		if m.Envelope < 0 {
			return
		}
		if at := s.origin(s.track.Inbox(v, p)[m.Envelope].Mark); at >= 0 {
			sources = append(sources, at)
		} else {
			unknown = true
		}
	}
	add(c.v, &n.move)
	t := c.via
	for left := c.gap[p]; left > 0; t = t.before {
		if t.proc == p {
			left--
			add(s.pointBefore(t), &t.move)
		}
	}
	if i := int(c.cut[p]); i > 0 {
		sources = append(sources, s.lines[p][i-1].event)
	}
	return unknown || s.covers(sources, e)
}

// pointBefore returns the point before a step.
func (s *search) pointBefore(t *taken) track.Point {
	if t.before == nil {
		return s.track.Start()
	}
	return t.before.point
}

// covers reports whether the clocks of some events together know as much of all other
// nodes as that of e does.
func (s *search) covers(sources []int, e *logs.Event) bool {
	for q, n := range e.Clock {
		if q == e.Node || n == 0 {
			continue
		}
		if !slices.ContainsFunc(sources, func(i int) bool {
			c := s.h.Events[i].Clock
			return q < len(c) &&
				c[q] >= n
		}) {
			return false
		}
	}
	return true
}

// offerHidden adds the hidden steps of p to the options of a frame.
func (s *search) offerHidden(f *frame, p model.Proc) {
	for _, n := range s.hiddenSteps(&f.config, p) {
		f.options = append(f.options, option{n, p, true})
	}
}

// hiddenSteps returns the steps that p may take without a line. Its crash is one if
// the log has nothing more of it.
func (s *search) hiddenSteps(c *config, p model.Proc) (ns []next) {
	add := func(ms []track.Step) {
		for i := range ms {
			if w := s.track.Take(c.v, &ms[i], nil); !slices.Equal(w, c.v) {
				ns = append(ns, next{move: ms[i], point: w})
			}
		}
	}
	free := s.allowance(c, p) > 0
	for a := range s.actions {
		switch s.track.Class(a) {
		case track.OwnStep, track.CrashNotice:
			if free {
				add(s.track.Steps(c.v, p, a))
			}
		case track.CrashStep:
			// One that has lines after its crash has come up again: under Links only.
			if int(c.cut[p]) == len(s.lines[p]) || free && !s.track.Independent() {
				add(s.track.Steps(c.v, p, a))
			}
		}
	}
	if !free {
		return ns
	}
	inbox := s.track.Inbox(c.v, p)
	for i := range inbox {
		if !reserved(&inbox[i]) &&
			(s.done(c, p) || s.known(&inbox[i], &s.h.Events[s.lines[p][c.cut[p]].event])) {
			add(s.track.Receive(c.v, p, i))
		}
	}
	return ns
}
