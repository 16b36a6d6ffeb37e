package goform

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// body is what a function does, with its local variables.
func (c *scope) body(f *function, stmts []syntax.Stmt) string {
	if len(stmts) > 1 {
		if text, ok := stmts[0].(*syntax.ExprStmt); ok {
			if _, isText := text.X.(*syntax.Literal); isText {
				stmts = stmts[1:]
			}
		}
	}
	code := c.block(stmts)
	var vars string
	for _, v := range f.locals {
		// The first assignment declares the variable, if it stands in the function itself.
		first := "\n" + v.name + " = "
		if i := strings.Index("\n"+code, first); i >= 0 && balanced(code[:i]) && v.used {
			code = code[:i] + v.name + " := " + code[i+len(first)-1:]
			continue
		}
		vars += "var " + v.name + " " + v.t.String() + "\n"
		if !v.used {
			vars += "_ = " + v.name + "\n"
		}
	}
	if f.step && !endsInReturn(stmts) {
		code += "return true\n"
	}
	return vars + code
}

// balanced reports whether as many brackets are closed as are open.
func balanced(code string) bool {
	return strings.Count(code, "{") == strings.Count(code, "}")
}

func endsInReturn(stmts []syntax.Stmt) bool {
	if len(stmts) == 0 {
		return false
	}
	switch s := stmts[len(stmts)-1].(type) {
	case *syntax.ReturnStmt:
		return true
	case *syntax.IfStmt:
		return endsInReturn(s.True) && endsInReturn(s.False)
	}
	return false
}

// asFunction is a function of the file as a value.
func (c *scope) asFunction(at syntax.Node, f definition, want *typ) (string, *typ) {
	if want.kind != kFunc {
		refuse(at, "the function %s here", f.name)
	}
	made := c.t.instance(at, f, want.items, want.of, false)
	return "m." + made.name, want
}

// ofFile is the call of a function of the file.
func (c *scope) ofFile(e *syntax.CallExpr, name string, f definition, want *typ) (string, *typ) {
	params := f.params()
	given := make([]syntax.Expr, len(params))
	for i, x := range e.Args {
		if named, ok := x.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
			i = slices.Index(params, named.X.(*syntax.Ident).Name)
			x = named.Y
		}
		if i < 0 || i >= len(params) {
			refuse(x, "this argument")
		}
		given[i] = x
	}
	var ts []*typ
	var all []string
	for i, x := range given {
		if x == nil {
			if x = f.preset(i); x == nil {
				refuse(e, "a call of %s with too few arguments", name)
			}
		}
		code, t := c.expr(x, nil)
		if t.kind == kNone || t.kind == kList && t.of == nil {
			refuse(x, "None or an empty list as an argument")
		}
		all, ts = append(all, code), append(ts, t)
	}
	var result *typ
	if want != nil && want.kind == kFunc {
		result = want
	}
	made := c.t.instance(e, f, ts, result, c.t.steps(name))
	if made.result == nil {
		return "m." + made.name + "(" + strings.Join(all, ", ") + ")", void
	}
	return "m." + made.name + "(" + strings.Join(all, ", ") + ")", made.result
}
