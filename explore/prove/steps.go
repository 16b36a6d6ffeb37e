package prove

import (
	"cmp"
	"maps"
	"slices"

	"go.starlark.net/syntax"
)

// A step is a transition of the theory.
type step struct {
	name    string
	at      syntax.Position
	consts  []*term // the process, the message, and open values
	facts   []*term // conditions
	after   state
	changed map[*field]bool
	sends   []sent
	who     *term
	message *field // that is received or lost, with its sender and its fields; nil: none is
	from    *term  // without a message: the process whose crash is noticed
	fields  []*term
}

// A conjunct is a part of the invariant: at-most-k, or an invariant of the file.
type conjunct struct {
	name  string
	at    syntax.Position
	holds func(*theory, state) *term
}

// before is the state before a step.
func (t *theory) before() state {
	s := state{}
	for _, f := range t.order {
		s[f] = func(args []*term) *term { return symbol(f.name, f.sort, args...) }
	}
	return s
}

// declareSteps translates the steps of a process, the receipt of each message, and its loss.
func (t *theory) declareSteps() {
	d := t.model
	for _, name := range []string{"history", "crash", "recover", "durable", "charge", "under_way", "within",
		"first"} {
		if d.arg(name, -1) != nil {
			refuse(d.at, "%s = ... is outside the fragment; write the model without it", name)
		}
	}
	if d.arg("constraint", -1) != nil {
		t.allow("the constraint is dropped: states outside it are part of the proof")
	}
	if t.fifo {
		t.allow("any message may be lost at any time; the ones from one process to another arrive in order")
	} else {
		t.allow("any message may be lost at any time, and may overtake any other one")
	}
	if v := d.arg("notice", -1); v != nil {
		t.allow("any number of processes crash; a crash inside a broadcast is loss of messages, and a crash")
		f, name := t.handler(v, 0)
		s := &step{name: cmp.Or(name, f.name), at: f.at, from: t.fresh("gone", node)}
		t.step(s, f)
		t.step(&step{name: "crash", at: d.at}, nil)
	} else {
		t.allow("without notice nobody crashes; but a crash, also inside a broadcast, is a process that " +
			"takes no more steps, and loss of messages: so at-most-k holds with crashes, too, and an " +
			"invariant that reads only live processes and messages, and stays true with fewer of them")
	}
	for _, v := range d.list("steps") {
		f, name := t.handler(v, 0)
		t.step(&step{name: cmp.Or(name, f.name), at: f.at}, f)
	}
	for i, v := range d.list("receive") {
		f, name := t.handler(v, 1)
		s := t.arrival(cmp.Or(name, "receive "+t.kinds[i].name), t.kinds[i])
		s.at = f.at
		t.step(s, f)
	}
	for _, kind := range t.kinds {
		if t.step(t.arrival("loss of "+kind.name, kind), nil); t.repeated["msg."+kind.name] {
			t.allow("two equal " + kind.name + " may be on their way: each may be received again and again" +
				map[bool]string{true: ", in any order"}[t.fifo])
		}
	}
}

// arrival is a step that takes some message from its way.
func (t *theory) arrival(name string, kind *dataType) *step {
	s := &step{name: name, at: t.model.at, message: t.fields["msg."+kind.name], from: t.fresh("sender", node)}
	for k, m := range kind.fields {
		s.fields = append(s.fields, t.fresh("the."+m.name, s.message.args[2+k]))
	}
	return s
}

// handler is the function of a step with the name that is given to it. In step(...) and on(...) it stands at
// a place.
func (t *theory) handler(v any, place int) (*function, string) {
	d, is := v.(*declared)
	if !is {
		d = &declared{named: map[string]any{"f": v}}
	}
	f, found := d.arg("f", place).(*function)
	if !found {
		refuse(t.model.at, "steps are functions of the file, or results of step(...) and on(...)")
	}
	return f, d.text(place + 1)
}

// step translates a step. f is nil for the loss of a message and for a crash. Where f returns False, the step
// is not enabled.
func (t *theory) step(s *step, f *function) {
	e := t.evaluation(t.before())
	e.effect, e.me = true, e.fresh("me", node)
	s.who = e.me
	at, with := &syntax.Ident{NamePos: s.at}, []any(nil)
	if s.message != nil {
		s.consts = append([]*term{s.from}, s.fields...)
		args := append([]*term{s.from, e.me}, s.fields...)
		e.facts = append(e.facts, e.now[s.message](args))
		if f != nil {
			e.facts = append(e.facts, e.first(s.message, args)...)
		}
		stays := no
		if f != nil && t.repeated[s.message.name] {
			stays = e.constant(at, "stays", boolean)
		}
		e.update(at, s.message, args, func([]*term) *term { return stays })
		of := s.message.typ
		with = []any{s.from, &message{typ: of, fields: s.fields, sets: e.sets(of, args)}}
	} else if s.from != nil {
		s.consts, e.facts = []*term{s.from}, []*term{e.dead(s.from)}
		with = []any{s.from}
	}
	if d := e.dead(e.me); d != no && (f != nil || s.message == nil) {
		e.facts = append(e.facts, not(d))
	}
	if f == nil && s.message == nil {
		e.update(at, t.fields["dead"], []*term{e.me}, func([]*term) *term { return yes })
	}
	if f != nil {
		for _, p := range e.invoke(&syntax.Ident{NamePos: f.at}, f, append([]any{&local{e.me}}, with...)) {
			if v, is := p.value.(*term); is && v.sort == boolean {
				e.facts = append(e.facts, implies(p.cond, v))
			}
		}
	}
	s.consts, s.facts = append(append(s.consts, e.me), e.consts...), e.facts
	s.after, s.sends, s.changed = e.now, e.sends, e.writes
	t.steps = append(t.steps, s)
}

