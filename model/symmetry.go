package model

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"unsafe"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/usage"
)

// A ProcSymmetry declares that processes are interchangeable: renaming them maps steps to steps, and no
// property distinguishes them. With Reduction.Symmetry a search checks that for all that handlers do.
type ProcSymmetry[L, M any] struct {
	Among []Set // disjoint sets, whose members are interchangeable
	// Local and Message rename processes in a value. Nil: each Proc and Set, and the places of each PerProc,
	// are renamed, in fields and elements of arrays and slices, but not in maps.
	Local   func(l *L, to func(Proc) Proc)
	Message func(m *M, to func(Proc) Proc)
	// Named and NamedBy return processes that are not exchanged in states with this local state of p, or with
	// this message under way. They are for processes that break ties by their names while they compete. A
	// step names no process that neither the local state nor the message received names. Nil: none is named.
	Named   func(p Proc, l *L) Set
	NamedBy func(from Proc, m *M) Set
}

// mostRenamings is the largest number of renamings: of 7 processes.
const mostRenamings = 5040

// renamings lists the renamings of n processes, the identity first.
func (y *ProcSymmetry[L, M]) renamings(n int) []protocol.Renaming {
	all := []protocol.Renaming{{To: make([]Proc, n)}}
	for p := range n {
		all[0].To[p] = Proc(p)
	}
	for _, among := range y.Among {
		for p := range among.Each() {
			for _, r := range all {
				for q := range (among & All(int(p))).Each() {
					to := slices.Clone(r.To)
					to[p], to[q] = to[q], to[p]
					all = append(all, protocol.Renaming{To: to})
				}
			}
		}
	}
	for i := range all {
		r := &all[i]
		r.Back = make([]Proc, n)
		for p, q := range r.To {
			if r.Back[q] = Proc(p); int(q) != p {
				r.Moved = r.Moved.With(q)
			}
		}
	}
	return all
}

// mayExchange returns an error if states cannot stand for others with exchanged processes.
func (sp *compositionSpace) mayExchange(r Reduction, asked uint64) error {
	c, f, renamings := sp.c, &sp.c.Network.Faults, 1
	if c.Symmetry == nil {
		return usage.Errorf("%s symmetry: the model does not say which processes are interchangeable; allowed "+
			"are models with Symmetry, and files with symmetric", reduceOption)
	}
	for _, s := range c.Symmetry.Among {
		for j := 2; j <= s.Len() && renamings <= mostRenamings; j++ {
			renamings *= j
		}
	}
	sp.asked = asked
	switch {
	case renamings > mostRenamings:
		return usage.Errorf("%s symmetry: the processes have too many orders; allowed are %d, as of 7",
			reduceOption, mostRenamings)
	case r.Movers:
		return usage.Errorf("%s movers,symmetry: the order of processes decides which messages are received "+
			"at once; allowed is one of the two", reduceOption)
	case c.Links != nil || c.Clocks != nil || c.Network.MaxInFlight > 0 || f.On != nil || f.Split != 0:
		return usage.Errorf("%s symmetry: links, bounds of states, partitions and faults of single channels "+
			"are not renamed; allowed are rounds that end, without these", reduceOption)
	case c.History.Step != nil && (!c.History.Watches || sp.readsHistory()):
		return usage.Errorf("%s symmetry: the history is not renamed; allowed are properties of single local "+
			"states or inboxes, or of units, and histories that exclude no step", reduceOption)
	}
	for i, p := range c.Properties {
		if asked>>i&1 == 1 && (p.Kind == Liveness || p.Kind == Costs || p.Kind == StepInvariant) {
			return usage.Errorf("%s symmetry: %s is about %s, and only properties of states can be asked "+
				"then; %s leaves it out", reduceOption, p.Name, p.Kind, usage.Option("property"))
		}
	}
	return nil
}

// renamed returns a copy of a value with its processes renamed, by a function of the model or by its type.
func renamed(k *codec.Kind, x value, by func(value, func(Proc) Proc), part string, to []Proc) value {
	defer check.Named(check.Part("Symmetry." + part))
	if x = k.Copied(x); by != nil {
		by(x, func(p Proc) Proc { return to[p] })
	} else {
		renameAt(reflect.NewAt(k.Type, unsafe.Pointer(x)).Elem(), to)
	}
	return x
}

func (c *composition) renamed(l value, to []Proc) value {
	return renamed(c.locals, l, as[func(value, func(Proc) Proc)](c.Symmetry.Local), "Local", to)
}

