package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/logs/order"
	"github.com/atmostk/atmostk/traces/printable"
)

// A matcher has the log in terms of the model (the process of each step, its possible actions, the lines
// before it), and compares steps of the model with lines. It does not change after it was made.
type matcher struct {
	h       *order.History
	in      model.Instance
	track   *tracker
	actions []lts.Action
	names   []string     // of the processes
	proc    []model.Proc // per node of the history
	lines   [][]line     // per process, in order
	total   int          // lines of all processes
	strict  bool         // lines name all messages that they send
	marks   map[messageKey]uint32
	twice   map[uint32]bool // marks of messages that were sent more than once
	clocks  bool            // some line that sends a message has a vector clock
}

// A messageKey identifies a message of the log: its id there, and its target.
type messageKey struct {
	id string
	to model.Proc
}

// A line is an event that the model has to explain with one step.
type line struct {
	event   int   // index into History.Events
	actions []int // the step takes one of these
	class   interp.Class
	effect  int    // +1: the step must raise the units in use, -1: lower them; 0: either
	after   []need // lines of other processes that must be explained before
	from    int    // the sender, or the crashed process in a notice; -1: not logged
	mark    uint32 // of the message received; 0: the log does not identify it
	// the largest number of steps of the process between the line before and this one; -1: unknown
	gap int
}

// A need is a number of lines of a process that have to be explained first.
type need struct {
	proc  model.Proc
	lines int32
}

