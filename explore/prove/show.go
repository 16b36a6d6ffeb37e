package prove

import (
	"fmt"
	"slices"
	"strings"
)

// lines shows a state as the house shows states, a line for each process.
func (m *structure) lines(t *theory) (all []string) {
	for p := range m.size.nodes {
		var words []string
		for _, v := range m.variables(t, p) {
			words = append(words, v[0]+"="+v[1])
		}
		all = append(all, fmt.Sprintf("p%d: %s", p+t.first.plus, strings.Join(words, " ")))
	}
	return all
}

// changes shows the difference between two states.
func (m *structure) changes(t *theory, next *structure) (all []string) {
	for p := range m.size.nodes {
		after := next.variables(t, p)
		for i, v := range m.variables(t, p) {
			if v != after[i] {
				all = append(all, fmt.Sprintf("p%d.%s: %s -> %s", p+t.first.plus, v[0], v[1], after[i][1]))
			}
		}
	}
	return all
}

// variables are the variables of a process with their values; the last one is its inbox.
func (m *structure) variables(t *theory, p int) (all [][2]string) {
	for _, f := range t.local.fields {
		if f.typ.kind != open {
			all = append(all, [2]string{f.name, m.show(t, "me."+f.name, f.typ, []int{p})})
		}
	}
	var inbox []string
	for _, k := range t.kinds {
		f := t.fields["msg."+k.name]
		m.tuples(f.args, func(args []int) {
			if args[1] == p && m.values[key(f.name, args)] == 1 {
				inbox = append(inbox, t.messageText(k.name, f.args[2:], args[2:])+" from "+t.process(args[0]))
			}
		})
	}
	slices.Sort(inbox)
	return append(all, [2]string{"inbox", "[" + strings.Join(inbox, ", ") + "]"})
}

func (t *theory) process(p int) string { return fmt.Sprintf("p%d", p+t.first.plus) }

func (t *theory) messageText(name string, sorts []sort, args []int) string {
	if len(args) == 0 {
		return name
	}
	var words []string
	for i, s := range sorts {
		words = append(words, t.valueText(s, args[i]))
	}
	return name + "(" + strings.Join(words, " ") + ")"
}

// valueText is a value as the house shows it.
func (t *theory) valueText(s sort, v int) string {
	switch s {
	case boolean:
		return []string{"False", "True"}[v]
	case node:
		return fmt.Sprint(v + t.first.plus)
	}
	return fmt.Sprint(v)
}

// show is a variable, or an element of it.
func (m *structure) show(t *theory, name string, typ *dataType, args []int) string {
	switch typ.kind {
	case arrays:
		var all []string
		for q := range m.size.nodes {
			all = append(all, m.show(t, name, typ.of, append(slices.Clip(args), q)))
		}
		return "[" + strings.Join(all, ",") + "]"
	case sets:
		var all []string
		f := t.fields[name]
		s := f.args[len(f.args)-1]
		for v := range m.domain(s) {
			if m.values[key(name, append(slices.Clip(args), v))] == 1 {
				all = append(all, t.valueText(s, v))
			}
		}
		return "{" + strings.Join(all, ",") + "}"
	case wordsOf:
		for _, w := range typ.words {
			if m.values[key(name+"="+w, args)] == 1 {
				return w
			}
		}
		return "?"
	}
	return t.valueText(t.fields[name].sort, m.values[key(name, args)])
}
