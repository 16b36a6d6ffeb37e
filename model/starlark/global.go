package starfile

import (
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/protocol"
)

// A stateValue is a state of processes as a property sees it; it records the parts that are read.
type stateValue struct {
	*record
	c     *composition
	g     *global
	trace *[]step
}

var (
	_ starlark.Mapping  = (*stateValue)(nil)
	_ starlark.HasAttrs = (*stateValue)(nil)
)

func (c *composition) seen(g *global, trace *[]step) starlark.Value {
	v := &stateValue{c: c, g: g, trace: trace}
	v.record = &record{t: c.state,
		parts: parts{xs: make([]starlark.Value, len(c.state.fields)), source: v.part, frozen: true}}
	return v
}

// The parts of a state that are read. The number of an inbox's part is 0 for its length, then 1 and so on for
// its envelopes.
const (
	readDead uint32 = iota
	readUse
	readPast
	readLocal                                 // and the process
	readInbox = readLocal + protocol.MaxProcs // and the process, and the part of its inbox
	inboxBits = 20                            // for the part of an inbox
)

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

func (v *stateValue) read(what uint32) {
	if !slices.ContainsFunc(*v.trace, func(s step) bool { return s.what == what }) {
		*v.trace = append(*v.trace, step{what, look(v.g, what)})
	}
}

func (v *stateValue) String() string { return "a state" }

// Type differs from the type of records, which are compared with each other.
func (v *stateValue) Type() string { return "state" }

// CompareSameType compares states by identity: a property sees each once.
func (v *stateValue) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	return (op == syntax.EQL) == (v == y), nil
}

// Get returns the local state of a process.
func (v *stateValue) Get(k starlark.Value) (starlark.Value, bool, error) {
	p, err := v.c.proc(k)
	if err != nil {
		return nil, false, err
	}
	return v.local(p), true, nil
}

func (v *stateValue) local(p model.Proc) starlark.Value {
	v.read(readLocal + uint32(p))
	return v.c.frozen(p, v.g.Local(p))
}

func (v *stateValue) part(i int) starlark.Value {
	var all []starlark.Value
	switch name := v.t.fields[i]; name {
	case "dead":
		v.read(readDead)
		return v.c.ids(v.g.Dead)
	case "live", "all":
		set := model.All(v.c.n)
		if name == "live" {
			v.read(readDead)
			set &^= v.g.Dead
		}
		for p := range set.Each() {
			all = append(all, v.local(p))
		}
	case "in_use":
		v.read(readUse)
		return number(v.g.InUse())
	case "history":
		v.read(readPast)
		return v.c.past.unpacked(v.g.History().bytes)
	case "messages":
		for p := range model.Proc(v.c.n) {
			all = append(all, v.envelopes(p)...)
		}
	case "inbox":
		return starlark.NewBuiltin("inbox", taking(func(_ *call, k starlark.Value) (starlark.Value, error) {
			p, err := v.c.proc(k)
			if err != nil {
				return nil, err
			}
			return starlark.NewList(v.envelopes(p)), nil
		}))
	default:
		return v.c.ids(model.All(v.c.n))
	}
	return starlark.NewList(all)
}

func (v *stateValue) envelopes(p model.Proc) []starlark.Value {
	from := readInbox + uint32(p)<<inboxBits
	v.read(from)
	for i := range v.g.Inbox(p) {
		v.read(from + uint32(i) + 1)
	}
	return v.c.envelopes(v.g, p)
}

func (c *composition) envelopes(g *global, p model.Proc) (all []starlark.Value) {
	for i, l := range g.Inbox(p) {
		m := c.messages.unpackedMessage(l.M.bytes)
		e := &record{t: c.envelope, parts: parts{frozen: true, xs: []starlark.Value{
			c.id(p), starlark.String(m.t.tag), m, c.id(l.From),
		}}}
		if c.network.Channel == model.FIFO {
			e.place = uint64(int(p)*c.n+int(l.From))<<placeBits + uint64(i+1)
		}
		all = append(all, e)
	}
	return all
}

func (c *composition) binding(called model.Names) *binding[global] {
	var names []string
	for p := range model.Proc(c.n) {
		names = append(names, called.Of(p))
	}
	return &binding[global]{
		b: c.b, members: c.n, parts: c.parts, names: names,
		at: func(q *question, g *global, i int) int {
			reads := func(what uint32) key { return look(g, what) }
			return q.ask(reads, func(trace *[]step) []starlark.Value {
				return []starlark.Value{c.seen(g, trace), c.id(model.Proc(i))}
			})
		},
		of:    func(q *question, g *global) int { return whole(c, q, g) },
		image: func(q *inquiry[string], g *global) string { return whole(c, q, g) },
		one: func(q *question, g *global, i int) int {
			if p := model.Proc(i); g.Live(p) {
				return c.ask(q, p, g.Local(p))
			}
			return 0
		},
		taken: func(q *question, from *global, by model.Proc, to *global) int { // not remembered
			return q.answer(c.seen(from, new([]step)), c.seen(to, new([]step)), c.id(by))
		},
	}
}

func whole[R any](c *composition, q *inquiry[R], g *global) R {
	return q.ask(func(what uint32) key { return look(g, what) },
		func(trace *[]step) []starlark.Value { return []starlark.Value{c.seen(g, trace)} })
}

