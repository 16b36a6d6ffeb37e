package file

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

// Local states, messages and histories of processes in a file are texts.
type (
	local    struct{ text string }
	message  struct{ text string }
	past     struct{ text string }
	outbox   = model.Outbox[message]
	global   = model.Global[local, message, past]
	composed = model.Composition[local, message, past]
)

func (m message) String() string { return m.text }

// Vars lists the fields.
func (l local) Vars(model.Names) []model.Var { return linesOf(l.text) }

// Vars lists the fields.
func (h past) Vars(model.Names) []model.Var { return linesOf(h.text) }

// linesOf lists the fields of a record that writeLines wrote.
func linesOf(text string) (vars []model.Var) {
	if text == "" {
		return nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		name, value, _ := strings.Cut(line, "=")
		vars = append(vars, model.Var{Name: name, Value: value})
	}
	return vars
}

// lines writes a record with a field in each line: strings are quoted, so that none has more.
func (t *recordType) lines(r *record) (string, error) {
	b, err := t.writeFields(make([]byte, 0, 128), r, "", "\n", "", true)
	return string(b), err
}

// ofLines reads a record that lines wrote. Its fields are read when they are looked at, since most
// steps look at few, and are written as they stand if nobody has.
func (t *recordType) ofLines(text string) *record {
	x := &record{t: t, xs: make([]starlark.Value, len(t.fields)), texts: make([]string, len(t.fields))}
	for i, name := range t.fields {
		line, rest, more := strings.Cut(text, "\n")
		value, is := strings.CutPrefix(line, name+"=")
		if !is || more != (i < len(t.fields)-1) {
			(&reader{s: text}).fail("a field " + name)
		}
		x.texts[i], text = value, rest
	}
	return x
}

// A composition is what a file declares with processes(...).
type composition struct {
	b        *builder
	n, first int
	local    *recordType
	messages *unionType
	history  *historyValue
	network  model.Network
}

// processSettings are what processes(...) takes.
var processSettings = []string{
	"n",
	"local",
	"steps",
	"receive",
	"properties",
	"init",
	"notice",
	"units",
	"capacity",
	"crash",
	"network",
	"channel",
	"history",
	"constraint",
	"fairness",
	"first",
	"under_way",
	"charge",
	"rounds",
	"within",
	"limit",
}

func (b *builder) processes(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("processes", args, named, processSettings...)
	c := &composition{b: b, n: set.whole("n", 0), first: set.whole("first", 1)}
	var ok bool
	if c.local, ok = set.given("local").(*recordType); !ok || c.local.tag != "" {
		set.fail("local is missing: record(...), the variables of a process with their types")
	}
	if v := set.given("history"); v != nil {
		if c.history, ok = v.(*historyValue); !ok {
			set.fail("history is %s; allowed: what history(...) returns", short(v))
		}
	}
	c.messages = &unionType{}
	for _, v := range set.list("receive") {
		on, ok := v.(*stepValue)
		if !ok || on.of == nil {
			set.fail("receive holds %s; allowed: what on(...) returns", short(v))
			break
		}
		c.messages.of = append(c.messages.of, on.of)
		c.messages.name = strings.TrimPrefix(c.messages.name+", "+on.of.tag, ", ")
	}
	if c.n < 1 || c.n > protocol.MaxProcs {
		set.fail("n is %d; allowed are 1 to %d processes", c.n, protocol.MaxProcs)
	}
	if set.err != nil {
		return nil, set.err
	}
	if b.enterProcesses(set, c); b.args == nil || b.looks {
		return starlark.None, b.make(model.Instance{}, set.err)
	}
	made, err := c.build(set)
	if err == nil {
		err = set.err
	}
	if err != nil {
		return nil, err
	}
	return starlark.None, b.make(model.Compose(*made), nil)
}

