package explain

import (
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
)

// exhaustive finds the choices of one stage of an exhaustive search. There is a stage for the next line of
// each process, then one for the hidden steps of each. A process whose line was tried sleeps in later stages
// until something happens that may matter to the line (sleep sets: Godefroid, LNCS 1032, 1996). In models
// whose steps do not commute no process sleeps.
func (s *search) exhaustive(f *choicePoint) {
	n := len(s.names)
	i := f.stage
	sleeps := s.track.independent() && len(f.pending) == 0
	if sleeps {
		i-- // stage 0 was search.forced
	}
	p := model.Proc(i % n)
	switch {
	case i >= 2*n:
		f.final = true
	case i >= n:
		s.offerHidden(f, p)
	case f.asleep.Has(p) || !s.ready(&f.cut, p):
	default:
		f.offer(p, s.blockEnds(f, p), false)
		if sleeps {
			f.tried = f.tried.With(p)
		}
	}
}

// guidedBlock finds the choices of one stage of a guided pass while no hidden step is pending. There is a
// stage for each process, beginning with the one of the last step: first its hidden steps, if its own count
// shows that lines are missing, then its next line. The last stage has the hidden steps of all other
// processes.
func (s *search) guidedBlock(f *choicePoint) {
	n := len(s.names)
	if f.stage > n {
		for p := range model.Proc(n) {
			if s.counted(&f.cut, p) == 0 {
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
	missing := s.counted(&f.cut, p) > 0
	if missing {
		s.offerHidden(f, p)
		f.tried = f.tried.With(p)
	}
	if s.ready(&f.cut, p) {
		f.offer(p, s.visible(&f.cut, p), false)
	}
	if !missing && len(f.choices) > 0 {
		s.offerHidden(f, p)
		f.final = true
	}
}

// counted returns how many lines of p are missing before its next one, by its count; 0: none, or unknown.
func (s *search) counted(c *cut, p model.Proc) int {
	if s.done(c, p) || s.lines[p][c.explained[p]].gap <= 0 {
		return 0
	}
	return max(0, s.allowance(c, p))
}

// blockEnds returns the ways to explain the next line of p that depend on all pending steps: the line ends
// the block of hidden steps.
func (s *search) blockEnds(f *choicePoint, p model.Proc) []successor {
	others := 0
	for _, l := range f.pending {
		if l.proc != p && !l.crash {
			others++
		}
	}
	if others > 1 { // a step receives one message
		return nil
	}
	return slices.DeleteFunc(s.visible(&f.cut, p), func(n successor) bool {
		return n.skip && len(f.pending) > 0 || len(s.stillPending(&f.cut, &n.step)) > 0
	})
}

func (s *search) offerHidden(f *choicePoint, p model.Proc) {
	f.offer(p, s.hiddenSteps(&f.cut, p), true)
}

// hiddenSteps returns the steps that p may take without a line. Its crash is one of them if the log has no
// further line of p.
func (s *search) hiddenSteps(c *cut, p model.Proc) (ns []successor) {
	add := func(ms []step) {
		for i := range ms {
			if w := s.track.take(c.point, &ms[i], nil); !slices.Equal(w.parts, c.point.parts) {
				ns = append(ns, successor{step: ms[i], point: w})
			}
		}
	}
	free := s.allowance(c, p) > 0
	for a := range s.actions {
		switch s.track.Class(a) {
		case interp.OwnStep, interp.CrashNotice:
			if free {
				add(s.track.steps(c.point, p, a))
			}
		case interp.CrashStep:
			// A process with lines after its crash has recovered; that happens under Links only.
			if int(c.explained[p]) == len(s.lines[p]) || free && !s.track.independent() {
				add(s.track.steps(c.point, p, a))
			}
		}
	}
	if !free {
		return ns
	}
	inbox := c.point.inboxes[p]
	for i := range inbox {
		if !reserved(&inbox[i]) &&
			(s.done(c, p) || s.known(&inbox[i], &s.h.Events[s.lines[p][c.explained[p]].event])) {
			add(s.track.receive(c.point, p, i))
		}
	}
	return ns
}