// ask returns the answer about the local state of a process, and the set of dead processes if it is given.
func (c *composition) ask(q *question, p model.Proc, l *local, dead ...model.Set) int {
	keys := append([]key{{x: uint64(p)}, keyOf(l.bytes, 0)},
		mapped(dead, func(set model.Set) key { return key{x: uint64(set)} })...)
	return q.ask(func(what uint32) key { return keys[what] }, func(trace *[]step) []starlark.Value {
		for i, k := range keys {
			*trace = append(*trace, step{uint32(i), k})
		}
		return append([]starlark.Value{c.frozen(p, l)},
			mapped(dead, func(set model.Set) starlark.Value { return c.ids(set) })...)
	})
}

// ofProcess makes a condition of a process's local state; nil: there is no function.
func (c *composition) ofProcess(s *settings, name string) func(*global, model.Proc) bool {
	f := s.function(name)
	if f == nil {
		return nil
	}
	q, of := c.b.question(f, conditions), setting[*roleValue](s, "of", "a role")
	return func(g *global, p model.Proc) bool {
		return of != nil && !of.has(int(p)+1) || c.ask(q, p, g.Local(p)) != 0
	}
}

// parts sets the parts of an invariant about single processes and messages, or their number: those are judged
// by table, see model.Property.
func (c *composition) parts(p *model.Property[global], s *settings) {
	forms := slices.DeleteFunc([]string{"holds", "each", "inbox", "message", "count", "messages", "use"},
		func(form string) bool { return s.given(form) == nil })
	switch {
	case len(forms) > 1 && !slices.Equal(forms, []string{"count", "messages"}):
		s.fail("it has %s; allowed is one of these, or count and messages", words(forms))
	case s.given("clear") != nil && s.given("holds") == nil:
		s.fail("clear says of which local states holds is true, and holds is missing")
	}
	p.Clear = c.ofProcess(s, "clear")
	if f, ok := s.function("each").(*starlark.Function); ok && arity(f) == 2 {
		c.eachAndDead(p, c.b.question(f, conditions), setting[*roleValue](s, "of", "a role"))
	} else {
		p.OfLocal = c.ofProcess(s, "each")
	}
	if f := s.function("inbox"); f != nil {
		q := c.b.question(f, conditions)
		p.OfInbox = func(g *global, to model.Proc) bool {
			return q.answer(starlark.NewList(c.envelopes(g, to))) != 0
		}
	}
	if f := s.function("message"); f != nil {
		holds := c.ofMessages(f)
		p.OfInbox = func(g *global, q model.Proc) bool { return holds(g, q) == len(g.Inbox(q)) }
	}
	c.counts(p, s)
}

// ofMessages counts the messages on their way to a process for which a predicate is true.
func (c *composition) ofMessages(f starlark.Callable) func(*global, model.Proc) int {
	q := c.b.question(f, conditions)
	return func(g *global, to model.Proc) (n int) {
		for _, e := range c.envelopes(g, to) {
			n += q.answer(e)
		}
		return n
	}
}

// counts sets bounds on the number of processes and messages for which a function is true.
func (c *composition) counts(p *model.Property[global], s *settings) {
	processes, messages := s.function("count"), s.function("messages")
	counted, bounded := processes != nil || messages != nil, s.given("least") != nil || s.given("most") != nil
	switch {
	case !counted && !bounded:
		return
	case !counted:
		s.fail("least and most bound count or messages, and both are missing")
	case !bounded:
		s.fail("least and most are missing: a bound on the count")
	}
	p.OfCount = &model.Tally[global]{Least: s.whole("least", 0), Most: s.whole("most", maxInt)}
	if processes != nil {
		q, of := c.b.question(processes, conditions), setting[*roleValue](s, "of", "a role")
		p.OfCount.Local = func(g *global, p model.Proc) int {
			if of != nil && !of.has(int(p)+1) {
				return 0
			}
			return c.ask(q, p, g.Local(p))
		}
	}
	if messages != nil {
		p.OfCount.Inbox = c.ofMessages(messages)
	}
}

// manyDead bounds the sets of dead processes that are tried for a local state.
const manyDead = 64

// eachAndDead makes an invariant of each live process and the set of dead ones. A state need not be judged as
// a whole if the invariant is true of its local states for all sets of dead processes.
func (c *composition) eachAndDead(p *model.Property[global], q *question, of *roleValue) {
	holds := func(g *global, p model.Proc, dead model.Set) bool {
		return dead.Has(p) || of != nil && !of.has(int(p)+1) || c.ask(q, p, g.Local(p), dead) != 0
	}
	p.Holds = func(g *global) bool {
		return g.Every(func(p model.Proc) bool { return holds(g, p, g.Dead) })
	}
	all := []model.Set{0} // sets of processes that may be dead at once, and some others
	for p := range (c.network.Crashable | c.network.Dead).Each() {
		for _, s := range all {
			if s.Len() < c.network.Crashes+c.network.Dead.Len() && len(all) <= manyDead {
				all = append(all, s.With(p))
			}
		}
	}
	if len(all) <= manyDead {
		p.Clear = func(g *global, p model.Proc) (clear bool) { // not where it fails, perhaps in no state
			_ = check.Caught(func() {
				clear = !slices.ContainsFunc(all, func(dead model.Set) bool { return !holds(g, p, dead) })
			})
			return clear
		}
	}
}
