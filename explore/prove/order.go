package prove

import (
	"cmp"
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// Channels that keep the order of sending have a relation for each two kinds of messages: of two messages in
// one channel, the first was sent before the second. A message that is sent comes behind all others, and a
// message is received only if no other one in its channel is before it. So the relation says of all messages
// on their way what the queues of the model say, and the steps are the same; on absent messages it says
// nothing, and sending sets it again. If two equal messages of a kind may be on their way, the kind has no
// relation: its messages arrive in any order, which allows more. So do all messages where no invariant reads
// the order.

// ahead is the relation of two kinds; nil: they have none.
func (t *theory) aheadOf(k, l *field) *field { return t.fields["ahead."+k.name+" "+l.name] }

// declareOrder declares the relations, after the messages.
func (t *theory) declareOrder(f *syntax.File) {
	_, given := t.model.arg("network", -1).(*declared)
	if t.model.arg("channel", -1) == "fifo" || given && t.args["channel"] == "fifo" {
		syntax.Walk(f, func(n syntax.Node) bool {
			x, is := n.(*syntax.Ident)
			t.fifo = t.fifo || is && x.Name == "ahead"
			return true
		})
	}
	for _, k := range t.kinds {
		for _, l := range t.kinds {
			f, g := t.fields["msg."+k.name], t.fields["msg."+l.name]
			if t.fifo && !t.repeated[f.name] && !t.repeated[g.name] {
				args := append(slices.Clip(f.args), g.args[2:]...)
				t.add("ahead."+f.name+" "+g.name, args, boolean, &dataType{kind: "order"})
			}
		}
	}
}

// wild are arguments of messages of a kind that stand for all values, without sender and receiver.
func (f *field) wild() []*term { return slices.Repeat([]*term{anything}, len(f.args)-2) }

// last puts a message that is sent behind all others of its channel. A loop sends one message to a channel:
// of several the translation does not know the order.
func (e *evaluation) last(x syntax.Expr, f *field, args []*term) {
	for _, k := range e.kinds {
		g := e.fields["msg."+k.name]
		before, after := e.aheadOf(g, f), e.aheadOf(f, g)
		if before == nil {
			continue
		}
		for _, l := range e.loops {
			must(slices.ContainsFunc(l.vars, args[1].is), x, "a loop that sends messages to one process is "+
				"outside the fragment where channels keep the order")
		}
		e.update(x, before, slices.Concat(args[:2], g.wild(), args[2:]), func([]*term) *term { return yes })
		e.update(x, after, slices.Concat(args, g.wild()), func([]*term) *term { return no })
	}
}

// first is the condition that no message is before one that is received.
func (e *evaluation) first(f *field, args []*term) (all []*term) {
	for _, p := range e.flying() {
		m := p.value.(*message)
		g := e.fields["msg."+m.typ.name]
		if before := e.aheadOf(g, f); before != nil {
			at := slices.Concat(args[:2], m.fields)
			is := and(e.now[g](at), e.now[before](append(at, args[2:]...)))
			all = append(all, forall(p.vars[2:], not(is)))
		}
	}
	return all
}

// ahead says that the message a was sent before b in one channel.
func (e *evaluation) ahead(x syntax.Expr, a, b any) *term {
	m, is := a.(*message)
	n, also := b.(*message)
	must(is && also && m.src != nil && n.src != nil && e.fifo, x, `ahead takes messages on their way, where `+
		`channel is "fifo"`)
	k, l := e.fields["msg."+m.typ.name], e.fields["msg."+n.typ.name]
	e.unique[k.name], e.unique[l.name] = true, true
	f := e.aheadOf(k, l)
	return and(equal(m.src, n.src), equal(m.dst, n.dst),
		e.now[f](slices.Concat([]*term{m.src, m.dst}, m.fields, n.fields)))
}

// A waiting is a message on its way to a process. args are its sender, the process and its fields.
type waiting struct {
	in   *structure
	f    *field
	args []int
}

func (w waiting) String() string {
	return w.in.messageText(w.f, w.args) + " from " + process(w.args[0])
}

// queue orders the messages to a process as reports of searches do: by their texts; where channels keep the
// order by sender, and then by the order of sending.
func (m *structure) queue(a, b waiting) int {
	if !m.fifo {
		return strings.Compare(a.String(), b.String())
	}
	ahead := func(a, b waiting) bool {
		f := m.aheadOf(a.f, b.f)
		return f != nil && m.values[key(f.name, slices.Concat(a.args, b.args[2:])...)] == 1
	}
	return cmp.Or(a.args[0]-b.args[0], bit(ahead(b, a))-bit(ahead(a, b)),
		strings.Compare(a.String(), b.String()))
}
