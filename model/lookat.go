package model

import (
	"fmt"
	"math/bits"

	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// NoFunction is the mistake that a part of the model came to two results in a state.
func NoFunction(part string, s State, first, second any) *Error {
	return &Error{
		Part: part, What: impure, State: described(s), First: fmt.Sprint(first), Second: fmt.Sprint(second),
	}
}

// Impure reports whether the mistake is that something is no function: it may not show again.
func (e *Error) Impure() bool { return e.First != "" || e.Second != "" }

// An answer is what a property says of a state: whether it has to be reported, and the marks and
// origins of the state, in a sum.
type answer struct {
	report bool
	rest   uint64
}

func (a answer) String() string {
	if a.rest != 0 {
		return fmt.Sprintf("to report: %v, marks %#x", a.report, a.rest)
	}
	return fmt.Sprintf("to report: %v", a.report)
}

// answer asks property i, as far as its kind is judged by a state: a Quiet one of a quiet state only.
func (j *judges[S]) answer(s *S, i int) (a answer) {
	p := &j.props[i]
	switch p.Kind {
	case Invariant, Reachable, Quiet:
		a.report = j.flags(s, i)
	case Liveness:
		for k := range p.Lassos {
			a.rest = a.rest*31 + uint64(j.marks(s, i, k))
		}
	}
	if p.Origins != nil {
		a.rest = a.rest*31 + j.origins(s, i)
	}
	return a
}

// A copyView shows properties a copy of a state, so that it is found out if they change it.
type copyView struct {
	c      *composition
	locals []value
	past   value
	shown  []envelopes // the inboxes, copies if deep
	// messages are those of the copies, and sources what these are copies of
	messages [][]value
	sources  [][]interp.Envelope
	whole    global
}

func (w *copyView) local(p Proc) value     { return w.locals[p] }
func (w *copyView) inbox(p Proc) envelopes { return w.shown[p] }
func (w *copyView) history() value         { return w.past }

func (w *copyView) inUse(dead Set) (n int) {
	for p := range w.locals {
		if !dead.Has(Proc(p)) {
			n += w.c.Units(Proc(p), w.locals[p])
		}
	}
	return n
}

// copy copies a state, of which some processes are dead; the messages under way only if deep.
func (w *copyView) copy(from *partsView, dead Set, deep bool) {
	w.c = from.t.c
	w.whole = global{N: w.c.N, Dead: dead, view: w}
	w.locals, w.shown, w.messages, w.sources = w.locals[:0], w.shown[:0], w.messages[:0], w.sources[:0]
	w.past = w.c.histories.copied(from.history())
	for p := range Proc(w.c.N) {
		w.locals = append(w.locals, w.c.locals.copied(from.local(p)))
		var own []value
		shown, source := from.inbox(p), from.t.procs[p].inboxes[partAt(from.s, w.c.N+int(p))]
		if deep {
			shown = w.c.inbox(source, nil)
			own = w.c.received(shown)
			for i, m := range own {
				w.c.messages.copyTo(m, source[i].M)
			}
		}
		w.shown, w.messages = append(w.shown, shown), append(w.messages, own)
		w.sources = append(w.sources, source)
	}
}

// changed says what is not as it was copied; "" if all is.
func (w *copyView) changed(from *partsView) string {
	for p := range w.locals {
		name := w.c.Names.Of(Proc(p))
		if !w.c.locals.Equal(w.locals[p], from.local(Proc(p))) {
			return name + ": " + w.c.spelled(w.locals[p])
		}
		for i, m := range w.messages[p] {
			if w.c.messages.Equal(m, w.sources[p][i].M) {
				continue
			}
			var texts []string
			for k, m := range w.messages[p] {
				texts = append(texts, fmt.Sprintf("{%d %s}", w.sources[p][k].From, w.c.messages.Text(m)))
			}
			return fmt.Sprintf("inbox of %s: %v", name, texts)
		}
	}
	if !w.c.histories.Equal(w.past, from.history()) {
		return "history: " + spelled(w.c.histories.any(w.past), w.c.Names)
	}
	return ""
}

// Look judges a copy of s by each property, again and again, and compares with what the tables say.
func (c *judge) Look(s *protocol.Parts, which uint64, k lts.Known) {
	which &= c.t.judges.answers
	t := &c.t.table
	deep := k.Hash>>32&15 == 0 || len(c.t.procs[0].locals) < 32
	if !deep {
		which &^= t.Props // few states are ever judged as a whole by them
	}
	if which == 0 {
		return
	}
	c.fromView.see(s, &c.from)
	c.lookThrough(which, looking{ask: c.ofState, deep: deep})
	byParts, unknown := c.byParts(s, which)
	for left := which & t.Props; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		whole := c.answers[i]
		if k.Told && (k.ByTable>>i&1 == 1) != whole.report ||
			unknown>>i&1 == 0 && (byParts>>i&1 == 1) != whole.report {
			panic(&Error{
				Part: "property " + c.t.judges.props[i].Name, State: described(c.t.Decode(s)),
				What:  "judged process by process it says something else than judged as a whole",
				First: answer{report: !whole.report}.String(), Second: whole.String(),
			})
		}
	}
	c.lookLater(s, which, k.Hash)
}

