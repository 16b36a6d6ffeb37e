package explain

import (
	"context"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/track"
)

// A search looks for a run that explains the log, depth first.
type search struct {
	*script
	hidden, tail int
	// guided passes leave out what hardly ever helps. They find explanations; that
	// there is none they cannot tell.
	guided bool
	budget *budget
	seen   map[string]int32 // the fewest hidden steps with which a config was entered
	stack  []frame
	far    *furthest
	key    []byte
	doubt  bool // some crash could have let messages overtake others
}

// A frame is a config with the options that are left to try.
type frame struct {
	config
	options []option
	next    int
	stage   int
	final   bool      // there is no further stage
	tried   model.Set // who sleeps from the next stage on
}

// An option is a step of a process: of its next line, or a hidden one.
type option struct {
	next
	proc   model.Proc
	hidden bool
}

// run searches on from a config. It returns the last step of an explanation, or
// nil if there is none, or why it stopped.
func (s *search) run(ctx context.Context, from config) (end *taken, found bool, stopped string) {
	s.stack = s.stack[:0]
	s.enter(from)
	for len(s.stack) > 0 {
		if stopped = s.budget.spent(ctx, s); stopped != "" {
			for i := range s.stack {
				s.far.note(&s.stack[i].config)
			}
			return nil, false, stopped
		}
		f := &s.stack[len(s.stack)-1]
		if len(f.loose) == 0 && f.used() == s.total {
			return f.via, true, ""
		}
		o, more := s.option(f)
		if !more {
			s.leave()
			continue
		}
		c := &f.config
		s.overtaking(c, &o)
		if o.hidden {
			s.enter(s.afterHidden(c, o.next))
		} else {
			s.enter(s.afterLine(c, o.proc, o.next))
		}
	}
	if s.track.Guards() && s.hidden+s.tail > 0 {
		return nil, false,
			"a history of the model guards its steps, and not all orders of hidden steps were tried"
	}
	if s.doubt && !s.guided {
		return nil, false,
			"a process that died while it sent may have let messages overtake others, which was not tried"
	}
	return nil, false, ""
}

// overtaking notes a step that may be the last of its process and sends different
// messages to another one, where a crash could lose the first of them only.
func (s *search) overtaking(c *config, o *option) {
	if s.doubt || !s.track.Overtakes() || len(o.move.Sent) < 2 {
		return
	}
	rest := s.lines[o.proc][c.cut[o.proc]:]
	if !o.hidden {
		rest = rest[1:]
	}
	if len(rest) > 1 || len(rest) == 1 && rest[0].class != track.CrashStep {
		return
	}
	for i, m := range o.move.Sent {
		s.doubt = s.doubt || slices.ContainsFunc(o.move.Sent[:i],
			func(x track.Envelope) bool { return x.To == m.To && x.Text != m.Text })
	}
}

// enter puts a config on the stack, unless it has been there.
func (s *search) enter(c config) {
	s.key = c.appendKey(s.key[:0])
	if hidden, known := s.seen[string(s.key)]; known && int(hidden) <= c.hidden {
		return
	}
	s.seen[string(s.key)] = int32(c.hidden)
	s.budget.states++
	s.budget.keys += int64(len(s.key))
	s.stack = append(s.stack, frame{config: c})
}

// leave takes the last frame from the stack.
func (s *search) leave() {
	n := len(s.stack) - 1
	s.far.note(&s.stack[n].config)
	s.stack[n] = frame{}
	s.stack = s.stack[:n]
}

// option returns the next option of a frame.
func (s *search) option(f *frame) (option, bool) {
	for f.next == len(f.options) {
		if f.final {
			return option{}, false
		}
		f.options, f.next = f.options[:0], 0
		f.asleep |= f.tried
		switch {
		case !s.track.Independent():
			s.interleave(f)
		case f.stage == 0 && len(f.loose) == 0:
			s.settled(f)
		case s.guided && len(f.loose) == 0:
			s.guess(f)
		default:
			s.all(f)
		}
		f.stage++
	}
	f.next++
	return f.options[f.next-1], true
}

