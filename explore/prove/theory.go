package prove

import (
	"fmt"
	"slices"
	"strconv"

	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
)

// A theory is a model for any number of processes, in first-order logic.
type theory struct {
	args    map[string]string // values of parameters
	size    string            // the global that is the number of processes
	globals map[string]any
	fields  map[string]*field
	order   []*field
	local   *dataType
	kinds   []*dataType // of messages
	times   []int       // numbers that stand for times
	first   number      // of the first process
	count   int         // of symbols
	notes   []string    // what the theory allows more than the model, a sentence each
	model   *declared
	steps   []*step
	wanted  []*conjunct
	start   state
	facts   []*term // assumptions about the start
	// repeated are kinds of messages of which more than one equal may be on its way; they may be received
	// again and again.
	repeated map[string]bool
}

// A postponed is a global that is outside the fragment: that is an error where it is used.
type postponed struct{ error }

// translate reads the model in a file. args are the values of its parameters.
func translate(parsed *syntax.File, args map[string]string, repeated map[string]bool,
	without string) (*theory, error) {
	t := &theory{args: args, globals: map[string]any{}, fields: map[string]*field{}, first: number{plus: 1},
		repeated: repeated}
	err := refused(func() {
		t.findSize(parsed.Stmts)
		t.execute(parsed.Stmts)
		if t.model == nil {
			refuse(syntax.MakePosition(&parsed.Path, 1, 1), "proofs are about models of processes(...)")
		}
		t.declareFields()
		t.declareSteps()
		t.declareConjuncts(without)
		t.begin()
	})
	return t, err
}

// refused calls a function, and returns the error with which it refuses a construct.
func refused(f func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *model.Error:
			err = x
		default:
			panic(x)
		}
	}()
	f()
	return nil
}

// sizeOf is the name of the parameter that is the number of processes of the model in a file.
func sizeOf(parsed *syntax.File) (name string, err error) {
	t := &theory{}
	t.findSize(parsed.Stmts)
	for _, s := range parsed.Stmts {
		a, is := s.(*syntax.AssignStmt)
		if !is {
			continue
		}
		to, is := a.LHS.(*syntax.Ident)
		call, called := a.RHS.(*syntax.CallExpr)
		if !is || !called || to.Name != t.size || len(call.Args) == 0 {
			continue
		}
		if text, is := call.Args[0].(*syntax.Literal); is {
			name, _ = text.Value.(string)
		}
	}
	if name == "" {
		at := syntax.MakePosition(&parsed.Path, 1, 1)
		return "", &model.Error{Where: at.String(), What: "the number of processes is no parameter; write " +
			"n = param(\"n\", ...) and processes(n = n, ...)"}
	}
	return name, nil
}

// findSize finds the name of the number of processes: processes(n = NAME).
func (t *theory) findSize(stmts []syntax.Stmt) {
	for _, s := range stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			c, is := n.(*syntax.CallExpr)
			if !is {
				return true
			}
			if f, is := c.Fn.(*syntax.Ident); is && f.Name == "processes" {
				for _, a := range c.Args {
					b, is := a.(*syntax.BinaryExpr)
					if !is || b.Op != syntax.EQ {
						continue
					}
					switch name, value := b.X.(*syntax.Ident), b.Y; v := value.(type) {
					case *syntax.Ident:
						if name.Name == "n" {
							t.size = v.Name
						}
					case *syntax.Literal:
						if x, is := v.Value.(int64); is && name.Name == "first" {
							t.first = number{plus: int(x)}
						}
					}
				}
			}
			return true
		})
	}
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
			if !is {
				refuse(position(s), "a name is assigned by a statement of its own")
			}
			if name.Name == t.size {
				t.globals[t.size] = number{ofN: 1}
				continue
			}
			t.globals[name.Name] = e.postponed(s.RHS)
		case *syntax.IfStmt:
			switch c := e.truth(s.Cond); c {
			case yes, no:
				t.execute(map[bool][]syntax.Stmt{true: s.True, false: s.False}[c == yes])
			default:
				refuse(s.If, "this condition depends on the number of processes")
			}
		case *syntax.ExprStmt:
			e.value(s.X)
		default:
			refuse(position(s), "this statement is outside the fragment; a model to be proved stands in one "+
				"file, without loops around its declarations")
		}
	}
}

// postponed is the value of an expression, or the error that using it is.
func (e *evaluation) postponed(x syntax.Expr) (v any) {
	if err := refused(func() { v = e.eval(x) }); err != nil {
		return postponed{err}
	}
	return v
}

// evaluation evaluates functions in a state.
func (t *theory) evaluation(now state) *evaluation {
	return &evaluation{theory: t, now: now, frame: &frame{names: map[string]any{}, running: yes},
		reads: map[*field]bool{}, writes: map[*field]bool{}}
}

// note adds a sentence to the notes.
func (t *theory) note(format string, a ...any) {
	if text := fmt.Sprintf(format, a...); !slices.Contains(t.notes, text) {
		t.notes = append(t.notes, text)
	}
}

