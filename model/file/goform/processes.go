package goform

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// listing is the text of the values of something.
func listing(v starlark.Value) string {
	var all []string
	if it := starlark.Iterate(v); it != nil {
		defer it.Done()
		var x starlark.Value
		for it.Next(&x) {
			all = append(all, x.String())
		}
	}
	return strings.Join(all, " ")
}

// processes is processes(...).
func (t *translator) processes(c *scope, e *syntax.CallExpr) string {
	args := arguments(e, "n", "local", "steps", "receive", "properties", "init", "notice", "units",
		"capacity", "crash", "network",
		"channel", "history", "constraint", "fairness", "first", "under_way", "charge", "rounds", "within",
		"limit")
	if args["under_way"] != nil {
		refuse(args["under_way"], "under_way")
	}
	t.first = t.constant(args["first"], 1)
	t.main = t.typeOf(c, args["local"], "local").rec
	t.main.name = "local"
	t.memberType = &typ{kind: kMember, rec: t.main}
	var b strings.Builder
	set := func(field, code string) { fmt.Fprintf(&b, "sys.%s = %s\n", field, code) }
	fmt.Fprintf(&b, "m.processes = %s\nsys := model.Composition[local, message, past]{N: m.processes, "+
		"Names: model.Names{First: %d}, Init: m.start, Vars: m.vars}\n",
		c.as(args["n"], integer), t.first)
	if args["capacity"] != nil {
		set("Capacity", c.as(args["capacity"], integer))
	}
	t.steps0(c, args, set)
	t.rest(c, args, set)
	if h := args["history"]; h != nil {
		b.WriteString(t.monitor(c, h))
	}
	if t.endless {
		fmt.Fprintf(&b, "if err := sys.Endless(a, m.%s, %s); err != nil {\nreturn model.Instance{}, err\n}\n",
			t.roundsName(), t.clocks(c, args))
	}
	set("Properties", t.propertiesOf(c, args["properties"]))
	if !t.endless {
		b.WriteString(t.fairnessOf(c, args["fairness"], "sys"))
	}
	b.WriteString("return model.Compose(sys), nil\n")
	t.start(args["init"])
	return b.String()
}

// roundsName is the parameter of rounds.
func (t *translator) roundsName() string {
	for name, g := range t.globals {
		if g.kind == kArray && g.of.kind == kRounds {
			return goName(name)
		}
	}
	return "rounds"
}

// start writes the method that makes the initial local states.
func (t *translator) start(init syntax.Expr) {
	first := t.main.zero()
	if first == "" {
		first = "local{}"
	}
	code := fmt.Sprintf("l := %s\n", first)
	name := "_"
	if init != nil {
		name = "p"
		f := t.stepFunction(init, t.memberType)
		code += fmt.Sprintf("m.%s(member{local: &l, id: int(p)%s})\n", f.name, plus(t.first))
	}
	fmt.Fprintf(&t.methods, "\n// start is the initial local state of a process.\nfunc (m *algorithm) "+
		"start(%s model.Proc) local {\n%sreturn l\n}\n", name, code)
}