func (c *composition) renamedEnvelope(e interp.Envelope, to []Proc) interp.Envelope {
	by := as[func(value, func(Proc) Proc)](c.Symmetry.Message)
	return interp.Envelope{From: to[e.From], M: renamed(c.messages, e.M, by, "Message", to)}
}

// renameAt renames the processes in an addressable value.
func renameAt(v reflect.Value, to []Proc) {
	v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem() // also of a field that is not exported
	switch x := v.Addr().Interface().(type) {
	case *Proc:
		if int(*x) < len(to) {
			*x = to[*x]
		}
		return
	case *Set:
		*x = renamedSet(*x, to)
		return
	case interface{ Rename(to []Proc) }:
		x.Rename(to) // values are in fields
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			renameAt(v.Field(i), to)
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			renameAt(v.Index(i), to)
		}
	}
}

func renamedSet(s Set, to []Proc) (t Set) {
	for p := range s.Each() {
		if int(p) < len(to) {
			p = to[p]
		}
		t = t.With(p)
	}
	return t
}

// named and namedBy return what a local state and a message name.
func (c *composition) named(p Proc, l value) (s Set) {
	if c.Symmetry.Named != nil {
		s = c.Symmetry.Named(p, c.locals.Copied(l))
	}
	return s
}

func (c *composition) namedBy(e interp.Envelope) (s Set) {
	if c.Symmetry.NamedBy != nil {
		s = c.Symmetry.NamedBy(e.From, c.messages.Copied(e.M))
	}
	return s
}

// orbit yields the states for which a state may stand, with another history.
func (pl *plain) orbit(s *interp.State, history value) iter.Seq[*interp.State] {
	c, named := pl.Processes.(*composition), Set(0)
	for p := range Proc(c.N) {
		named |= c.named(p, s.Local(p))
		for _, e := range s.Inbox(p) {
			named |= c.namedBy(e)
		}
	}
	return func(yield func(*interp.State) bool) {
		for i := range pl.renamings {
			r := &pl.renamings[i]
			if r.Moved&named != 0 {
				continue
			}
			locals, inboxes := make([]value, c.N), make([][]interp.Envelope, c.N)
			for p, q := range r.To {
				locals[q] = c.renamed(s.Local(Proc(p)), r.To)
				for _, e := range s.Inbox(Proc(p)) {
					inboxes[q] = append(inboxes[q], c.renamedEnvelope(e, r.To))
				}
				slices.SortStableFunc(inboxes[q], func(a, b interp.Envelope) int { return int(a.From) - int(b.From) })
			}
			if !yield(pl.StateOf(renamedSet(s.Dead, r.To), locals, inboxes, history, s.Record())) {
				return
			}
		}
	}
}

func (t *adapter) Renamed(p Proc, local uint32, by int) []byte {
	return t.bytesOf(t.c.renamed(t.procs[p].locals[local], t.renamings[by].To))
}

func (t *adapter) RenamedMessage(to Proc, message uint32, by int) []byte {
	e := t.c.renamedEnvelope(t.procs[to].envelopes[message], t.renamings[by].To)
	t.bytes = t.c.messages.Append(t.bytes[:0], e.M)
	return t.bytes
}

// distinguishes is the mistake of a part of a model that is not symmetric.
func (t *adapter) distinguishes(r *protocol.Renaming) string {
	return "it is not symmetric: it distinguishes processes among " + r.Moved.Format(t.c.Names.First)
}

// checkLocal panics if the model distinguishes a local state of p and a renamed one.
func (t *adapter) checkLocal(p Proc, l value) {
	for i := range t.renamings {
		r := &t.renamings[i]
		if r.Moved == 0 || r.Moved&t.c.named(p, l) != 0 {
			continue
		}
		differ := func(part string, first, second any) {
			panic(&Error{Part: part, What: t.distinguishes(r), Process: t.c.Names.Of(p),
				State: t.c.spelled(l), First: fmt.Sprint(first), Second: fmt.Sprint(second)})
		}
		other := t.c.renamed(l, r.To)
		if t.alike(p, l, r.To[p], other, differ); t.forgets {
			if normal := t.c.forget(r.To[p], other); !t.c.locals.Equal(normal, other) {
				differ("Forget", t.c.spelled(other), t.c.spelled(normal))
			}
		}
	}
}

// An unnamed outcome is one of a memo key, as the kernel gets it, with the processes that it names.
type unnamed struct {
	protocol.Outcome
	named Set
}

