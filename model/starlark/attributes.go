package starfile

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model/usage"
)

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
	at := e.Name.NamePos
	if _, is := x.only().(valueType); is {
		p.judgeHere(at, "field", has, "%s is a type, and has no .%s", p.text(e.X), e.Name.Name)
	} else if has {
		p.judgeHere(at, "field", true, "")
	} else {
		p.judgeHere(at, "field", false, "%s has no .%s%s; there are %s", p.text(e.X), e.Name.Name,
			usage.Nearest(e.Name.Name, names), orNothing(names))
	}
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
		of = map[string]shape{"src": ofKind("int"), "dst": ofKind("int"),
			"message": ofMessages(p.entries.messages),
			"kind":    p.tags()}
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
		switch append(alt{t: t, v: x.v, kind: x.kind, made: x.made}.kinds(), "")[0] {
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
