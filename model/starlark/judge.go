package starfile

import (
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model/usage"
)

// What the walk judges, in words.

// judge notes that something at a place is right, or wrong: it is reported if it never is right. The key says
// what of the place, together with another place that matters.
func (p *pass) judge(at syntax.Position, what string, other syntax.Position, right bool, format string,
	a ...any,
) {
	key := at.String() + " " + what + " " + other.String()
	switch {
	case right:
		p.right[key] = true
	case p.wrong[key] == nil:
		p.wrong[key] = locate(at, format, a...)
		p.places[key] = at
	}
}

// judgeHere judges what is said of one place only.
func (p *pass) judgeHere(at syntax.Position, what string, right bool, format string, a ...any) {
	p.judge(at, what, at, right, format, a...)
}

// compared judges what is compared with == or !=, or looked for: some value has to be of both kinds.
func (p *pass) compared(e *syntax.BinaryExpr, x, y shape) {
	a, b := e.X, e.Y
	if x.literal() && !y.literal() {
		x, y, a, b = y, x, b, a
	}
	p.comparable(e.OpPos, a, b, x, y)
}

// comparable judges whether b may have a value that a has.
func (p *pass) comparable(op syntax.Position, a, b syntax.Expr, x, y shape) {
	if len(x) == 0 || len(y) == 0 || !x.declared() && !y.declared() && (len(x) < 2 || !y.literal()) {
		return
	}
	at := start(b)
	if y[0].at.IsValid() {
		at = y[0].at
	}
	if meet(x, y) {
		p.judge(at, "compared", op, true, "")
		return
	}
	p.judge(at, "compared", op, false, "%s is never %s; it is one of: %s%s", p.text(a), p.named(b, y), x,
		nearest(y, x))
}

// distinct judges a comparison whose sides are one variable, or one part of it: its answer never
// changes.
func (p *pass) distinct(e *syntax.BinaryExpr) {
	switch e.Op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		text := p.text(e.X)
		if isPlace(e.X) && text != "it" && text == p.text(e.Y) {
			p.judgeHere(e.OpPos, "itself", false, "%s is compared with itself", text)
		}
	}
}

// isPlace reports whether an expression is a variable, or a field or an element of one.
func isPlace(e syntax.Expr) bool {
	switch e := unwrapped(e).(type) {
	case *syntax.Ident:
		return true
	case *syntax.DotExpr:
		return isPlace(e.X)
	case *syntax.IndexExpr:
		_, literal := unwrapped(e.Y).(*syntax.Literal)
		return isPlace(e.X) && (literal || isPlace(e.Y))
	}
	return false
}

// sought judges what is looked for in something.
func (p *pass) sought(e *syntax.BinaryExpr, x, y shape, s *scope) {
	var listed []syntax.Expr
	switch among := unwrapped(e.Y).(type) {
	case *syntax.ListExpr:
		listed = among.List
	case *syntax.TupleExpr:
		listed = among.List
	}
	for _, b := range listed {
		p.comparable(e.OpPos, e.X, b, x, p.expr(b, s))
	}
	if listed == nil && !y.is("string") {
		elem := y.inside()
		if x.literal() {
			p.comparable(e.OpPos, &syntax.ParenExpr{Lparen: start(e.Y), X: e.Y}, e.X, elem, x)
		} else {
			p.comparable(e.OpPos, e.X, e.Y, x, elem)
		}
	}
}

func start(e syntax.Node) syntax.Position {
	at, _ := e.Span()
	return at
}

func unwrapped(e syntax.Expr) syntax.Expr {
	if paren, is := e.(*syntax.ParenExpr); is {
		return unwrapped(paren.X)
	}
	return e
}

// named is an expression as it stands, with its value where that is another text.
func (p *pass) named(e syntax.Expr, s shape) string {
	text, value := p.text(e), s.String()
	if text == value {
		return text
	}
	if s.literal() {
		return value
	}
	return text + " (" + value + ")"
}

// text is an expression as it stands in the file.
func (p *pass) text(e syntax.Expr) string {
	if of, is := e.(*syntax.ParenExpr); is && !of.Rparen.IsValid() {
		return "an element of " + p.text(of.X)
	}
	start, _ := e.Span()
	return textOf(e, p.lines[start.Filename()])
}

// textOf is an expression as it stands in some lines.
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

// nearest is what was probably meant by a word that is none of some others.
func nearest(given, among shape) string {
	word, ok := given.only().(starlark.String)
	if !ok {
		return ""
	}
	var words []string
	for _, x := range among {
		if o, is := x.t.(*optionType); is {
			x.t = o.of
		}
		for _, v := range x.values() {
			if text, is := v.(starlark.String); is {
				words = append(words, string(text))
			}
		}
	}
	return usage.Nearest(string(word), words)
}
