package file

import (
	"errors"
	"fmt"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A model may not take the machine down: by what never ends, or by values that grow and grow. Starlark
// counts steps, but one step can make a list of a billion elements or compare two. So what makes large values
// is bounded here, by a change of the syntax tree: an operand of such an operator is passed through a
// function that looks at its size.

const (
	maxSteps    = 5_000_000 // of Starlark, in one call of a function
	someSteps   = 1_000     // after which the time is looked at
	maxTime     = 10 * time.Second
	maxPicked   = 1 << 18 // ways through one call, by what it picks
	maxElements = 1 << 16 // of a list, a set or a string that is made at once
	maxMade     = 1 << 23 // elements of all that is made in one call
	maxNumber   = 512     // bits
)

// begin gives a thread what one call may take.
func (c *call) begin(t *starlark.Thread, steps uint64) {
	t.SetLocal(callKey, c)
	c.last = t.ExecutionSteps() + steps
	t.SetMaxExecutionSteps(t.ExecutionSteps() + min(steps, someSteps))
	t.OnMaxSteps = onward
}

// onward lets a call go on that has taken some steps, as long as it may.
func onward(t *starlark.Thread) {
	c, now := t.Local(callKey).(*call), time.Now()
	switch {
	case c.began.IsZero():
		c.began = now
	case now.Sub(c.began) > maxTime:
		t.Cancel("it takes longer than " + maxTime.String())
		return
	}
	if t.ExecutionSteps() >= c.last {
		t.Cancel("it does not end: too many steps")
		return
	}
	t.SetMaxExecutionSteps(min(c.last, t.ExecutionSteps()+someSteps))
}

// spend counts elements that are made.
func spend(t *starlark.Thread, n int) error {
	c, _ := t.Local(callKey).(*call)
	if c == nil {
		return nil
	}
	if c.made += n; c.made > maxMade {
		return fmt.Errorf("it makes more than %d elements of lists, sets and strings in one call", maxMade)
	}
	return nil
}

// bounded returns an error if a value is too large to be made larger.
func bounded(t *starlark.Thread, v starlark.Value) error {
	if i, ok := v.(starlark.Int); ok {
		if _, small := i.Int64(); !small && i.BigInt().BitLen() > maxNumber {
			return fmt.Errorf("a number of more than %d bits", maxNumber)
		}
		return nil
	}
	n := starlark.Len(v)
	if n > maxElements {
		return fmt.Errorf("a value of %d elements is too large; allowed are %d", n, maxElements)
	}
	return spend(t, max(0, n))
}

// A factor is an operand of a product.
type factor struct {
	starlark.Value
	thread *starlark.Thread
}

// Binary multiplies, if the result is not too large.
func (f factor) Binary(op token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	if op != syntax.STAR {
		return nil, nil
	}
	x := f.Value
	a, ok := x.(starlark.Int)
	b, both := y.(starlark.Int)
	if ok && both {
		if v, small := a.Int64(); small && -maxInt <= v && v <= maxInt {
			if w, small := b.Int64(); small && -maxInt <= w && w <= maxInt {
				return starlark.MakeInt64(v * w), nil
			}
		}
		if a.BigInt().BitLen()+b.BigInt().BitLen() > maxNumber {
			return nil, fmt.Errorf("a number of more than %d bits", maxNumber)
		}
		return starlark.Binary(op, x, y)
	}
	n, times := starlark.Len(x), b
	if ok {
		n, times = starlark.Len(y), a
	}
	if k, small := times.Int64(); n > 0 && (!small || k > maxElements/int64(n)) {
		return nil, fmt.Errorf(
			"a value of %d elements %s times is too large; allowed are %d elements",
			n,
			short(times),
			maxElements,
		)
	}
	if k, _ := times.Int64(); n > 0 {
		if err := spend(f.thread, n*max(0, int(k))); err != nil {
			return nil, err
		}
	}
	return starlark.Binary(op, x, y)
}

// What the changed syntax tree calls; no file can write these names.
const (
	partName    = "+"
	factorName  = "*"
	printedName = "%"
)

var guards = map[string]helper{
	partName: func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (
		starlark.Value, error) {
		return args[0], bounded(t, args[0])
	},
	factorName: func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (
		starlark.Value, error) {
		return factor{args[0], t}, nil
	},
	printedName: func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (
		starlark.Value, error) {
		if all, ok := args[0].(starlark.Tuple); ok {
			printed := make(starlark.Tuple, len(all))
			for i, v := range all {
				printed[i] = scalar(v)
			}
			return printed, spend(t, 100*len(all))
		}
		return scalar(args[0]), nil
	},
}

// scalar is a value as it is put into a string: of others a line.
func scalar(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case starlark.Int, starlark.Bool, starlark.NoneType:
		return v
	case starlark.String:
		if len(v) <= 1000 {
			return v
		}
	}
	return starlark.String(short(v))
}

