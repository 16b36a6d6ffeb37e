package starfile

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

// Local states, messages and histories of processes in a file are bytes: see recordType.packed and unionType.
type (
	local    struct{ bytes string }
	message  struct{ bytes string }
	past     struct{ bytes string }
	outbox   = model.Outbox[message]
	global   = model.Global[local, message, past]
	composed = model.Composition[local, message, past]
)

// A shownRecord is a local state or a history as it is shown.
type shownRecord struct {
	t     *recordType
	bytes string
}

// Vars lists the fields.
func (r shownRecord) Vars(model.Names) []model.Var { return r.t.vars(r.bytes) }

// String has the fields in a line.
func (r shownRecord) String() string {
	var all []string
	for _, v := range r.Vars(model.Names{}) {
		all = append(all, v.Name+"="+v.Value)
	}
	return strings.Join(all, " ")
}

// GoString is the same for equal records only.
func (r shownRecord) GoString() string { return strconv.Quote(r.bytes) }

// shown is what is shown of a local state, a message or a history.
func (c *composition) shown(x any) any {
	switch x := x.(type) {
	case local:
		return shownRecord{c.local, x.bytes}
	case past:
		if c.history == nil {
			return shownRecord{&recordType{}, ""}
		}
		return shownRecord{c.history.of, x.bytes}
	case message:
		m := c.messages.unpacked(x.bytes)
		return shown(m.t, m)
	}
	return x
}

// A composition is what a file declares with processes(...).
type composition struct {
	b        *builder
	n, first int
	local    *recordType
	messages unionType
	history  *historyValue
	network  model.Network
}

func (b *builder) processes(set *settings) (starlark.Value, error) {
	c := &composition{
		b: b, n: set.whole("n", 0), first: set.whole("first", 1),
		history: setting[*historyValue](set, "history", "what history(...) returns"),
	}
	var ok bool
	if c.local, ok = set.given("local").(*recordType); !ok || c.local.tag != "" {
		set.fail("local is missing: record(...), the variables of a process with their types")
	}
	for _, v := range set.list("receive") {
		on, ok := v.(*stepValue)
		if !ok || on.of == nil {
			set.fail("receive holds %s; allowed: what on(...) returns", short(v))
			break
		}
		c.messages = append(c.messages, on.of)
	}
	if c.n < 1 || c.n > protocol.MaxProcs {
		set.fail("n is %d; allowed are 1 to %d processes", c.n, protocol.MaxProcs)
	}
	if set.err != nil {
		return nil, set.err
	}
	if b.enterProcesses(set, c); b.args == nil || b.looks {
		return starlark.None, b.makes(model.Instance{}, set.err)
	}
	m := c.build(set)
	if set.err != nil {
		return nil, set.err
	}
	return starlark.None, b.makes(model.Compose(*m), nil)
}

// build makes the composition.
func (c *composition) build(set *settings) *composed {
	m := &composed{
		N: c.n, Names: model.Names{First: c.first}, Init: c.initial(set), Capacity: set.whole("capacity", 0),
		Hermetic: true, Shown: c.shown, Crash: c.crash(set.function("crash")),
	}
	for _, s := range set.steps("steps") {
		m.Local = append(m.Local, model.Handler[local, message]{
			Name: s.name, Source: s.lines, Kind: s.kind, Request: s.request,
			Do: func(p model.Proc, l *local, out *outbox) bool { return c.take(p, l, out, s.f) },
		})
	}
	for _, v := range set.list("receive") {
		m.Receive = append(m.Receive, c.receiver(v.(*stepValue)))
	}
	if s := setting[*stepValue](set, "notice", "what step(...) returns"); s != nil {
		m.Notice = &model.Notice[local, message]{
			Name: s.name, Source: s.lines,
			Do: func(p, dead model.Proc, l *local, out *outbox) bool {
				return c.take(p, l, out, s.f, number(c.id(dead)))
			},
		}
	}
	if f := set.function("units"); f != nil {
		m.Units = ofLocal(c, c.b.counter(f))
	}
	if f := set.function("constraint"); f != nil {
		keeps := ofLocal(c, c.b.predicate(f))
		m.Constraint = func(_ model.Proc, l *local) bool { return keeps(l) }
	}
	if f := set.function("charge"); f != nil {
		m.Charge = c.charge(f)
	}
	if f := set.function("under_way"); f != nil {
		m.UnderWay = c.underWay(f)
	}
	if c.history != nil {
		m.History = c.monitor()
	}
	c.surround(m, set)
	c.network = m.Network
	m.Properties = properties(set, composedBinding{c})
	return m
}

