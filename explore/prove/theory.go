package prove

import (
	"slices"
	"strconv"

	"go.starlark.net/syntax"
)

// A theory is a model for any number of processes, in first-order logic.
type theory struct {
	args    map[string]string // values of parameters
	chosen  []string          // the parameters of the file but n, with their values
	globals map[string]any
	fields  map[string]*field
	order   []*field
	local   *dataType
	kinds   []*dataType // of messages
	times   []int       // numbers that stand for times
	symbols int         // number of symbols made
	allows  []string    // what the theory allows more than the model, a sentence each
	model   *declared
	steps   []*step
	wanted  []*conjunct
	start   state
	facts   []*term // assumptions about the start
	// repeated are kinds of messages of which two equal ones may be on their way; they may be received again
	// and again.
	repeated map[string]bool
	fifo     bool // channels keep the order of sending, and invariants read it: see order.go
	// unique are the messages whose order the invariants read: no two equal ones may be on their way.
	unique map[string]bool
}

// translate makes the theory of a model. args are the values of its parameters. The invariant without is left
// out.
func translate(f *syntax.File, args map[string]string, repeated map[string]bool,
	without string) (*theory, error) {
	t := &theory{args: args, globals: map[string]any{}, fields: map[string]*field{}, repeated: repeated,
		unique: map[string]bool{}}
	return t, refused(func() {
		t.execute(f.Stmts)
		if t.model == nil {
			refuse(syntax.MakePosition(&f.Path, 1, 1), "proofs need processes(...) as a statement of its own")
		}
		t.declareFields()
		t.declareOrder(f)
		t.declareSteps()
		t.declareConjuncts(without)
		t.begin()
	})
}

// execute executes the statements of the file.
func (t *theory) execute(stmts []syntax.Stmt) {
	for _, s := range stmts {
		e := t.evaluation(nil)
		switch s := s.(type) {
		case *syntax.DefStmt:
			t.globals[s.Name.Name] = &function{s.Name.Name, s.Def, s.Params, s.Body, nil}
		case *syntax.AssignStmt:
			name, is := s.LHS.(*syntax.Ident)
			must(is, s, "a name is assigned by a statement of its own")
			t.globals[name.Name] = e.postponed(s.RHS)
		case *syntax.IfStmt:
			c := e.truth(s.Cond)
			must(c == yes || c == no, s, "this condition depends on the number of processes")
			t.execute(map[*term][]syntax.Stmt{yes: s.True, no: s.False}[c])
		default:
			x, is := s.(*syntax.ExprStmt)
			must(is, s, "this statement is outside the fragment; a model to be proved stands in one file, "+
				"without loops around its declarations")
			if d, is := e.value(x.X).(*declared); is && d.of == "processes" {
				t.model = d
			}
		}
	}
}

// postponed is the value of an expression, or an error for whoever uses it.
func (e *evaluation) postponed(x syntax.Expr) (v any) {
	if err := refused(func() { v = e.eval(x) }); err != nil {
		return postponed{err}
	}
	return v
}

// allow adds a sentence to allows.
func (t *theory) allow(text string) {
	if !slices.Contains(t.allows, text) {
		t.allows = append(t.allows, text)
	}
}

// declarations are the functions that declare parts of a model and properties.
var declarations = []string{"step", "on", "network_params", "fairness_param", "history", "invariant",
	"at_most", "can_reach", "no_starvation", "served", "reachable", "at_end", "deadlock_free",
	"step_property", "eventually", "always_eventually", "eventually_always", "leads_to",
	"infinitely_often", "no_run", "messages", "messages_total", "processes"}

// declaration is the value of a call that declares a type or a part of the model.
func (e *evaluation) declaration(x *syntax.CallExpr, name string) any {
	d := &declared{of: name, at: position(x), named: map[string]any{}}
	switch name {
	case "source", "require", "reference", "endless_params":
		return nil
	case "rounds_param":
		return unknown{}
	case "param":
		text, _ := e.eval(x.Args[0]).(string)
		if text == "n" {
			return number{ofN: 1}
		}
		e.chosen = append(e.chosen, text+"="+e.args[text])
		if n, err := strconv.Atoi(e.args[text]); err == nil {
			return number{plus: n}
		}
		return e.args[text]
	}
	var fields []*member
	for _, a := range x.Args {
		if b, is := a.(*syntax.BinaryExpr); is && b.Op == syntax.EQ {
			key := b.X.(*syntax.Ident).Name
			d.named[key] = e.postponed(b.Y)
			if name == "record" || name == "message" {
				typ, start := typeOf(b.Y, d.named[key])
				fields = append(fields, &member{key, typ, start})
			}
			continue
		}
		d.rest = append(d.rest, e.eval(a))
	}
	first := func(i int) *dataType {
		must(len(d.rest) > i, x, "%s takes its types in their order", name)
		t, _ := typeOf(x, d.rest[i])
		return t
	}
	switch name {
	case "range":
		return rangeOf(x, d.rest)
	case "record", "message":
		return &dataType{kind: name, fields: fields, name: (&declared{rest: d.rest}).text(0)}
	case "enum":
		return e.list(x, d.rest)
	case "set_of":
		sortFor(x, first(0))
		return &dataType{kind: "set", of: first(0)}
	case "array":
		must(first(0).kind == "process", x, "the keys of an array are the processes")
		of := first(1)
		_, start := typeOf(x, d.rest[1])
		return tuple{&dataType{kind: "array", of: of}, start}
	default:
		must(slices.Contains(declarations, name), x, "%s is outside the fragment", name)
	}
	return d
}