// build makes the composition.
func (c *composition) build(set *settings) (*composed, error) {
	m := &composed{
		N:        c.n,
		Names:    model.Names{First: c.first},
		Init:     c.initial(set),
		Capacity: set.whole("capacity", 0),
		Hermetic: true,
	}
	for _, v := range set.list("steps") {
		s, ok := v.(*stepValue)
		if f, is := v.(starlark.Callable); is && !ok {
			s, ok = &stepValue{name: f.Name(), f: f}, true
		}
		if !ok {
			return nil, fmt.Errorf(
				"processes: steps holds %s; allowed: functions, and what step(...) returns",
				short(v),
			)
		}
		m.Local = append(m.Local, c.handler(s))
	}
	for _, v := range set.list("receive") {
		m.Receive = append(m.Receive, c.receiver(v.(*stepValue)))
	}
	if v := set.given("notice"); v != nil {
		s, ok := v.(*stepValue)
		if !ok {
			return nil, fmt.Errorf("processes: notice is %s; allowed: what step(...) returns", short(v))
		}
		m.Notice = c.notice(s)
	}
	if f := set.function("units"); f != nil {
		m.Units = ofLocal(c, f, isCount, "numbers from 0 on")
	}
	if f := set.function("constraint"); f != nil {
		keeps := ofLocal(c, f, isBool, "True and False")
		m.Constraint = func(_ model.Proc, l *local) bool { return keeps(l) }
	}
	if f := set.function("charge"); f != nil {
		m.Charge = c.charge(f)
	}
	if f := set.function("under_way"); f != nil {
		m.UnderWay = c.underWay(f)
	}
	m.Crash = c.crash(set.function("crash"))
	if c.history != nil {
		m.History = c.monitor()
	}
	if err := c.surround(m, set); err != nil {
		return nil, err
	}
	c.network = m.Network
	var err error
	m.Properties, err = properties[global](set.list("properties"), composedBinding{c})
	return m, err
}

// surround sets the network, the fairness and the clocks.
func (c *composition) surround(m *composed, set *settings) error {
	if v := set.given("network"); v != nil {
		nw, ok := v.(*networkValue)
		if !ok {
			return fmt.Errorf("processes: network is %s; allowed: what network_params(...) returns", short(v))
		}
		m.Network = nw.network
	} else if oneOf(set, "channel", "bag", "fifo") == 1 {
		m.Network.Channel = model.FIFO
	}
	if c.b.endless {
		clocks := c.clocks()
		if f := set.function("within"); f != nil {
			clocks.Within, clocks.Limit = ofLocal(c, f, isBool, "True and False"), set.text("limit")
		}
		return m.Endless(c.b.args, c.b.rounds, clocks)
	}
	if i := oneOf(set, "fairness", "none", "weak", "strong"); i >= 0 {
		m.Fair(model.Strength(i).String())
	}
	return nil
}

