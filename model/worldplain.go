package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// worldPlain is the plain semantics of a composition.
type worldPlain[L, M, H any] struct {
	c       *Composition[L, M, H]
	judges  judges[Global[L, M, H]]
	forgets bool // states of the search are normal forms
}

func (pl *worldPlain[L, M, H]) Init() []lts.Transition {
	w := pl.c.start()
	t := lts.Transition{Next: w}
	for p := range Proc(pl.c.N) {
		t.Outside = t.Outside || !pl.c.keeps(p, &w.local[p])
	}
	return []lts.Transition{t}
}

// start returns the initial state.
func (c *Composition[L, M, H]) start() *world[L, M, H] {
	w := &world[L, M, H]{
		c: c, dead: c.Network.Dead, history: c.of.history.copied(&c.History.Init),
		local: make([]L, c.N), inbox: make([][]Envelope[M], c.N),
	}
	for p := range Proc(c.N) {
		w.local[p] = c.init(p)
		if w.dead.Has(p) && !c.recovers() { // else it is to come up for the first time
			c.reset(p, &w.local[p])
		}
	}
	for p := range Proc(c.N) {
		if !w.dead.Has(p) {
			for _, s := range c.underWay(p) {
				w.deliver(p, Sent[M]{s.To, c.of.message.copied(&s.M)})
			}
		}
	}
	return w
}

// underWay returns what p has under way in the initial state.
func (c *Composition[L, M, H]) underWay(p Proc) []Sent[M] {
	if c.UnderWay == nil {
		return nil
	}
	defer named(func() Error { return Error{Part: "UnderWay", Process: c.Names.Of(p)} })
	sent := c.UnderWay(p)
	for _, s := range sent {
		if int(s.To) >= c.N {
			panic(&Error{Where: declaredAt(c.UnderWay),
				What: fmt.Sprintf("%v is sent to process %d; there are %d, counted from 0", s.M, s.To, c.N)})
		}
	}
	return sent
}

func (pl *worldPlain[L, M, H]) Steps(s State) (ts []lts.Transition) {
	w := s.(*world[L, M, H])
	for p := range Proc(pl.c.N) {
		if w.dead.Has(p) && !pl.c.recovers() {
			continue
		}
		in := w.setting(p)
		pl.c.idle(p, &w.local[p], in, func(o *outcome[L, M]) {
			ts = append(ts, pl.take(w, p, -1, *o))
		})
		for i, envelope := range w.inbox[p] {
			if w.deliverable(p, i) {
				pl.c.react(p, &w.local[p], envelope, in, func(o *outcome[L, M]) {
					ts = append(ts, pl.take(w, p, i, *o))
				})
			}
		}
	}
	return append(pl.possible(ts), pl.faults(w)...)
}

// deliverable reports whether p may receive envelope i of its inbox next, and it is not an
// equal copy of an earlier one.
func (w *world[L, M, H]) deliverable(p Proc, i int) bool {
	apart := w.record.Partition == protocol.Parted && w.c.Network.Faults.Crosses(w.inbox[p][i].From, p)
	return !apart && w.c.deliverable(w.inbox[p], i)
}

// possible leaves out the steps that a history excludes as guards do, and crashes and faults
// that are more than there may be.
func (pl *worldPlain[L, M, H]) possible(ts []lts.Transition) []lts.Transition {
	return slices.DeleteFunc(ts, func(t lts.Transition) bool {
		return t.Pruned && pl.c.History.Guards || t.Impossible
	})
}

// take carries out one outcome of process p in w; received is the index of the
// envelope received, -1 for none.
func (pl *worldPlain[L, M, H]) take(w *world[L, M, H], p Proc, received int, o outcome[L, M]) lts.Transition {
	v := w.clone()
	v.local[p] = pl.c.of.local.copied(&o.local)
	if received >= 0 {
		v.inbox[p] = slices.Delete(slices.Clone(v.inbox[p]), received, received+1)
	}
	var lost []lts.Message
	if o.exhausted {
		// a search stops before it gets there
		panic(errors.New("a handler asks for a number, and there is none"))
	}
	if o.cut > 0 {
		lost = v.lose(p, Proc(o.cut-1))
	}
	if o.revives {
		v.dead = v.dead.Without(p)
	}
	impossible := !v.record.Befall(o.fault, &pl.c.Network.Faults)
	if o.crash {
		lost = append(lost, v.crash(p)...)
		impossible = pl.c.recovers() && int(v.record.Crashes) > pl.c.Network.Crashes
	}
	names := pl.c.Names
	tr := lts.Transition{Lost: lost, Impossible: impossible, Action: o.action, Owner: names.Of(p), Next: v,
		Crashed: o.crash, Proc: p, Peer: o.peer}
	for _, s := range o.sent {
		if v.deliver(p, s) {
			tr.Charges.Add(pl.c.charge(p, s))
			tr.Sent = append(
				tr.Sent,
				lts.Message{From: names.Of(p), To: names.Of(s.To), Text: fmt.Sprint(s.M)},
			)
		}
	}
	if received >= 0 {
		envelope := w.inbox[p][received]
		tr.Received = &lts.Message{From: names.Of(o.peer), To: names.Of(p), Text: fmt.Sprint(envelope.M)}
		tr.Envelope, tr.Timed = fmt.Sprintf("%#v to %v", envelope, p), pl.c.timed(&envelope.M)
	} else if pl.c.Notice != nil && o.handler == pl.c.noticeAction() {
		tr.Noticed = names.Of(o.peer)
	}
	tr.Text = func() string { return pl.c.text(w, p, received, &o) }
	if pl.c.History.Step != nil && (o.note != 0 || o.crash) {
		tr.Pruned = !pl.c.remember(&v.history, Event{Proc: p, Note: o.note, Crash: o.crash, Dead: v.dead})
		v.history = pl.c.of.history.copied(&v.history)
	}
	tr.Outside = v.beyondBounds() || !pl.c.keeps(p, &v.local[p])
	return tr
}

