package model

import (
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

type judge struct {
	property.PartsJudge
	t        *adapter
	from, to seen
	sums     []int // per property that counts: the sum over the parts of a state

	ofState, ofStep property.PurityCheck
}

func (t *adapter) NewJudge() lts.Judge {
	c := &judge{t: t, sums: make([]int, len(t.table.counts))}
	c.from.open(t)
	c.to.open(t)
	c.PartsJudge = property.PartsJudge{All: &t.judges, See: c.from.see}
	c.ofState, c.ofStep = c.newPurityCheck(), c.newPurityCheck()
	return c
}

// A seen shows a state, given by the numbers of its parts, to properties.
type seen struct {
	global
	s *protocol.Parts
}

func (g *seen) open(t *adapter) {
	n := t.c.N
	g.global = global{N: n, view: &view{
		local:   func(p Proc) value { return t.procs[p].locals[g.s.At(int(p))] },
		inbox:   func(p Proc) envelopes { return t.procs[p].shown[g.s.At(n+int(p))] },
		units:   func(p Proc) int { return t.procs[p].ofLocals[g.s.At(int(p))].units },
		history: func() value { return t.histories[g.s.At(2*n)].history },
	}}
}

// see shows s to properties, until it is called again.
func (g *seen) see(s *protocol.Parts) value {
	g.s, g.Dead = s, 0
	for p := range Proc(g.N) {
		if s.At(g.N+int(p)) == protocol.Closed {
			g.Dead = g.Dead.With(p)
		}
	}
	return subject(&g.global)
}

func (c *judge) Judge(s *protocol.Parts, which uint64) uint64 {
	found, left := c.byParts(s, which)
	if left == 0 {
		return found
	}
	return found | c.t.judges.States(c.from.see(s), left)
}

func (c *judge) JudgeStep(s *protocol.Parts, l Label, t *protocol.Parts, which uint64) uint64 {
	if which&c.t.judges.Steps[l.Action] == 0 {
		return 0
	}
	return c.t.judges.Step(c.from.see(s), int(l.Action), Proc(l.Proc), c.to.see(t), which)
}

// A judgeTable judges states by verdicts on their parts, so that the functions of most
// properties are not called for each state.
type judgeTable struct {
	protocol.Table
	counts  []int  // the properties of Table.Props that count
	ofUse   uint64 // that read the units in use
	mayHold uint64 // that may hold although a local state is not clear
}

// A verdict on a local state or an inbox has the answers of the properties that are judged by table.
type verdict struct {
	broken uint64 // the properties that do not hold of it, or may not
	units  int
	counts []int // per property that counts
}

func newJudgeTable(c *composition) (t judgeTable) {
	find := func(i int, reports func(used, live int) bool) {
		for used := range t.Found {
			for live := range c.N + 1 {
				if reports(used, live) {
					t.Found[used][live] |= 1 << i
				}
			}
		}
	}
	for i, p := range c.Properties {
		switch {
		case p.Kind != Invariant && p.Kind != Reachable:
			continue
		case p.OfUse != nil:
			of := func(used, live int) bool { return p.OfUse(used, live) == (p.Kind == Reachable) }
			if check.Caught(func() { find(i, of) }) != nil { // perhaps for numbers of no state
				continue
			}
			t.ofUse |= 1 << i
		case p.Kind == Reachable: // a table saves calls only if nearly all parts satisfy the property
			continue
		case p.OfCount != nil:
			t.counts = append(t.counts, i)
			if p.OfCount.Least > 0 { // the kernel has to report states whose parts all count 0
				find(i, func(int, int) bool { return true })
			}
		case p.OfLocal != nil || p.OfInbox != nil:
		case p.Clear != nil:
			t.mayHold |= 1 << i
		default:
			continue
		}
		t.Props |= 1 << i
	}
	return t
}

// spelledOut returns the properties with Holds filled in.
func spelledOut(ps []property.Erased) []property.Erased {
	return property.Rewritten(ps, func(p *property.Erased) {
		of := p.OfLocal
		if of == nil {
			of = p.OfInbox
		}
		switch {
		case p.OfUse != nil:
			property.JudgedByUse(p, func(s value) (used, live int) {
				g := globalOf(s)
				return g.InUse(), g.N - g.Dead.Len()
			})
		case p.OfCount != nil:
			f := p.OfCount
			p.Holds = func(s value) bool {
				all, g := 0, globalOf(s)
				for _, count := range []func(value, Proc) int{f.Local, f.Inbox} {
					for p := range Proc(g.N) {
						if count != nil && g.Live(p) {
							all += count(s, p)
						}
					}
				}
				return f.Allows(all)
			}
		case of != nil:
			p.Holds = func(s value) bool {
				return globalOf(s).Every(func(p Proc) bool { return of(s, p) })
			}
			if p.Blame == nil {
				p.Blame = blaming(of)
			}
		}
	})
}

// blaming is the Blame of a property that has to hold for each live process.
func blaming(of func(value, Proc) bool) func(func(Proc) string, value, Proc, value) (Set, string) {
	return func(_ func(Proc) string, _ value, _ Proc, s value) (who Set, _ string) {
		g := globalOf(s)
		for p := range Proc(g.N) {
			if g.Live(p) && !of(s, p) {
				who = who.With(p)
			}
		}
		return who, ""
	}
}

// A partView is a local state or an inbox of one process, for properties that read only that.
type partView struct {
	l     value
	shown envelopes
}

func (w *partView) open() *view {
	more := func(what string) { panic(protocol.Mistake{What: "a property of one process reads " + what}) }
	return &view{
		local: func(Proc) value { return w.l },
		inbox: func(Proc) envelopes { return w.shown },
		units: func(Proc) int {
			more("all of them")
			return 0
		},
		history: func() value {
			more("the history")
			return nil
		},
	}
}

// local returns the facts about a local state of p, and leaves its verdict in verdict.
func (t *adapter) local(p Proc, l value) (is protocol.Local) {
	is.Outside = !t.c.Keeps(p, l)
	is.Units = t.c.Units(p, l)
	is.Broken = t.judgePart(p, partView{l: l})
	t.verdict.units = is.Units
	if t.c.Links != nil {
		is.Trace = t.c.LocalTrace(l)
	}
	is.Times, is.Beyond = t.c.LocalTimes(l)
	if t.renamings != nil {
		is.Named = t.c.named(p, l)
	}
	return is
}

// judgePart leaves the verdict on a local state or an inbox of p in verdict, and reports whether states with
// it have to be judged.
func (t *adapter) judgePart(p Proc, part partView) (suspect bool) {
	t.part, t.verdict = part, verdict{}
	for i := range property.Among(t.table.Props) {
		q := &t.c.Properties[i]
		holds, f := q.OfInbox, q.OfCount
		if part.l != nil {
			holds = ofOne(q)
		}
		if holds != nil && !ask(t, i, holds, p) {
			t.verdict.broken |= 1 << i
		}
		if f == nil {
			continue
		}
		count, n := f.Inbox, 0
		if part.l != nil {
			count = f.Local
		}
		if count != nil {
			n = ask(t, i, count, p)
		}
		t.verdict.counts, suspect = append(t.verdict.counts, n), suspect || n != 0
	}
	return suspect || t.verdict.broken != 0
}

// ofOne returns the function of a property that reads one local state; nil: it reads more, or other parts.
func ofOne(p *property.Erased) func(value, Proc) bool {
	if p.OfLocal != nil {
		return p.OfLocal
	}
	return p.Clear
}

// ask calls a function of property i for a part of p.
func ask[T any](t *adapter, i int, of func(value, Proc) T, p Proc) (x T) {
	done := false
	defer check.Returns(&done, func() Error {
		return Error{Part: "property " + t.c.Properties[i].Name, Process: t.c.Names.Of(p)}
	})
	x, done = of(subject(&t.whole), p), true
	return x
}

// byParts judges s by the verdicts on its parts. It returns the properties to report, and the properties
// that the verdicts leave undecided.
func (c *judge) byParts(s *protocol.Parts, which uint64) (found, left uint64) {
	t := &c.t.table
	if which&t.Props == 0 {
		return 0, which
	}
	var broken uint64
	used, live := 0, 0
	clear(c.sums)
	for p := range c.t.procs {
		parts, inbox := &c.t.procs[p], s.At(len(c.t.procs)+p)
		if inbox == protocol.Closed {
			continue
		}
		local := s.At(p)
		live++
		used += parts.ofLocals[local].units
		broken |= parts.ofLocals[local].broken | parts.ofInboxes[inbox].broken
		for k := range c.sums {
			c.sums[k] += parts.ofLocals[local].counts[k] + parts.ofInboxes[inbox].counts[k]
		}
	}
	left = which &^ t.Props
	if used <= protocol.MaxUnits {
		found = t.Found[used][live] & t.ofUse
	} else {
		left |= which & t.ofUse
	}
	for k, i := range t.counts {
		if !c.t.c.Properties[i].OfCount.Allows(c.sums[k]) {
			found |= 1 << i
		}
	}
	return (found | broken&^t.mayHold) & which, left | broken&t.mayHold&which
}