// steps0 sets the steps of processes.
func (t *translator) steps0(c *scope, args map[string]syntax.Expr, set func(field, code string)) {
	var steps, receivers []string
	for _, x := range itemsOf(args["steps"]) {
		f, given := x, map[string]syntax.Expr{}
		if call, ok := bare(x).(*syntax.CallExpr); ok {
			given = arguments(call, "do", "name", "lines", "kind", "request")
			f = given["do"]
		}
		made := t.stepFunction(f, t.memberType)
		name := strconv.Quote(bare(f).(*syntax.Ident).Name)
		if given["name"] != nil {
			name = t.textOf(c, given["name"])
		}
		code := "{Name: " + name + t.facts(c, given)
		if given["request"] != nil {
			code += ", Request: " + c.condition(given["request"])
		}
		steps = append(steps, fmt.Sprintf("%s, Do: func(p model.Proc, l *local, out *outbox) bool { return "+
			"m.%s(m.at(p, l, out)) }}", code, made.name))
	}
	for _, x := range itemsOf(args["receive"]) {
		call, ok := bare(x).(*syntax.CallExpr)
		if !ok {
			refuse(x, "this receiver")
		}
		given := arguments(call, "message", "do", "name", "lines")
		id, ok := bare(given["message"]).(*syntax.Ident)
		if !ok || t.records[id.Name] == nil {
			refuse(call, "a receiver of this message")
		}
		r := t.records[id.Name]
		made := t.stepFunction(given["do"], t.memberType, integer, &typ{kind: kRecord, rec: r})
		name := strconv.Quote("receive " + r.tag)
		if given["name"] != nil {
			name = t.textOf(c, given["name"])
		}
		value := "x." + r.name
		if len(r.fields) == 0 {
			value = r.name + "{}"
		}
		receivers = append(receivers,
			fmt.Sprintf("{Name: %s%s, Accepts: func(x message) bool { return x.kind == kind%s }, "+
				"Do: func(p, from model.Proc, x message, l *local, out *outbox) bool { return m.%s(m.at(p, "+
				"l, out), int(from)%s, %s) }}",
				name, t.facts(c, given), joined(r.name), made.name, plus(t.first), value))
	}
	set("Local", "[]model.Handler[local, message]{\n"+strings.Join(steps, ",\n")+",\n}")
	if len(receivers) > 0 {
		set("Receive", "[]model.Receiver[local, message]{\n"+strings.Join(receivers, ",\n")+",\n}")
	}
	if n := args["notice"]; n != nil {
		call, ok := bare(n).(*syntax.CallExpr)
		if !ok {
			refuse(n, "this notice")
		}
		given := arguments(call, "do", "name", "lines", "kind", "request")
		made := t.stepFunction(given["do"], t.memberType, integer)
		name := strconv.Quote(bare(given["do"]).(*syntax.Ident).Name)
		if given["name"] != nil {
			name = t.textOf(c, given["name"])
		}
		set("Notice", fmt.Sprintf("&model.Notice[local, message]{Name: %s%s, Do: func(p, dead model.Proc, "+
			"l *local, out *outbox) bool "+
			"{ return m.%s(m.at(p, l, out), int(dead)%s) }}", name,
			t.facts(c, map[string]syntax.Expr{"lines": given["lines"]}), made.name, plus(t.first)))
	}
}

// rest sets what surrounds the steps.
func (t *translator) rest(c *scope, args map[string]syntax.Expr, set func(field, code string)) {
	if u := args["units"]; u != nil {
		code, ok := t.try(func() string {
			return "units((" + c.as(u, funcOf(boolean, t.memberType)) +
				")(member{local: l}))"
		})
		if !ok {
			code = "(" + c.as(u, funcOf(integer, t.memberType)) + ")(member{local: l})"
		}
		set("Units", "func(l *local) int { return "+code+" }")
	}
	if k := args["constraint"]; k != nil {
		set("Constraint", "func(_ model.Proc, l *local) bool { return ("+c.as(k,
			funcOf(boolean, t.memberType))+")(member{local: l}) }")
	}
	if k := args["charge"]; k != nil {
		set("Charge", fmt.Sprintf("func(from, to model.Proc, x message) model.Proc { return "+
			"model.Proc((%s)(int(from)%s, int(to)%[2]s, x)%s) }",
			c.as(k, funcOf(integer, integer, integer, &typ{kind: kMessage})), plus(t.first), minus(t.first)))
	}
	first := t.main.zero()
	if first == "" {
		first = "local{}"
	}
	if k := args["crash"]; k != nil {
		made := t.stepFunction(k, t.memberType)
		set("Crash", fmt.Sprintf("func(p model.Proc, l *local) { m.%s(member{local: l, id: int(p)%s}) }",
			made.name, plus(t.first)))
	} else if first != "local{}" {
		set("Crash", "func(_ model.Proc, l *local) { *l = "+first+" }")
	}
	if n := args["network"]; n != nil {
		code, of := c.expr(n, nil)
		if of.name != "model.Network" {
			refuse(n, "this network")
		}
		set("Network", code)
	} else if ch := args["channel"]; ch != nil {
		word, ok := bare(ch).(*syntax.Literal)
		if !ok {
			refuse(ch, "a channel that depends on parameters")
		}
		set("Network.Channel", map[any]string{"fifo": "model.FIFO", "bag": "model.Bag"}[word.Value])
	}
}

