package explain

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/traces/printable"
)

// A pass has the assumptions of a search, and its limit of states.
type pass struct {
	hidden, tail int
	// guided passes omit choices that hardly ever help. They find explanations, but never show that none
	// exists.
	guided bool
	limit  int64 // 0: none
}

// A search looks for a run that explains the log, depth first.
type search struct {
	*matcher
	pass
	memory int64            // bytes; 0: no limit
	seen   map[string]int32 // per key of a cut: the fewest hidden steps with which it was entered
	stack  []choicePoint
	far    *furthest
	key    []byte
	doubt  bool // some crash could have let messages overtake others

	states, steps int64
	keys          int64 // bytes of the keys of cuts
}

// limitReached returns the limit that is reached, in words; "": none.
func (s *search) limitReached(ctx context.Context) string {
	s.steps++
	if s.limit > 0 && s.states >= s.limit {
		return fmt.Sprintf("the limit of %s was reached", printable.Plural(s.limit, "state"))
	}
	if s.steps&(1<<8-1) != 0 {
		return ""
	}
	switch err := context.Cause(ctx); {
	case errors.Is(err, context.DeadlineExceeded):
		return "the time limit was reached"
	case err != nil:
		return "interrupted"
	}
	const entry = 120 // bytes of the map, per cut
	if s.memory > 0 && s.keys+s.states*entry+int64(len(s.stack))*600+s.track.bytes > s.memory {
		return fmt.Sprintf("%d bytes of memory were not enough", s.memory)
	}
	return ""
}

// A choicePoint is a cut on the stack of the search, with the choices still to try there. Choices are found
// in stages, the most decisive ones first: see search.choose.
type choicePoint struct {
	cut
	choices []choice
	next    int
	stage   int
	final   bool      // this is the last stage
	tried   model.Set // processes that sleep from the next stage on
}

// A choice is a step of a process: one that explains its next line, or a hidden one.
type choice struct {
	successor
	proc   model.Proc
	hidden bool
}

// run searches from a cut. It returns the last step of an explanation if it found one, and otherwise the
// reason why the search is incomplete; "": it is complete.
func (s *search) run(ctx context.Context, from cut) (end *pathStep, found bool, stopped string) {
	s.enter(from)
	for len(s.stack) > 0 {
		if stopped = s.limitReached(ctx); stopped != "" {
			for i := range s.stack {
				s.far.add(&s.stack[i].cut)
			}
			return nil, false, stopped
		}
		f := &s.stack[len(s.stack)-1]
		if len(f.pending) == 0 && f.used() == s.total {
			return f.via, true, ""
		}
		o, more := s.choose(f)
		if !more {
			s.far.add(&f.cut)
			*f = choicePoint{} // frees its memory
			s.stack = s.stack[:len(s.stack)-1]
			continue
		}
		s.overtaking(&f.cut, &o)
		s.enter(s.after(&f.cut, &o))
	}
	if s.track.Medium.Guards && s.hidden+s.tail > 0 {
		return nil, false,
			"a history of the model guards its steps, and not all orders of hidden steps were tried"
	}
	if s.doubt && !s.guided {
		return nil, false, "a crash while sending may have let messages overtake others, which was not tried"
	}
	return nil, false, ""
}

// overtaking notes a step that may be the last of its process and sends different messages to one target: in
// FIFO channels, a crash could lose only the first of them.
func (s *search) overtaking(c *cut, o *choice) {
	if x := s.track; s.doubt || !x.FIFO() || !x.Mortal || !x.AnyPart || len(o.step.sent) < 2 {
		return
	}
	rest := s.lines[o.proc][c.explained[o.proc]:]
	if !o.hidden {
		rest = rest[1:]
	}
	if len(rest) > 1 || len(rest) == 1 && rest[0].class != interp.CrashStep {
		return
	}
	for i, m := range o.step.sent {
		s.doubt = s.doubt || slices.ContainsFunc(o.step.sent[:i],
			func(x envelope) bool { return x.To == m.To && x.text != m.text })
	}
}

// enter puts a cut on the stack, unless it was entered before with at most as many hidden steps.
func (s *search) enter(c cut) {
	s.key = c.appendKey(s.key[:0])
	if hidden, known := s.seen[string(s.key)]; known && int(hidden) <= c.hidden {
		return
	}
	s.seen[string(s.key)] = int32(c.hidden)
	s.states++
	s.keys += int64(len(s.key))
	s.stack = append(s.stack, choicePoint{cut: c})
}

// choose returns the next choice at f; false: all choices were tried.
func (s *search) choose(f *choicePoint) (choice, bool) {
	for f.next == len(f.choices) {
		if f.final {
			return choice{}, false
		}
		f.choices, f.next = f.choices[:0], 0
		f.asleep |= f.tried
		switch free := s.track.independent() && len(f.pending) == 0; {
		case free && f.stage == 0:
			s.forced(f)
		case free && s.guided:
			s.guidedBlock(f)
		default:
			s.exhaustive(f)
		}
		f.stage++
	}
	f.next++
	return f.choices[f.next-1], true
}

// forced is stage 0. It looks for a process whose ways to explain its next line are the only choices needed
// here: no hidden step of the process can come before the line, and no step of another process adds a way to
// explain it (its steps are a persistent set: Godefroid, LNCS 1032, 1996).
func (s *search) forced(f *choicePoint) {
	n := len(s.names)
	first := 0
	if f.via != nil {
		first = int(f.via.proc)
	}
	for i := range n {
		p := model.Proc((first + i) % n)
		if f.asleep.Has(p) || !s.ready(&f.cut, p) || s.allowance(&f.cut, p) > 0 {
			continue
		}
		ns := s.visible(&f.cut, p)
		if len(ns) > 0 && !ns[0].skip && s.stable(&s.lines[p][f.explained[p]]) &&
			!slices.ContainsFunc(ns, func(n successor) bool { return n.step.guarded }) {
			f.offer(p, ns, false)
			f.final = true
			return
		}
	}
}

func (f *choicePoint) offer(p model.Proc, ns []successor, hidden bool) {
	for _, n := range ns {
		f.choices = append(f.choices, choice{n, p, hidden})
	}
}

// ready reports whether p has a next line, and all lines known to be before it are explained.
func (s *search) ready(c *cut, p model.Proc) bool {
	i := int(c.explained[p])
	return i < len(s.lines[p]) && !slices.ContainsFunc(s.lines[p][i].after,
		func(x need) bool { return c.explained[x.proc] < x.lines })
}

// visible returns the ways to explain the next line of p, which is ready.
func (s *search) visible(c *cut, p model.Proc) []successor {
	l := &s.lines[p][c.explained[p]]
	ns := s.matches(c.point, p, l, nil)
	if s.h.Events[l.event].Maybe {
		ns = append(ns, successor{point: c.point, step: step{Step: interp.Step{Proc: p, At: -1}}, skip: true})
	}
	return ns
}

// stable reports whether other processes cannot add explanations of a line that can be explained now.
func (s *search) stable(l *line) bool {
	e := &s.h.Events[l.event]
	switch l.class {
	case interp.Receipt:
		if l.mark != 0 {
			return l.effect == 0 && !s.twice[l.mark]
		}
		return l.effect == 0 && l.from >= 0 && (s.track.FIFO() || e.Message != "" && !s.clocks)
	case interp.CrashNotice:
		return l.from >= 0
	}
	return !slices.ContainsFunc(l.actions, func(a int) bool { // a receipt, also one broken off, or a notice
		return s.track.Class(a) != interp.OwnStep && s.track.Class(a) != interp.CrashStep
	})
}

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
