package starfile

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// Functions that read, check and change the syntax tree of a file before it is executed.

// start is where a part of a file begins.
func start(n syntax.Node) syntax.Position {
	at, _ := n.Span()
	return at
}

// unwrapped is an expression without the brackets around it.
func unwrapped(e syntax.Expr) syntax.Expr {
	if paren, is := e.(*syntax.ParenExpr); is {
		return unwrapped(paren.X)
	}
	return e
}

// textOf is an expression as it stands in the lines of a file; "it" if it takes several lines.
func textOf(e syntax.Expr, lines []string) string {
	start, end := e.Span()
	if start.Line != end.Line || int(start.Line) > len(lines) {
		return "it"
	}
	line := []rune(lines[start.Line-1])
	from, to := int(start.Col)-1, min(int(end.Col)-1, len(line))
	switch e.(type) {
	case *syntax.IndexExpr, *syntax.SliceExpr: // their end is before the bracket
		to = min(to+1, len(line))
	}
	if from < 0 || from > to {
		return "it"
	}
	return strings.TrimSpace(string(line[from:to]))
}

// targets adds the names in the left side of an assignment, or in the variables of a loop.
func targets(x syntax.Expr, names map[string]bool) {
	var list []syntax.Expr
	switch x := unwrapped(x).(type) {
	case *syntax.Ident:
		names[x.Name] = true
	case *syntax.TupleExpr:
		list = x.List
	case *syntax.ListExpr:
		list = x.List
	}
	for _, y := range list {
		targets(y, names)
	}
}

// assigned adds the names to which a statement assigns by itself.
func assigned(stmt syntax.Stmt, names map[string]bool) {
	switch n := stmt.(type) {
	case *syntax.AssignStmt:
		targets(n.LHS, names)
	case *syntax.DefStmt:
		names[n.Name.Name] = true
	case *syntax.ForStmt:
		targets(n.Vars, names)
	}
}

// assignedIn adds the names to which statements assign, and the statements in them.
func assignedIn(stmts []syntax.Stmt, names map[string]bool) {
	for _, stmt := range stmts {
		assigned(stmt, names)
		switch n := stmt.(type) {
		case *syntax.ForStmt:
			assignedIn(n.Body, names)
		case *syntax.IfStmt:
			assignedIn(n.True, names)
			assignedIn(n.False, names)
		}
	}
}

// mentioned are the names that stand in a part of a file, except names of fields and of arguments.
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

// A parameter is one of a function.
type parameter struct {
	name     string
	fallback syntax.Expr // its default; nil: none
	rest     bool        // *args or **kwargs
}

func parametersOf(list []syntax.Expr) (all []parameter) {
	for _, x := range list {
		switch x := x.(type) {
		case *syntax.Ident:
			all = append(all, parameter{name: x.Name})
		case *syntax.BinaryExpr:
			all = append(all, parameter{name: x.X.(*syntax.Ident).Name, fallback: x.Y})
		case *syntax.UnaryExpr:
			all = append(all, parameter{rest: true})
		}
	}
	return all
}

// onceEach refuses two assignments to a name of a file, except one in each branch of an if. It adds the names
// to which statements assign to given.
func onceEach(stmts []syntax.Stmt, given map[string]syntax.Position) (err error) {
	for _, stmt := range stmts {
		fresh := map[string]bool{}
		assigned(stmt, fresh)
		for name := range fresh {
			if was, twice := given[name]; twice {
				return locate(start(stmt), "%s is given twice, here and in line %d; a file gives a name "+
					"once, or in each branch of an if", name, was.Line)
			}
			given[name] = start(stmt)
		}
		switch n := stmt.(type) {
		case *syntax.ForStmt:
			err = onceEach(n.Body, given)
		case *syntax.IfStmt:
			other := maps.Clone(given)
			err = cmp.Or(onceEach(n.True, other), onceEach(n.False, given))
			maps.Copy(given, other)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A rewriter changes the syntax tree of a file before it is executed.
//
// A function that is made in a loop, or in a comprehension, and names a variable of it would see the last
// value of that variable, as it is called later. A lambda keeps the value that the variable has where the
// lambda stands, as the default of a parameter: `lambda s: s.x[i]` becomes `lambda s, *, i = i: s.x[i]`. A
// def is refused.
type rewriter struct{ err error }

func rewrite(f *syntax.File) error {
	b := &rewriter{}
	b.walk(f, nil, false)
	return b.err
}

func (b *rewriter) fail(at syntax.Position, format string, a ...any) {
	if b.err == nil {
		b.err = locate(at, format, a...)
	}
}

// walk changes a part of a file; vars are the variables that change in the loops around it.
func (b *rewriter) walk(n syntax.Node, vars map[string]bool, inFunction bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			to, named := n.LHS.(*syntax.Ident)
			if f, is := n.RHS.(*syntax.LambdaExpr); named && is {
				b.alone(to.Name, f, inFunction)
			}
		case *syntax.ForStmt:
			b.walk(n.X, vars, inFunction)
			inner := unionOf(vars)
			targets(n.Vars, inner)
			assignedIn(n.Body, inner)
			for _, stmt := range n.Body {
				b.walk(stmt, inner, inFunction)
			}
			return false
		case *syntax.Comprehension:
			b.comprehension(n, unionOf(vars), inFunction)
			return false
		case *syntax.DefStmt:
			b.function(n, vars, inFunction)
			return false
		case *syntax.LambdaExpr:
			b.lambda(n, vars)
			return false
		}
		return true
	})
}

