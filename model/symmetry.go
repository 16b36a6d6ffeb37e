package model

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/usage"
)

// A ProcSymmetry declares that processes are interchangeable: renaming them maps steps to steps, and no
// property distinguishes them. A search with Reduction.Symmetry compares the outcomes of all handlers that it
// meets with those after each renaming.
type ProcSymmetry[L, M any] struct {
	Among []Set // disjoint sets, whose members are interchangeable
	// Local and Message rename processes in a value. Nil: each Proc and Set in it, and the places in a
	// PerProc; of other arrays the elements stay where they are.
	Local   func(l *L, to func(Proc) Proc)
	Message func(m *M, to func(Proc) Proc)
	// Named and NamedBy return processes that are not to be exchanged in states with a local state of p, or
	// with a message from a process under way: those whose names decide about something, such as equal times
	// of two requests. A process that no part of a state names is not named again later. Nil: none are named.
	Named   func(p Proc, l *L) Set
	NamedBy func(from Proc, m *M) Set
}

// mostRenamings is the largest number of renamings: of 7 processes.
const mostRenamings = 5040

func (c *composition) checkSymmetry(k *check.Checker) {
	if c.Symmetry == nil {
		return
	}
	all := Set(0)
	for i, s := range c.Symmetry.Among {
		k.Demand(s&^All(c.N) == 0 && s&all == 0, "Symmetry.Among[%d] is %s; allowed are processes of the model, "+
			"each in one set", i, s.Format(c.Names.First))
		all |= s
	}
}

// renamings lists the renamings of n processes, the identity first.
func (y *ProcSymmetry[L, M]) renamings(n int) [][]Proc {
	all := [][]Proc{make([]Proc, n)}
	for p := range n {
		all[0][p] = Proc(p)
	}
	for _, among := range y.Among {
		for p := range among.Each() {
			for _, to := range all {
				for q := range (among & All(int(p))).Each() {
					other := append([]Proc{}, to...)
					other[p], other[q] = other[q], other[p]
					all = append(all, other)
				}
			}
		}
	}
	return all
}

// mayExchange returns an error if states cannot stand for others with exchanged processes.
func (sp *compositionSpace) mayExchange(r Reduction, asked uint64) error {
	c, f := sp.c, &sp.c.Network.Faults
	if sp.asked = asked; c.Symmetry == nil {
		return usage.Errorf("%s symmetry: the model does not say which processes are interchangeable; allowed "+
			"are models with Symmetry, and files with symmetric", reduceOption)
	}
	renamings := 1
	for _, s := range c.Symmetry.Among {
		for j := 2; j <= s.Len() && renamings <= mostRenamings; j++ {
			renamings *= j
		}
	}
	switch {
	case renamings > mostRenamings:
		return usage.Errorf("%s symmetry: the processes have too many orders; allowed are %d, as of 7 processes",
			reduceOption, mostRenamings)
	case r.Movers:
		return usage.Errorf("%s movers,symmetry: which messages are received at once depends on the order of "+
			"the processes; allowed is one of the two", reduceOption)
	case c.Links != nil || c.Clocks != nil || c.Network.MaxInFlight > 0:
		return usage.Errorf("%s symmetry: links and bounds of states are not renamed; allowed are rounds that "+
			"end, without max-in-flight and links", reduceOption)
	case f.On != nil || f.Split != 0:
		return usage.Errorf("%s symmetry: a partition, and channels of which only some fail, distinguish "+
			"processes", reduceOption)
	case c.History.Step != nil && (!c.History.Watches || sp.readsHistory()):
		return usage.Errorf("%s symmetry: a history is not renamed, and a property may read it, or it excludes "+
			"steps; allowed are properties of one local state or inbox, or of units", reduceOption)
	}
	for i, p := range c.Properties {
		if asked>>i&1 == 1 && (p.Kind == Liveness || p.Kind == Costs || p.Kind == StepInvariant) {
			return usage.Errorf("%s symmetry: %s is about %s, and only properties of states can be asked "+
				"then; %s leaves it out", reduceOption, p.Name, p.Kind, usage.Option("property"))
		}
	}
	return nil
}

// renamed returns a copy of a local state, and renamedMessage of a message, with its processes renamed.
func (c *composition) renamed(l value, to []Proc) value {
	defer check.Named(c.ofLocal("Symmetry.Local", l))
	l = c.locals.Copied(l)
	if c.Symmetry.Local != nil {
		c.Symmetry.Local(l, func(p Proc) Proc { return to[p] })
	} else {
		renameAt(reflect.NewAt(c.locals.Type, unsafe.Pointer(l)).Elem(), to)
	}
	return l
}

func (c *composition) renamedMessage(m value, to []Proc) value {
	defer check.Named(check.Part("Symmetry.Message"))
	m = c.messages.Copied(m)
	if c.Symmetry.Message != nil {
		c.Symmetry.Message(m, func(p Proc) Proc { return to[p] })
	} else {
		renameAt(reflect.NewAt(c.messages.Type, unsafe.Pointer(m)).Elem(), to)
	}
	return m
}

