package file

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What the changed syntax tree calls; no file can write these names.
const (
	partName     = "+" // of what is made larger, or joined
	factorName   = "*"
	printedName  = "%"
	comparedName = "<"
	heldName     = "in"
	keysName     = "{"  // of what is entered into a table
	elementName  = ","  // of a tuple
	soughtName   = "?"  // in a list
	receiverName = "."  // of a method that makes a list or a string, or goes through all
	methodName   = ".." // what has a method that is not called
	yesName      = "="
)

// guards are behind these names.
var guards = map[string]builtin{
	factorName:  factored,
	printedName: printed,
	heldName:    held,

	partName:     passing(bounded),
	comparedName: passing(func(t *starlark.Thread, v starlark.Value) error { return spendOn(t, v, 1) }),
	receiverName: passing(func(t *starlark.Thread, v starlark.Value) error {
		return spend(t, max(0, starlark.Len(v)))
	}),
	elementName: passing(func(_ *starlark.Thread, v starlark.Value) error { return nest(v) }),
	keysName: passing(func(t *starlark.Thread, v starlark.Value) error {
		return errors.Join(bounded(t, v), spendOnKeys(t, max(0, starlark.Len(v))))
	}),
	soughtName: passing(func(_ *starlark.Thread, v starlark.Value) error {
		if left := maxTuple; !weigh(v, &left, maxNesting) {
			return fmt.Errorf("%s is too large to be looked for in a list", short(v))
		}
		return nil
	}),
	methodName: passing(func(_ *starlark.Thread, v starlark.Value) error {
		switch v.(type) {
		case *starlark.List, *starlark.Dict, *starlark.Set, starlark.String:
			return fmt.Errorf("a method of a %s is called where it is named", v.Type())
		}
		return nil
	}),
}

// passing makes a function that returns its argument, if there is nothing to be said against it.
func passing(look func(*starlark.Thread, starlark.Value) error) builtin {
	return func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (
		starlark.Value, error,
	) {
		return args[0], look(t, args[0])
	}
}

// refusedMethods make strings of any length.
var refusedMethods = map[string]bool{"join": true, "replace": true, "format": true}

// joiningMethods take values to be joined: what has to be done with each argument.
var joiningMethods = map[string]string{
	"extend": partName, "update": keysName, "union": keysName, "symmetric_difference": keysName,
	"intersection": keysName, "difference": keysName, "issubset": keysName, "issuperset": keysName,
	"index": soughtName, "remove": soughtName,
}

// thoroughMethods make something as large as what they belong to, or go through all of it.
var thoroughMethods = map[string]bool{
	"keys": true, "values": true, "items": true, "insert": true, "split": true, "rsplit": true,
	"splitlines": true, "elems": true, "elem_ords": true, "codepoints": true, "codepoint_ords": true,
	"upper": true, "lower": true,
	"title": true, "capitalize": true, "count": true, "find": true, "rfind": true, "rindex": true,
}

// A guardian changes the syntax tree of a file so that what takes long in one step is counted.
type guardian struct {
	targets map[*syntax.TupleExpr]bool // are assigned to
	called  map[*syntax.DotExpr]bool
	err     error
}

// guard changes the syntax tree of a file.
func guard(f *syntax.File) error {
	g := &guardian{targets: map[*syntax.TupleExpr]bool{}, called: map[*syntax.DotExpr]bool{}}
	syntax.Walk(f, func(n syntax.Node) bool {
		if g.err == nil && n != nil {
			g.node(n)
		}
		return g.err == nil
	})
	return g.err
}

func (g *guardian) fail(at syntax.Position, format string, a ...any) {
	if g.err == nil {
		g.err = &located{at.String(), fmt.Sprintf(format, a...)}
	}
}

func (g *guardian) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.BinaryExpr:
		g.operator(n)
	case *syntax.AssignStmt:
		g.target(n.LHS)
		if op, is := assigned[n.Op]; is {
			_, n.RHS = guardOperands(op, nil, n.RHS)
		}
	case *syntax.ForStmt:
		g.target(n.Vars)
	case *syntax.ForClause:
		g.target(n.Vars)
	case *syntax.TupleExpr:
		if !g.targets[n] {
			for i, x := range n.List {
				if !isLiteral(x) {
					n.List[i] = through(elementName, x)
				}
			}
		}
	case *syntax.SliceExpr:
		n.X = through(receiverName, n.X)
	case *syntax.CallExpr:
		g.call(n)
	case *syntax.DotExpr:
		g.attribute(n)
	case *syntax.DefStmt:
		g.parameters(n.Params)
	case *syntax.LambdaExpr:
		g.parameters(n.Params)
	}
}

