package starfile

import (
	"slices"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
)

// exchanges reads the argument symmetric of processes. A number names a process in a type
// that has the numbers of all processes, or of all that may be exchanged with each other, and no others. If
// that is wrong, the search finds it.
func (c *composition) exchanges(m *composed, set *settings) {
	all := model.Set(0)
	for _, group := range set.list("symmetric") {
		s, err := c.set(group)
		if err != nil {
			set.fail("symmetric holds %s: %v; allowed: lists of processes, such as symmetric = [PROCS]",
				short(group), err)
		}
		for _, r := range c.roles {
			if in, _ := c.set(r); in&s != 0 && s&^in != 0 {
				set.fail("symmetric: %s has processes of several roles", short(group))
			}
		}
		if all&s != 0 {
			set.fail("symmetric: %s has a process of another list; each is in one list", short(group))
		}
		all |= s
		m.Symmetry = append(m.Symmetry, s)
	}
	m.Rename = func(l *local, to func(model.Proc) model.Proc) {
		r, bytes := c.roleOf(l.bytes)
		me := c.renamed(r.local, r.local.unpacked(bytes), m.Symmetry, to).(*record)
		renamed, _ := r.local.packed(me) // processes stay processes
		l.bytes = l.bytes[:len(l.bytes)-len(bytes)] + renamed
	}
	m.RenameMessage = func(sent *message, to func(model.Proc) model.Proc) {
		r := c.messages.unpackedMessage(sent.bytes)
		sent.bytes, _ = c.messages.packedMessage(c.renamed(r.t, r, m.Symmetry, to)) // as above
	}
}

// names reports whether the values of a type name processes.
func (c *composition) names(t *valueType, among []model.Set) bool {
	values := valuesOf(t)
	s, err := c.set(starlark.Tuple(values))
	return err == nil && s.Len() == len(values) && (s == model.All(c.n) || slices.Contains(among, s))
}

// renamed returns a value of a type with its processes renamed.
func (c *composition) renamed(
	t *valueType, v starlark.Value, among []model.Set, to func(model.Proc) model.Proc,
) starlark.Value {
	switch {
	case t.is == optionals && v != starlark.None:
		return c.renamed(t.of, v, among, to)
	case t.is == unions:
		return c.renamed(t.types[t.member(v)], v, among, to)
	case (t.is == numbers || t.is == listed) && c.names(t, among):
		p, _ := c.proc(v) // v is of the type
		return c.id(to(p))
	case t.is == numbers, t.is == listed, t.is == texts, t.is == optionals:
		return v
	}
	xs, _ := t.partsOf(v)
	all := slices.Clone(xs)
	for i, x := range xs {
		at := i
		if t.is == arrays && c.names(t.key, among) {
			p, _ := c.proc(t.key.values[i])
			at, _ = t.key.place(c.id(to(p)))
		}
		all[at] = c.renamed(t.at(i), x, among, to)
	}
	return t.made(all)
}
