package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/traces/logs"
)

// address compares the messages of a step with the messages of a line. It returns the
// marks that the messages get: one list for each way in which they can be the
// ones in the log, where that makes a difference.
func (s *matcher) address(v point, m *step, l *line) (all [][]uint32, diff string) {
	e := &s.h.Events[l.event]
	a := addressing{s: s, logged: e.Sent, sent: m.sent, marks: make([]uint32, len(m.sent)),
		used: make([]bool, len(m.sent))}
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
		return nil, fmt.Sprintf("sent: the log has %s, the model %s", s.loggedList(e.Sent),
			s.sentList(m.sent))
	}
	return a.found, ""
}

// addressing matches the messages of a line with the messages of a step, one to one.
type addressing struct {
	s      *matcher
	logged []logs.Sent
	sent   []envelope
	must   []int // messages that the line must have
	marks  []uint32
	used   []bool
	found  [][]uint32
}

// fits reports whether the logged message can be the one sent.
func (a *addressing) fits(i, j int) bool {
	l, m := &a.logged[i], &a.sent[j]
	return (l.To < 0 || a.s.proc[l.To] == m.To) && (l.Message == "" || l.Message == m.text)
}

// assign tries all messages for each logged one that some line receives, from i
// on; for the rest it is enough that they can be told apart in some way.
func (a *addressing) assign(i int) {
	for i < len(a.logged) && !a.received(i) {
		i++
	}
	if i == len(a.logged) {
		known := func(f []uint32) bool { return slices.Equal(f, a.marks) }
		if a.complete() && !slices.ContainsFunc(a.found, known) {
			a.found = append(a.found, slices.Clone(a.marks))
		}
		return
	}
	for j := range a.sent {
		mark := a.s.marks[messageKey{a.logged[i].ID, a.sent[j].To}]
		if a.used[j] || !a.fits(i, j) || mark == 0 {
			continue
		}
		old := a.marks[j]
		a.used[j], a.marks[j] = true, mark
		a.assign(i + 1)
		a.used[j], a.marks[j] = false, old
	}
}

// received reports whether some line receives the logged message.
func (a *addressing) received(i int) bool {
	l := &a.logged[i]
	if l.ID == "" {
		return false
	}
	if l.To >= 0 {
		return a.s.marks[messageKey{l.ID, a.s.proc[l.To]}] != 0
	}
	for p := range a.s.names {
		if a.s.marks[messageKey{l.ID, model.Proc(p)}] != 0 {
			return true
		}
	}
	return false
}

// complete reports whether the logged messages that are left, and the ones sent,
// can be matched: all logged ones, and all that the line must have. The two can
// be had together if each can be had (Mendelsohn and Dulmage).
func (a *addressing) complete() bool {
	var rest, free, must []int
	for i := range a.logged {
		if !a.received(i) {
			rest = append(rest, i)
		}
	}
	for j := range a.sent {
		if !a.used[j] {
			free = append(free, j)
			if slices.Contains(a.must, j) {
				must = append(must, j)
			}
		}
	}
	return len(rest) <= len(free) && len(must) <= len(rest) && matching(rest, free, a.fits) &&
		matching(must, rest, func(j, i int) bool { return a.fits(i, j) })
}

// matching reports whether each of left can be given one of right of its own.
func matching(left, right []int, fits func(l, r int) bool) bool {
	owner := map[int]int{} // of each of right
	for _, l := range left {
		seen := map[int]bool{}
		var place func(l int) bool
		place = func(l int) bool {
			for _, r := range right {
				if seen[r] || !fits(l, r) {
					continue
				}
				seen[r] = true
				if was, taken := owner[r]; !taken || place(was) {
					owner[r] = l
					return true
				}
			}
			return false
		}
		if !place(l) {
			return false
		}
	}
	return true
}

// loggedList names the messages of a line.
func (s *matcher) loggedList(ms []logs.Sent) string {
	var parts []string
	for _, m := range ms {
		text := cmp.Or(m.Message, "a message")
		if m.To >= 0 {
			text += " to " + s.names[s.proc[m.To]]
		}
		parts = append(parts, text)
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing")
}

// sentList names the messages of a step.
func (s *matcher) sentList(ms []envelope) string {
	var parts []string
	for i := range ms {
		parts = append(parts, ms[i].text+" to "+s.names[ms[i].To])
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing")
}
