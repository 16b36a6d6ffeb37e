package prove

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A sort is a sort of SMT-LIB: processes in the order of their numbers, and logical times.
type sort string

const boolean, node, instant sort = "Bool", "Node", "Time"

// A term is a term of first-order logic. Operators have the names of SMT-LIB.
type term struct {
	op   string
	sort sort
	args []*term
	vars []*term // bound by forall and exists
}

var yes, no = symbol("true", boolean), symbol("false", boolean)

func symbol(name string, s sort, args ...*term) *term { return &term{op: name, sort: s, args: args} }

// symbols are numbered symbols of some sorts.
func symbols(format string, sorts ...sort) (all []*term) {
	for i, s := range sorts {
		all = append(all, symbol(fmt.Sprintf(format, i), s))
	}
	return all
}

func truth(b bool) *term { return map[bool]*term{true: yes, false: no}[b] }

func not(t *term) *term {
	switch {
	case t == yes || t == no:
		return truth(t == no)
	case t.op == "not":
		return t.args[0]
	}
	return symbol("not", boolean, t)
}

// joined joins terms by "and" or "or". neutral is the constant that changes nothing.
func joined(op string, neutral *term, ts []*term) *term {
	var all []*term
	for _, t := range ts {
		switch {
		case t == not(neutral):
			return t
		case t.op == op:
			all = append(all, t.args...)
		case t != neutral:
			all = append(all, t)
		}
	}
	if len(all) < 2 {
		return append(all, neutral)[0]
	}
	return symbol(op, boolean, all...)
}

func and(ts ...*term) *term { return joined("and", yes, ts) }

func or(ts ...*term) *term { return joined("or", no, ts) }

func implies(a, b *term) *term { return or(not(a), b) }

func equal(a, b *term) *term {
	if a.is(b) {
		return yes
	}
	return symbol("=", boolean, a, b)
}

// less is the strict order of nodes or of times.
func less(a, b *term) *term { return symbol("lt"+string(a.sort), boolean, a, b) }

func choose(c, a, b *term) *term {
	switch {
	case c == yes || a.is(b):
		return a
	case c == no:
		return b
	case a.sort == boolean:
		return or(and(c, a), and(not(c), b))
	}
	return symbol("ite", a.sort, c, a, b)
}

func quantified(op string, vars []*term, t *term) *term {
	if len(vars) == 0 || t == yes || t == no {
		return t
	}
	return &term{op: op, sort: boolean, args: []*term{t}, vars: vars}
}

func forall(vars []*term, t *term) *term { return quantified("forall", vars, t) }

func exists(vars []*term, t *term) *term { return quantified("exists", vars, t) }

// is reports whether two terms without quantifiers are written alike.
func (t *term) is(u *term) bool {
	return t == u || t.op == u.op && t.vars == nil && u.vars == nil &&
		slices.EqualFunc(t.args, u.args, (*term).is)
}

// with replaces symbols without arguments by terms. Bound variables have names of their own, so nothing is
// captured.
func (t *term) with(put map[string]*term) *term {
	if len(t.args) == 0 || len(put) == 0 {
		return cmp.Or(put[t.op], t)
	}
	args := mapped(t.args, func(a *term) *term { return a.with(put) })
	switch t.op {
	case "=":
		return equal(args[0], args[1])
	case "not":
		return not(args[0])
	case "and":
		return and(args...)
	case "or":
		return or(args...)
	}
	return &term{op: t.op, sort: t.sort, args: args, vars: t.vars}
}

// mentions reports whether a term has a symbol or an operator.
func (t *term) mentions(op string) bool {
	return t.op == op || slices.ContainsFunc(t.args, func(a *term) bool { return a.mentions(op) })
}

// String is the term in SMT-LIB.
func (t *term) String() string {
	if len(t.args) == 0 {
		return quoted(t.op)
	}
	words := []string{quoted(t.op)}
	if t.vars != nil {
		words = append(words, "("+parameters(t.vars)+")")
	}
	return "(" + strings.Join(append(words, mapped(t.args, (*term).String)...), " ") + ")"
}

// parameters declares variables: (x Node) (t Time).
func parameters(vars []*term) string {
	one := func(v *term) string { return "(" + quoted(v.op) + " " + string(v.sort) + ")" }
	return strings.Join(mapped(vars, one), " ")
}

var simple = regexp.MustCompile(`^[A-Za-z=<][A-Za-z0-9_.=<-]*$`)

// quoted is a symbol as SMT-LIB writes it.
func quoted(name string) string {
	if simple.MatchString(name) {
		return name
	}
	return "|" + strings.NewReplacer("|", "_", `\`, "_").Replace(name) + "|"
}

// alternates finds a quantifier that makes a formula undecidable: for each value of one sort it asks for some
// value of another one, and functions lead back. outer are the sorts over which the formula, asserted if
// positive and denied otherwise, is quantified universally. Some time for each process is allowed: no
// function leads from times to processes. It returns both sorts, or "".
func (t *term) alternates(positive bool, outer []sort) (some, each sort) {
	for _, v := range t.vars {
		if (t.op == "forall") == positive {
			outer = append(slices.Clip(outer), v.sort)
			continue
		}
		for _, o := range outer {
			if v.sort != instant || o != node {
				return v.sort, o
			}
		}
	}
	for _, a := range t.args {
		some, each = a.alternates(positive != (t.op == "not"), outer)
		if some == "" && !slices.Contains([]string{"and", "or", "not", "forall", "exists"}, t.op) {
			some, each = a.alternates(!positive, outer) // its parts may be asserted and denied
		}
		if some != "" {
			return some, each
		}
	}
	return "", ""
}