// target marks the tuples in what is assigned to.
func (g *guardian) target(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		g.target(x.X)
	case *syntax.ListExpr:
		for _, y := range x.List {
			g.target(y)
		}
	case *syntax.TupleExpr:
		g.targets[x] = true
		for _, y := range x.List {
			g.target(y)
		}
	}
}

// operator guards the operands of an operator. `x in y` becomes a call, compared with True.
func (g *guardian) operator(n *syntax.BinaryExpr) {
	op := n.Op
	if op != syntax.IN && op != syntax.NOT_IN {
		n.X, n.Y = guardOperands(op, n.X, n.Y)
		return
	}
	call := through(heldName, n.X).(*syntax.CallExpr)
	call.Args = append(call.Args, n.Y)
	n.X, n.Op, n.Y = call, syntax.EQL, &syntax.Ident{NamePos: n.OpPos, Name: yesName}
	if op == syntax.NOT_IN {
		n.Op = syntax.NEQ
	}
}

// call guards the arguments and the receiver of a method.
func (g *guardian) call(n *syntax.CallExpr) {
	dot, ok := n.Fn.(*syntax.DotExpr)
	if !ok {
		return
	}
	g.called[dot] = true
	guarded := joiningMethods[dot.Name.Name]
	if guarded != "" || thoroughMethods[dot.Name.Name] {
		dot.X = through(receiverName, dot.X)
	}
	for i, x := range n.Args {
		if named, is := x.(*syntax.BinaryExpr); guarded != "" && (!is || named.Op != syntax.EQ) {
			n.Args[i] = through(guarded, x)
		}
	}
}

// attribute refuses methods that are no use, and others where they are not called.
func (g *guardian) attribute(n *syntax.DotExpr) {
	name := n.Name.Name
	if refusedMethods[name] {
		g.fail(n.Name.NamePos, "models do without strings made by %s; use \"%%s %%s\" %% (a, b)", name)
	}
	if !g.called[n] && (joiningMethods[name] != "" || thoroughMethods[name]) {
		n.X = through(methodName, n.X)
	}
}

// parameters refuses *args: with it a tuple of any two values could be made.
func (g *guardian) parameters(all []syntax.Expr) {
	for _, p := range all {
		if star, is := p.(*syntax.UnaryExpr); is && star.Op == syntax.STAR && star.X != nil {
			g.fail(star.OpPos, "functions of models do without *args; give them a list")
		}
	}
}

// assigned are the operators of assignments.
var assigned = map[token]token{
	syntax.PLUS_EQ: syntax.PLUS, syntax.STAR_EQ: syntax.STAR, syntax.PIPE_EQ: syntax.PIPE,
	syntax.LTLT_EQ: syntax.LTLT, syntax.PERCENT_EQ: syntax.PERCENT, syntax.CIRCUMFLEX_EQ: syntax.CIRCUMFLEX,
	syntax.AMP_EQ: syntax.AMP, syntax.MINUS_EQ: syntax.MINUS,
}

// guardOperands returns the operands of an operator, those passed on that may be large.
func guardOperands(op token, x, y syntax.Expr) (_, _ syntax.Expr) {
	switch op {
	case syntax.PERCENT:
		return x, through(printedName, y)
	case syntax.STAR:
		if x == nil || isLiteral(x) {
			return x, through(factorName, y)
		}
		return through(factorName, x), y
	case syntax.LTLT:
		return through(partName, x), through(partName, y)
	case syntax.PLUS, syntax.PIPE, syntax.CIRCUMFLEX, syntax.MINUS, syntax.AMP:
		if !isNumber(x) && !isNumber(y) {
			return through(partName, x), through(partName, y)
		}
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		if !isLiteral(x) && !isLiteral(y) {
			return through(comparedName, x), y
		}
	}
	return x, y
}

// isNumber reports whether an expression is a number as it stands: what is added to one is one.
func isNumber(x syntax.Expr) bool {
	literal, ok := x.(*syntax.Literal)
	return ok && literal.Token == syntax.INT
}

// isLiteral reports whether an expression is a number or a string as it stands.
func isLiteral(x syntax.Expr) bool {
	_, ok := x.(*syntax.Literal)
	return ok
}

// through passes the value of an expression through a function.
func through(name string, x syntax.Expr) syntax.Expr {
	if x == nil {
		return nil
	}
	start, end := x.Span()
	return &syntax.CallExpr{
		Fn:     &syntax.Ident{NamePos: start, Name: name},
		Lparen: start,
		Args:   []syntax.Expr{x},
		Rparen: end,
	}
}
