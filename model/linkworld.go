package model

import (
	"fmt"
	"slices"
	"strings"
)

// linkWorld is a global state of a Linked, spelled out.
type linkWorld[L, M comparable] struct {
	c       *Linked[L, M]
	dead    Set
	crashes int
	local   []L
	link    []Link
	queue   [][]M
}

func (w *linkWorld[L, M]) Key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d", uint16(w.dead), w.crashes)
	for p := range w.local {
		fmt.Fprintf(&b, "\n%#v %#v", w.local[p], w.link[p])
		for _, m := range w.queue[p] {
			fmt.Fprintf(&b, " %#v", m)
		}
	}
	return b.String()
}

func (w *linkWorld[L, M]) Vars() (vars []Var) {
	names := w.c.Names
	for p := range Proc(w.c.N) {
		owner := names.Of(p)
		if w.dead.Has(p) {
			vars = append(vars, Var{owner, "crashed", "true"})
		}
		if w.c.Vars == nil {
			vars = append(vars, fields(owner, w.local[p], names)...)
		} else {
			for _, v := range w.c.Vars(&w.local[p]) {
				vars = append(vars, Var{owner, v.Name, v.Value})
			}
		}
		texts := make([]string, len(w.queue[p]))
		for i, m := range w.queue[p] {
			texts[i] = fmt.Sprint(m)
		}
		link := fmt.Sprintf("%s to %s [%s]", w.link[p].State, names.Of(w.link[p].To), strings.Join(texts, ", "))
		vars = append(vars, Var{owner, "out", link})
	}
	return vars
}

func (w *linkWorld[L, M]) global() *LinkedGlobal[L, M] {
	return &LinkedGlobal[L, M]{N: w.c.N, Dead: w.dead, view: linkWorldView[L, M]{w}}
}

type linkWorldView[L, M comparable] struct{ w *linkWorld[L, M] }

func (v linkWorldView[L, M]) local(p Proc) *L  { return &v.w.local[p] }
func (v linkWorldView[L, M]) link(p Proc) Link { return v.w.link[p] }
func (v linkWorldView[L, M]) queue(p Proc) []M { return v.w.queue[p] }

// clone returns a copy that can be changed.
func (w *linkWorld[L, M]) clone() *linkWorld[L, M] {
	v := *w
	v.local = slices.Clone(w.local)
	v.link = slices.Clone(w.link)
	v.queue = slices.Clone(w.queue)
	return &v
}

// start returns the initial state.
func (c *Linked[L, M]) start() *linkWorld[L, M] {
	w := &linkWorld[L, M]{c: c, dead: c.Dead}
	for p := range Proc(c.N) {
		local, link, queue := c.Init(p)
		w.local, w.link, w.queue = append(w.local, local), append(w.link, link), append(w.queue, queue)
	}
	return w
}

// linkPlain is the plain semantics of a Linked.
type linkPlain[L, M comparable] struct {
	c      *Linked[L, M]
	judges judges[LinkedGlobal[L, M]]
}

func (pl *linkPlain[L, M]) Init() []Transition { return []Transition{{Next: pl.c.start()}} }

// under returns the messages in the link of p.
func (w *linkWorld[L, M]) under(p Proc) (ms []Message) {
	for _, m := range w.queue[p] {
		ms = append(ms, Message{w.c.Names.Of(p), w.c.Names.Of(w.link[p].To), fmt.Sprint(m)})
	}
	return ms
}

// setting returns what p can learn of its surroundings.
func (w *linkWorld[L, M]) setting(p Proc) setting {
	s := setting{endDead: w.dead.Has(w.link[p].To), due: [MaxTimers]bool{true, true}}
	var numbers uint64
	for q := range w.local {
		numbers |= w.c.numbers(&w.local[q], w.queue[q])
		for i, timer := range w.c.Timers {
			for _, m := range w.queue[q] {
				s.due[i] = s.due[i] && !timer.Awaits(p, m)
			}
		}
	}
	s.fresh = w.c.fresh(numbers)
	return s
}

func (pl *linkPlain[L, M]) Steps(s State) (ts []Transition) {
	w := s.(*linkWorld[L, M])
	for p := range Proc(pl.c.N) {
		pl.c.idle(p, w.dead.Has(p), &w.local[p], w.link[p], w.queue[p], w.setting(p), func(o linkOutcome[L, M]) {
			tr := pl.take(w.clone(), p, o)
			tr.Text = func() string { return pl.text(pl.c.Names.Of(p)+" "+pl.c.actions()[o.action].Name, o) }
			ts = append(ts, tr)
		})
		if len(w.queue[p]) > 0 {
			ts = append(ts, pl.deliver(w, p))
		}
		if pl.c.mayCrash(p, w.dead, w.crashes) {
			ts = append(ts, pl.crash(w, p))
		}
	}
	return ts
}

