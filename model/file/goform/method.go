package goform

import (
	"slices"

	"go.starlark.net/syntax"
)

// method is the call of a method; value reports whether its result is wanted.
func (c *scope) method(e *syntax.CallExpr, f *syntax.DotExpr, value bool) (string, *typ) {
	name := f.Name.Name
	if p, t, ok := c.place(f.X); ok {
		if code, of, ok := c.ofPlace(e, name, p, t, value); ok {
			return code, of
		}
	}
	code, t := c.expr(f.X, nil)
	switch {
	case t.kind == kDict && name == "items":
		return "pairs(" + code + ")", listOf(tupleOf(e, []*typ{t.key, t.of}))
	case t.kind == kDict && name == "keys":
		return "keysOf(" + code + ")", listOf(t.key)
	case t.kind == kDict && name == "values":
		return "mapped(keysOf(" + code + "), func(k " + t.key.String() + ") " + t.of.String() + " { return " +
			code + "[k] })", listOf(t.of)
	case t.kind == kGlobal && name == "inbox":
		return "m.inbox(" + code + ", model.Proc(" + c.as(argument(e, 0, 1), integer) + minus(c.t.first) +
			"))", listOf(&typ{kind: kEnvelope})
	}
	if v, ok := f.X.(*syntax.Ident); ok && !value && c.find(v.Name) != nil {
		switch {
		case t.kind == kList && name == "append":
			return code + " = append(" + code + ", " + c.as(argument(e, 0, 1), t.of) + ")", void
		case t.numbers() && (name == "add" || name == "discard"):
			return code + " = " + code + "." + map[string]string{"add": "with", "discard": "without"}[name] +
				"(" + c.as(argument(e, 0, 1), integer) + ")", void
		case t.numbers() && name == "remove":
			return code + " = taken(" + code + ", " + c.as(argument(e, 0, 1), integer) + ")", void
		}
	}
	refuse(e, "the method %s of %s here", name, describe(t))
	return "", nil
}

// ofPlace is a method that changes, or looks at, what is stored at a place.
func (c *scope) ofPlace(e *syntax.CallExpr, name, p string, t *typ, value bool) (string, *typ, bool) {
	load := func(code string) string {
		if value {
			return t.of.load(code)
		}
		return code
	}
	arg := func(of *typ) string { return c.as(argument(e, 0, 1), of) }
	switch {
	case t.kind == kList:
		switch name {
		case "append":
			return p + ".Push(" + t.of.save(arg(t.of)) + ")", void, true
		case "pop":
			if len(e.Args) == 0 {
				return load(p + ".Remove(" + p + ".Len()-1)"), t.of, true
			}
			return load(p + ".Remove(" + c.position(e.Args[0], p+".Len()") + ")"), t.of, true
		case "remove":
			return p + ".Remove(" + p + ".Index(" + t.of.save(arg(t.of)) + "))", void, true
		case "clear":
			return p + ".Clear()", void, true
		case "extend":
			return "for _, x := range " + arg(listOf(t.of)) + " {\n" + p + ".Push(" + t.of.save("x") + ")\n}",
				void, true
		case "insert":
			return p + ".Insert(" + c.as(argument(e, 0, 2), integer) + ", " +
				t.of.save(c.as(e.Args[1], t.of)) + ")", void, true
		}
	case t.numbers():
		switch name {
		case "add":
			return p + " = " + p + ".with(" + arg(integer) + ")", void, true
		case "discard":
			return p + " = " + p + ".without(" + arg(integer) + ")", void, true
		case "remove":
			return p + " = taken(" + p + ", " + arg(integer) + ")", void, true
		case "clear":
			return p + " = 0", void, true
		case "update", "union":
			if name == "update" {
				return p + " |= " + arg(ints), void, true
			}
		}
	case t.kind == kSet:
		if slices.Contains([]string{"add", "remove", "discard"}, name) {
			at := "place(" + t.dom + ", " + arg(t.of) + ")"
			return p + map[bool]string{true: " |= 1 << ", false: " &^= 1 << "}[name == "add"] + at, void, true
		}
		if name == "clear" {
			return p + " = 0", void, true
		}
	case t.kind == kDict:
		switch name {
		case "pop":
			return load("popped(&" + p + "[" + c.index(argument(e, 0, 1), t) + "])"), t.of, true
		case "clear":
			return p + " = " + t.stored() + "{}", void, true
		}
	}
	return "", nil, false
}
