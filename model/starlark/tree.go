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

// nameOf is the name that an expression is; "" for other expressions.
func nameOf(e syntax.Expr) string {
	if name, is := unwrapped(e).(*syntax.Ident); is {
		return name.Name
	}
	return ""
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

// targets calls add for each name in the left side of an assignment, or in the variables of a loop.
func targets(x syntax.Expr, add func(name string)) {
	if name := nameOf(x); name != "" {
		add(name)
	}
	for _, y := range displayed(x) {
		targets(y, add)
	}
}

// displayed are the elements of [a, b] or (a, b); nil for other expressions.
func displayed(e syntax.Expr) []syntax.Expr {
	switch e := unwrapped(e).(type) {
	case *syntax.TupleExpr:
		return e.List
	case *syntax.ListExpr:
		return e.List
	}
	return nil
}

// assigned calls add for each name to which a statement assigns; statements in it are not visited.
func assigned(stmt syntax.Node, add func(name string)) {
	switch n := stmt.(type) {
	case *syntax.AssignStmt:
		targets(n.LHS, add)
	case *syntax.DefStmt:
		add(n.Name.Name)
	case *syntax.ForStmt:
		targets(n.Vars, add)
	}
}

// assignedIn are the names to which statements, and the statements in them, assign.
func assignedIn(stmts []syntax.Stmt) map[string]bool {
	names := map[string]bool{}
	for _, stmt := range stmts {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			assigned(n, func(name string) { names[name] = true })
			_, def := n.(*syntax.DefStmt)
			_, expr := n.(syntax.Expr)
			return !def && !expr
		})
	}
	return names
}

// mentioned are the names that stand in a part of a file, except names of fields and of arguments.
func mentioned(n syntax.Node) map[string]bool {
	all, except := map[string]bool{}, map[syntax.Node]bool{}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			all[n.Name] = all[n.Name] || !except[n]
		case *syntax.DotExpr:
			except[n.Name] = true
		case *syntax.BinaryExpr:
			if n.Op == syntax.EQ { // an argument with a name, or a parameter
				except[n.X] = true
			}
		}
		return true
	})
	maps.DeleteFunc(all, func(_ string, is bool) bool { return !is })
	return all
}

// parametersOf are the names of parameters, with "*" for *args and **kwargs, and their defaults, with nil for
// a parameter without one.
func parametersOf(list []syntax.Expr) (names []string, defaults []syntax.Expr) {
	for _, x := range list {
		name, otherwise := "*", syntax.Expr(nil)
		switch x := x.(type) {
		case *syntax.Ident:
			name = x.Name
		case *syntax.BinaryExpr:
			name, otherwise = x.X.(*syntax.Ident).Name, x.Y
		}
		names, defaults = append(names, name), append(defaults, otherwise)
	}
	return names, defaults
}

// onceEach refuses two assignments to a name of a file, except one in each branch of an if. It adds the names
// to which statements assign to given.
func onceEach(stmts []syntax.Stmt, given map[string]syntax.Position) (err error) {
	for _, stmt := range stmts {
		assigned(stmt, func(name string) {
			if was, twice := given[name]; twice && err == nil {
				err = locate(start(stmt), "%s is given twice, here and in line %d; a file gives a name "+
					"once, or in each branch of an if", name, was.Line)
			}
			given[name] = start(stmt)
		})
		switch n := stmt.(type) {
		case *syntax.ForStmt:
			err = cmp.Or(err, onceEach(n.Body, given))
		case *syntax.IfStmt:
			other := maps.Clone(given)
			err = cmp.Or(err, onceEach(n.True, other), onceEach(n.False, given))
			maps.Copy(given, other)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rewrite changes the syntax tree of a file before it is executed.
//
// A function that is made in a loop, or in a comprehension, and names a variable of it would see the last
// value of that variable, as it is called later. A lambda keeps the value that the variable has where the
// lambda stands, as the default of a parameter: `lambda s: s.x[i]` becomes `lambda s, *, i = i: s.x[i]`. A
// def is refused.
func rewrite(f *syntax.File) (err error) {
	var path []syntax.Node // from the file to the node that is visited
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		if c := closureAt(n, nil); c != nil && err == nil {
			err = keep(c, path)
		}
		return true
	})
	return err
}

// keep makes a lambda keep the variables of the loops around it that it names, and refuses a def that names
// some. The function is the last node of the path.
func keep(c *closure, path []syntax.Node) error {
	f := path[len(path)-1]
	vars, inFunction := loopsAround(path)
	name := c.Name.Name
	if to, is := path[len(path)-2].(*syntax.AssignStmt); is {
		name = nameOf(to.LHS)
	}
	for _, stmt := range c.Body {
		if inFunction && mentioned(stmt)[name] { // Starlark would freeze it without end
			return locate(start(stmt), "a function that refers to itself cannot stand in another one: %s",
				name)
		}
	}
	params, _ := parametersOf(c.Params)
	own := assignedIn(c.Body)
	var kept []string
	for name := range mentioned(f) {
		if vars[name] && !own[name] && name != c.Name.Name && !slices.Contains(params, name) {
			kept = append(kept, name)
		}
	}
	slices.Sort(kept)
	e, is := f.(*syntax.LambdaExpr)
	switch {
	case len(kept) == 0:
		return nil
	case !is:
		return locate(c.Def, "a function that is defined in a loop sees the last value of %s; "+
			"use a lambda, or a function outside that returns it: def make(%s)", words(kept), words(kept))
	case slices.Contains(params, "*"):
		return locate(c.Def, "a lambda in a loop takes no *args and no **kwargs")
	}
	e.Params = append(e.Params, &syntax.UnaryExpr{OpPos: e.Lambda, Op: syntax.STAR})
	for _, name := range kept {
		ident := func() *syntax.Ident { return &syntax.Ident{NamePos: e.Lambda, Name: name} }
		named := &syntax.BinaryExpr{X: ident(), OpPos: e.Lambda, Op: syntax.EQ, Y: ident()}
		e.Params = append(e.Params, named)
	}
	return nil
}

// loopsAround returns the variables of the loops around the last node of a path, up to the innermost function
// around it, and whether there is such a function. The default of a parameter stands outside of its function.
func loopsAround(path []syntax.Node) (vars map[string]bool, inFunction bool) {
	vars = map[string]bool{}
	add := func(name string) { vars[name] = true }
	for i := len(path) - 2; i >= 0; i-- {
		child := path[i+1]
		switch n := path[i].(type) {
		case *syntax.ForStmt:
			if child != syntax.Node(n.X) {
				targets(n.Vars, add)
				maps.Copy(vars, assignedIn(n.Body))
			}
		case *syntax.Comprehension:
			for _, clause := range n.Clauses {
				if c, is := clause.(*syntax.ForClause); is {
					targets(c.Vars, add)
				}
			}
		}
		c := closureAt(path[i], nil)
		if x, is := child.(syntax.Expr); c != nil && (!is || !slices.Contains(c.Params, x)) {
			return vars, true
		}
	}
	return vars, false
}