// take carries out an outcome of p in w, which it may change.
func (pl *linkPlain[L, M]) take(w *linkWorld[L, M], p Proc, o linkOutcome[L, M]) Transition {
	if o.exhausted {
		panic(errExhausted) // a search stops before it gets there
	}
	names := pl.c.Names
	tr := Transition{Action: o.action, Owner: names.Of(p), Next: w, proc: p}
	if len(o.queue) < len(w.queue[p])+len(o.sent) { // the handler has closed the link
		tr.Lost = w.under(p)
	}
	w.local[p], w.link[p], w.queue[p] = o.local, o.link, o.queue
	w.dead = w.dead.Without(p)
	for _, m := range o.sent {
		tr.Sent = append(tr.Sent, Message{names.Of(p), names.Of(o.link.To), fmt.Sprint(m)})
	}
	return tr
}

// deliver is the step in which the next message in the link of p is received.
func (pl *linkPlain[L, M]) deliver(w *linkWorld[L, M], p Proc) Transition {
	v := w.clone()
	to, m := w.link[p].To, w.queue[p][0]
	v.queue[p] = v.queue[p][1:]
	o := pl.c.react(to, &v.local[to], v.link[to], v.queue[to], m, w.setting(to))
	tr := pl.take(v, to, o)
	tr.peer = p
	names := pl.c.Names
	tr.Received = &Message{names.Of(p), names.Of(to), fmt.Sprint(m)}
	tr.Text = func() string {
		return pl.text(fmt.Sprintf("%s receives %v from %s", names.Of(to), m, names.Of(p)), o)
	}
	return tr
}

// crash is the step in which p crashes.
func (pl *linkPlain[L, M]) crash(w *linkWorld[L, M], p Proc) Transition {
	v := w.clone()
	v.dead = v.dead.With(p)
	v.crashes++
	lost := w.under(p)
	for q := range Proc(pl.c.N) {
		if q != p && w.link[q] == (Link{LinkOpen, p}) {
			lost = append(lost, w.under(q)...)
			v.link[q].State, v.queue[q] = LinkBroken, nil
		}
	}
	v.link[p], v.queue[p] = pl.c.Crash(p, &v.local[p]), nil
	owner := pl.c.Names.Of(p)
	return Transition{
		Action: pl.c.crashAction(), Owner: owner, Next: v, Crashed: true, Lost: lost, proc: p,
		Text: func() string { return owner + " crash" },
	}
}

// text describes an outcome in words, after what has led to it.
func (pl *linkPlain[L, M]) text(cause string, o linkOutcome[L, M]) string {
	var b strings.Builder
	b.WriteString(cause)
	if src := pl.c.actions()[o.action].Source; src != "" {
		fmt.Fprintf(&b, " (%s)", src)
	}
	for i, m := range o.sent {
		sep := "; "
		if i == 0 {
			sep = ", sends "
		}
		fmt.Fprintf(&b, "%s%v to %s", sep, m, pl.c.Names.Of(o.link.To))
	}
	return b.String()
}

func (pl *linkPlain[L, M]) Judge(s State, i int) bool {
	return pl.judges.flags(s.(*linkWorld[L, M]).global(), i)
}

func (pl *linkPlain[L, M]) Roles(s State, i, k int) Roles {
	return pl.judges.roles(s.(*linkWorld[L, M]).global(), i, k)
}

func (pl *linkPlain[L, M]) JudgeStep(s State, tr Transition, i int) bool {
	from, to := s.(*linkWorld[L, M]).global(), tr.Next.(*linkWorld[L, M]).global()
	return pl.judges.step(from, tr.Action, tr.proc, to, 1<<i) != 0
}

func (pl *linkPlain[L, M]) Part(s State, tr *Transition, i int) string {
	from := s.(*linkWorld[L, M]).global()
	if tr == nil {
		return pl.judges.part(from, 0, nil, i)
	}
	return pl.judges.part(from, tr.proc, tr.Next.(*linkWorld[L, M]).global(), i)
}

func (pl *linkPlain[L, M]) InUse(s State) (uses []Use) {
	w := s.(*linkWorld[L, M])
	for p := range Proc(pl.c.N) {
		if n := pl.c.units(&w.local[p]); n > 0 && !w.dead.Has(p) {
			uses = append(uses, Use{pl.c.Names.Of(p), n})
		}
	}
	return uses
}

func (pl *linkPlain[L, M]) Stands(stored, s State) bool { return stored.Key() == s.Key() }