// outcomes returns the outcomes of a process for local state l and the message of e, if that is not nil.
func (t *adapter) outcomes(p Proc, l value, e *interp.Envelope, dead Set) (all []unnamed) {
	r := &runner{c: t.c, yield: func(o *interp.Outcome) bool {
		x := unnamed{named: t.c.named(p, o.Local)}
		x.Action, x.Handler, x.Ordinary = uint16(o.Action), uint16(o.Handler), o.Kind == protocol.Ordinary
		x.Local = t.c.locals.Append(nil, o.Local)
		for _, s := range o.Sent {
			x.named |= t.c.namedBy(interp.Envelope{From: p, M: s.M})
			x.Sent = append(x.Sent, protocol.Sent{To: s.To, Message: t.c.messages.Append(nil, s.M)})
		}
		all = append(all, x)
		return true
	}}
	in := protocol.Context{Dead: dead}
	if e == nil {
		r.idle(p, l, in)
	} else {
		r.react(p, e.From, l, e.M, in)
	}
	return all
}

// keys returns what each outcome is after a renaming, other than its peer and what its history is told.
func (t *adapter) keys(all []unnamed, to []Proc) (keys []string) {
	for i := range all {
		o, sent := &all[i], make([][]byte, len(to))
		for _, s := range o.Sent {
			e := t.c.renamedEnvelope(interp.Envelope{M: t.c.messages.Value(s.Message)}, to)
			sent[to[s.To]] = append(t.c.messages.Append(sent[to[s.To]], e.M), ' ')
		}
		key := fmt.Appendf(nil, "%d %t %q", o.Action, o.Ordinary, sent)
		keys = append(keys, string(t.c.locals.Append(key, t.c.renamed(t.c.locals.Value(o.Local), to))))
	}
	return keys
}

// checkOutcomes panics if the outcomes of a memo key, for local state l, are not those of the renamed memo
// key, or if they name more.
func (t *adapter) checkOutcomes(s protocol.MemoKey, l value) {
	var e *interp.Envelope
	named := t.c.named(s.Proc, l)
	if s.Message > 0 {
		e = &t.procs[s.Proc].envelopes[s.Message-1]
		named |= t.c.namedBy(*e)
	}
	outcomes := t.outcomes(s.Proc, l, e, s.Dead)
	wrong := func(what, before, after string, o *unnamed) {
		e := t.context(s, int(o.Handler))
		e.What, e.First, e.Second = what, before+t.text(&o.Outcome), after
		panic(&e)
	}
	for i := range outcomes {
		if o := &outcomes[i]; o.named&^named != 0 {
			wrong("it names a process again, which may be exchanged before", "it leads to ",
				"names "+(o.named&^named).Format(t.c.Names.First), o)
		}
	}
	for i := range t.renamings {
		r, other := &t.renamings[i], e
		if r.Moved&named != 0 || i == 0 {
			continue
		}
		if e != nil {
			renamed := t.c.renamedEnvelope(*e, r.To)
			other = &renamed
		}
		images := t.outcomes(r.To[s.Proc], t.c.renamed(l, r.To), other, renamedSet(s.Dead, r.To))
		first, second := t.keys(outcomes, r.To), t.keys(images, t.renamings[0].To)
		for k := range first {
			if !slices.Contains(second, first[k]) {
				wrong(t.distinguishes(r), "it leads to ", "with names exchanged it does not", &outcomes[k])
			}
		}
		for k := range second {
			if !slices.Contains(first, second[k]) {
				wrong(t.distinguishes(r), "with names exchanged it leads to ", "without it does not", &images[k])
			}
		}
	}
}

// readsNames panics if a property has another answer about a state with processes exchanged: by all renamings
// in the first checks, and by one, drawn by a hash, in others.
func (c *judge) readsNames(of *property.Subject, hash uint64) {
	at, t := of.States[0].(*interp.State), c.t
	all := plain{Interp: t.x, renamings: t.renamings}
	if c.ofState.Checks > protocol.OftenAsked {
		i := int(hash >> 8 % uint64(len(all.renamings)))
		all.renamings = all.renamings[i : i+1]
	}
	for other := range all.orbit(at, at.History()) {
		for i := range property.Among(of.Which) {
			if first, second := c.answers(of, of.States, i), c.answers(of, []lts.State{other}, i); first != second {
				panic(&Error{Part: "property " + t.c.Properties[i].Name, State: check.Described(at),
					What: "it is not symmetric", First: first, Second: second + " in " + check.Described(other)})
			}
		}
	}
}
