package prove

import (
	"slices"
	"strings"
)

// A sort is a sort of SMT-LIB.
type sort string

const (
	boolean sort = "Bool"
	node    sort = "Node" // processes, in the order of their numbers
	instant sort = "Time" // logical times, in their order
)

// A term is a term of first-order logic. Operators have the names of SMT-LIB.
type term struct {
	op   string
	sort sort
	args []*term
	vars []*term // bound by forall and exists
}

var yes, no = &term{op: "true", sort: boolean}, &term{op: "false", sort: boolean}

func symbol(name string, s sort, args ...*term) *term { return &term{op: name, sort: s, args: args} }

// truth is the constant of a truth value.
func truth(b bool) *term {
	if b {
		return yes
	}
	return no
}

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
		case t == neutral:
		case t.op == op:
			all = append(all, t.args...)
		default:
			all = append(all, t)
		}
	}
	switch len(all) {
	case 0:
		return neutral
	case 1:
		return all[0]
	}
	return symbol(op, boolean, all...)
}

func and(ts ...*term) *term { return joined("and", yes, ts) }
func or(ts ...*term) *term  { return joined("or", no, ts) }

func implies(a, b *term) *term { return or(not(a), b) }

func equal(a, b *term) *term {
	if a.is(b) {
		return yes
	}
	return symbol("=", boolean, a, b)
}

// less is the strict order of nodes or of times.
func less(a, b *term) *term {
	if a.is(b) {
		return no
	}
	return symbol("lt"+string(a.sort), boolean, a, b)
}

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

// is reports whether two terms are written alike.
func (t *term) is(u *term) bool {
	return t == u || t.op == u.op && t.vars == nil && u.vars == nil &&
		slices.EqualFunc(t.args, u.args, (*term).is)
}

// with replaces symbols without arguments by terms. Bound variables have names of their own, so nothing is
// captured.
func (t *term) with(put map[string]*term) *term {
	if len(put) == 0 {
		return t
	}
	if len(t.args) == 0 {
		if u := put[t.op]; u != nil {
			return u
		}
		return t
	}
	changed, args := false, make([]*term, len(t.args))
	for i, a := range t.args {
		args[i] = a.with(put)
		changed = changed || args[i] != a
	}
	switch {
	case !changed:
		return t
	case t.op == "=":
		return equal(args[0], args[1])
	case t.op == "not":
		return not(args[0])
	case t.op == "and":
		return and(args...)
	case t.op == "or":
		return or(args...)
	}
	return &term{op: t.op, sort: t.sort, args: args, vars: t.vars}
}

// any reports whether a term has a part for which f is true.
func (t *term) any(f func(*term) bool) bool {
	return f(t) || slices.ContainsFunc(t.args, func(a *term) bool { return a.any(f) })
}

func (t *term) mentions(name string) bool { return t.any(func(u *term) bool { return u.op == name }) }

func (t *term) isQuantified() bool { return t.any(func(u *term) bool { return u.vars != nil }) }

// String is the term in SMT-LIB.
func (t *term) String() string {
	var b strings.Builder
	t.write(&b)
	return b.String()
}

func (t *term) write(b *strings.Builder) {
	if len(t.args) == 0 {
		b.WriteString(quoted(t.op))
		return
	}
	b.WriteString("(" + quoted(t.op))
	if t.vars != nil {
		b.WriteString(" (" + parameters(t.vars) + ")")
	}
	for _, a := range t.args {
		b.WriteByte(' ')
		a.write(b)
	}
	b.WriteByte(')')
}

// parameters declares variables: (x Node) (t Time).
func parameters(vars []*term) string {
	var all []string
	for _, v := range vars {
		all = append(all, "("+quoted(v.op)+" "+string(v.sort)+")")
	}
	return strings.Join(all, " ")
}

// An alternation is a quantifier that makes a formula undecidable: for each value of one sort it asks for a
// value of another, and the sorts are in a circle.
type alternation struct{ from, to sort }

// alternates finds such a quantifier in a formula that is asserted, or denied if positive is false. outer are
// the sorts over which the formula is quantified universally. A time for each process is allowed: no function
// leads from times to processes.
func (t *term) alternates(positive bool, outer []sort) *alternation {
	switch {
	case t.op == "not":
		return t.args[0].alternates(!positive, outer)
	case t.vars != nil:
		for _, v := range t.vars {
			if (t.op == "forall") == positive {
				outer = append(slices.Clip(outer), v.sort)
				continue
			}
			for _, o := range outer {
				if v.sort != instant || o != node {
					return &alternation{o, v.sort}
				}
			}
		}
		return t.args[0].alternates(positive, outer)
	}
	for _, a := range t.args {
		found := a.alternates(positive, outer)
		if found == nil && t.op != "and" && t.op != "or" { // the formula may assert and deny its parts
			found = a.alternates(!positive, outer)
		}
		if found != nil {
			return found
		}
	}
	return nil
}
