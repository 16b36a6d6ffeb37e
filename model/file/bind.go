package file

import (
	"maps"
	"slices"

	"go.starlark.net/syntax"
)

// A function that is made in a loop, or in a comprehension, and names a variable of it would see the last
// value of that variable, as it is called later. A lambda is made to keep the value that the variable has
// where it stands: `lambda s: s.x[i]` becomes `(lambda i: lambda s: s.x[i])(i)`, a call that gives it a
// variable of its own. A def is refused.
type binder struct{ err error }

func bindLoops(f *syntax.File) error {
	b := &binder{}
	b.block(f.Stmts, nil)
	return b.err
}

// block changes statements; vars are what changes from round to round of the loops around them.
func (b *binder) block(stmts []syntax.Stmt, vars map[string]bool) {
	for _, stmt := range stmts {
		switch n := stmt.(type) {
		case *syntax.ExprStmt:
			n.X = b.expr(n.X, vars)
		case *syntax.AssignStmt:
			n.LHS, n.RHS = b.expr(n.LHS, vars), b.expr(n.RHS, vars)
		case *syntax.ReturnStmt:
			n.Result = b.expr(n.Result, vars)
		case *syntax.IfStmt:
			n.Cond = b.expr(n.Cond, vars)
			b.block(n.True, vars)
			b.block(n.False, vars)
		case *syntax.ForStmt:
			n.X = b.expr(n.X, vars)
			inner := union(vars, nil)
			targetNames(n.Vars, inner)
			assignedIn(n.Body, inner)
			b.block(n.Body, inner)
		case *syntax.DefStmt:
			if seen := freeIn(n, n.Params, vars); len(seen) > 0 && b.err == nil {
				b.err = &located{n.Def.String(),
					"a function that is defined in a loop sees the last value of " +
						words(seen) + "; use a lambda, or a function outside that returns it: def make(" +
						words(seen) + ")"}
			}
			b.all(n.Params, vars)
			b.block(n.Body, nil)
		}
	}
}

func union(a, b map[string]bool) map[string]bool {
	all := map[string]bool{}
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
}

func (b *binder) all(list []syntax.Expr, vars map[string]bool) {
	for i, x := range list {
		list[i] = b.expr(x, vars)
	}
}

// expr changes an expression.
func (b *binder) expr(e syntax.Expr, vars map[string]bool) syntax.Expr {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		e.X = b.expr(e.X, vars)
	case *syntax.TupleExpr:
		b.all(e.List, vars)
	case *syntax.ListExpr:
		b.all(e.List, vars)
	case *syntax.DictExpr:
		b.all(e.List, vars)
	case *syntax.DictEntry:
		e.Key, e.Value = b.expr(e.Key, vars), b.expr(e.Value, vars)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = b.expr(e.Cond, vars), b.expr(e.True, vars), b.expr(e.False, vars)
	case *syntax.UnaryExpr:
		e.X = b.expr(e.X, vars)
	case *syntax.BinaryExpr:
		e.X, e.Y = b.expr(e.X, vars), b.expr(e.Y, vars)
	case *syntax.DotExpr:
		e.X = b.expr(e.X, vars)
	case *syntax.IndexExpr:
		e.X, e.Y = b.expr(e.X, vars), b.expr(e.Y, vars)
	case *syntax.SliceExpr:
		e.X, e.Lo, e.Hi, e.Step = b.expr(e.X, vars), b.expr(e.Lo, vars), b.expr(e.Hi, vars), b.expr(e.Step,
			vars)
	case *syntax.CallExpr:
		e.Fn = b.expr(e.Fn, vars)
		b.all(e.Args, vars)
	case *syntax.Comprehension:
		b.comprehension(e, union(vars, nil))
	case *syntax.LambdaExpr:
		return b.lambda(e, vars)
	}
	return e
}

func (b *binder) comprehension(e *syntax.Comprehension, vars map[string]bool) {
	for _, clause := range e.Clauses {
		switch c := clause.(type) {
		case *syntax.ForClause:
			c.X = b.expr(c.X, vars)
			targetNames(c.Vars, vars)
		case *syntax.IfClause:
			c.Cond = b.expr(c.Cond, vars)
		}
	}
	e.Body = b.expr(e.Body, vars)
}

// lambda has a lambda keep what it names of the loops around it.
func (b *binder) lambda(e *syntax.LambdaExpr, vars map[string]bool) syntax.Expr {
	b.all(e.Params, vars)
	e.Body = b.expr(e.Body, nil)
	kept := freeIn(e, e.Params, vars)
	if len(kept) == 0 {
		return e
	}
	outer := &syntax.LambdaExpr{Lambda: e.Lambda, Body: e}
	call := &syntax.CallExpr{Fn: outer, Lparen: e.Lambda, Rparen: e.Lambda}
	for _, name := range kept {
		outer.Params = append(outer.Params, &syntax.Ident{NamePos: e.Lambda, Name: name})
		call.Args = append(call.Args, &syntax.Ident{NamePos: e.Lambda, Name: name})
	}
	return call
}

// freeIn lists the variables that a function names and that are not its parameters, sorted.
func freeIn(f syntax.Node, params []syntax.Expr, vars map[string]bool) (names []string) {
	if len(vars) == 0 {
		return nil
	}
	own := map[string]bool{}
	if def, is := f.(*syntax.DefStmt); is {
		assignedIn(def.Body, own)
		own[def.Name.Name] = true
	}
	for _, q := range parametersOf(&closure{params: params}) {
		own[q.name] = true
	}
	for name := range mentioned(f) {
		if vars[name] && !own[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// mentioned are the names that stand in a part of a file: not those of fields and of arguments.
func mentioned(n syntax.Node) map[string]bool {
	all := map[string]bool{}
	var visit func(syntax.Node) bool
	visit = func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			all[n.Name] = true
		case *syntax.DotExpr:
			syntax.Walk(n.X, visit)
			return false
		case *syntax.BinaryExpr:
			if n.Op == syntax.EQ { // an argument with a name, or a parameter
				syntax.Walk(n.Y, visit)
				return false
			}
		}
		return true
	}
	syntax.Walk(n, visit)
	return all
}