// normal returns a name of an action or variable without case, spaces, hyphens and underscores.
func normal(name string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' || r == '-' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// newMatcher translates a log into the terms of a model; it is an error if the model lacks a name.
func newMatcher(in model.Instance, h *order.History, opt *Options) (*matcher, error) {
	if in.Interp == nil || in.Plain == nil {
		return nil, fmt.Errorf("the model is not made of processes, so it cannot explain a log of nodes")
	}
	s := &matcher{h: h, in: in, track: newTracker(in.Interp), actions: in.Space.Actions()}
	for a := range s.actions {
		if s.track.Class(a) == interp.ChannelFault {
			return nil, fmt.Errorf("a model with channel faults cannot explain logs: leave out losses=, " +
				"copies= and partition=")
		}
	}
	s.names = s.track.Names
	s.lines = make([][]line, len(s.names))
	s.strict = !opt.PartialSent && slices.ContainsFunc(h.Events,
		func(e order.Event) bool { return e.Sent != nil })
	if err := s.nodes(); err != nil {
		return nil, err
	}
	s.markMessages()
	return s, s.read(opt)
}

// nodes maps the nodes to processes.
func (s *matcher) nodes() error {
	nodeOf := map[model.Proc]string{}
	for _, node := range s.h.Nodes {
		p := slices.IndexFunc(s.names, func(name string) bool { return strings.EqualFold(name, node) })
		if p < 0 {
			return fmt.Errorf("the model has no process %q%s; it has %s", node, usage.Nearest(node, s.names),
				strings.Join(s.names, ", "))
		}
		if other, twice := nodeOf[model.Proc(p)]; twice {
			return fmt.Errorf("the nodes %q and %q are both process %s", other, node, s.names[p])
		}
		nodeOf[model.Proc(p)] = node
		s.proc = append(s.proc, model.Proc(p))
	}
	return nil
}

// markMessages gives a mark to each message whose id is both in a send and in a receipt, and notes messages
// that were sent more than once.
func (s *matcher) markMessages() {
	sent := map[string][]order.Sent{}
	for i := range s.h.Events {
		for _, m := range s.h.Events[i].Sent {
			sent[m.ID] = append(sent[m.ID], m)
			s.clocks = s.clocks || s.h.Events[i].Clock != nil
		}
	}
	s.marks, s.twice = map[messageKey]uint32{}, map[uint32]bool{}
	for i := range s.h.Events {
		e := &s.h.Events[i]
		key := messageKey{e.ID, s.proc[e.Node]}
		if e.ID == "" || sent[e.ID] == nil || s.marks[key] != 0 {
			continue
		}
		mark := uint32(len(s.marks) + 1)
		times := 0
		for _, m := range sent[e.ID] {
			if m.To < 0 || s.proc[m.To] == key.to {
				times++
			}
		}
		s.marks[key], s.twice[mark] = mark, times > 1
	}
}

// read makes lines of the events. Ignored events become no lines, but their place in the order counts.
func (s *matcher) read(opt *Options) error {
	ignored := map[string]bool{}
	for _, name := range opt.Ignore {
		ignored[normal(name)] = true
	}
	n := len(s.h.Events)
	o := ordering{s: s, kept: make([]bool, n), rank: make([]int32, n), dropped: make([]int, n)}
	unknown := map[string]bool{}
	var list []string // unknown names, each with its first event
	for node, events := range s.h.ByNode {
		p := s.proc[node]
		var last *order.Event
		// The event before, if it is ignored, and the number of ignored ones since the last line.
		before, dropped := -1, 0
		for _, i := range events {
			e := &s.h.Events[i]
			l, known := s.line(i)
			ignore := ignored[normal(e.Name)]
			if !known && !ignore && !ignored["*"] {
				if !unknown[e.Name] {
					unknown[e.Name] = true
					list = append(list, fmt.Sprintf("%q (%s)", e.Name, e.Place))
				}
				continue
			}
			o.rank[i], o.dropped[i] = int32(len(s.lines[p])), before
			if !known || ignore {
				before = i
				dropped++
				continue
			}
			o.kept[i] = true
			l.gap = gap(node, last, e, dropped)
			s.lines[p] = append(s.lines[p], l)
			last, before, dropped = e, -1, 0
		}
		s.total += len(s.lines[p])
	}
	if len(list) > 0 {
		return fmt.Errorf("the model has no such actions: %s; it has %s",
			strings.Join(list[:min(len(list), 8)], ", "), strings.Join(printable.Each(s.actions,
				func(a *lts.Action) string { return a.Name }), ", "))
	}
	o.resolve()
	return nil
}

// line makes the line of an event; known is false if its name belongs to no action.
func (s *matcher) line(i int) (l line, known bool) {
	e := &s.h.Events[i]
	l = line{event: i, from: -1}
	if e.From >= 0 {
		l.from = int(s.proc[e.From])
	}
	l.actions, l.effect = s.meaning(normal(e.Name))
	if len(l.actions) == 0 {
		return l, false
	}
	l.class = s.track.Class(l.actions[0])
	l.mark = s.marks[messageKey{e.ID, s.proc[e.Node]}]
	return l, true
}

// meaning returns the actions that an event's name can mean, and the required effect on the units in use.
func (s *matcher) meaning(name string) (actions []int, effect int) {
	which := func(ok func(a int) bool) (list []int) {
		for a := range s.actions {
			if ok(a) {
				list = append(list, a)
			}
		}
		return list
	}
	if actions = which(func(a int) bool { return normal(s.actions[a].Name) == name }); actions != nil {
		return actions, 0
	}
	switch name {
	case "enter":
		effect = 1
	case "release", "exit":
		effect = -1
	case "receive":
		return which(func(a int) bool { return s.track.Class(a) == interp.Receipt }), 0
	default:
		return nil, 0
	}
	return which(func(a int) bool { return s.track.Class(a) <= interp.CrashNotice }), effect
}

// gap returns the largest number of steps between two lines of a node without a line in the log, by the
// node's own count; dropped is the number of ignored lines between them; -1: unknown.
func gap(node int, last, e *order.Event, dropped int) int {
	count := func(e *order.Event) int64 {
		switch {
		case e == nil:
			return 0
		case e.Seq > 0:
			return e.Seq
		case node < len(e.Clock):
			return int64(e.Clock[node])
		}
		return 0
	}
	now, before := count(e), count(last)
	if now == 0 || last != nil && (before == 0 || (last.Seq > 0) != (e.Seq > 0)) ||
		now-before-1 < int64(dropped) {
		return -1
	}
	return int(now-before-1) - dropped
}

// An ordering turns the order of events into the needs of lines.
type ordering struct {
	s       *matcher
	kept    []bool  // per event: it has a line
	rank    []int32 // per event: number of lines of its process before it
	dropped []int   // per event: the ignored event directly before it at its node; -1: none
}

// resolve fills in the needs of each line.
func (o *ordering) resolve() {
	for p := range o.s.lines {
		for i := range o.s.lines[p] {
			l := &o.s.lines[p][i]
			most := make([]int32, len(o.s.names))
			o.before(most, l.event)
			for q, n := range most {
				if n > 0 && q != p {
					l.after = append(l.after, need{model.Proc(q), n})
				}
			}
		}
	}
}

// before raises most, the number of lines needed of each process, by the events known to be before e.
func (o *ordering) before(most []int32, e int) {
	for ; e >= 0; e = o.dropped[e] {
		for _, x := range o.s.h.After[e] {
			p := o.s.proc[o.s.h.Events[x].Node]
			if o.kept[x] {
				most[p] = max(most[p], o.rank[x]+1)
				continue
			}
			most[p] = max(most[p], o.rank[x])
			o.before(most, x)
		}
	}
}
