package prove

import (
	"cmp"
	"slices"

	"go.starlark.net/syntax"
)

// A step is a transition of the theory.
type step struct {
	name    string
	at      syntax.Position
	consts  []*term // the process, the message, and values that are open
	facts   []*term // conditions
	after   state
	changed map[*field]bool
	sends   []sent
	who     *term
	from    *term  // the sender of a message that is received; nil otherwise
	message *field // that is received or lost
	fields  []*term
}

// A conjunct is a part of the invariant.
type conjunct struct {
	name   string
	at     syntax.Position
	safety bool // what is to be proved, not only a help to prove it
	holds  func(*theory, state) *term
}

// symbols is the state before a step.
func (t *theory) symbols() state {
	s := state{}
	for _, f := range t.order {
		s[f] = func(args []*term) *term { return symbol(f.name, f.sort, args...) }
	}
	return s
}

// declareSteps translates the steps of a process, the receipt of each message, and its loss.
func (t *theory) declareSteps() {
	d := t.model
	for _, name := range []string{"history", "crash", "notice", "charge", "under_way", "within"} {
		if v := d.named[name]; v != nil {
			refuse(d.at, "%s = ... is outside the fragment; write the model without it", name)
		}
	}
	if d.named["constraint"] != nil {
		t.note("the constraint is dropped: states outside it are part of the proof")
	}
	t.note("any message may be lost at any time, and may overtake any other one")
	for _, kind := range t.kinds {
		if t.repeated["msg."+kind.name] {
			t.note("two equal %s may be on their way: each may be received again and again", kind.name)
		}
	}
	t.note("a crash, also inside a broadcast, is a process that takes no more steps, and messages that are lost")
	if d.text("channel", -1) == "fifo" {
		t.note("channels are bags, not queues")
	}
	for _, v := range list(d.named["steps"]) {
		f, name, at := stepOf(t, d, v, "f", 0)
		t.step(&step{name: name, at: at}, f)
	}
	for i, v := range list(d.named["receive"]) {
		kind := t.kinds[i]
		f, name, at := stepOf(t, d, v, "f", 1)
		if name == f.name {
			name = "receive " + kind.name
		}
		s := &step{name: name, at: at, message: t.fields["msg."+kind.name], from: t.symbol("sender", node)}
		for k, m := range kind.fields {
			s.fields = append(s.fields, t.symbol("the."+m.name, s.message.args[2+k]))
		}
		t.step(s, f, s.from, &message{kind, s.fields})
	}
	for _, kind := range t.kinds {
		s := &step{name: "loss of " + kind.name, at: d.at, message: t.fields["msg."+kind.name],
			from: t.symbol("sender", node)}
		for k, m := range kind.fields {
			s.fields = append(s.fields, t.symbol("the."+m.name, s.message.args[2+k]))
		}
		t.step(s, nil)
	}
}

func (t *theory) symbol(name string, s sort) *term { return t.evaluation(nil).fresh(name, s) }

// stepOf is the function of a step with its name.
func stepOf(t *theory, d *declared, v any, name string, place int) (*function, string, syntax.Position) {
	if f, is := v.(*function); is {
		return f, f.name, f.at
	}
	if s, is := v.(*declared); is {
		if f, is := s.arg(name, place).(*function); is {
			return f, cmp.Or(s.text("name", place+1), f.name), f.at
		}
	}
	refuse(d.at, "steps are functions of the file, or results of step(...) and on(...)")
	return nil, "", d.at
}

// step translates a step. f is nil for the loss of a message.
func (t *theory) step(s *step, f *function, more ...any) {
	e := t.evaluation(t.symbols())
	e.effect = true
	e.me = e.fresh("me", node)
	s.who = e.me
	s.consts = []*term{e.me}
	if s.message != nil {
		args := append([]*term{s.from, e.me}, s.fields...)
		s.consts = append(s.consts, s.from)
		s.consts = append(s.consts, s.fields...)
		e.facts = append(e.facts, e.now[s.message](args))
		stays := no
		if t.repeated[s.message.name] {
			stays = e.constant(s.at, "stays", boolean)
		}
		e.update(nil, s.message, args, func([]*term) *term { return stays })
	}
	if f != nil {
		e.frame = nil
		e.returned(f, append([]any{&local{e.me}}, more...))
	}
	s.consts, s.facts = append(s.consts, e.consts...), append(s.facts, e.facts...)
	s.after, s.sends, s.changed = e.now, e.sends, e.writes
	t.steps = append(t.steps, s)
}

// returned calls a handler. Where it returns False, the step is not enabled.
func (e *evaluation) returned(f *function, args []any) {
	for _, p := range e.run(&syntax.Ident{NamePos: f.at, Name: f.name}, f, args) {
		if v, is := p.value.(*term); is && v.sort == boolean {
			e.facts = append(e.facts, implies(p.cond, v))
		}
	}
}

// begin computes the start, from which all processes begin.
func (t *theory) begin() {
	e := t.evaluation(state{})
	for _, m := range t.local.fields {
		t.firstValue(e, m)
	}
	for _, k := range t.kinds {
		e.now[t.fields["msg."+k.name]] = func([]*term) *term { return no }
	}
	if f, is := t.model.named["init"].(*function); is {
		e.effect, e.me = true, e.fresh("me", node)
		all := part{[]*term{e.me}, yes, nil}
		e.rounds(f.at, all, func() { e.invoke(&syntax.Ident{NamePos: f.at}, f, []any{&local{e.me}}) })
		t.facts = e.facts
	}
	t.start = e.now
}