// guarded are functions of Starlark that make or go through values at once, and which look at their sizes
// here.
func guarded(to starlark.StringDict) {
	for _, name := range []string{"list", "tuple", "set", "dict", "sorted", "reversed", "enumerate", "zip",
		"min", "max", "any", "all"} {
		plain := starlark.Universe[name].(*starlark.Builtin)
		to[name] = starlark.NewBuiltin(
			name,
			func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (
				starlark.Value, error) {
				for _, v := range args {
					if err := bounded(t, v); err != nil {
						return nil, err
					}
				}
				return plain.CallInternal(t, args, named)
			},
		)
	}
	to["str"] = starlark.NewBuiltin(
		"str",
		func(_ *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (
			starlark.Value, error) {
			var v starlark.Value
			if err := starlark.UnpackPositionalArgs(f.Name(), args, named, 1, &v); err != nil {
				return nil, err
			}
			if s, ok := scalar(v).(starlark.String); ok {
				return s, nil
			}
			return starlark.String(v.String()), nil
		},
	)
	for _, name := range []string{"getattr", "repr", "print", "bytes", "chr", "hash", "dir"} {
		to[name] = starlark.NewBuiltin(
			name,
			func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value,
				error) {
				return nil, errors.New("models do without " + name)
			},
		)
	}
}

// unbounded methods make strings of any length.
var unboundedMethods = map[string]bool{"join": true, "replace": true, "format": true}

// growing methods take what may be large.
var growingMethods = map[string]bool{"extend": true, "update": true, "union": true}

// guard changes the syntax tree of a file so that what makes large values is bounded.
func guard(f *syntax.File) (err error) {
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryExpr:
			n.X, n.Y = guardOperands(n.Op, n.X, n.Y)
		case *syntax.AssignStmt:
			if op, is := assigned[n.Op]; is {
				_, n.RHS = guardOperands(op, nil, n.RHS)
			}
		case *syntax.CallExpr:
			if dot, ok := n.Fn.(*syntax.DotExpr); ok && growingMethods[dot.Name.Name] {
				for i := range n.Args {
					if _, named := n.Args[i].(*syntax.BinaryExpr); !named {
						n.Args[i] = through(partName, n.Args[i])
					}
				}
			}
		case *syntax.DotExpr:
			if unboundedMethods[n.Name.Name] && err == nil {
				err = &located{n.NamePos.String(), fmt.Sprintf(
					"models do without strings made by %s; use \"%%s %%s\" %% (a, b)", n.Name.Name)}
			}
		}
		return true
	})
	return err
}

// assigned are the operators of assignments.
var assigned = map[token]token{
	syntax.PLUS_EQ: syntax.PLUS, syntax.STAR_EQ: syntax.STAR, syntax.PIPE_EQ: syntax.PIPE,
	syntax.LTLT_EQ:    syntax.LTLT,
	syntax.PERCENT_EQ: syntax.PERCENT,
}

// guardOperands returns the operands of an operator, those passed on that may be large.
func guardOperands(op token, x, y syntax.Expr) (_, _ syntax.Expr) {
	switch {
	case op == syntax.PERCENT:
		return x, through(printedName, y)
	case op == syntax.STAR && x == nil, op == syntax.STAR && isNumber(x):
		return x, through(factorName, y)
	case op == syntax.STAR:
		return through(factorName, x), y
	case op == syntax.PLUS || op == syntax.PIPE || op == syntax.LTLT:
		if !isNumber(x) && !isNumber(y) || op == syntax.LTLT {
			return through(partName, x), through(partName, y)
		}
	}
	return x, y
}

// isNumber reports whether an expression is a number as it stands: what is added to one is one.
func isNumber(x syntax.Expr) bool {
	literal, ok := x.(*syntax.Literal)
	return ok && literal.Token == syntax.INT
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
