package model

import "slices"

// A judgeTable judges states by what is known of the numbers in them, so that the
// functions of most properties are not called for each state.
type judgeTable struct {
	props   uint64 // those judged so
	ofLocal []int  // those among them that look at local states, or at inboxes
	ofInbox []int
	// found holds, for the units in use and the number of live processes, the properties of
	// these that have to be reported.
	found [maxUnits + 1][MaxProcs + 1]uint64
}

const (
	// maxUnits is the largest number of units in use for which there are verdicts.
	maxUnits = 32
	// maxHeld is the largest number of units of one process that is counted in trails,
	// which have 8 bits for those of all.
	maxHeld = 15
)

// A mark is what is to be known of a local state: the units in use, as far as they can
// be counted so, and whether a property of local states does not hold, or may not.
type mark uint8

const (
	broken       mark = 1 << 7
	countedUnits      = broken - 1
)

func newJudgeTable[L, M, H comparable](c *Composition[L, M, H]) (t judgeTable) {
	for i, p := range c.Properties {
		switch {
		case p.Kind != Invariant && p.Kind != Reachable:
			continue
		case p.OfUse != nil:
			for used := range t.found {
				for live := range t.found[used] {
					if p.OfUse(used, live) == (p.Kind == Reachable) {
						t.found[used][live] |= 1 << i
					}
				}
			}
		case p.Kind == Reachable: // a goal is not what nearly all states satisfy
			continue
		case p.OfLocal != nil || p.Clear != nil:
			t.ofLocal = append(t.ofLocal, i)
		case p.OfInbox != nil:
			t.ofInbox = append(t.ofInbox, i)
		default:
			continue
		}
		t.props |= 1 << i
	}
	return t
}

// spelledOut returns the properties with Holds filled in.
func spelledOut[L, M, H comparable](ps []Property[Global[L, M, H]]) []Property[Global[L, M, H]] {
	return rewritten(ps, func(p *Property[Global[L, M, H]]) {
		of := p.OfLocal
		if of == nil {
			of = p.OfInbox
		}
		switch {
		case p.OfUse != nil:
			f := p.OfUse
			p.Holds = func(g *Global[L, M, H]) bool { return f(g.InUse(), g.N-g.Dead.Len()) }
		case of != nil:
			p.Holds = func(g *Global[L, M, H]) bool {
				for p := range Proc(g.N) {
					if g.Live(p) && !of(g, p) {
						return false
					}
				}
				return true
			}
		}
	})
}

// A partView shows a local state or an inbox to properties that look at no more.
type partView[L, M, H comparable] struct {
	l       *L
	letters []Letter[M]
}

func (w *partView[L, M, H]) local(Proc) *L          { return w.l }
func (w *partView[L, M, H]) inbox(Proc) []Letter[M] { return w.letters }
func (w *partView[L, M, H]) inUse(Set) int {
	panic(mistaken("a property that is to look at one process only looks at all of them"))
}
func (w *partView[L, M, H]) history() *H {
	panic(mistaken("a property that is to look at one process only looks at the history"))
}

// raise makes alarms of the verdicts: of all states, once there is a part of a state that
// breaks a property or has too many units.
func (m *machine) raise(t *judgeTable, always bool) {
	for live := range m.alarms {
		for used := range m.alarms[live] {
			m.alarms[live][used] = always || used > maxUnits || t.found[used][live] != 0
		}
	}
}

// markLocal returns what is to be known of a new local state of p.
func (sp *space[L, M, H]) markLocal(p Proc, l *L) mark {
	m := mark(min(sp.c.holds(l), int(countedUnits)))
	sp.part = partView[L, M, H]{l: l}
	for _, i := range sp.byTable.ofLocal {
		of := sp.c.Properties[i].OfLocal
		if of == nil {
			of = sp.c.Properties[i].Clear
		}
		if !sp.asks(i, of, p) {
			m |= broken
		}
	}
	if m > maxHeld {
		sp.raise(&sp.byTable, true)
	}
	return m
}

// asks calls a function of property i that looks at a part of process p.
func (sp *space[L, M, H]) asks(i int, of func(*Global[L, M, H], Proc) bool, p Proc) bool {
	defer named(func() Error {
		return Error{Part: "property " + sp.c.Properties[i].Name, Process: sp.c.Names.Of(p)}
	})
	return of(&sp.whole, p)
}

// markInbox reports whether a new inbox of p breaks a property of inboxes.
func (sp *space[L, M, H]) markInbox(p Proc, letters []Letter[M]) bool {
	sp.part = partView[L, M, H]{letters: letters}
	bad := slices.ContainsFunc(sp.byTable.ofInbox, func(i int) bool { return !sp.asks(i, sp.c.Properties[i].OfInbox, p) })
	if bad {
		sp.raise(&sp.byTable, true)
	}
	return bad
}

// judge judges v by the tables. If ok is false they do not tell.
func (c *stepper) judge(v []uint32, t *judgeTable) (found uint64, ok bool) {
	used, live, bad := 0, 0, false
	for p := range c.n {
		inbox := c.seats[p&15].inboxAt.get(v)
		if inbox == dead {
			continue
		}
		g := &c.m.gears[p]
		m := g.localMarks[c.seats[p&15].localAt.get(v)]
		live++
		used += int(m & countedUnits)
		bad = bad || m&broken != 0 || g.inboxMarks[inbox]
	}
	if bad || used > maxUnits {
		return 0, false
	}
	return t.found[used][live], true
}
