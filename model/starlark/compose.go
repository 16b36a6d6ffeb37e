package starfile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/protocol"
)

// Local states, messages and histories of processes are bytes: see valueType.packed.
type (
	local    struct{ bytes string }
	message  struct{ bytes string }
	past     struct{ bytes string }
	outbox   = model.Outbox[message]
	global   = model.Global[local, message, past]
	composed = model.Composition[local, message, past]
)

// A shownRecord is a local state or a history as reports show it.
type shownRecord struct {
	t     *valueType
	bytes string
}

// Vars lists the fields.
func (r shownRecord) Vars(model.Names) []model.Var { return r.t.vars(r.bytes) }

// String has the fields in a line.
func (r shownRecord) String() string {
	set := func(v model.Var) string { return v.Name + "=" + v.Value }
	return strings.Join(mapped(r.t.vars(r.bytes), set), " ")
}

// GoString differs for different records.
func (r shownRecord) GoString() string { return strconv.Quote(r.bytes) }

// shown is a local state, a message or a history as reports show it.
func (c *composition) shown(x any) any {
	switch x := x.(type) {
	case local:
		r, bytes := c.roleOf(x.bytes)
		return shownRecord{r.local, bytes}
	case past:
		return shownRecord{c.past, x.bytes}
	case message:
		m := c.messages.unpackedMessage(x.bytes)
		return m.t.text(m)
	}
	return x
}

// A composition is the declaration processes(...) of a file.
type composition struct {
	b        *builder
	n, first int
	roles    []*roleValue
	messages *valueType
	envelope *valueType // a message on its way
	state    *valueType // a state as properties see it
	history  *settings  // nil: none
	past     *valueType // its values
	network  model.Network
	links    []model.Set // to whom each process may send; nil: to all
}

func (b *builder) processes(set *settings) (starlark.Value, error) {
	c := &composition{
		b: b, first: set.whole("first", 1), roles: b.rolesOf(set),
		history: setting[*settings](set, "history", "what history(...) returns"),
	}
	var received []*valueType
	for _, r := range c.roles {
		c.n += r.n
		heard := listOf(r.set, "receive", "what on(...) returns",
			func(v starlark.Value) (*valueType, bool) {
				if on, is := v.(*stepValue); is {
					return on.of, on.of != nil
				}
				return nil, false
			})
		for i, of := range heard {
			if slices.ContainsFunc(heard[:i], of.equals) {
				r.set.fail("receive has two handlers of %s; write one, with an if", of.tag)
			}
			if !slices.ContainsFunc(received, of.equals) {
				received = append(received, of)
			}
		}
		set.err = cmp.Or(set.err, r.set.err)
	}
	c.messages = newMessages(received)
	if c.past = given("no history"); c.history != nil {
		c.past = c.history.record("of", "the variables of the history")
		c.history.needs("step")
		set.err = cmp.Or(set.err, c.history.err)
	}
	if c.n < 1 || c.n > protocol.MaxProcs {
		set.fail("n is %d; allowed are 1 to %d processes", c.n, protocol.MaxProcs)
	}
	for _, r := range c.roles {
		if r.local.ticks() {
			set.fail("a timer(...) runs in a system: processes have no clock in common")
		}
	}
	if c.links = c.linked(set); set.err != nil {
		return nil, nil
	}
	if c.enter(set); b.args == nil || b.looks {
		return starlark.None, b.makes(model.Instance{}, set.err)
	}
	if m := c.build(set); set.err == nil {
		in := model.Compose(*m)
		b.bounded = m.Constraint != nil || m.Clocks != nil
		b.filled = func(values *starlark.Dict) (model.State, error) { return c.filled(in, values) }
		return starlark.None, b.makes(in, nil)
	}
	return nil, nil
}

