package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/traces/logs/order"
	"github.com/atmostk/atmostk/traces/printable"
)

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

func (a *addressing) fits(i, j int) bool {
	l, m := &a.logged[i], &a.sent[j]
	return (l.To < 0 || a.s.proc[l.To] == m.To) && (l.Message == "" || l.Message == m.text)
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
		mark, old := a.s.marks[messageKey{a.logged[i].ID, a.sent[j].To}], a.marks[j]
		if a.used[j] == 1 || !a.fits(i, j) || received && mark == 0 || !received && (matched || a.dead[key]) {
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
