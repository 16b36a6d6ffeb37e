package model

import (
	"slices"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
)

// A Monitor judges the states of one run of a composition, as it goes on. It is for one goroutine.
type Monitor struct {
	judges  property.Judges
	c       *composition
	at      *interp.State
	now     global // shows the state at
	units   []int  // per process, in use
	inUse   int
	unclear [][]bool // per property with Clear, whether it does not hold of a process
	judging int      // the property being judged
	asking  func() Error
}

// NewMonitor returns a new monitor of a composition.
func NewMonitor(in Instance) *Monitor {
	of := in.Plain.(*plain)
	m := &Monitor{judges: of.Judges, c: of.Processes.(*composition)}
	m.now = global{N: m.c.N, view: m.c.stateView(&m.at, make([]envelopes, m.c.N))}
	m.asking = func() Error { return Error{Part: "property " + m.judges.Props[m.judging].Name} }
	m.unclear = make([][]bool, len(m.judges.Props))
	return m
}

func (m *Monitor) see(s *interp.State) *global {
	m.at, m.now.Dead = s, s.Dead
	return &m.now
}

// Judge returns the invariants among which that a state violates and the goals that it reaches. The last step
// was one of by and changed only its local state, and the inboxes of changed; nil: all may
// have changed.
func (m *Monitor) Judge(s *interp.State, which uint64, by Proc, changed []Proc) (found uint64) {
	defer check.Named(m.asking)
	g := m.see(s)
	m.count(s, by, changed == nil)
	for m.judging = range property.Among(which & m.judges.OfStates) {
		if m.reports(g, &m.judges.Props[m.judging], by, changed) {
			found |= 1 << m.judging
		}
	}
	return found
}

// reports returns whether the property being judged has to be reported. If it reads one process at a
// time, only processes that the last step changed are judged, since it held for the others before.
func (m *Monitor) reports(g *global, p *property.Erased, by Proc, changed []Proc) bool {
	switch {
	case p.OfUse != nil:
		return p.OfUse(m.inUse, g.N-g.Dead.Len()) == (p.Kind == Reachable)
	case p.Clear != nil:
		if m.clear(g, p.Clear, by, changed == nil) {
			return false
		}
	case changed == nil || p.Kind == Reachable:
	case p.OfLocal != nil:
		return g.Live(by) && !p.OfLocal(subject(g), by)
	case p.OfInbox != nil:
		return slices.ContainsFunc(changed, func(q Proc) bool {
			return g.Live(q) && !p.OfInbox(subject(g), q)
		})
	}
	return p.Holds(subject(g)) == (p.Kind == Reachable)
}

func (m *Monitor) count(s *interp.State, by Proc, anew bool) {
	if m.units == nil {
		m.units = make([]int, m.now.N)
	}
	for p := range m.units {
		if anew || Proc(p) == by {
			m.inUse -= m.units[p]
			m.units[p] = s.Units(Proc(p))
			m.inUse += m.units[p]
		}
	}
}

// clear updates the processes for which clear does not hold, and returns whether there are none.
func (m *Monitor) clear(g *global, clear func(value, Proc) bool, by Proc, anew bool) bool {
	if m.unclear[m.judging] == nil {
		m.unclear[m.judging] = make([]bool, g.N)
	}
	unclear := m.unclear[m.judging]
	for p := range unclear {
		if anew || Proc(p) == by {
			unclear[p] = g.Live(Proc(p)) && !clear(subject(g), Proc(p))
		}
	}
	return !slices.Contains(unclear, true)
}

// Looks reports whether some StepInvariant judges steps of an action, for which JudgeStep needs the state
// before.
func (m *Monitor) Looks(action int) bool { return m.judges.Steps[action] != 0 }

// JudgeStep returns the StepInvariants among which that a step breaks.
func (m *Monitor) JudgeStep(from *interp.State, l Label, to *interp.State, which uint64) uint64 {
	defer check.Named(check.Part("a property of steps"))
	before := global{N: m.c.N, Dead: from.Dead, view: m.c.stateView(&from, nil)}
	return m.judges.Step(subject(&before), int(l.Action), Proc(l.Proc), subject(m.see(to)), which)
}

// JudgeQuiet returns the Quiet properties among which that fail in a state, a quiet one.
func (m *Monitor) JudgeQuiet(s *interp.State, which uint64) uint64 {
	defer check.Named(check.Part("a property of quiet states"))
	return m.judges.Quiet(subject(m.see(s)), which)
}

// Marks returns the marks of a state in lasso k of Liveness property i.
func (m *Monitor) Marks(s *interp.State, i, k int) lts.Marks {
	m.judging = i
	defer check.Named(m.asking)
	return m.judges.Marks(subject(m.see(s)), i, k)
}

// plain is the plain semantics of a composition: the interpreter, with the properties.
type plain struct {
	*interp.Interp
	property.PlainJudge
	forgets   bool     // states of the search are normal forms
	renamings [][]Proc // under which they represent others; nil: they do not
}

func newPlain(x *interp.Interp, j property.Judges, forgets bool) *plain {
	pl := &plain{Interp: x, forgets: forgets}
	by := func(t *lts.Transition) Proc { return t.Proc }
	pl.PlainJudge = property.PlainJudge{Judges: j, Shown: x.Processes.(*composition).copied, By: by,
		Names: x.Names}
	return pl
}

// stateView shows the state of the interpreter at s to properties. rooms is memory for inboxes that are shown
// for a moment; nil: each is a new slice.
func (c *composition) stateView(s **interp.State, rooms []envelopes) *view {
	return &view{
		local: func(p Proc) value { return (*s).Local(p) },
		inbox: func(p Proc) envelopes {
			if rooms == nil {
				return c.inbox((*s).Inbox(p), nil)
			}
			rooms[p] = c.inbox((*s).Inbox(p), rooms[p])
			return rooms[p]
		},
		units:   func(p Proc) int { return c.Units(p, (*s).Local(p)) },
		history: func() value { return (*s).History() },
	}
}

func (pl *plain) InUse(s State) (uses []lts.Use) {
	for p, name := range pl.Names {
		at := s.(*interp.State)
		if n := pl.Units(Proc(p), at.Local(Proc(p))); n > 0 && !at.IsDead(Proc(p)) {
			uses = append(uses, lts.Use{Owner: name, Units: n})
		}
	}
	return uses
}

// Like returns the steps from a state that have a label.
func (pl *plain) Like(from State, l Label) []lts.Transition {
	if int(l.Proc) >= pl.N() {
		return nil
	}
	steps := pl.StepsOf(from, Proc(l.Proc), int(l.Action))
	return slices.DeleteFunc(steps, func(t lts.Transition) bool { return t.Label() != l })
}

func (pl *plain) Stands(stored, s State) bool {
	if pl.forgets {
		s = pl.Processes.(*composition).normalForm(pl.Interp, s.(*interp.State))
	}
	if c := pl.Processes.(*composition); pl.renamings != nil {
		at, history := s.(*interp.State), stored.(*interp.State).History()
		for other := range c.orbit(pl.Interp, pl.renamings, at, history) {
			if other.Key() == stored.Key() {
				return true
			}
		}
	}
	return stored.Key() == s.Key()
}
