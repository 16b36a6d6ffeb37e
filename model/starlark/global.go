package starfile

import (
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A globalValue is a state of processes as a property sees it; it records the parts that are read.
type globalValue struct {
	typed
	c     *composition
	g     *global
	trace *[]step
}

var (
	_ starlark.Mapping  = (*globalValue)(nil)
	_ starlark.HasAttrs = (*globalValue)(nil)
)

// The parts of a state that are read.
const (
	readDead uint32 = iota
	readUse
	readPast
	readLocal                    // and the process
	readInbox = readLocal + 1<<4 // and the process, and the part of its inbox: 0 the length, then envelopes
	inboxBits = 20               // for the part of an inbox
)

// look returns the key of a part of a state.
func look(g *global, what uint32) key {
	switch {
	case what == readDead:
		return key{x: uint64(g.Dead)}
	case what == readUse:
		return key{x: uint64(g.InUse())}
	case what == readPast:
		return keyOf(g.History().bytes, 0)
	case what < readInbox:
		return keyOf(g.Local(model.Proc(what-readLocal)).bytes, 0)
	}
	what -= readInbox
	envelopes := g.Inbox(model.Proc(what >> inboxBits))
	i := int(what & (1<<inboxBits - 1))
	if i == 0 || i > len(envelopes) {
		return key{x: uint64(len(envelopes))}
	}
	return keyOf(envelopes[i-1].M.bytes, uint64(envelopes[i-1].From))
}

func (v *globalValue) read(what uint32) {
	if !slices.ContainsFunc(*v.trace, func(s step) bool { return s.what == what }) {
		*v.trace = append(*v.trace, step{what, look(v.g, what)})
	}
}

func (v *globalValue) String() string { return "a state" }

// Get returns the local state of a process.
func (v *globalValue) Get(k starlark.Value) (starlark.Value, bool, error) {
	p, err := v.c.proc(k)
	if err != nil {
		return nil, false, err
	}
	return v.local(p), true, nil
}

func (v *globalValue) local(p model.Proc) starlark.Value {
	v.read(readLocal + uint32(p))
	return v.c.frozen(p, v.g.Local(p))
}

// AttrNames lists the parts of a state.
func (v *globalValue) AttrNames() []string {
	return slices.Sorted(maps.Keys(v.c.b.entries.state))
}

// Attr returns a part of the state.
func (v *globalValue) Attr(name string) (starlark.Value, error) {
	var all []starlark.Value
	switch name {
	case "procs":
		return v.c.ids(model.All(v.c.n)), nil
	case "dead":
		v.read(readDead)
		return v.c.ids(v.g.Dead), nil
	case "live", "all":
		set := model.All(v.c.n)
		if name == "live" {
			v.read(readDead)
			set &^= v.g.Dead
		}
		for p := range set.Each() {
			all = append(all, v.local(p))
		}
		return starlark.NewList(all), nil
	case "in_use":
		v.read(readUse)
		return number(v.g.InUse()), nil
	case "history":
		if v.c.history == nil {
			return nil, fmt.Errorf("there is no history: processes(history = history(...)) makes one")
		}
		v.read(readPast)
		h := v.c.history.of.unpacked(v.g.History().bytes)
		h.Freeze()
		return h, nil
	case "messages":
		for p := range model.Proc(v.c.n) {
			all = append(all, v.envelopes(p)...)
		}
		return starlark.NewList(all), nil
	case "inbox":
		return starlark.NewBuiltin("inbox", taking(v.inbox)), nil
	}
	return nil, starlark.NoSuchAttrError(fmt.Sprintf("a state has no %q%s; it has %s", name,
		usage.Nearest(name, v.AttrNames()), words(v.AttrNames())))
}

func (v *globalValue) inbox(_ *call, k starlark.Value) (starlark.Value, error) {
	p, err := v.c.proc(k)
	if err != nil {
		return nil, err
	}
	return starlark.NewList(v.envelopes(p)), nil
}

// envelopes returns the messages on their way to a process.
func (v *globalValue) envelopes(p model.Proc) []starlark.Value {
	from := readInbox + uint32(p)<<inboxBits
	v.read(from)
	for i := range v.g.Inbox(p) {
		v.read(from + uint32(i) + 1)
	}
	return v.c.envelopes(v.g, p)
}

// envelopes returns the messages on their way to a process.
func (c *composition) envelopes(g *global, p model.Proc) (all []starlark.Value) {
	for _, l := range g.Inbox(p) {
		m := c.messages.unpacked(l.M.bytes)
		all = append(all, &record{t: c.envelope, parts: parts{frozen: true, xs: []starlark.Value{
			c.id(p), starlark.String(m.t.tag), m, c.id(l.From),
		}}})
	}
	return all
}

// A composedBinding makes functions of states of processes.
type composedBinding struct{ c *composition }

func (b composedBinding) members() int { return b.c.n }

func (b composedBinding) builder() *builder { return b.c.b }

func (b composedBinding) state(f starlark.Callable) func(*global) bool {
	return askGlobal(b.c, b.c.b.predicate(f))
}

func (b composedBinding) count(f starlark.Callable) func(*global) int {
	return askGlobal(b.c, b.c.b.counter(f))
}

// askGlobal makes a function of states of a question.
func askGlobal[R any](c *composition, q *question[R]) func(*global) R {
	return func(g *global) R {
		return q.ask(func(what uint32) key { return look(g, what) }, func(trace *[]step) []starlark.Value {
			return []starlark.Value{&globalValue{c: c, g: g, trace: trace}}
		})
	}
}

func (b composedBinding) taken(f starlark.Callable) func(*global, model.Proc, *global) bool {
	q := b.c.b.predicate(f)
	return func(from *global, by model.Proc, to *global) bool {
		state := func(g *global) starlark.Value { return &globalValue{c: b.c, g: g, trace: new([]step)} }
		return q.answer(state(from), state(to), b.c.id(by)) // not remembered
	}
}

func (b composedBinding) member(f starlark.Callable, i int) func(*global) bool {
	p, of := model.Proc(i), b.local(f)
	return func(g *global) bool { return g.Live(p) && of(g, p) }
}

// local makes a predicate of local states.
func (b composedBinding) local(f starlark.Callable) func(*global, model.Proc) bool {
	q := b.c.b.predicate(f)
	return func(g *global, p model.Proc) bool {
		l := g.Local(p)
		return q.askOf(func() []starlark.Value { return []starlark.Value{b.c.frozen(p, l)} },
			key{x: uint64(p)}, keyOf(l.bytes, 0))
	}
}

// parts sets the parts of an invariant about single processes and messages, or their number: those are judged
// by table, see model.Property.
func (b composedBinding) parts(p *model.Property[global], s *settings) {
	if f, ok := s.function("each").(*starlark.Function); ok && arity(f) == 2 {
		b.eachAndDead(p, f)
	} else if f := s.function("each"); f != nil {
		p.OfLocal = b.local(f)
	}
	if f := s.function("clear"); f != nil {
		p.Clear = b.local(f)
	}
	if f := s.function("inbox"); f != nil {
		holds := b.c.b.predicate(f)
		p.OfInbox = func(g *global, q model.Proc) bool {
			return holds.answer(starlark.NewList(b.c.envelopes(g, q)))
		}
	}
	if f := s.function("message"); f != nil {
		holds := b.ofMessages(f)
		p.OfInbox = func(g *global, q model.Proc) bool { return holds(g, q) == len(g.Inbox(q)) }
	}
	b.counts(p, s)
}

// ofMessages counts the messages on their way to a process for which a predicate is true.
func (b composedBinding) ofMessages(f starlark.Callable) func(*global, model.Proc) int {
	holds := b.c.b.predicate(f)
	return func(g *global, q model.Proc) (n int) {
		for _, e := range b.c.envelopes(g, q) {
			if holds.answer(e) {
				n++
			}
		}
		return n
	}
}

// counts sets bounds on the number of processes and messages for which a function is true.
func (b composedBinding) counts(p *model.Property[global], s *settings) {
	processes, messages := s.function("count"), s.function("messages")
	if processes == nil && messages == nil {
		for _, name := range []string{"least", "most"} {
			if s.given(name) != nil {
				s.fail("%s bounds count or messages, and both are missing", name)
			}
		}
		return
	}
	if s.given("least") == nil && s.given("most") == nil {
		s.fail("least and most are missing: a bound on the count")
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

// manyDead bounds the sets of dead processes that are tried for a local state.
const manyDead = 64

// eachAndDead makes an invariant of each live process and the set of dead ones. A state need not be judged as
// a whole if the invariant is true of its local states for all sets of dead processes.
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