func (c *composition) enter(set *settings) {
	e, id := &c.b.entries, ofKind("int")
	c.envelope = given("envelope", "dst", anyInt("processes"), "kind", c.messages.tags(),
		"message", c.messages, "src", anyInt("processes"))
	some, ids, all := newList(c.envelope, longest), newSet(anyInt("processes")), newList(c.locals(), longest)
	parts := []any{"all", all, "dead", ids, "in_use", anyInt("numbers"), "inbox", some, "live", all,
		"messages", some, "procs", ids}
	if c.history != nil {
		parts = append(parts, "history", c.past)
	}
	c.state = given("a state", parts...)
	c.state.of = c.locals() // state[i]
	*e = entries{messages: c.messages}
	for _, r := range c.roles {
		e.locals, e.vars = append(e.locals, r.local), append(e.vars, named{cmp.Or(r.name, "me"), r.local})
	}
	if c.history != nil {
		e.vars = append(e.vars, named{"history", c.past})
	}
	me, state, envelopes := ofType(c.locals()), ofType(c.state), ofType(some)
	roles := map[string]role{
		"me": roleOf("the local state", me), "one": roleOf("the local state", me),
		"id": roleOf("the number of a process", id), "member": roleOf("a process", id),
		"sender":   roleOf("the sender", id),
		"receiver": roleOf("the receiver", id), "message": roleOf("the message", ofType(c.messages)),
		"victim": roleOf("the process that is dead", id), "dead": roleOf("the dead processes", ofKind("set")),
		"state": roleOf("the state", state), "taker": roleOf("the process", id),
		"states":   roleOf("the state before and after a step", state, state),
		"envelope": roleOf("a message on its way", ofType(c.envelope)),
		"inbox":    roleOf("a list of the messages on their way", envelopes),
		"used":     roleOf("the units in use, and how many live", id, id),
	}
	e.enter(set, roles)
	for _, r := range set.roles {
		of := maps.Clone(roles)
		of["me"] = roleOf("the local state", ofType(r.local))
		e.enter(r.set, of)
	}
	if c.history != nil {
		e.enter(c.history, map[string]role{
			"past": roleOf("the history", ofType(c.past)), "event": roleOf("an event", ofType(eventType)),
		})
	}
}

func (c *composition) build(set *settings) *composed {
	m := &composed{
		N: c.n, Names: model.Names{First: c.first, Each: roleNames(c.roles)},
		Capacity: set.whole("capacity", 0), Hermetic: true, Shown: c.shown,
		Init: c.initial, Crash: c.crash(), Local: c.steps(), Receive: c.receivers(),
		Units: c.ofRoles("units", counts, 0),
	}
	if s := c.event("recover", "durable"); s != nil {
		m.Recover = &model.Handler[local, message]{
			Name: s.name, Source: s.lines, Kind: s.kind,
			Do: func(p model.Proc, l *local, out *outbox) bool { return c.occurs("recover", p, l, out) },
		}
	}
	if s := c.event("notice"); s != nil {
		m.Notice = &model.Notice[local, message]{
			Name: s.name, Source: s.lines,
			Do: func(p, dead model.Proc, l *local, out *outbox) bool {
				return c.occurs("notice", p, l, out, c.id(dead))
			},
		}
	}
	if keeps := c.ofRoles("constraint", conditions, 1); keeps != nil {
		m.Constraint = func(_ model.Proc, l *local) bool { return keeps(l) != 0 }
	}
	if f := set.function("charge"); f != nil {
		m.Charge = func(from, to model.Proc, m message) model.Proc {
			v, _ := c.b.searches.run(&call{}, f, c.id(from), c.id(to), c.messages.unpackedMessage(m.bytes))
			p, err := c.proc(v)
			if err != nil {
				panic(mistakeIn(f, err.Error()))
			}
			return p
		}
	}
	if f := set.function("under_way"); f != nil {
		m.UnderWay = func(p model.Proc) (sent []model.Sent[message]) {
			send := func(to model.Proc, m message) { sent = append(sent, model.Sent[message]{To: to, M: m}) }
			c.b.searches.run(&call{send: c.sender(p, send)}, f, c.id(p))
			return sent
		}
	}
	if c.history != nil {
		m.History = c.monitor()
	}
	c.exchanges(m, set)
	c.surround(m, set)
	c.network = m.Network
	m.Properties = properties(set, c.binding(m.Names))
	for _, r := range c.roles {
		set.err = cmp.Or(set.err, r.set.err)
	}
	return m
}