func (c *judge) LookQuiet(s *protocol.Parts, which uint64, _ uint64) {
	if which &= c.t.judges.ofKind[Quiet]; which != 0 {
		c.fromView.see(s, &c.from)
		c.lookThrough(which, looking{ask: c.ofState, deep: true})
	}
}

func (c *judge) LookStep(s *protocol.Parts, l Label, t *protocol.Parts, which uint64) {
	if which &= c.t.judges.steps[l.Action]; which == 0 {
		return
	}
	c.fromView.see(s, &c.from)
	c.toView.see(t, &c.to)
	c.lookThrough(which, looking{ask: c.ofStep, deep: true, step: true, label: l})
}

// looking says what copies are judged: of a state, or of the two states of a step.
type looking struct {
	ask   func(i int) answer // asks property i about the copies
	deep  bool               // messages under way are copied as well
	step  bool               // there are two states
	label Label              // of the step between them
}

// lookedAt is what was looked at before, of which the copies are still there.
type lookedAt struct {
	looking
	which uint64 // the properties that were asked
	state State  // nil: there is nothing
}

// times is how often what is asked of a model is asked, after the first of it: see protocol.OftenAsked.
const times = 2

// lookThrough asks each of the properties several times, and panics if one of them is no function, or
// changes what it is given. What it is given is looked at after the first time already: two changes may undo
// each other. At first what was looked at before is asked about once more: handlers have run since, perhaps.
func (c *judge) lookThrough(which uint64, x looking) {
	n := times
	if b := &c.before; b.state != nil {
		c.askAgain(b.which, b.looking, b.state)
		b.state = nil
	}
	if c.looked < protocol.OftenAsked {
		c.looked++
		n = protocol.ManyTimes
		c.before = lookedAt{x, which, c.t.Decode(c.fromView.s)}
	}
	c.copy(x)
	c.label = x.label
	for left := which; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		c.answers[i] = x.ask(i)
	}
	if c.changed(x) != "" {
		c.meddled(which, x)
	}
	for range n - 1 {
		c.askAgain(which, x, nil)
	}
}

// askAgain asks properties about the copies once more, and panics if one of them says something else. The
// state is that at hand if it is nil.
func (c *judge) askAgain(which uint64, x looking, at State) {
	c.label = x.label
	for left := which; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		if a := x.ask(i); a != c.answers[i] {
			if at == nil {
				at = c.t.Decode(c.fromView.s)
			}
			panic(NoFunction("property "+c.t.judges.props[i].Name, at, c.answers[i], a))
		}
	}
}

// askState asks property i about the copied state, and askStep about the copied step.
func (c *judge) askState(i int) answer { return c.t.judges.answer(&c.copied.whole, i) }
func (c *judge) askStep(i int) answer {
	by := Proc(c.label.Proc)
	broken := c.t.judges.step(&c.copied.whole, int(c.label.Action), by, &c.copiedTo.whole, 1<<i)
	return answer{report: broken != 0}
}

// copy makes the copies.
func (c *judge) copy(x looking) {
	c.copied.copy(&c.fromView, c.from.Dead, x.deep)
	if x.step {
		c.copiedTo.copy(&c.toView, c.to.Dead, x.deep)
	}
}

// changed says what of the copies is not as it was copied; "" if all is.
func (c *judge) changed(x looking) string {
	changed := c.copied.changed(&c.fromView)
	if changed == "" && x.step {
		changed = c.copiedTo.changed(&c.toView)
	}
	return changed
}

// meddled panics with the mistake that one of the properties changes what it is given.
func (c *judge) meddled(which uint64, x looking) {
	mistake := &Error{Part: "a property", What: meddling, State: described(c.t.Decode(c.fromView.s))}
	mistake.First, mistake.Second = mistake.State, c.changed(x)
	for left := which; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		c.copy(x)
		x.ask(i)
		if changed := c.changed(x); changed != "" {
			mistake.Part, mistake.Second = "property "+c.t.judges.props[i].Name, changed
			break
		}
	}
	panic(mistake)
}
