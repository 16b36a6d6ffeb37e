package explain

import (
	"context"
	"slices"

	"github.com/atmostk/atmostk/model"
)

// A search looks for a run that explains the log, depth first.
type search struct {
	*script
	hidden, tail int
	// guided passes leave out what hardly ever helps. They find explanations; that
	// there is none they cannot tell.
	guided bool
	budget *budget
	seen   map[string]verdict
	stack  []frame
	far    *furthest
	key    []byte
}

// A verdict is what is known of a config that has been entered before.
type verdict struct {
	hidden   int32     // the fewest hidden steps with which it was
	conflict model.Set // who may be the reason that it failed; 0: not known yet
}

// A frame is a config with the options that are left to try.
type frame struct {
	config
	options  []option
	next     int
	stage    int
	final    bool      // there is no further stage
	tried    model.Set // who sleeps from the next stage on
	whose    model.Set // whose options were tried
	conflict model.Set
	key      string // under which the config is in seen
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
	if !s.enter(from) {
		return nil, false, ""
	}
	for len(s.stack) > 0 {
		if stopped = s.budget.spent(ctx, s); stopped != "" {
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
		if o.hidden {
			s.enter(s.afterHidden(c, o.next))
		} else {
			s.enter(s.afterLine(c, o.proc, o.next))
		}
	}
	return nil, false, ""
}

// enter puts a config on the stack, unless it has been there.
func (s *search) enter(c config) bool {
	s.key = c.appendKey(s.key[:0])
	old, known := s.seen[string(s.key)]
	if known && int(old.hidden) <= c.hidden {
		if n := len(s.stack); n > 0 {
			conflict := old.conflict
			if conflict == 0 {
				conflict = model.All(len(s.names))
			}
			s.stack[n-1].conflict |= conflict
		}
		return false
	}
	key := string(s.key)
	s.seen[key] = verdict{hidden: int32(c.hidden)}
	s.budget.states++
	s.budget.keys += int64(len(key))
	s.stack = append(s.stack, frame{config: c, key: key})
	return true
}

// leave takes the last frame from the stack. In a guided pass the frames below it
// go too whose options have nothing to do with its failure.
func (s *search) leave() {
	for {
		n := len(s.stack) - 1
		f := &s.stack[n]
		if f.conflict == 0 {
			f.conflict = s.culprits(&f.config)
		}
		s.far.note(&f.config)
		conflict := f.conflict
		s.seen[f.key] = verdict{int32(f.hidden), conflict}
		s.stack[n] = frame{}
		s.stack = s.stack[:n]
		if n == 0 {
			return
		}
		below := &s.stack[n-1]
		if !s.guided || conflict&below.whose != 0 {
			below.conflict |= conflict
			return
		}
		below.conflict, below.options, below.next, below.final = conflict, nil, 0, true
	}
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
		case len(ns) > 0 && s.stable(l):
			s.offer(f, p, ns)
			f.final = true
			return
		case len(ns) == 0 && s.hidden+s.tail > 0 && s.hopeless(&f.config, p, l):
			f.final, f.conflict = true, s.culprit(&f.config, p)
			return
		}
	}
}

// offer makes ways to explain the next line of p the options of a frame.
func (s *search) offer(f *frame, p model.Proc, ns []next) {
	f.whose = f.whose.With(p)
	for _, n := range ns {
		f.options = append(f.options, option{n, p, false})
	}
}

// ready reports whether all that the next line of p is after has happened.
func (s *search) ready(c *config, p model.Proc) bool {
	i := int(c.cut[p])
	return i < len(s.lines[p]) && !slices.ContainsFunc(s.lines[p][i].after, func(x need) bool { return c.cut[x.proc] < x.lines })
}

// visible returns the ways to explain the next line of p, which is ready.
func (s *search) visible(c *config, p model.Proc) []next {
	l := &s.lines[p][c.cut[p]]
	ns := s.outcomes(c.v, p, l, nil)
	if s.h.Events[l.event].Maybe {
		ns = append(ns, next{point: c.v, move: model.Move{Proc: p, Letter: -1}, skip: true})
	}
	return ns
}

// stable reports whether a line that can be explained now will have no other
// explanations later, whatever other processes do.
func (s *search) stable(l *line) bool {
	e := &s.h.Events[l.event]
	switch l.class {
	case model.Receipt:
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
	case model.CrashNotice:
		return l.from >= 0
	}
	return l.effect == 0 || !s.effectByReceipt(l)
}

// effectByReceipt reports whether a line that enters or releases may be a receipt or a notice.
func (s *script) effectByReceipt(l *line) bool {
	return slices.ContainsFunc(l.actions, func(a int) bool { return s.track.Class(a) != model.OwnStep })
}

// hopeless reports whether a line of p that cannot be explained now never will be,
// as p does nothing else before.
func (s *search) hopeless(c *config, p model.Proc, l *line) bool {
	switch {
	case s.h.Events[l.event].Maybe || l.effect != 0 && s.effectByReceipt(l):
		return false
	case l.class == model.OwnStep || l.class == model.CrashStep:
		return true
	case l.class == model.Receipt && l.from >= 0 && s.track.FIFO():
		return slices.ContainsFunc(s.track.Inbox(c.v, p), func(m model.Parcel) bool { return int(m.From) == l.from })
	}
	return false
}
