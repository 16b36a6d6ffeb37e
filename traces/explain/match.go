package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces/logs/order"
	"github.com/atmostk/atmostk/traces/printable"
)

// A successor is a step and the state to which it leads.
type successor struct {
	step  step
	point point
	skip  bool // the event, which may not have happened, did not
}

// A mismatch describes why a step of the model is not the one in the log.
type mismatch struct {
	depth int // number of parts that were compared; greater means nearer
	why   string
}

// originBit is set in marks that have the event that sent a message; other marks identify the line that
// receives it.
const originBit = 1 << 31

// matches returns the steps of p in state v that explain line l, and appends mismatches to why, if not nil.
func (s *matcher) matches(v point, p model.Proc, l *line, why *mismatches) (ns []successor) {
	for _, a := range l.actions {
		if s.track.Class(a) == interp.Receipt {
			continue
		}
		ms := s.track.steps(v, p, a)
		for i := range ms {
			s.compare(v, &ms[i], l, why, &ns)
		}
	}
	if slices.ContainsFunc(l.actions, func(a int) bool { return s.track.Class(a) == interp.Receipt }) {
		for i, content := range v.inboxes[p] {
			if diff := s.receivable(&content, l); diff != "" {
				why.add(1, diff)
				continue
			}
			ms := s.track.receive(v, p, i)
			for j := range ms {
				if slices.Contains(l.actions, ms[j].Action) {
					s.compare(v, &ms[j], l, why, &ns)
				}
			}
		}
	}
	return ns
}

// mismatches has the reasons why steps do not explain a line; nil: reasons are not needed.
type mismatches []mismatch

func (why *mismatches) add(depth int, text string) {
	if why != nil {
		*why = append(*why, mismatch{depth, text})
	}
}

// receivable returns the reason why l cannot receive a message; "": it can.
func (s *matcher) receivable(m *envelope, l *line) string {
	e := &s.h.Events[l.event]
	switch {
	case l.from >= 0 && int(m.From) != l.from:
		return fmt.Sprintf("%s is from %s", m.text, s.names[m.From])
	case e.Message != "" && e.Message != m.text:
		return fmt.Sprintf("the message: the log has %s, the model %s", e.Message, m.text)
	case l.mark != 0 && m.Mark != l.mark:
		return fmt.Sprintf("%s from %s is not message %s", m.text, s.names[m.From], e.ID)
	case l.mark == 0 && reserved(m):
		return fmt.Sprintf("%s from %s is received in another line", m.text, s.names[m.From])
	case !s.known(m, e):
		return fmt.Sprintf("by its clock the node had not heard of %s from %s", m.text, s.names[m.From])
	}
	return ""
}

// reserved reports whether some line of the log receives m.
func reserved(m *envelope) bool { return m.Mark != 0 && m.Mark&originBit == 0 }

// known reports whether m can have been received at or before event e, according to vector clocks.
func (s *matcher) known(m *envelope, e *order.Event) bool {
	if m.Mark&originBit == 0 {
		return true
	}
	send := &s.h.Events[m.Mark&^originBit]
	return send.Node >= min(len(e.Clock), len(send.Clock)) || send.Clock[send.Node] <= e.Clock[send.Node]
}

// compare adds a step to ns if it agrees with l: once for each way to identify its messages with logged ones.
func (s *matcher) compare(v point, m *step, l *line, why *mismatches, ns *[]successor) {
	e := &s.h.Events[l.event]
	if s.track.Class(m.Action) == interp.CrashNotice && l.from >= 0 && int(m.Peer) != l.from {
		why.add(1, fmt.Sprintf("the crashed process is %s", s.names[m.Peer]))
		return
	}
	all, diff := s.address(v, m, l)
	if diff != "" {
		why.add(2, diff)
		return
	}
	for _, marks := range all {
		w := s.track.take(v, m, marks)
		if diff := s.effects(v, w, m, l, e); diff != "" {
			why.add(3, diff)
			return
		}
		*ns = append(*ns, successor{step: *m, point: w})
	}
}