// historyOf notes the declaration of a history.
func (t *translator) historyOf(c *scope, e *syntax.CallExpr) (step syntax.Expr, guards bool) {
	args := arguments(e, "of", "step", "guards")
	if t.past == nil {
		t.prefix += t.withPrefix(func() { t.past = t.typeOf(c, args["of"], "past").rec })
		t.past.name = "past"
	}
	if g := args["guards"]; g != nil {
		guards = c.condition(g) == "true"
	}
	return args["step"], guards
}

// monitor sets the history: one, or one under a condition.
func (t *translator) monitor(c *scope, e syntax.Expr) string {
	if choice, ok := bare(e).(*syntax.CondExpr); ok {
		if id, ok := bare(choice.True).(*syntax.Ident); ok && id.Name == "None" {
			return "if " + negatedAll(c.condition(choice.Cond)) + " {\n" + t.monitor(c, choice.False) + "}\n"
		}
		if id, ok := bare(choice.False).(*syntax.Ident); ok && id.Name == "None" {
			return "if " + c.condition(choice.Cond) + " {\n" + t.monitor(c, choice.True) + "}\n"
		}
	}
	call, ok := bare(e).(*syntax.CallExpr)
	if !ok {
		refuse(e, "a history that is not written out here")
	}
	step, guards := t.historyOf(c, call)
	first := t.past.zero()
	if first == "" {
		first = "past{}"
	}
	f := t.stepFunction(step, &typ{kind: kMember, rec: t.past, name: "*past"}, &typ{kind: kEvent})
	return fmt.Sprintf("sys.History = model.History[past]{Init: %s, Guards: %t, Step: func(h *past, e "+
		"model.Event) bool { return m.%s(h, m.event(e)) }}\n",
		first, guards, f.name)
}

// clocks are the logical times, with the bound on local states.
func (t *translator) clocks(c *scope, args map[string]syntax.Expr) string {
	code := "model.Clocks[local, message]{Local: func(l *local, visit func(*uint32)) {\n" + visits(t.main,
		"l") + "}, Message: func(x *message, visit func(*uint32)) {\n"
	for _, r := range t.messages {
		if v := visits(r, "x."+r.name); v != "" {
			code += "if x.kind == kind" + joined(r.name) + " {\n" + v + "}\n"
		}
	}
	code += "}"
	if w := args["within"]; w != nil {
		code += ", Within: func(l *local) bool { return (" + c.as(w, funcOf(boolean, t.memberType)) +
			")(member{local: l}) }"
		code += ", Limit: " + t.textOf(c, args["limit"])
	}
	return code + "}"
}

// visits are the visits of the times of a record.
func visits(r *record, at string) (code string) {
	for _, f := range r.fields {
		code += visit(f.t, at+"."+f.goName)
	}
	return code
}

func visit(t *typ, at string) (code string) {
	switch t.kind {
	case kInt:
		if !t.time {
			return ""
		}
		code = "visit(&" + at + ")\n"
		if t.stamp {
			code = "if " + at + " != 0 {\n" + code + "}\n"
		}
		if t.timeIf != "" {
			code = "if " + t.timeIf + " {\n" + code + "}\n"
		}
	case kRecord:
		return visits(t.rec, at)
	case kArray:
		if inner := visit(t.of, at+"[i]"); inner != "" {
			return "for i := range " + at + "[:len(" + t.dom + ")] {\n" + inner + "}\n"
		}
	}
	return code
}
