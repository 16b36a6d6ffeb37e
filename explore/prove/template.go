package prove

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
)

// A template is a form of conjuncts: for all values of a comprehension's variables, one of some atoms holds,
// or one of some others does not.
type template struct {
	loops string // "for p in g.live for q in g.live"
	atoms []string
	parts gathering       // the values of the atoms, as terms
	met   map[uint64]bool // truth values of all atoms in reachable states, a bit each
}

// templates are the forms that the variables and messages of a model allow: about a process, two processes, a
// stored time, a message with its sender and receiver or with some process, and two messages.
func (t *theory) templates() (all []*template) {
	add := func(loops, procs string, times []string, atoms ...string) {
		if atoms = t.atoms(strings.Fields(procs), times, atoms); atoms != nil {
			all = append(all, &template{loops, atoms, nil, map[uint64]bool{}})
		}
	}
	const pair, same = "for p in g.live for q in g.live", "p.id == q.id"
	add("for p in g.live", "p", nil)
	add(pair+" if p.id != q.id", "p q", nil)
	for _, m := range t.local.fields {
		if m.typ.kind == "array" && m.typ.of.kind == "set" && m.typ.of.of.kind == "time" {
			add(pair+" for t in p."+m.name+"[q.id]", "p q", []string{"t"}, same)
		}
	}
	for i, k := range t.kinds {
		e := fmt.Sprintf("for e in g.messages if e.kind == %q ", k.name)
		add(e+"for p in g.live if p.id == e.src for q in g.live if q.id == e.dst", "p q", k.times("e"), same)
		add(e+"for p in g.live", "p", k.times("e"), "p.id == e.src", "p.id == e.dst")
		for _, l := range t.kinds[i:] {
			add(e+fmt.Sprintf("for f in g.messages if f.kind == %q", l.name), "",
				append(k.times("e"), l.times("f")...),
				"e.src == f.src", "e.dst == f.dst", "e.src == f.dst", "e.dst == f.src")
		}
	}
	return all
}

// times are the fields of a message that hold times.
func (k *dataType) times(of string) (all []string) {
	for _, m := range k.fields {
		if m.typ.kind == "time" {
			all = append(all, of+".message."+m.name)
		}
	}
	return all
}

// atoms are the simplest statements about at most two processes, p and q, and about times, 64 at most.
func (t *theory) atoms(procs, times, all []string) []string {
	add := func(format string, a ...any) { all = append(all, fmt.Sprintf(format, a...)) }
	var sets, own []string
	for i, p := range procs {
		other := procs[len(procs)-1-i] + ".id" // of p alone, it is p
		for _, m := range t.local.fields {
			name, typ := p+"."+m.name, m.typ
			if typ.kind == "array" {
				if typ.of.kind == "time" && len(procs) > 1 {
					own = append(own, name+"["+p+".id]")
				}
				name, typ = name+"["+other+"]", typ.of
			}
			switch {
			case typ.kind == "word":
				for _, w := range typ.words {
					add("%s == %q", name, w)
				}
			case typ.kind == "bool":
				add("%s", name)
			case typ.kind == "time":
				own = append(own, name)
			case typ.kind == "set" && typ.of.kind == "time":
				sets = append(sets, name)
			case typ.kind == "set" && typ.of.kind == "process":
				add("%s in %s", other, name)
			}
		}
	}
	for i := range own[:len(own)/2*bit(len(procs) == 2)] {
		add("(%s, p.id) < (%s, q.id)", own[i], own[i+len(own)/2])
	}
	times = append(times, own...)
	for i, a := range times {
		for _, s := range sets {
			add("%s in %s", a, s)
		}
		for _, b := range times[i+1:] {
			add("%s <= %s", a, b)
			add("%s <= %s", b, a)
		}
	}
	return all[:min(len(all), 64)]
}

// bind evaluates the atoms of templates.
func (t *theory) bind(forms []*template) {
	for _, c := range forms {
		e := t.evaluation(t.before())
		e.names["g"] = global{}
		c.parts = e.eval(expression("[(" + strings.Join(c.atoms, ", ") + ",) " + c.loops + "]")).(gathering)
	}
}

// vectors calls f with the truth values of the atoms for all values of the variables.
func (m *structure) vectors(c *template, f func(uint64)) {
	bound := map[string]int{}
	for _, p := range c.parts {
		m.bind(p.vars, p.cond.conjuncts(), bound, func() {
			var v uint64
			for i, a := range p.value.(tuple) {
				v |= uint64(m.eval(a.(*term), bound)) << i
			}
			f(v)
		})
	}
}

// bind calls f for all values of variables that fulfil conditions. It asks each condition as soon as it can.
func (m *structure) bind(vars, conds []*term, bound map[string]int, f func()) {
	var later []*term
	for _, c := range conds {
		if slices.ContainsFunc(vars, func(v *term) bool { return c.mentions(v.op) }) {
			later = append(later, c)
		} else if m.eval(c, bound) == 0 {
			return
		}
	}
	if len(vars) == 0 {
		f()
		return
	}
	for v := range m.size[vars[0].sort] {
		bound[vars[0].op] = v
		m.bind(vars[1:], later, bound, f)
	}
}

// separate finds a smallest set of atoms, so that in each vector that is met one has another value than in v.
func (c *template) separate(v uint64) (atoms uint64, is bool) {
	all := mapped(slices.Sorted(maps.Keys(c.met)), func(met uint64) uint64 { return met ^ v })
	for most := 1; most <= mostAtoms && !is && !c.met[v]; most++ {
		atoms, is = hit(all, 0, most)
	}
	return atoms, is
}

// hit adds at most most bits, so that each of all has one of the bits.
func hit(all []uint64, chosen uint64, most int) (uint64, bool) {
	var open uint64
	for _, d := range all {
		if d&chosen == 0 && (open == 0 || bits.OnesCount64(d) < bits.OnesCount64(open)) {
			open = d
		}
	}
	if open == 0 {
		return chosen, true
	}
	for ; open != 0 && most > 0; open &= open - 1 {
		if found, is := hit(all, chosen|open&-open, most-1); is {
			return found, true
		}
	}
	return 0, false
}