// firstValue sets the first value of a variable.
func (t *theory) firstValue(e *evaluation, m *member) {
	typ := m.typ
	for typ.kind == arrays {
		typ = typ.of
	}
	at := t.model.at
	switch typ.kind {
	case wordsOf:
		w, given := m.start.(string)
		for i, x := range typ.words {
			is := truth(given && x == w || !given && i == 0)
			e.now[t.fields["me."+m.name+"="+x]] = func([]*term) *term { return is }
		}
	case times:
		n, _ := m.start.(number)
		v := e.literal(at, n, instant)
		e.now[t.fields["me."+m.name]] = func([]*term) *term { return v }
	case bools:
		v, given := m.start.(*term)
		if !given {
			v = no
		}
		e.now[t.fields["me."+m.name]] = func([]*term) *term { return v }
	case sets:
		if m.start != nil {
			refuse(at, "%s: a set begins empty; init(me) may fill it", m.name)
		}
		e.now[t.fields["me."+m.name]] = func([]*term) *term { return no }
	}
}

// declareConjuncts translates the invariants of the file.
func (t *theory) declareConjuncts(without string) {
	for _, v := range list(t.model.named["properties"]) {
		d, is := v.(*declared)
		switch {
		case is && without != "" && d.text("name", 0) == without:
		case !is || d.of == "processes":
			refuse(t.model.at, "properties holds results of invariant(...), at_most(...) and the like")
		case d.of == "at_most":
			t.atMost(d)
		case d.of == "invariant":
			t.wanted = append(t.wanted, t.conjunct(d))
		default:
			t.note("%s is not proved: only invariants are", cmp.Or(d.text("name", 0), d.of))
		}
	}
	if !slices.ContainsFunc(t.wanted, func(c *conjunct) bool { return c.safety }) {
		refuse(t.model.at, "there is nothing to prove: at_most(k) is missing in properties")
	}
	for _, c := range t.wanted {
		if a := c.holds(t, t.symbols()).alternates(true, nil); a != nil {
			refuse(c.at, "%s asks for some %s for each %s, which makes the question undecidable; write "+
				"any([...]) only where no all([...]) stands around it, and name the processes in question by "+
				"a set that is a variable", c.name, called(symbol("", a.to))[2:], called(symbol("", a.from))[2:])
		}
	}
}

// atMost is the conjunct that of any k+1 different processes, one does not use a unit.
func (t *theory) atMost(d *declared) {
	k, is := d.arg("k", 0).(number)
	units, given := t.model.named["units"].(*function)
	if !is || k.ofN != 0 || k.plus < 1 || k.plus > mostCounted || !given {
		refuse(d.at, "at_most(k) takes a k from 1 to %d here, with units = lambda me: ...", mostCounted)
	}
	if c, is := t.model.named["capacity"].(number); !is || c != k {
		refuse(d.at, "capacity differs from k")
	}
	t.wanted = append(t.wanted, &conjunct{cmp.Or(d.text("name", 1), "at-most-k"), d.at, true,
		func(t *theory, now state) *term {
			e := t.evaluation(now)
			g := &group{sort: node, has: func(p *term) *term {
				u := e.ask(units, &local{p})
				if u.sort != boolean {
					refuse(units.at, "units is a truth value here: a process uses a unit or not")
				}
				return u
			}}
			x := &syntax.BinaryExpr{OpPos: d.at}
			return not(e.atLeast(x, g, number{plus: k.plus + 1}))
		}})
}

// ask is the value of a predicate of the file.
func (e *evaluation) ask(f *function, args ...any) *term {
	e.bound++
	defer func() { e.bound-- }()
	at := &syntax.Ident{NamePos: f.at, Name: f.name}
	if v, is := e.invoke(at, f, args).(*term); is {
		return v
	}
	refuse(f.at, "the function gives no truth value")
	return nil
}

// conjunct translates an invariant: holds(g), each(me) or message(e).
func (t *theory) conjunct(d *declared) *conjunct {
	c := &conjunct{name: cmp.Or(d.text("name", 0), "invariant"), at: d.at}
	for key := range d.named {
		if !slices.Contains([]string{"name", "holds", "each", "message", "doc", "source", "on_request"}, key) {
			refuse(d.at, "%s: %s = ... is outside the fragment; allowed are holds, each and message", c.name,
				key)
		}
	}
	pick := func(name string, place int) *function {
		f, _ := d.arg(name, place).(*function)
		return f
	}
	holds, each, message := pick("holds", 1), pick("each", -1), pick("message", -1)
	c.holds = func(t *theory, now state) *term {
		e, all := t.evaluation(now), yes
		if holds != nil {
			all = e.ask(holds, global{})
		}
		if each != nil {
			p := e.fresh("p", node)
			args := []any{&local{p}}
			if len(each.params) == 2 {
				args = append(args, &group{})
			}
			all = and(all, forall([]*term{p}, e.ask(each, args...)))
		}
		if message != nil {
			for _, p := range e.flying() {
				all = and(all, forall(p.vars, implies(p.cond, e.ask(message, p.value))))
			}
		}
		return all
	}
	if holds == nil && each == nil && message == nil {
		refuse(d.at, "%s: a function is missing: holds, each or message", c.name)
	}
	return c
}
