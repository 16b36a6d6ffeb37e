package goform

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/syntax"
)

// A scope is what the names of a part of a file mean.
type scope struct {
	t      *translator
	outer  *scope
	vars   map[string]*variable
	member string // the variable in Go by which a step sends and picks; "": there is none
	fn     *function
	global bool // of the file itself: what is assigned is kept
}

// A variable is a local one.
type variable struct {
	name string // in Go
	t    *typ
	used bool
	code string // in place of the name
}

// A function is a function of the file, for parameters of some types.
type function struct {
	name   string
	step   bool // it reports whether the step is enabled
	result *typ
	locals []*variable
}

// A refusal is what cannot be translated.
type refusal struct{ err error }

// refuse ends the translation at a place of the file.
func refuse(at syntax.Node, format string, a ...any) {
	start, _ := at.Span()
	panic(refusal{fmt.Errorf("%s: %s has no Go form", start, fmt.Sprintf(format, a...))})
}

func (c *scope) inner() *scope {
	return &scope{t: c.t, outer: c, vars: map[string]*variable{}, member: c.member, fn: c.fn,
		global: c.global}
}

// find returns a local variable.
func (c *scope) find(name string) *variable {
	for s := c; s != nil; s = s.outer {
		if v := s.vars[name]; v != nil {
			return v
		}
	}
	return nil
}

// declare makes a local variable.
func (c *scope) declare(name string, t *typ) *variable {
	v := &variable{name: goName(name), t: t}
	for i := 2; c.taken(v.name); i++ {
		v.name = fmt.Sprintf("%s%d", goName(name), i)
	}
	c.vars[name] = v
	return v
}

func (c *scope) taken(name string) bool {
	for s := c; s != nil; s = s.outer {
		for _, v := range s.vars {
			if v.name == name {
				return true
			}
		}
	}
	return false
}

// ours are names that the code written here uses.
var ours = []string{
	"m", "model", "param", "invariants", "fmt", "slices", "maps", "bits", "values", "cmp",
	"strconv", "reflect",
	"parts", "each", "strings", "len", "append",
	"panic", "string", "int", "bool", "any", "true", "false", "nil", "max", "min", "range", "copy", "init",
	"main", "member",
	"local", "state", "message", "global", "outbox", "past", "event", "envelope", "algorithm", "network",
	"build", "sys",
}

// goName is a name of the file as Go can have it.
func goName(name string) string {
	if token.IsKeyword(name) || slices.Contains(ours, name) || preludeNames()[name] ||
		strings.HasPrefix(name, "_") {
		return strings.TrimLeft(name, "_") + "_"
	}
	return name
}

// exported begins with a capital.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

var noEnvelopes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[^A-Za-z0-9]+`)
})

// joined makes one word of several, for a name.
func joined(s string) (all string) {
	for _, part := range noEnvelopes().Split(s, -1) {
		all += capital(part)
	}
	return all
}

var simple = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(!?[\w.]+|"[^"\\]*"|-?\d+)$`)
})

// paren puts brackets around an expression, where it needs them as an operand.
func paren(code string) string {
	if simple().MatchString(code) || whole(code) {
		return code
	}
	return "(" + code + ")"
}

// whole reports whether an expression is a name followed by brackets and selectors.
func whole(code string) bool {
	depth, began := 0, false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '"':
			for i++; i < len(code) && code[i] != '"'; i++ {
				if code[i] == '\\' {
					i++
				}
			}
		case c == '(' || c == '[':
			if !began && depth == 0 {
				return false
			}
			depth++
		case c == ')' || c == ']':
			depth--
		case c == '{' || c == '}':
			if depth == 0 {
				return false
			}
		case depth > 0:
		case c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			began = true
		default:
			return false
		}
	}
	return !strings.HasPrefix(code, "func")
}

// bare takes off brackets that are not needed around a whole expression.
func bare(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}