// rangeOf is a range: the processes, or times, perhaps with the first value of a variable.
func rangeOf(x *syntax.CallExpr, ends []any) any {
	for _, v := range ends {
		if n, is := v.(number); is && n.ofN == 1 {
			all := len(ends) == 2 && ends[0] == number{plus: 1} && n.plus == 1
			must(all, x, "processes are range(1, n + 1)")
			return &group{sort: node, has: func(*term) *term { return yes }}
		}
	}
	if len(ends) > 1 {
		return tuple{&dataType{kind: "time"}, ends[0]}
	}
	return &dataType{kind: "time"}
}

// basic are the types that have a name of their own, with their kinds.
var basic = map[builtin]string{"bool": "bool", "int": "time", "time": "time", "stamp": "time",
	"Rounds": "open"}

// typeOf is a value as a type, with the first value of a variable, if that is given.
func typeOf(x syntax.Expr, v any) (*dataType, any) {
	switch v := inside(v).(type) {
	case *dataType:
		return v, nil
	case *group:
		if v.sort == node {
			return &dataType{kind: "process"}, nil
		}
	case tuple:
		if len(v) == 2 {
			t, _ := typeOf(x, v[0])
			return t, v[1]
		}
	case builtin:
		if kind := basic[v]; kind != "" {
			return &dataType{kind: kind}, nil
		}
	}
	must(false, x, "%s is no type of the fragment; allowed are bool, int, time, stamp, enum, set_of, array "+
		"over the processes, and Rounds", called(v))
	return nil, nil
}

// sortFor is the sort of the values of a type.
func sortFor(at syntax.Node, t *dataType) sort {
	s := map[string]sort{"bool": boolean, "time": instant, "process": node}[t.kind]
	must(s != "", at, "here only times, processes and truth values are allowed, not the kind %s", t.kind)
	return s
}

// declareFields declares the variables of processes, and the messages.
func (t *theory) declareFields() {
	d := t.model
	if d.arg("n", -1) != any(number{ofN: 1}) {
		refuse(d.at, `the number of processes is written n = param("n", ...) and processes(n = n, ...)`)
	}
	if t.local, _ = d.arg("local", -1).(*dataType); t.local == nil || t.local.kind != "record" {
		refuse(d.at, "local is missing: the variables of a process, as a record")
	}
	for _, m := range t.local.fields {
		if t.declareField(m.name, m.typ, []sort{node}); m.typ.kind == "open" {
			t.allow(m.name + " is not modelled: a process may request at any time, any number of times")
		}
	}
	for _, v := range d.list("receive") {
		on, is := v.(*declared)
		if !is || on.of != "on" {
			refuse(d.at, "receive holds results of on(...)")
		}
		kind, _ := on.arg("message", 0).(*dataType)
		if kind == nil || kind.kind != "message" {
			refuse(on.at, "on(...) begins with a message")
		}
		args, at := []sort{node, node}, &syntax.Ident{NamePos: on.at}
		if i := slices.IndexFunc(kind.fields, func(m *member) bool { return m.typ.kind == "set" }); i >= 0 {
			kind.fields, kind.sets = kind.fields[:i], kind.fields[i:]
		}
		args = append(args, mapped(kind.fields, func(m *member) sort { return sortFor(at, m.typ) })...)
		t.kinds = append(t.kinds, kind)
		t.add("msg."+kind.name, args, boolean, kind)
		for _, m := range kind.sets { // of two equal messages the sets could differ
			t.unique["msg."+kind.name] = true
			must(m.typ.kind == "set", at, "the sets in a message are its last fields")
			of := append(slices.Clip(args), sortFor(at, m.typ.of))
			t.add("msg."+kind.name+"."+m.name, of, boolean, m.typ)
		}
	}
	if d.arg("notice", -1) != nil {
		t.add("dead", []sort{node}, boolean, &dataType{kind: "bool"})
	}
}

func (t *theory) add(name string, args []sort, s sort, typ *dataType) {
	f := &field{name, args, s, typ}
	t.fields[name], t.order = f, append(t.order, f)
}

// declareField declares a variable of a process, whose fields have the given arguments.
func (t *theory) declareField(name string, typ *dataType, args []sort) {
	at := &syntax.Ident{NamePos: t.model.at}
	switch typ.kind {
	case "array":
		must(typ.of.kind != "array", at, "%s: arrays of arrays are outside the fragment", name)
		t.declareField(name, typ.of, append(slices.Clip(args), node))
	case "set":
		t.add("me."+name, append(slices.Clip(args), sortFor(at, typ.of)), boolean, typ)
	case "word":
		for _, w := range typ.words {
			t.add("me."+name+"="+w, args, boolean, typ)
		}
	case "open":
	default:
		must(typ.kind != "process", at, "%s: a process as a variable is written set_of(PROCS)", name)
		t.add("me."+name, args, sortFor(at, typ), typ)
	}
}

// list is an argument that is a list.
func (d *declared) list(name string) []any {
	v := d.arg(name, -1)
	all, is := v.(tuple)
	must(is || v == nil, &syntax.Ident{NamePos: d.at}, "%s is a list with elements, or left out", name)
	return all
}