// declaration is the value of a call that declares a type or a part of the model.
func (e *evaluation) declaration(x *syntax.CallExpr, name string) any {
	d := &declared{of: name, at: position(x), named: map[string]any{}}
	switch name {
	case "source", "require", "reference", "endless_params":
		return nil
	case "rounds_param":
		return unknown{}
	}
	for _, a := range x.Args {
		b, is := a.(*syntax.BinaryExpr)
		switch {
		case name == "param" && len(d.rest) > 0: // its value is given
		case is && b.Op == syntax.EQ:
			key := b.X.(*syntax.Ident).Name
			d.named[key] = e.postponed(b.Y)
			if m := (&member{name: key}); name == "record" || name == "message" {
				m.typ, m.start = typeOf(b.Y, d.named[key])
				d.rest = append(d.rest, m)
			}
		default:
			d.rest = append(d.rest, e.eval(a))
		}
	}
	switch name {
	case "param":
		return e.parameter(d)
	case "range":
		for _, v := range d.rest {
			if n, is := v.(number); is && n.ofN == 1 {
				return &group{sort: node, has: always}
			}
		}
		return &dataType{kind: times}
	case "record", "message", "enum", "set_of", "array", "proc":
		return e.typeFrom(x, d)
	case "processes":
		e.model = d
	case "step", "on", "at_most", "network_params", "fairness_param", "history":
	default:
		if !slices.Contains(properties, name) {
			refuse(d.at, "%s is outside the fragment", name)
		}
	}
	return d
}

// properties are the functions that declare properties.
var properties = []string{"invariant", "at_most", "can_reach", "no_starvation", "served", "reachable",
	"at_end", "deadlock_free", "step_property", "eventually", "always_eventually", "eventually_always", "leads_to",
	"infinitely_often", "no_run", "messages", "messages_total"}

// parameter is the value of a parameter.
func (e *evaluation) parameter(d *declared) any {
	text := e.args[d.text("name", 0)]
	if n, err := strconv.Atoi(text); err == nil {
		return number{plus: n}
	}
	return text
}

// typeOf is a value as a type, with the first value of a variable, if that is given.
func typeOf(x syntax.Expr, v any) (*dataType, any) {
	switch v := v.(type) {
	case *dataType:
		return v, nil
	case *group:
		if v.sort == node {
			return &dataType{kind: nodes}, nil
		}
	case tuple:
		if len(v) == 2 {
			t, _ := typeOf(x, v[0])
			return t, v[1]
		}
	case postponed:
		panic(v.error)
	case builtin:
		switch v {
		case "bool":
			return &dataType{kind: bools}, nil
		case "int", "time", "stamp":
			return &dataType{kind: times}, nil
		case "Rounds":
			return &dataType{kind: open}, nil
		}
	}
	refuse(position(x), "%s is no type of the fragment; allowed are bool, int, time, stamp, enum, set_of, "+
		"array over PROCS, and Rounds", called(v))
	return nil, nil
}

// typeFrom makes a type.
func (e *evaluation) typeFrom(x *syntax.CallExpr, d *declared) any {
	switch d.of {
	case "record", "message":
		t := &dataType{kind: records}
		for _, v := range d.rest {
			switch v := v.(type) {
			case string:
				t.kind, t.name = messages, v
			case *member:
				t.fields = append(t.fields, v)
			}
		}
		return t
	case "enum":
		return e.finite(x, d.rest)
	case "proc":
		return &dataType{kind: nodes}
	}
	if len(d.rest) != map[string]int{"set_of": 1, "array": 2}[d.of] {
		refuse(d.at, "%s takes its types by place", d.of)
	}
	of, _ := typeOf(x, d.rest[len(d.rest)-1])
	if d.of == "set_of" {
		sortFor(d.at, of)
		return &dataType{kind: sets, of: of}
	}
	if keys, _ := typeOf(x, d.rest[0]); keys.kind != nodes {
		refuse(d.at, "the keys of an array are the processes")
	}
	return &dataType{kind: arrays, of: of}
}

// sortFor is the sort of the values of a type.
func sortFor(at syntax.Position, t *dataType) sort {
	switch t.kind {
	case bools:
		return boolean
	case times:
		return instant
	case nodes:
		return node
	}
	refuse(at, "%s stands where only times, processes and truth values are allowed", t.kind)
	return ""
}

// declareFields declares the variables of processes, and the messages.
func (t *theory) declareFields() {
	d := t.model
	t.local, _ = d.named["local"].(*dataType)
	if t.local == nil || t.local.kind != records {
		refuse(d.at, "local is missing: the variables of a process, as a record")
	}
	for _, m := range t.local.fields {
		t.declareField(d.at, m.name, m.typ, []sort{node})
		if m.typ.kind == open {
			t.note("%s is not modelled: a process may request at any time, any number of times", m.name)
		}
	}
	for _, v := range list(d.named["receive"]) {
		on, is := v.(*declared)
		if !is || on.of != "on" {
			refuse(d.at, "receive holds results of on(...)")
		}
		kind, _ := on.arg("message", 0).(*dataType)
		if kind == nil || kind.kind != messages {
			refuse(on.at, "on(...) begins with a message")
		}
		f := &field{"msg." + kind.name, []sort{node, node}, boolean, kind}
		for _, m := range kind.fields {
			f.args = append(f.args, sortFor(on.at, m.typ))
		}
		t.kinds = append(t.kinds, kind)
		t.fields[f.name], t.order = f, append(t.order, f)
	}
}

func (t *theory) declareField(at syntax.Position, name string, typ *dataType, args []sort) {
	add := func(name string, s sort, args []sort) {
		f := &field{"me." + name, args, s, typ}
		t.fields[f.name], t.order = f, append(t.order, f)
	}
	switch typ.kind {
	case arrays:
		t.declareField(at, name, typ.of, append(slices.Clip(args), node))
	case sets:
		add(name, boolean, append(slices.Clip(args), sortFor(at, typ.of)))
	case wordsOf:
		for _, w := range typ.words {
			add(name+"="+w, boolean, args)
		}
	case bools, times:
		add(name, sortFor(at, typ), args)
	case open:
	default:
		refuse(at, "%s: a variable that is %s is outside the fragment; a relation is written set_of(PROCS)",
			name, typ.kind)
	}
}

// list is a value as a list.
func list(v any) []any {
	switch v := v.(type) {
	case tuple:
		return v
	case postponed:
		panic(v.error)
	}
	return nil
}
