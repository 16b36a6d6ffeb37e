package starfile

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A globalValue is a state of processes as a property sees it, which keeps what is read.
type globalValue struct {
	typed
	c     *composition
	g     *global
	first uint32 // of what is read
	trace *[]step
}

var (
	_ starlark.Mapping  = (*globalValue)(nil)
	_ starlark.HasAttrs = (*globalValue)(nil)
)

// What is read of a state. Of a second state it begins at second.
const (
	readDead uint32 = iota
	readUse
	readPast
	readLocal                        // and the process
	readInbox = readLocal + 1<<4     // and the process, and what of its inbox: 0 the length, then envelopes
	inboxBits = 20                   // of what of an inbox
	second    = 1 << (inboxBits + 5) // where the second state begins
)

// look returns what is found in states.
func look(states []*global) func(what uint32) key {
	return func(what uint32) key {
		g := states[what/second]
		switch what %= second; {
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
}

func (v *globalValue) read(what uint32) {
	what += v.first
	if slices.ContainsFunc(*v.trace, func(s step) bool { return s.what == what }) {
		return
	}
	states := []*global{v.g, v.g}
	*v.trace = append(*v.trace, step{what, look(states)(what)})
}

func (v *globalValue) String() string { return "a state" }

// Get returns the local state of a process.
func (v *globalValue) Get(k starlark.Value) (starlark.Value, bool, error) {
	p, err := v.c.proc(k)
	if err != nil {
		return nil, false, err
	}
	v.read(readLocal + uint32(p))
	return v.c.frozen(p, v.g.Local(p)), true, nil
}

// AttrNames lists what can be asked of a state.
func (v *globalValue) AttrNames() []string {
	return []string{"all", "dead", "history", "in_use", "inbox", "live", "messages", "procs"}
}

// Attr returns a part of the state.
func (v *globalValue) Attr(name string) (starlark.Value, error) {
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
		var all []starlark.Value
		for p := range set.Each() {
			me, _, _ := v.Get(number(v.c.id(p))) // there is such a process
			all = append(all, me)
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
		var all []starlark.Value
		for p := range model.Proc(v.c.n) {
			all = append(all, v.envelopes(p)...)
		}
		return starlark.NewList(all), nil
	case "inbox":
		return starlark.NewBuiltin("inbox", helper(v.inbox).called), nil
	}
	return nil, starlark.NoSuchAttrError(fmt.Sprintf("a state has no %q%s; it has %s", name,
		usage.Nearest(name, v.AttrNames()), strings.Join(v.AttrNames(), ", ")))
}

func (v *globalValue) inbox(in given) (starlark.Value, error) {
	var k starlark.Value
	if err := in.unpack(1, &k); err != nil {
		return nil, err
	}
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
	envelopes := v.g.Inbox(p)
	for i := range envelopes {
		v.read(from + uint32(i) + 1)
	}
	return v.c.envelopesOf(p, envelopes)
}

// envelopesOf returns messages as records of sender, receiver and message.
func (c *composition) envelopesOf(p model.Proc, envelopes []model.Envelope[message]) (all []starlark.Value) {
	for _, l := range envelopes {
		all = append(all, &envelope{
			from: number(c.id(l.From)), to: number(c.id(p)), m: c.messages.unpacked(l.M.bytes),
		})
	}
	return all
}

// An envelope is a message on its way, with its sender and its receiver.
type envelope struct {
	typed
	from, to starlark.Value
	m        *record
}

func (e *envelope) String() string { return short(e.m) }

// Type is what type() says.
func (e *envelope) Type() string { return "envelope" }

// AttrNames lists the parts.
func (e *envelope) AttrNames() []string { return []string{"dst", "kind", "message", "src"} }

// Attr returns a part; what is none is a field of the message.
func (e *envelope) Attr(name string) (starlark.Value, error) {
	switch name {
	case "src":
		return e.from, nil
	case "dst":
		return e.to, nil
	case "message":
		return e.m, nil
	case "kind":
		return starlark.String(e.m.t.tag), nil
	}
	return nil, starlark.NoSuchAttrError(
		fmt.Sprintf("a message under way has no %q; it has src, dst, message, kind", name),
	)
}

// composedBinding binds what a file says to states of processes.
type composedBinding struct{ c *composition }

func (b composedBinding) members() int { return b.c.n }

func (b composedBinding) builder() *builder { return b.c.b }

func (b composedBinding) state(f starlark.Callable) func(*global) bool {
	q := b.c.b.predicate(f)
	return func(g *global) bool { return askGlobal(b.c, q, g) }
}

func (b composedBinding) count(f starlark.Callable) func(*global) int {
	q := b.c.b.counter(f)
	return func(g *global) int { return askGlobal(b.c, q, g) }
}

// askGlobal asks about a state.
func askGlobal[R any](c *composition, q *question[R], g *global) R {
	return q.ask(look([]*global{g}), func(trace *[]step) []starlark.Value { return c.seen(trace, g) })
}

// seen returns states as a function of the model sees them.
func (c *composition) seen(trace *[]step, states ...*global) (args []starlark.Value) {
	for i, g := range states {
		args = append(args, &globalValue{c: c, g: g, first: uint32(i) * second, trace: trace})
	}
	return args
}

func (b composedBinding) taken(f starlark.Callable) func(*global, model.Proc, *global) bool {
	q := b.c.b.predicate(f)
	return func(from *global, by model.Proc, to *global) bool {
		return q.answer(append(b.c.seen(new([]step), from, to), number(b.c.id(by)))...)
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