// lose takes what is under way from one process to another out of the state.
func (w *world[L, M, H]) lose(from, to Proc) (lost []lts.Message) {
	names := w.c.Names
	w.inbox[to] = slices.DeleteFunc(slices.Clone(w.inbox[to]), func(envelope Envelope[M]) bool {
		if envelope.From == from {
			lost = append(
				lost,
				lts.Message{From: names.Of(from), To: names.Of(to), Text: fmt.Sprint(envelope.M)},
			)
		}
		return envelope.From == from
	})
	return lost
}

// crash makes p dead, and breaks the links that lead to it.
func (w *world[L, M, H]) crash(p Proc) (lost []lts.Message) {
	if w.c.recovers() {
		w.record.Crashes++
	}
	w.dead = w.dead.With(p)
	if w.c.Links != nil {
		for q := range Proc(w.c.N) {
			if !w.dead.Has(q) && w.c.Links.breaks(&w.local[q], p) {
				lost = append(lost, w.lose(q, p)...)
			}
		}
	}
	w.inbox[p] = nil
	return lost
}

// text describes an outcome in words.
func (c *Composition[L, M, H]) text(w *world[L, M, H], p Proc, received int, o *outcome[L, M]) string {
	var b strings.Builder
	actions, names := c.actions(), c.Names
	if o.fault == protocol.BreakFault {
		return "the link of " + names.Of(p) + " breaks"
	}
	if received >= 0 {
		fmt.Fprintf(&b, "%s receives %v from %s", names.Of(p), w.inbox[p][received].M, names.Of(o.peer))
	} else {
		fmt.Fprintf(&b, "%s %s", names.Of(p), actions[o.handler].Name)
	}
	if c.Notice != nil && o.handler == c.noticeAction() {
		fmt.Fprintf(&b, " of %s", names.Of(o.peer))
	}
	if src := actions[o.handler].Source; src != "" {
		fmt.Fprintf(&b, " (%s)", src)
	}
	for i, s := range o.sent {
		sep := "; "
		if i == 0 {
			sep = ", sends "
		}
		fmt.Fprintf(&b, "%s%v to %s", sep, s.M, names.Of(s.To))
	}
	if o.crash && o.handler != o.action {
		b.WriteString(", then crashes")
	}
	return b.String()
}

func (pl *worldPlain[L, M, H]) Judge(s State, i int) bool {
	defer named(pl.judges.context(i, s))
	return pl.judges.flags(s.(*world[L, M, H]).clone().global(), i)
}

func (pl *worldPlain[L, M, H]) Marks(s State, i, k int) lts.Marks {
	defer named(pl.judges.context(i, s))
	return pl.judges.marks(s.(*world[L, M, H]).clone().global(), i, k)
}

func (pl *worldPlain[L, M, H]) Served(s State, i int) int {
	defer named(pl.judges.context(i, s))
	return pl.judges.served(s.(*world[L, M, H]).clone().global(), i)
}

func (pl *worldPlain[L, M, H]) JudgeStep(s State, tr lts.Transition, i int) bool {
	defer named(pl.judges.context(i, s))
	from, to := s.(*world[L, M, H]).clone().global(), tr.Next.(*world[L, M, H]).clone().global()
	return pl.judges.step(from, tr.Action, tr.Proc, to, 1<<i) != 0
}

func (pl *worldPlain[L, M, H]) Part(s State, tr *lts.Transition, i int) string {
	from := s.(*world[L, M, H]).global()
	if tr == nil {
		return pl.judges.part(from, 0, nil, i)
	}
	return pl.judges.part(from, tr.Proc, tr.Next.(*world[L, M, H]).global(), i)
}

func (pl *worldPlain[L, M, H]) InUse(s State) (uses []lts.Use) {
	w := s.(*world[L, M, H])
	for p := range Proc(pl.c.N) {
		if n := pl.c.holds(p, &w.local[p]); n > 0 && !w.dead.Has(p) {
			uses = append(uses, lts.Use{Owner: pl.c.Names.Of(p), Units: n})
		}
	}
	return uses
}

func (pl *worldPlain[L, M, H]) Stands(stored, s State) bool {
	if pl.forgets {
		s = s.(*world[L, M, H]).forgotten()
	}
	return stored.Key() == s.Key()
}