// renameAt renames the processes in an addressable value.
func renameAt(v reflect.Value, to []Proc) {
	t := v.Type()
	v = reflect.NewAt(t, v.Addr().UnsafePointer()).Elem() // to change fields that are not exported
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
		x.Rename(to) // the elements are fields
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			renameAt(v.Field(i), to)
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			renameAt(v.Index(i), to)
		}
	case reflect.Map:
		all := reflect.MakeMap(t)
		for i := v.MapRange(); i.Next(); {
			key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			key.Set(i.Key())
			elem.Set(i.Value())
			renameAt(key, to)
			renameAt(elem, to)
			all.SetMapIndex(key, elem)
		}
		v.Set(all)
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

func (t *adapter) Renamed(p Proc, local uint32, by int) []byte {
	return t.bytesOf(t.c.renamed(t.procs[p].locals[local], t.renamings[by]))
}

func (t *adapter) RenamedMessage(to Proc, message uint32, by int) []byte {
	m := t.c.renamedMessage(t.procs[to].envelopes[message].M, t.renamings[by])
	t.bytes = t.c.messages.Append(t.bytes[:0], m)
	return t.bytes
}

// distinguishes is the mistake of a part that is not symmetric.
func (sp *compositionSpace) distinguishes(by int) string {
	var names []string
	for p, q := range sp.renamings[by] {
		if int(q) != p {
			names = append(names, sp.c.Names.Of(Proc(p)))
		}
	}
	last := len(names) - 1
	return fmt.Sprintf("it is not symmetric: it distinguishes %s and %s", strings.Join(names[:last], ", "),
		names[last])
}

func (t *adapter) Asymmetric(s protocol.MemoKey, by int, part string, first, second *protocol.Outcome) {
	action, e := 0, Error{Part: part, Process: t.c.Names.Of(s.Proc),
		State: t.c.spelled(t.procs[s.Proc].locals[s.Local])}
	text := func(o *protocol.Outcome, otherwise string) string {
		if o == nil {
			return otherwise
		}
		action = int(o.Handler)
		return t.text(o)
	}
	before, after := text(first, "nothing else"), text(second, "this is not possible")
	switch {
	case by == 0:
		e = t.context(s, action)
		e.What = "Symmetry: processes that may be exchanged before it are named after it: " + before
	case part == "":
		e = t.context(s, action)
		e.What, e.First, e.Second = t.distinguishes(by), before, "with names exchanged, "+after
	default:
		e.What = t.distinguishes(by)
	}
	panic(&e)
}

// represents reports whether a stored state is the representative of a state, whose history may differ.
func (pl *plain) represents(stored, s *interp.State) bool {
	c := pl.Processes.(*composition)
	free := All(len(pl.Names))&^c.named(s)
	for _, to := range pl.renamings {
		if moved(to)&^free == 0 {
			if c.renamedState(pl.Interp, s, to, stored.History()).Key() == stored.Key() {
				return true
			}
		}
	}
	return false
}

// moved returns the processes that a renaming exchanges.
func moved(to []Proc) (s Set) {
	for p, q := range to {
		if int(q) != p {
			s = s.With(q)
		}
	}
	return s
}

// named returns the processes that a part of a state names as not to be exchanged.
func (c *composition) named(s *interp.State) (named Set) {
	for p := range Proc(c.N) {
		if y := c.Symmetry; y.Named != nil {
			named |= y.Named(p, c.locals.Copied(s.Local(p)))
		}
		for _, e := range s.Inbox(p) {
			if y := c.Symmetry; y.NamedBy != nil {
				named |= y.NamedBy(e.From, c.messages.Copied(e.M))
			}
		}
	}
	return named
}

// renamedState returns a state with processes renamed, and another history.
func (c *composition) renamedState(x *interp.Interp, s *interp.State, to []Proc, history value,
) *interp.State {
	locals, inboxes := make([]value, c.N), make([][]interp.Envelope, c.N)
	for p, q := range to {
		locals[q] = c.renamed(s.Local(Proc(p)), to)
		for _, e := range s.Inbox(Proc(p)) {
			e.From, e.M = to[e.From], c.renamedMessage(e.M, to)
			inboxes[q] = append(inboxes[q], e)
		}
	}
	return x.StateOf(renamedSet(s.Dead, to), locals, inboxes, history, s.Record())
}

// readsNames panics if a property has another answer about a state with processes renamed: by all renamings
// in the first checks, and later by one.
func (c *judge) readsNames(x *lts.Checked, of *property.Subject) {
	at, sp := of.States[0].(*interp.State), c.t.compositionSpace
	drawn := int(x.Hash >> 8 % uint64(len(sp.renamings)))
	for by, to := range sp.renamings {
		if moved(to)&sp.c.named(at) != 0 || by != drawn && c.ofState.Checks > protocol.OftenAsked {
			continue
		}
		other := []lts.State{sp.c.renamedState(sp.x, at, to, at.History())}
		for i := range property.Among(of.Which) {
			if first, second := c.answers(of, of.States, i), c.answers(of, other, i); first != second {
				panic(&Error{Part: "property " + sp.c.Properties[i].Name, What: sp.distinguishes(by),
					State: check.Described(at), First: first, Second: second + " in " +
						check.Described(other[0])})
			}
		}
	}
}