// initial makes the initial local states: that of the type, changed by init.
func (c *composition) initial(set *settings) func(model.Proc) local {
	f := set.function("init")
	return func(p model.Proc) local {
		me := c.local.zero().(*record)
		me.id, me.hasID = c.id(p), true
		if f != nil {
			run(&call{what: "init"}, f, me)
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
	me := c.local.ofLines(l.text)
	me.id, me.hasID = c.id(p), true
	return me
}

// localOf is the text of a local state that f has made.
func (c *composition) localOf(me *record, f starlark.Callable) local {
	text, err := c.local.lines(me)
	if err != nil {
		panic(&model.Error{What: err.Error(), Where: position(f)})
	}
	return local{text}
}

// take runs a handler: f with the local state and what else it is told.
func (c *composition) take(
	p model.Proc,
	l *local,
	out *outbox,
	f starlark.Callable,
	told ...starlark.Value,
) bool {
	me := c.see(p, l)
	_, enabled := run(c.asked(out), f, append([]starlark.Value{me}, told...)...)
	if enabled {
		*l = c.localOf(me, f)
	}
	return enabled
}

// asked is what a handler may do besides changing its local state.
func (c *composition) asked(out *outbox) *call {
	return &call{
		what: "a step", pick: out.Pick,
		send: func(to, m starlark.Value) error {
			p, err := c.proc(to)
			if err != nil {
				return err
			}
			text, err := c.messages.write(nil, m)
			if err == nil {
				out.Send(p, message{string(text)})
			}
			return err
		},
		note: func(kind int, about starlark.Value) error {
			procs, err := c.set(about)
			if err == nil && procs > maxNote {
				err = fmt.Errorf("note: allowed are sets of the first %d processes", model.FewProcs)
			}
			out.Note(uint32(kind)<<16 | uint32(procs))
			return err
		},
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

func (c *composition) handler(s *stepValue) model.Handler[local, message] {
	return model.Handler[local, message]{
		Name: s.name, Source: s.lines, Kind: s.kind, Request: s.request,
		Do: func(p model.Proc, l *local, out *outbox) bool { return c.take(p, l, out, s.f) },
	}
}

func (c *composition) receiver(s *stepValue) model.Receiver[local, message] {
	return model.Receiver[local, message]{
		Name: s.name, Source: s.lines,
		Accepts: func(m message) bool { return s.of.begins(m.text) },
		Do: func(p, from model.Proc, m message, l *local, out *outbox) bool {
			return c.take(p, l, out, s.f, number(c.id(from)), c.messages.read(&reader{s: m.text}))
		},
	}
}

func (c *composition) notice(s *stepValue) *model.Notice[local, message] {
	return &model.Notice[local, message]{
		Name: s.name, Source: s.lines,
		Do: func(p, dead model.Proc, l *local, out *outbox) bool {
			return c.take(p, l, out, s.f, number(c.id(dead)))
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
		run(&call{what: "crash"}, f, me)
		*l = c.localOf(me, f)
	}
}

func (c *composition) charge(f starlark.Callable) func(from, to model.Proc, m message) model.Proc {
	return func(from, to model.Proc, m message) model.Proc {
		v, _ := run(
			&call{what: "charge"},
			f,
			number(c.id(from)),
			number(c.id(to)),
			c.messages.read(&reader{s: m.text}),
		)
		p, err := c.proc(v)
		if err != nil {
			panic(&model.Error{What: err.Error(), Where: position(f)})
		}
		return p
	}
}

// underWay returns what f sends in the initial state.
func (c *composition) underWay(f starlark.Callable) func(model.Proc) []model.Sent[message] {
	return func(p model.Proc) (sent []model.Sent[message]) {
		asked := &call{what: "under_way", send: func(to, m starlark.Value) error {
			q, err := c.proc(to)
			if err != nil {
				return err
			}
			text, err := c.messages.write(nil, m)
			sent = append(sent, model.Sent[message]{To: q, M: message{string(text)}})
			return err
		}}
		run(asked, f, number(c.id(p)))
		return sent
	}
}

// ofLocal makes a function of local states that remembers them.
func ofLocal[R any](
	c *composition,
	f starlark.Callable,
	of func(starlark.Value) (R, bool),
	want string,
) func(*local) R {
	m := &memo[R]{room: &c.b.room}
	return func(l *local) R {
		look := func(uint32) key { return keyOf(l.text, 0) }
		if r, found := m.find(look); found {
			return r
		}
		me := c.local.ofLines(l.text)
		me.Freeze()
		v, _ := run(&call{what: f.Name()}, f, me)
		r := result(f, v, of, want)
		m.add([]step{{0, look(0)}}, r)
		return r
	}
}

// result is what a function returns, as it has to.
func result[R any](f starlark.Callable, v starlark.Value, of func(starlark.Value) (R, bool), want string) R {
	r, ok := of(v)
	if !ok {
		panic(
			&model.Error{
				What:  fmt.Sprintf("%s returns %s; allowed: %s", f.Name(), short(v), want),
				Where: position(f),
			},
		)
	}
	return r
}
