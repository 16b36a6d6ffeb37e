package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// copied returns a copy of a state, as properties see it.
func (c *composition) copied(s State) value {
	at := s.(*interp.State)
	past, locals, inboxes := c.histories.Copied(at.History()), make([]value, c.N), make([]envelopes, c.N)
	for p := range Proc(c.N) {
		inbox := at.Inbox(p)
		shown := c.inbox(inbox, nil)
		for i, m := range c.received(shown) {
			c.messages.CopyTo(m, inbox[i].M)
		}
		locals[p], inboxes[p] = c.locals.Copied(at.Local(p)), shown
	}
	return subject(&global{N: c.N, Dead: at.Dead, view: &view{
		local:   func(p Proc) value { return locals[p] },
		inbox:   func(p Proc) envelopes { return inboxes[p] },
		units:   func(p Proc) int { return c.Units(p, locals[p]) },
		history: func() value { return past },
	}})
}

// changed returns the part of a copy that differs from the state; "": none.
func (c *composition) changed(copied value, s State) string {
	w, at := globalOf(copied).view, s.(*interp.State)
	for p := range Proc(c.N) {
		name := c.Names.Of(p)
		if l := w.local(p); !c.locals.Equal(l, at.Local(p)) {
			return name + ": " + c.spelled(l)
		}
		for i, m := range c.received(w.inbox(p)) {
			if e := at.Inbox(p)[i]; !c.messages.Equal(m, e.M) {
				return fmt.Sprintf("message to %s from %s: %s", name, c.Names.Of(e.From), c.messages.Text(m))
			}
		}
	}
	if past := w.history(); !c.histories.Equal(past, at.History()) {
		return "history: " + check.Spelled(c.histories.Any(past), c.Names)
	}
	return ""
}

func (c *judge) newPurityCheck() property.PurityCheck {
	return property.PurityCheck{
		Judges: &c.t.judges, Shown: c.t.c.copied, Changed: c.t.c.changed,
		By: func(l Label) Proc { return Proc(l.Proc) },
	}
}

// One in sampled of the checked states is also judged as a whole by the properties that are judged by table;
// while the first process has fewer than fewLocals local states, each checked state is.
const (
	sampled   = 16
	fewLocals = 32
)

func (c *judge) Check(x lts.Checked) {
	of, check := property.Subject{Label: x.Label}, &c.ofState
	t, j := &c.t.table, &c.t.judges
	switch {
	case x.Next != nil:
		check, of.Which = &c.ofStep, x.Which&j.Steps[x.Label.Action]
		x.Hash = uint64(check.Checks) << 36
	case x.Quiet:
		of.Which = x.Which & j.OfKind[Quiet]
	default:
		of.Which = x.Which & j.Answers
		many := len(c.t.procs[0].locals) >= fewLocals
		if x.Hash>>32%sampled != 0 && many && c.t.renamings == nil {
			of.Which &^= t.Props
		}
	}
	if of.Which == 0 {
		return
	}
	if of.States = append(of.States, c.t.Decode(x.State)); x.Next != nil {
		of.States = append(of.States, c.t.Decode(x.Next))
	}
	if check.EvalTwice(of); x.Next == nil && !x.Quiet {
		c.compareParts(&x, &of)
	}
	if c.t.renamings != nil {
		c.readsNames(of, x.Hash)
	}
	if c.t.c.byOrder() {
		c.readsOrder(check, of)
	}
}

// readsOrder panics if a property has another answer about states with other times in the same order, or with
// other clocks: a clock with numbers may be higher than the one without.
func (c *judge) readsOrder(check *property.PurityCheck, of property.Subject) {
	for _, clocks := range []uint32{0, 255} {
		others := make([]lts.State, len(of.States))
		for k, s := range of.States {
			// different spaces for the states of a step, whose times are ranked one by one
			others[k] = c.t.c.respaced(c.t.x, s.(*interp.State),
				func(stamp *uint32) { *stamp *= 5 + uint32(k) }, func(clock *uint32) { *clock = clocks })
		}
		check.Alike(of, readsTimes, func() string { return "" }, others...)
	}
}

// readsNames panics if a property has another answer about a state with processes exchanged: by all renamings
// in the first checks, and by one, drawn by a hash, in others.
func (c *judge) readsNames(of property.Subject, hash uint64) {
	at, t := of.States[0].(*interp.State), c.t
	all := t.renamings
	if c.ofState.Checks > protocol.OftenAsked {
		i := int(hash >> 8 % uint64(len(all)))
		all = all[i : i+1]
	}
	for other := range t.c.orbit(t.x, all, at, at.History()) {
		where := func() string { return " in " + check.Described(other) }
		c.ofState.Alike(of, "it is not symmetric", where, other)
	}
}

// compareParts panics if the answer of a property about a state differs from its answers about the parts.
func (c *judge) compareParts(x *lts.Checked, of *property.Subject) {
	byParts, unknown := c.byParts(x.State, of.Which)
	for i := range property.Among(of.Which & c.t.table.Props) {
		answer := c.ofState.Answers[i]
		if unknown>>i&1 == 0 && (byParts>>i&1 == 1) != answer.Report {
			panic(&Error{
				Part: c.ofState.Part(i), State: check.Described(of.States[0]),
				What:  "judged process by process it has another result than judged as a whole",
				First: property.Answer{Report: !answer.Report}.String(), Second: answer.String(),
			})
		}
	}
}

// If a model has another initial state the next time, the runs that are shown are not runs of the model that
// was searched. So Init and UnderWay are evaluated again before the search, and initAgain times, since random
// results may be equal by chance.
const initAgain = 3

// checkStart panics if Init or UnderWay returns two results for a process.
func (c *composition) checkStart() {
	for i := 0; i < initAgain && !c.Hermetic; i++ {
		for p := range Proc(c.N) {
			e := &Error{What: check.Nondeterministic, Process: c.Names.Of(p)}
			if a, b := c.Begin(p), c.Begin(p); !c.locals.Equal(a, b) {
				e.Part, e.Where = "Init", check.DeclaredAt(c.Composition.Init)
				e.First, e.Second = c.spelled(a), c.spelled(b)
				panic(e)
			}
			if a, b := c.sends(p), c.sends(p); a != b {
				e.Part, e.Where = "UnderWay", check.DeclaredAt(c.Composition.UnderWay)
				e.First, e.Second = a, b
				panic(e)
			}
		}
	}
}

// checkNames panics if two variables of a process have one name. States also show which processes crashed,
// and their inboxes or links.
func (c *composition) checkNames() {
	taken := []string{"crashed", "inbox"}
	if c.Links != nil {
		taken[1] = "out"
	}
	for _, v := range c.LocalVars(0, c.Begin(0)) {
		if slices.Contains(taken, v.Name) {
			panic(&Error{Part: "variable " + v.Name, Where: check.DeclaredAt(c.Composition.Init),
				What: "a process has two; allowed are other names than " + strings.Join(taken, ", ")})
		}
		taken = append(taken, v.Name)
	}
}

// sends lists the messages that a process has under way in the initial state.
func (c *composition) sends(p Proc) string {
	texts := mapped(c.UnderWay(p), func(s interp.Sent) string {
		return c.messages.Spell(s.M) + " to " + c.Names.Of(s.To)
	})
	return "it sends: [" + strings.Join(texts, ", ") + "]"
}