func (c *composition) surround(m *composed, set *settings) {
	if nw := setting[*networkValue](set, "network", "what network_params(...) returns"); nw != nil {
		if m.Network = nw.network; nw.n != m.N {
			set.fail("network is network_params(%d), and the number of processes is %d", nw.n, m.N)
		}
	} else if set.oneOf("channel", "bag", "fifo") == 1 {
		m.Network.Channel = model.FIFO
	}
	switch {
	case c.b.endless && c.b.rounds == nil:
		set.fail("endless_params() needs rounds_param(n), which declares rounds=inf")
		return
	case c.b.endless:
		clocks := c.clocks()
		clocks.Limit = set.text("limit")
		if within := c.ofLocal(set.function("within"), conditions); within != nil {
			clocks.Within = func(l *local) bool { return within(l) != 0 }
		}
		m.Endless(c.b.args, c.b.rounds, clocks)
		set.err = cmp.Or(set.err, c.b.args.Err())
		return
	case c.b.rounds != nil && c.b.args.AnyRounds():
		c.b.args.Reject("rounds", "the file does not call endless_params(), which declares requests without "+
			"end: allowed are 0 to 15 and inf")
		set.err = cmp.Or(set.err, c.b.args.Err())
	}
	if set.oneOf("rounds", "inf", "any") == 1 {
		clocks := c.clocks()
		clocks.ByOrder, m.Clocks = true, &clocks
	}
	if set.oneOf("fairness", "none", "weak", "strong") >= 0 {
		m.Fair(set.text("fairness"))
	}
}

// id is the number of a process in the file.
func (c *composition) id(p model.Proc) starlark.Value { return number(int(p) + c.first) }

func (c *composition) proc(v starlark.Value) (model.Proc, error) {
	x, err := starlark.AsInt32(v)
	if err != nil || x < c.first || x >= c.first+c.n {
		return 0, fmt.Errorf("there is no process %s; allowed: %d to %d", short(v), c.first, c.first+c.n-1)
	}
	return model.Proc(x - c.first), nil
}

func (c *composition) set(v starlark.Value) (s model.Set, err error) {
	if v == nil {
		return 0, nil
	}
	all, err := elements(v)
	for _, x := range all {
		p, err := c.proc(x)
		if err != nil {
			return 0, err
		}
		s = s.With(p)
	}
	return s, err
}

func (c *composition) ids(s model.Set) *starlark.Set {
	all := starlark.NewSet(s.Len())
	for p := range s.Each() {
		_ = all.Insert(c.id(p)) // numbers can be hashed
	}
	return all
}

// see returns a local state as a function of the model sees it.
func (c *composition) see(p model.Proc, l *local) *record {
	r, bytes := c.roleOf(l.bytes)
	me := r.local.unpacked(bytes)
	if p != nobody {
		me.id = c.id(p)
	}
	return me
}

// frozen is a local state as a property sees it.
func (c *composition) frozen(p model.Proc, l *local) *record {
	me := c.see(p, l)
	me.Freeze()
	return me
}

// packedBy returns the bytes of a local state or a history that f has changed.
func packedBy(f starlark.Callable, r *record) string {
	bytes, err := r.t.packed(r)
	if err != nil {
		panic(mistakeIn(f, err.Error()))
	}
	return bytes
}

// take runs a handler: f with the local state and more arguments.
func (c *composition) take(
	p model.Proc, l *local, out *outbox, f starlark.Callable, more ...starlark.Value,
) bool {
	me := c.see(p, l)
	asked := &call{
		pick: out.Pick,
		send: c.sender(p, out.Send), later: out.Later, passed: out.Tick(),
		note: func(kind int, about starlark.Value) error {
			procs, err := c.set(about)
			if err == nil && procs > maxNote {
				err = fmt.Errorf("note: allowed are sets of the first %d processes", model.FewProcs)
			}
			out.Note(uint32(kind)<<16 | uint32(procs))
			return err
		},
	}
	_, enabled := c.b.searches.run(asked, f, append([]starlark.Value{me}, more...)...)
	if enabled {
		*l = c.packed(f, p, me)
	}
	return enabled
}