func unionOf(vars map[string]bool) map[string]bool {
	all := map[string]bool{}
	maps.Copy(all, vars)
	return all
}

func (b *rewriter) comprehension(n *syntax.Comprehension, vars map[string]bool, inFunction bool) {
	for _, clause := range n.Clauses {
		switch c := clause.(type) {
		case *syntax.ForClause:
			b.walk(c.X, vars, inFunction)
			targets(c.Vars, vars)
		case *syntax.IfClause:
			b.walk(c.Cond, vars, inFunction)
		}
	}
	b.walk(n.Body, vars, inFunction)
}

func (b *rewriter) function(n *syntax.DefStmt, vars map[string]bool, inFunction bool) {
	own := map[string]bool{n.Name.Name: true}
	assignedIn(n.Body, own)
	if seen := freeIn(n, n.Params, vars, own); len(seen) > 0 {
		b.fail(n.Def, "a function that is defined in a loop sees the last value of %s; "+
			"use a lambda, or a function outside that returns it: def make(%s)", words(seen), words(seen))
	}
	for _, x := range n.Params {
		b.walk(x, vars, inFunction)
	}
	for _, stmt := range n.Body {
		b.alone(n.Name.Name, stmt, inFunction)
		b.walk(stmt, nil, true)
	}
}

// alone refuses that a function in another one refers to itself: to freeze it would not end.
func (b *rewriter) alone(name string, f syntax.Node, inFunction bool) {
	if inFunction && mentioned(f)[name] {
		b.fail(start(f), "a function that refers to itself cannot stand in another one: %s", name)
	}
}

// lambda has a lambda keep the variables of the loops around it that it names.
func (b *rewriter) lambda(e *syntax.LambdaExpr, vars map[string]bool) {
	for _, x := range e.Params {
		b.walk(x, vars, true)
	}
	b.walk(e.Body, nil, true)
	kept := freeIn(e, e.Params, vars, nil)
	if len(kept) == 0 {
		return
	}
	params := []syntax.Expr{&syntax.UnaryExpr{OpPos: e.Lambda, Op: syntax.STAR}}
	for _, name := range kept {
		ident := func() *syntax.Ident { return &syntax.Ident{NamePos: e.Lambda, Name: name} }
		params = append(params, &syntax.BinaryExpr{X: ident(), OpPos: e.Lambda, Op: syntax.EQ, Y: ident()})
	}
	if len(parametersOf(e.Params)) > 0 && parametersOf(e.Params)[len(e.Params)-1].rest {
		b.fail(e.Lambda, "a lambda in a loop takes no *args and no **kwargs")
	}
	e.Params = append(e.Params, params...)
}

// freeIn lists the variables that a function names and that are not its own, sorted.
func freeIn(f syntax.Node, params []syntax.Expr, vars, own map[string]bool) (names []string) {
	if len(vars) == 0 {
		return nil
	}
	all := mentioned(f)
	for _, q := range parametersOf(params) {
		delete(all, q.name)
	}
	for name := range own {
		delete(all, name)
	}
	maps.DeleteFunc(all, func(name string, _ bool) bool { return !vars[name] })
	return slices.Sorted(maps.Keys(all))
}
