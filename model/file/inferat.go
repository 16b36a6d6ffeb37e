package file

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model/usage"
)

// nearest is what was probably meant by a word that is none of some others.
func nearest(given, among shape) string {
	word, ok := given.only().(starlark.String)
	if !ok {
		return ""
	}
	var words []string
	for _, x := range among {
		t := x.t
		if of, is := t.(*optionType); is {
			t = of.of
		}
		if w, is := t.(*wordType); is {
			words = append(words, w.texts...)
		}
		if v, is := x.v.(starlark.String); is && x.t == nil {
			words = append(words, string(v))
		}
	}
	return usage.Nearest(string(word), words)
}

// attribute is the shape of x.name.
func (p *pass) attribute(e *syntax.DotExpr, x shape) shape {
	if len(x) == 0 {
		return nil
	}
	all, has := shape{}, false
	var names []string
	for _, y := range x {
		of, some := p.attributesOf(y)
		found, is := of[e.Name.Name]
		if is || some == nil || slices.Contains(some, e.Name.Name) {
			has, all = true, join(all, found)
		}
		names = append(names, some...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	p.judge(e.Name.NamePos, "field", e.Name.NamePos, has, func() string {
		if _, is := x.only().(valueType); is {
			return fmt.Sprintf("%s is a type, and has no .%s", p.text(e.X), e.Name.Name)
		}
		return fmt.Sprintf("%s has no .%s%s; there are %s", p.text(e.X), e.Name.Name,
			usage.Nearest(e.Name.Name, names), orNothing(names))
	})
	return all
}

func orNothing(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// attributesOf are the fields and methods of a value, with the shapes of those that are known; no names:
// nobody knows.
func (p *pass) attributesOf(x alt) (of map[string]shape, names []string) {
	t := x.t
	if o, is := t.(*optionType); is {
		t = o.of
	}
	if r, is := x.v.(*record); is {
		t = r.t
	}
	of = map[string]shape{}
	switch r, is := t.(*recordType); {
	case is:
		names = []string{}
		for i, name := range r.fields {
			of[name], names = ofType(r.types[i]), append(names, name)
		}
		if x.kind == meKind || r == p.local {
			of["id"], names = ofKind("int"), append(names, "id")
		}
		return of, names
	case x.kind == stateKind:
		me := shape{{kind: "list", elem: p.me()}}
		of = map[string]shape{
			"all": me, "live": me, "dead": ofKind("set"), "in_use": ofKind("int"), "procs": ofKind("set"),
			"messages": {{kind: "list", elem: shape{{kind: envelopeKind}}}}, "history": ofType(p.past()),
			"inbox": nil,
		}
	case x.kind == envelopeKind:
		of = map[string]shape{"src": ofKind("int"), "dst": ofKind("int"), "message": ofMessages(p.entries.messages),
			"kind": p.tags()}
	case x.kind == eventKind:
		of = map[string]shape{
			"proc": ofKind("int"), "note": ofKind("int"), "procs": ofKind("set"), "crash": ofKind("bool"),
			"dead": ofKind("set"),
		}
	default:
		return of, methodsOf(x, t)
	}
	for name := range of {
		names = append(names, name)
	}
	return of, names
}

// methodsOf are the names of the methods of a value; nil: not known.
func methodsOf(x alt, t valueType) []string {
	v := x.v
	if v == nil {
		switch first(alt{t: t, v: x.v, kind: x.kind, made: x.made}.kindsOf()) {
		case "list":
			v = starlark.NewList(nil)
		case "set":
			v = starlark.NewSet(0)
		case "dict":
			v = starlark.NewDict(0)
		case "string":
			v = starlark.String("")
		case "int", "bool", "array":
			return []string{} // and not nil: they have none
		default:
			return nil
		}
	}
	if has, is := v.(starlark.HasAttrs); is {
		return has.AttrNames()
	}
	return []string{}
}

func (p *pass) me() shape { return shape{{t: p.local, kind: meKind}} }

func (p *pass) past() valueType {
	if p.entries.history == nil {
		return nil
	}
	return p.entries.history.of
}

// tags is the shape of the names of messages that are received.
func (p *pass) tags() shape {
	var values []starlark.Value
	for _, t := range p.entries.messages {
		values = append(values, starlark.String(t.tag))
	}
	if words, err := newWords(values); err == nil {
		return ofType(words)
	}
	return ofKind("string")
}

// index is the shape of x[y].
func (p *pass) index(e *syntax.IndexExpr, s *scope) shape {
	x, y := p.expr(e.X, s), p.expr(e.Y, s)
	if x == nil {
		return nil
	}
	all := shape{}
	for _, a := range x {
		all = join(all, p.elementOf(e, a, y))
	}
	return all
}

// elementOf is the shape of an element of a, whose key is y.
func (p *pass) elementOf(e *syntax.IndexExpr, a alt, y shape) shape {
	keys, of := keysAndValues(a.t)
	if keys != nil && y.is("string") { // which of the numbers there are, is known when they come up
		p.comparable(e.Lbrack, e.X, e.Y, ofType(keys), y)
	}
	switch i, certain := y.only().(starlark.Int); {
	case a.kind == stateKind:
		return p.me()
	case of != nil:
		return ofType(of)
	case a.t != nil:
		return nil
	case a.parts != nil && certain:
		if x, err := starlark.AsInt32(i); err == nil && 0 <= x && x < len(a.parts) {
			return a.parts[x]
		}
	case a.kind == "list":
		return a.elem
	}
	if v, is := a.v.(starlark.Mapping); is && y.only() != nil {
		if found, ok, err := v.Get(y.only()); ok && err == nil {
			return known(found, a.at)
		}
	}
	if r, is := a.v.(*array); is {
		return ofType(r.t.of)
	}
	return nil
}

func (p *pass) slice(e *syntax.SliceExpr, s *scope) shape {
	for _, x := range []syntax.Expr{e.Lo, e.Hi, e.Step} {
		if x != nil {
			p.expr(x, s)
		}
	}
	x := p.expr(e.X, s)
	if len(x) == 1 && x.is("list") {
		return shape{{kind: "list", elem: insideOf(x)}}
	}
	return nil
}

// comprehension is the shape of a list, a set or a dictionary that is made of others.
func (p *pass) comprehension(e *syntax.Comprehension, s *scope) shape {
	s = s.inner()
	for _, clause := range e.Clauses {
		switch c := clause.(type) {
		case *syntax.ForClause:
			p.bindNew(c.Vars, insideOf(p.expr(c.X, s)), s)
		case *syntax.IfClause:
			if is, sure := truth(p.expr(c.Cond, s)); sure && !is {
				return shape{{kind: "list", elem: shape{}}}
			}
		}
	}
	if entry, is := e.Body.(*syntax.DictEntry); is {
		keys := p.expr(entry.Key, s)
		p.expr(entry.Value, s)
		return shape{{kind: "dict", elem: keys}}
	}
	kind := "list"
	if e.Curly {
		kind = "set"
	}
	return shape{{kind: kind, elem: p.expr(e.Body, s)}}
}

// bindNew gives the variables of a clause what one element is.
func (p *pass) bindNew(vars syntax.Expr, x shape, s *scope) {
	switch v := unwrapped(vars).(type) {
	case *syntax.Ident:
		s.vars[v.Name] = x
	case *syntax.TupleExpr:
		for i, part := range p.partsOf(x, len(v.List)) {
			p.bindNew(v.List[i], part, s)
		}
	case *syntax.ListExpr:
		for _, part := range v.List {
			p.bindNew(part, nil, s)
		}
	}
}

// partsOf are the shapes of so many variables to which one value is given.
func (p *pass) partsOf(x shape, n int) []shape {
	all := make([]shape, n)
	for i := range all {
		if len(x) == 1 && len(x[0].parts) == n {
			all[i] = x[0].parts[i]
		}
		if v, is := x.only().(starlark.Tuple); is && len(v) == n {
			all[i] = known(v[i], x[0].at)
		}
	}
	return all
}