// linked reads to whom each process may send; nil: to all.
func (c *composition) linked(set *settings) (all []model.Set) {
	links := setting[*starlark.Dict](set, "links", "a dictionary: process, and to whom it may send")
	if links == nil || set.err != nil {
		return nil
	}
	all = make([]model.Set, c.n)
	for _, item := range links.Items() {
		p, err := c.proc(item[0])
		if err == nil {
			all[p], err = c.set(item[1])
		}
		if err != nil {
			set.fail("links: %v", err)
			return nil
		}
	}
	return all
}

// sender makes the function send of a step of a process.
func (c *composition) sender(
	from model.Proc, send func(to model.Proc, m message),
) func(to, m starlark.Value) error {
	return func(to, m starlark.Value) error {
		p, err := c.proc(to)
		if err == nil && c.links != nil && !c.links[from].Has(p) {
			to := c.links[from].Texts(func(q model.Proc) string { return c.id(q).String() })
			err = fmt.Errorf("process %s has no link to %s; it has links to: %s",
				c.id(from), c.id(p), check.OrNone(to))
		}
		if err != nil {
			return err
		}
		bytes, err := c.messages.packedMessage(m)
		if err == nil {
			send(p, message{bytes})
		}
		return err
	}
}

// nobody is the process in questions about the local state of any.
const nobody = ^model.Proc(0)

// ofLocal makes a function of local states of a function in the file; nil: none.
func (c *composition) ofLocal(f starlark.Callable, want string) func(*local) int {
	if f == nil {
		return nil
	}
	q := c.b.question(f, want)
	return func(l *local) int { return c.ask(q, nobody, l) }
}

// eventType is the type of the events that a history receives, one for each step.
var eventType = given("event", "proc", anyInt("processes"), "note", anyInt("notes"),
	"procs", newSet(anyInt("processes")), "crash", boolType, "dead", newSet(anyInt("processes")))

func (c *composition) monitor() model.History[past] {
	f, guards := c.history.function("step"), c.history.flag("guards")
	first := past{packedBy(f, c.past.zero().(*record))}
	return model.History[past]{Init: first, Guards: guards, Step: func(p *past, e model.Event) bool {
		was := c.past.unpacked(p.bytes)
		event := &record{t: eventType, parts: parts{frozen: true, xs: []starlark.Value{
			c.id(e.Proc), number(int(e.Note >> 16)), c.ids(model.Set(e.Note & maxNote)),
			starlark.Bool(e.Crash), c.ids(e.Dead),
		}}}
		_, kept := c.b.searches.run(&call{}, f, was, event)
		p.bytes = packedBy(f, was)
		return kept
	}}
}

func (c *composition) clocks() model.Clocks[local, message] {
	each := func(l *local, visit func(of *valueType, time *uint32)) {
		if r, bytes := c.roleOf(l.bytes); r.local.timed {
			me := r.local.shift(r.local.unpacked(bytes), visit).(*record)
			shifted, _ := r.local.packed(me) // times stay times
			l.bytes = l.bytes[:len(l.bytes)-len(bytes)] + shifted
		}
	}
	only := func(stamps bool, visit func(*uint32)) func(of *valueType, time *uint32) {
		return func(of *valueType, time *uint32) {
			if of.stamp == stamps {
				visit(time)
			}
		}
	}
	return model.Clocks[local, message]{
		Local: func(l *local, visit func(*uint32)) { each(l, only(true, visit)) },
		Seen:  func(l *local, visit func(*uint32)) { each(l, only(false, visit)) },
		Message: func(m *message, visit func(*uint32)) {
			if r := c.messages.unpackedMessage(m.bytes); r.t.timed {
				shifted := r.t.shift(r, func(_ *valueType, time *uint32) { visit(time) })
				m.bytes, _ = c.messages.packedMessage(shifted) // as above
			}
		},
	}
}