// begin computes the start: first values, and then init(me) of all processes.
func (t *theory) begin() {
	e, at := t.evaluation(state{}), &syntax.Ident{NamePos: t.model.at}
	for _, f := range t.order {
		e.now[f] = func([]*term) *term { return no }
	}
	for _, m := range t.local.fields {
		typ := m.typ
		for typ.kind == "array" {
			typ = typ.of
		}
		for i, w := range typ.words {
			first := truth(m.start == w || m.start == nil && i == 0)
			e.now[t.fields["me."+m.name+"="+w]] = func([]*term) *term { return first }
		}
		if f := t.fields["me."+m.name]; f != nil && typ.kind != "set" {
			start := cmp.Or(m.start, map[sort]any{boolean: no, instant: number{}}[f.sort])
			v := e.term(at, start, f.sort)
			e.now[f] = func([]*term) *term { return v }
		} else {
			must(f == nil || m.start == nil, at, "%s: a set begins empty; init(me) may fill it", m.name)
		}
	}
	if f, is := t.model.arg("init", -1).(*function); is {
		e.effect, e.me = true, e.fresh("me", node)
		e.rounds(at, part{[]*term{e.me}, yes, nil}, func() { e.invoke(at, f, []any{&local{e.me}}) })
	}
	t.start, t.facts = e.now, e.facts
}

// declareConjuncts translates the invariants of the file.
func (t *theory) declareConjuncts(without string) {
	for _, v := range t.model.list("properties") {
		d, is := v.(*declared)
		switch {
		case !is:
			refuse(t.model.at, "properties holds results of invariant(...), at_most(...) and the like")
		case without != "" && d.text(0) == without:
		case d.of == "at_most":
			t.wanted = append(t.wanted, t.atMost(d))
		case d.of == "invariant" && d.outside() != "":
			t.allow(d.text(0) + " is not proved: " + d.outside() + " = ... is outside the fragment")
		case d.of == "invariant":
			t.wanted = append(t.wanted, t.conjunct(d))
		default:
			t.allow(cmp.Or(d.text(0), d.of) + " is not proved: only invariants are")
		}
	}
	if t.wanted == nil {
		refuse(t.model.at, "there is nothing to prove: properties lack at_most(k) and invariant(...)")
	}
}

// atMost is the conjunct that of any k+1 different processes, one does not use a unit.
func (t *theory) atMost(d *declared) *conjunct {
	k, _ := d.arg("k", 0).(number)
	units, is := t.model.arg("units", -1).(*function)
	at := &syntax.Ident{NamePos: d.at}
	must(is && k.ofN == 0 && k.plus >= 1 && k.plus < mostCounted && t.model.arg("capacity", -1) == any(k), at,
		"at_most(k) takes a k from 1 to %d here, with capacity = k and units = lambda me: ...", mostCounted-1)
	return &conjunct{cmp.Or(d.text(1), "at-most-k"), d.at, func(t *theory, now state) *term {
		e := t.evaluation(now)
		users := &group{sort: node, has: func(p *term) *term {
			return and(not(e.dead(p)), e.ask(units, &local{p}))
		}}
		return not(e.atLeast(at, users, number{plus: k.plus + 1}))
	}}
}

// ask is the value of a predicate of the file.
func (e *evaluation) ask(f *function, args ...any) *term {
	at := &syntax.Ident{NamePos: f.at, Name: f.name}
	e.bound++
	defer func() { e.bound-- }()
	values := e.invoke(at, f, args)
	must(len(values) == 1, at, "a predicate has one return, at its end")
	return e.term(at, values[0].value, boolean)
}

// outside is an argument of an invariant that is outside the fragment; "": it has no such one.
func (d *declared) outside() string {
	allowed := []string{"name", "holds", "each", "message", "doc", "source", "on_request"}
	for _, key := range slices.Sorted(maps.Keys(d.named)) {
		if !slices.Contains(allowed, key) {
			return key
		}
	}
	return ""
}

// conjunct translates an invariant: holds(g), each(me) or message(e).
func (t *theory) conjunct(d *declared) *conjunct {
	name := cmp.Or(d.text(0), "invariant")
	holds, _ := d.arg("holds", 1).(*function)
	each, _ := d.arg("each", -1).(*function)
	of, _ := d.arg("message", -1).(*function)
	if holds == nil && each == nil && of == nil {
		refuse(d.at, "%s: a function is missing: holds, each or message", name)
	}
	return &conjunct{name, d.at, func(t *theory, now state) *term {
		e, all := t.evaluation(now), yes
		if holds != nil {
			all = e.ask(holds, global{})
		}
		if each != nil {
			p := e.fresh("p", node)
			args := []any{&local{p}, &group{sort: node, has: e.dead}}
			holds := e.ask(each, args[:min(len(each.params), 2)]...)
			all = and(all, forall([]*term{p}, or(e.dead(p), holds)))
		}
		for _, p := range e.flying() {
			if of != nil {
				all = and(all, forall(p.vars, implies(p.cond, e.ask(of, p.value))))
			}
		}
		return all
	}}
}