// surround sets the network, the fairness and the clocks.
func (c *composition) surround(m *composed, set *settings) {
	if nw := setting[*networkValue](set, "network", "what network_params(...) returns"); nw != nil {
		m.Network = nw.network
	} else if set.oneOf("channel", "bag", "fifo") == 1 {
		m.Network.Channel = model.FIFO
	}
	if c.b.endless {
		clocks := c.clocks()
		if f := set.function("within"); f != nil {
			clocks.Within, clocks.Limit = ofLocal(c, c.b.predicate(f)), set.text("limit")
		}
		m.Endless(c.b.args, c.b.rounds, clocks)
		set.err = cmp.Or(set.err, c.b.args.Err())
		return
	}
	if i := set.oneOf("fairness", "none", "weak", "strong"); i >= 0 {
		m.Fair(model.Strength(i).String())
	}
}

// initial makes the initial local states: that of the type, changed by init.
func (c *composition) initial(set *settings) func(model.Proc) local {
	f := set.function("init")
	return func(p model.Proc) local {
		me := c.local.zero().(*record)
		me.id, me.hasID = c.id(p), true
		if f != nil {
			c.b.searches.run(&call{}, f, me)
		}
		return c.localOf(me, f)
	}
}

func (c *composition) id(p model.Proc) int { return int(p) + c.first }

// proc returns the process of a number.
func (c *composition) proc(v starlark.Value) (model.Proc, error) {
	x, err := starlark.AsInt32(v)
	if err != nil || x < c.first || x >= c.first+c.n {
		return 0, fmt.Errorf("there is no process %s; allowed: %d to %d", short(v), c.first, c.first+c.n-1)
	}
	return model.Proc(x - c.first), nil
}

// see returns a local state as a function of the model sees it.
func (c *composition) see(p model.Proc, l *local) *record {
	me := c.local.unpacked(l.bytes)
	me.id, me.hasID = c.id(p), true
	return me
}

// frozen is a local state that a property sees.
func (c *composition) frozen(p model.Proc, l *local) *record {
	me := c.see(p, l)
	me.Freeze()
	return me
}

// localOf is the local state that f has made.
func (c *composition) localOf(me *record, f starlark.Callable) local { return local{packedBy(f, me)} }

// packedBy returns the bytes of a local state or a history that f has made.
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
		send: c.sender(out.Send),
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
		*l = c.localOf(me, f)
	}
	return enabled
}

// sender has messages sent.
func (c *composition) sender(send func(to model.Proc, m message)) func(to, m starlark.Value) error {
	return func(to, m starlark.Value) error {
		p, err := c.proc(to)
		if err != nil {
			return err
		}
		bytes, err := c.messages.packed(m)
		if err == nil {
			send(p, message{bytes})
		}
		return err
	}
}

// set returns processes as a set.
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

// ids returns the numbers of a set of processes, as a set.
func (c *composition) ids(s model.Set) *starlark.Set {
	all := starlark.NewSet(s.Len())
	for p := range s.Each() {
		_ = all.Insert(number(c.id(p))) // numbers can be hashed
	}
	return all
}

func (c *composition) receiver(s *stepValue) model.Receiver[local, message] {
	return model.Receiver[local, message]{
		Name: s.name, Source: s.lines,
		Accepts: func(m message) bool { of, _ := c.messages.kind(m.bytes); return of == s.of },
		Do: func(p, from model.Proc, m message, l *local, out *outbox) bool {
			return c.take(p, l, out, s.f, number(c.id(from)), c.messages.unpacked(m.bytes))
		},
	}
}

// crash leaves the first value of each variable, unless the file says what is left.
func (c *composition) crash(f starlark.Callable) func(model.Proc, *local) {
	return func(p model.Proc, l *local) {
		if f == nil {
			*l = c.localOf(c.local.zero().(*record), nil)
			return
		}
		me := c.see(p, l)
		c.b.searches.run(&call{}, f, me)
		*l = c.localOf(me, f)
	}
}

func (c *composition) charge(f starlark.Callable) func(from, to model.Proc, m message) model.Proc {
	return func(from, to model.Proc, m message) model.Proc {
		v, _ := c.b.searches.run(
			&call{}, f, number(c.id(from)), number(c.id(to)), c.messages.unpacked(m.bytes))
		p, err := c.proc(v)
		if err != nil {
			panic(mistakeIn(f, err.Error()))
		}
		return p
	}
}

// underWay returns what f sends in the initial state.
func (c *composition) underWay(f starlark.Callable) func(model.Proc) []model.Sent[message] {
	return func(p model.Proc) (sent []model.Sent[message]) {
		send := func(to model.Proc, m message) { sent = append(sent, model.Sent[message]{To: to, M: m}) }
		c.b.searches.run(&call{send: c.sender(send)}, f, number(c.id(p)))
		return sent
	}
}

// ofLocal makes a function of local states.
func ofLocal[R any](c *composition, q *question[R]) func(*local) R {
	return func(l *local) R {
		return q.askOf(func() []starlark.Value {
			me := c.local.unpacked(l.bytes)
			me.Freeze()
			return []starlark.Value{me}
		}, keyOf(l.bytes, 0))
	}
}