// effects describes how the state after a step differs from the log; "": it does not.
func (s *matcher) effects(v, w point, m *step, l *line, e *order.Event) string {
	if l.effect != 0 || e.Units > 0 {
		before, after := v.Units(m.Proc), w.Units(m.Proc)
		switch {
		case l.effect > 0 && after <= before:
			return s.actions[m.Action].Name + " does not enter"
		case l.effect < 0 && after >= before:
			return s.actions[m.Action].Name + " does not release"
		case after > before && e.Units > 0 && after != e.Units:
			return fmt.Sprintf("units: the log has %d, the model %d", e.Units, after)
		}
	}
	if len(e.State) == 0 || m.Crash {
		return ""
	}
	vars := s.track.varsOf(w, m.Proc)
	for _, name := range slices.Sorted(maps.Keys(e.State)) {
		i := slices.IndexFunc(vars, func(x lts.Var) bool { return x.Name == name })
		if i < 0 {
			i = slices.IndexFunc(vars, func(x lts.Var) bool { return normal(x.Name) == normal(name) })
		}
		if i < 0 {
			return fmt.Sprintf("state variable %s: the model has none of that name", name)
		}
		if strings.TrimSpace(e.State[name]) != vars[i].Value {
			return fmt.Sprintf("state variable %s: the log has %s, the model %s", name, e.State[name],
				vars[i].Value)
		}
	}
	return ""
}

// address compares the messages that a step sends with the messages in a line. It returns the marks for the
// messages sent: one list for each way to identify them with logged messages that some line receives.
func (s *matcher) address(v point, m *step, l *line) (all [][]uint32, diff string) {
	e := &s.h.Events[l.event]
	a := addressing{s: s, sent: m.sent, marks: make([]uint32, len(m.sent)), used: make([]byte, len(m.sent)),
		dead: map[string]bool{}}
	for _, received := range []bool{true, false} {
		for _, x := range e.Sent {
			if s.received(&x) == received {
				a.logged = append(a.logged, x)
			}
		}
	}
	if len(e.Clock) > 0 {
		for i := range a.marks {
			a.marks[i] = originBit | uint32(l.event)
		}
	}
	if s.strict && l.class != interp.CrashStep {
		for i := range m.sent {
			if !v.IsDead(m.sent[i].To) {
				a.must = append(a.must, i)
			}
		}
	}
	a.assign(0)
	if len(a.found) == 0 {
		sent := printable.Each(m.sent, func(m *envelope) string { return m.text + " to " + s.names[m.To] })
		return nil, fmt.Sprintf("sent: the log has %s, the model %s", s.loggedList(e.Sent),
			cmp.Or(strings.Join(sent, ", "), "nothing"))
	}
	return a.found, ""
}

// addressing matches the messages of a line with the messages of a step, one to one.
type addressing struct {
	s      *matcher
	logged []order.Sent // messages that some line receives come first, as only they get a mark
	sent   []envelope
	must   []int // indices in sent of messages that the line must name
	marks  []uint32
	used   []byte // of each message in sent, 1: a logged one is assigned to it
	found  [][]uint32
	dead   map[string]bool // failed calls of assign: first logged message, and used at that time
}

// assign assigns messages of the step to the logged messages from i on, and reports whether it succeeded. It
// tries all assignments of messages that some line receives; one assignment of the others is enough.
func (a *addressing) assign(i int) (matched bool) {
	if i == len(a.logged) {
		if slices.ContainsFunc(a.must, func(j int) bool { return a.used[j] == 0 }) {
			return false
		}
		if !slices.ContainsFunc(a.found, func(f []uint32) bool { return slices.Equal(f, a.marks) }) {
			a.found = append(a.found, slices.Clone(a.marks))
		}
		return true
	}
	received := a.s.received(&a.logged[i])
	key := string(append([]byte{byte(i), byte(i >> 8)}, a.used...))
	for j := range a.sent {
		l, m := &a.logged[i], &a.sent[j]
		fits := (l.To < 0 || a.s.proc[l.To] == m.To) && (l.Message == "" || l.Message == m.text)
		mark, old := a.s.marks[messageKey{l.ID, m.To}], a.marks[j]
		if a.used[j] == 1 || !fits || received && mark == 0 || !received && (matched || a.dead[key]) {
			continue
		}
		if a.used[j] = 1; received {
			a.marks[j] = mark
		}
		matched = a.assign(i+1) || matched
		a.used[j], a.marks[j] = 0, old
	}
	a.dead[key] = !matched
	return matched
}

// received reports whether some line receives a logged message.
func (s *matcher) received(m *order.Sent) bool {
	if m.ID == "" {
		return false
	}
	if m.To >= 0 {
		return s.marks[messageKey{m.ID, s.proc[m.To]}] != 0
	}
	for p := range s.names {
		if s.marks[messageKey{m.ID, model.Proc(p)}] != 0 {
			return true
		}
	}
	return false
}

func (s *matcher) loggedList(ms []order.Sent) string {
	parts := printable.Each(ms, func(m *order.Sent) string {
		if m.To < 0 {
			return cmp.Or(m.Message, "a message")
		}
		return cmp.Or(m.Message, "a message") + " to " + s.names[s.proc[m.To]]
	})
	return cmp.Or(strings.Join(parts, ", "), "nothing")
}