// settled looks for a process whose next line can be dealt with here and now: no
// hidden step of its can come before, and what others do gives it no other way
// to explain the line. Then nothing else need be tried.
func (s *search) settled(f *frame) {
	n := len(s.names)
	first := 0
	if f.via != nil {
		first = int(f.via.proc)
	}
	for i := range n {
		p := model.Proc((first + i) % n)
		if f.asleep.Has(p) || !s.ready(&f.config, p) || s.allowance(&f.config, p) > 0 {
			continue
		}
		l := &s.lines[p][f.cut[p]]
		ns := s.visible(&f.config, p)
		switch {
		case len(ns) > 0 && s.stable(l) &&
			!slices.ContainsFunc(ns, func(n next) bool { return n.move.Guarded }):
			s.offer(f, p, ns)
			f.final = true
			return
		case len(ns) == 0 && s.hidden+s.tail > 0 && s.hopeless(&f.config, p, l):
			f.final = true
			return
		}
	}
}

// offer makes ways to explain the next line of p the options of a frame.
func (s *search) offer(f *frame, p model.Proc, ns []next) {
	for _, n := range ns {
		f.options = append(f.options, option{n, p, false})
	}
}

// ready reports whether all that the next line of p is after has happened.
func (s *search) ready(c *config, p model.Proc) bool {
	i := int(c.cut[p])
	return i < len(s.lines[p]) && !slices.ContainsFunc(s.lines[p][i].after,
		func(x need) bool { return c.cut[x.proc] < x.lines })
}

// visible returns the ways to explain the next line of p, which is ready.
func (s *search) visible(c *config, p model.Proc) []next {
	l := &s.lines[p][c.cut[p]]
	ns := s.outcomes(c.v, p, l, nil)
	if s.guided {
		ns = slices.DeleteFunc(ns, func(n next) bool { return !s.heard(c, p, &n) })
	}
	if s.h.Events[l.event].Maybe {
		ns = append(ns, next{point: c.v, move: track.Step{Proc: p, Envelope: -1}, skip: true})
	}
	return ns
}

// stable reports whether a line that can be explained now will have no other
// explanations later, whatever other processes do.
func (s *search) stable(l *line) bool {
	e := &s.h.Events[l.event]
	switch l.class {
	case track.Receipt:
		if l.effect != 0 {
			return false
		}
		if l.mark != 0 {
			return !s.twice[l.mark]
		}
		if l.from < 0 {
			return false
		}
		return s.track.FIFO() || e.Message != "" && !s.clocks
	case track.CrashNotice:
		return l.from >= 0
	}
	return l.effect == 0 || !s.effectByReceipt(l)
}

// effectByReceipt reports whether a line that enters or releases may be a receipt or a notice.
func (s *script) effectByReceipt(l *line) bool {
	return slices.ContainsFunc(l.actions, func(a int) bool { return s.track.Class(a) != track.OwnStep })
}

// hopeless reports whether a line of p that cannot be explained now never will be,
// as p does nothing else before. A crash may still make it so that a message need
// not be among those logged.
func (s *search) hopeless(c *config, p model.Proc, l *line) bool {
	switch {
	case s.track.Guards() || s.h.Events[l.event].Maybe || l.effect != 0 && s.effectByReceipt(l):
		return false
	case l.class == track.Receipt:
		first := func(m track.Envelope) bool { return int(m.From) == l.from }
		if l.from < 0 || !s.track.FIFO() || !slices.ContainsFunc(s.track.Inbox(c.v, p), first) {
			return false
		}
	case l.class != track.OwnStep && l.class != track.CrashStep:
		return false
	}
	s.lenient = true
	ns := s.outcomes(c.v, p, l, nil)
	s.lenient = false
	return len(ns) == 0
}
