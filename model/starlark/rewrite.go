package starfile

import (
	"maps"
	"slices"

	"go.starlark.net/syntax"
)

// A rewriter changes the syntax tree of a file before it is executed.
//
// A function that is made in a loop, or in a comprehension, and names a variable of it would see the last
// value of that variable, as it is called later. A lambda is made to keep the value that the variable has
// where it stands: `lambda s: s.x[i]` becomes `(lambda i: lambda s: s.x[i])(i)`, a call that gives it a
// variable of its own. A def is refused.
//
// Operators that make values as large as both operands pass what they make through a function that counts it:
// `x + y` becomes `+(x + y)`. So a list or a string that doubles and doubles is an error.
type rewriter struct{ err error }

func rewrite(f *syntax.File) error {
	b := &rewriter{}
	b.block(f.Stmts, nil, false)
	return b.err
}

func (b *rewriter) fail(at syntax.Position, format string, a ...any) {
	if b.err == nil {
		b.err = locate(at, format, a...)
	}
}

// block changes statements; vars are what changes from round to round of the loops around them.
func (b *rewriter) block(stmts []syntax.Stmt, vars map[string]bool, inFunction bool) {
	for _, stmt := range stmts {
		switch n := stmt.(type) {
		case *syntax.ExprStmt:
			n.X = b.expr(n.X, vars)
		case *syntax.AssignStmt:
			if to, is := n.LHS.(*syntax.Ident); is {
				if f, is := n.RHS.(*syntax.LambdaExpr); is {
					b.alone(to.Name, f, inFunction)
				}
			}
			n.LHS, n.RHS = b.expr(n.LHS, vars), b.expr(n.RHS, vars)
			if by := operands[n.Op]; by != "" {
				n.RHS = through(by, n.RHS)
			}
		case *syntax.ReturnStmt:
			n.Result = b.expr(n.Result, vars)
		case *syntax.IfStmt:
			n.Cond = b.expr(n.Cond, vars)
			b.block(n.True, vars, inFunction)
			b.block(n.False, vars, inFunction)
		case *syntax.ForStmt:
			n.X = b.expr(n.X, vars)
			inner := inside(vars)
			targetNames(n.Vars, inner)
			assignedIn(n.Body, inner)
			b.block(n.Body, inner, inFunction)
		case *syntax.DefStmt:
			if seen := freeIn(n, n.Params, vars); len(seen) > 0 {
				b.fail(n.Def, "a function that is defined in a loop sees the last value of %s; "+
					"use a lambda, or a function outside that returns it: def make(%s)",
					words(seen), words(seen))
			}
			for _, inner := range n.Body {
				b.alone(n.Name.Name, inner, inFunction)
			}
			b.all(n.Params, vars)
			b.block(n.Body, nil, true)
		}
	}
}

// inside returns the variables that change inside a loop, to which its own are added.
func inside(vars map[string]bool) map[string]bool {
	inner := map[string]bool{}
	maps.Copy(inner, vars)
	return inner
}

// alone refuses that a function in another one refers to itself: to freeze it would not end.
func (b *rewriter) alone(name string, f syntax.Node, inFunction bool) {
	if inFunction && mentioned(f)[name] {
		at, _ := f.Span()
		b.fail(at, "a function that refers to itself cannot stand in another one: %s", name)
	}
}

func (b *rewriter) all(list []syntax.Expr, vars map[string]bool) {
	for i, x := range list {
		list[i] = b.expr(x, vars)
	}
}

// expr changes an expression.
func (b *rewriter) expr(e syntax.Expr, vars map[string]bool) syntax.Expr {
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
		return operator(e)
	case *syntax.DotExpr:
		e.X = b.expr(e.X, vars)
		if slices.Contains(refusedMethods, e.Name.Name) {
			b.fail(e.Name.NamePos, `models do without strings made by %s; use "%%s %%s" %% (a, b)`, e.Name.Name)
		}
	case *syntax.IndexExpr:
		e.X, e.Y = b.expr(e.X, vars), b.expr(e.Y, vars)
	case *syntax.SliceExpr:
		e.X, e.Lo = b.expr(e.X, vars), b.expr(e.Lo, vars)
		e.Hi, e.Step = b.expr(e.Hi, vars), b.expr(e.Step, vars)
	case *syntax.CallExpr:
		e.Fn = b.expr(e.Fn, vars)
		b.all(e.Args, vars)
		if dot, is := e.Fn.(*syntax.DotExpr); is && dot.Name.Name == "extend" && len(e.Args) == 1 {
			e.Args[0] = through(grownName, e.Args[0])
		}
	case *syntax.Comprehension:
		b.comprehension(e, vars)
	case *syntax.LambdaExpr:
		return b.lambda(e, vars)
	}
	return e
}

// What the changed syntax tree calls; no file can write these names. The first passes on what is made, the
// others an operand.
const (
	grownName   = "+"
	factorName  = "*"
	printedName = "%"
)

// operands are the assignments whose operand passes through a function.
var operands = map[syntax.Token]string{
	syntax.PLUS_EQ: grownName, syntax.STAR_EQ: factorName, syntax.PERCENT_EQ: printedName,
}

// refusedMethods make strings in which equal values may have several texts.
var refusedMethods = []string{"join", "replace", "format"}

// operator has what an operator makes counted, if that may be large.
func operator(e *syntax.BinaryExpr) syntax.Expr {
	switch e.Op {
	case syntax.STAR:
		e.Y = through(factorName, e.Y)
	case syntax.PERCENT:
		e.Y = through(printedName, e.Y)
	case syntax.PLUS:
		if !isNumber(e.X) && !isNumber(e.Y) {
			return through(grownName, e)
		}
	case syntax.LTLT:
		return through(grownName, e)
	}
	return e
}

// isNumber reports whether an expression is a number as it stands: what is added to one is one.
func isNumber(x syntax.Expr) bool {
	literal, ok := x.(*syntax.Literal)
	return ok && literal.Token == syntax.INT
}

// through passes the value of an expression through a function.
func through(name string, x syntax.Expr) syntax.Expr {
	start, end := x.Span()
	at := start
	if e, is := x.(*syntax.BinaryExpr); is {
		at = e.OpPos
	}
	return &syntax.CallExpr{
		Fn: &syntax.Ident{NamePos: start, Name: name}, Lparen: at, Args: []syntax.Expr{x}, Rparen: end,
	}
}

func (b *rewriter) comprehension(e *syntax.Comprehension, vars map[string]bool) {
	vars = inside(vars)
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
func (b *rewriter) lambda(e *syntax.LambdaExpr, vars map[string]bool) syntax.Expr {
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
