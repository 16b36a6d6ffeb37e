package starfile

import (
	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
)

// Invariants of processes are judged by table where they are made of what is said of single processes and
// messages, or count them: see model.Property.

func (b composedBinding) parts(p *model.Property[global], s *settings) {
	if f := s.function("each"); f != nil {
		if fn, ok := f.(*starlark.Function); ok && fn.NumParams() == 2 {
			b.eachAndDead(p, f)
		} else {
			p.OfLocal = b.local(f)
		}
	}
	if f := s.function("clear"); f != nil {
		p.Clear = b.local(f)
	}
	if f := s.function("inbox"); f != nil {
		holds := b.c.b.predicate(f)
		p.OfInbox = func(g *global, q model.Proc) bool {
			return holds.answer(starlark.NewList(b.c.envelopesOf(q, g.Inbox(q))))
		}
	}
	if f := s.function("message"); f != nil {
		holds := b.ofMessages(f)
		p.OfInbox = func(g *global, q model.Proc) bool { return holds(g, q) == len(g.Inbox(q)) }
	}
	b.counts(p, s)
}

// ofMessages counts the messages on their way to a process of which a predicate is true.
func (b composedBinding) ofMessages(f starlark.Callable) func(*global, model.Proc) int {
	holds := b.c.b.predicate(f)
	return func(g *global, q model.Proc) (n int) {
		for _, e := range b.c.envelopesOf(q, g.Inbox(q)) {
			if holds.answer(e) {
				n++
			}
		}
		return n
	}
}

// counts fills in bounds on how many processes and messages there are of which something is true.
func (b composedBinding) counts(p *model.Property[global], s *settings) {
	processes, messages := s.function("count"), s.function("messages")
	if processes == nil && messages == nil {
		for _, name := range []string{"least", "most"} {
			if s.given(name) != nil {
				s.fail("%s bounds what count or messages count, and there is neither", name)
			}
		}
		return
	}
	if s.given("least") == nil && s.given("most") == nil {
		s.fail("least and most are missing: a bound on what is counted")
	}
	p.OfCount = &model.Tally[global]{Least: s.whole("least", 0), Most: s.whole("most", maxInt)}
	if processes != nil {
		holds := b.local(processes)
		p.OfCount.Local = func(g *global, q model.Proc) int {
			if holds(g, q) {
				return 1
			}
			return 0
		}
	}
	if messages != nil {
		p.OfCount.Inbox = b.ofMessages(messages)
	}
}

// manyDead is how many sets of dead processes are tried to find out whether a local state is clear.
const manyDead = 64

// eachAndDead makes an invariant of what is said of each live process and of who is dead. A local state of
// which it is said whoever is dead need not be looked at in states.
func (b composedBinding) eachAndDead(p *model.Property[global], f starlark.Callable) {
	holds := b.c.b.predicate(f)
	says := func(q model.Proc, l *local, dead model.Set) bool {
		return holds.askOf(func() []starlark.Value {
			return []starlark.Value{b.c.frozen(q, l), b.c.ids(dead)}
		}, key{x: uint64(q)}, keyOf(l.bytes, 0), key{x: uint64(dead)})
	}
	p.Holds = func(g *global) bool {
		for q := range model.Proc(g.N) {
			if g.Live(q) && !says(q, g.Local(q), g.Dead) {
				return false
			}
		}
		return true
	}
	all := b.c.deadSets()
	if len(all) > manyDead {
		return
	}
	p.Clear = func(g *global, q model.Proc) bool {
		for _, dead := range all {
			if !dead.Has(q) && !says(q, g.Local(q), dead) {
				return false
			}
		}
		return true
	}
}

// deadSets lists the sets of processes that may be dead at once, or more than manyDead of them.
func (c *composition) deadSets() (all []model.Set) {
	nw := &c.network
	all = []model.Set{0}
	for p := range (nw.Crashable | nw.Dead).Each() {
		for _, s := range all {
			if s.Len() < nw.Crashes {
				all = append(all, s.With(p))
			}
		}
		if len(all) > manyDead {
			break
		}
	}
	return all
}
