package model

import "github.com/atmostk/atmostk/model/protocol"

// A judgeTable judges states by what is known of their parts, so that the functions of most
// properties are not called for each state.
type judgeTable struct {
	protocol.Table
	ofLocal []int // the properties among them that look at local states, or at inboxes
	ofInbox []int
}

func newJudgeTable[L, M, H comparable](c *Composition[L, M, H]) (t judgeTable) {
	for i, p := range c.Properties {
		switch {
		case p.Kind != Invariant && p.Kind != Reachable:
			continue
		case p.OfUse != nil:
			for used := range t.Found {
				for live := range c.N + 1 {
					if p.OfUse(used, live) == (p.Kind == Reachable) {
						t.Found[used][live] |= 1 << i
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
		t.Props |= 1 << i
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

// local returns what is to be known of a local state of p.
func (t *typed[L, M, H]) local(p Proc, l *L) (is protocol.Local) {
	is.Outside = !t.c.keeps(p, l)
	is.Units = t.c.holds(l)
	t.part = partView[L, M, H]{l: l}
	for _, i := range t.table.ofLocal {
		of := t.c.Properties[i].OfLocal
		if of == nil {
			of = t.c.Properties[i].Clear
		}
		is.Broken = !t.asks(i, of, p) || is.Broken
	}
	if t.c.Links != nil {
		defer named(part("Links.Numbers"))
		is.Trace = t.c.Links.ofLocal(l)
	}
	is.Times, is.Beyond = t.c.timesOf(l)
	return is
}

// asks calls a function of property i that looks at a part of process p.
func (t *typed[L, M, H]) asks(i int, of func(*Global[L, M, H], Proc) bool, p Proc) bool {
	defer named(func() Error {
		return Error{Part: "property " + t.c.Properties[i].Name, Process: t.c.Names.Of(p)}
	})
	return of(&t.whole, p)
}
