//go:build !js

package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
	"github.com/atmostk/atmostk/traces/printable"
)

// MaxRows is the most rows of the page of a log.
const MaxRows = 100_000

// Rows returns the events of a log as rows, in an order that fits the happens-before order. Of two events
// that it does not order, the one with the earlier time comes first, or without times the earlier line.
// The last events beyond MaxRows are left out.
func Rows(h *order.History) []Step {
	rows := ordered(h)
	b := newRowBuilder(h)
	for _, i := range rows[:min(len(rows), MaxRows-1)] {
		b.event(&h.Events[i], "")
	}
	return b.finish()
}

// RowsOf returns the rows of the longest explanation of a log: its steps, also hidden ones without a line;
// lines that, if they were added, would explain the log; the lines that no run gets beyond, with the steps
// enabled there; the other lines.
func RowsOf(h *order.History, r *explain.Report) []Step {
	b := newRowBuilder(h)
	reported := map[*order.Event]bool{}
	for i := range r.Steps {
		s := &r.Steps[i]
		reported[s.Event] = true
		switch {
		case s.Event == nil:
			b.missing(s.Node, s.Action, s.Text)
		case s.Action == "":
			b.event(s.Event, "missing")
		default:
			b.event(s.Event, "")
			b.rows[len(b.rows)-1].Text = s.Text
		}
	}
	if r.Repair != nil && r.Repair.Found {
		for i := range r.Repair.Missing {
			s := &r.Repair.Missing[i]
			b.missing(s.Node, s.Action, s.Text+": with this line the log would be explained")
		}
	}
	if len(r.Furthest) > 0 {
		b.departs(&r.Furthest[0], reported)
	}
	for _, i := range ordered(h) {
		if e := &h.Events[i]; !reported[e] && len(b.rows) < MaxRows && r.Verdict != explain.Accepted {
			b.event(e, "unexplained")
		}
	}
	return b.finish()
}

type rowBuilder struct {
	h     *order.History
	rows  []Step
	using map[string]int // units by node
}

func newRowBuilder(h *order.History) *rowBuilder {
	b := &rowBuilder{h: h, using: map[string]int{}}
	b.row(Step{Step: traces.Step{Text: "the log begins"}})
	return b
}

// row adds a row, and computes the units in use after it.
func (b *rowBuilder) row(s Step) {
	s.Index, s.Taken = len(b.rows), -1
	units := 1
	if len(s.Inside) == 1 {
		units = s.Inside[0].Units // the units of the event
	}
	role := formats.RoleOf(s.Event)
	s.Crashed = role == formats.Crashes
	switch role {
	case formats.Enters:
		b.using[s.Node] += units
	case formats.Leaves, formats.Crashes:
		delete(b.using, s.Node)
	}
	s.Inside = nil
	for _, node := range slices.Sorted(maps.Keys(b.using)) {
		s.Inside = append(s.Inside, traces.Use{Owner: node, Units: b.using[node]})
	}
	b.rows = append(b.rows, s)
}

func (b *rowBuilder) missing(node, action, text string) {
	s := traces.Step{Node: node, Event: action, Text: text}
	b.row(Step{Step: s, Mark: "missing", Where: "(no line)"})
}

func (b *rowBuilder) event(e *order.Event, mark string) {
	node := b.h.Nodes[e.Node]
	s := Step{Step: traces.Step{Node: node, Event: e.Name}, Where: e.String(), Mark: mark}
	kind, _, _ := strings.Cut(e.Message, "(")
	s.Text = node + " " + strings.TrimSuffix(e.Name, " "+kind) // the message is added below
	name := func(i int) string {
		if i < 0 {
			return "?"
		}
		return b.h.Nodes[i]
	}
	if e.Message != "" || e.ID != "" || e.From >= 0 {
		s.Received = &traces.Msg{ID: e.ID, From: name(e.From), To: node, Text: e.Message}
		s.Text += fmt.Sprintf(" %s from %s", e.Message, name(e.From))
	}
	for i, m := range e.Sent {
		id := cmp.Or(m.ID, fmt.Sprintf("%s#%d", s.Where, i))
		s.Sent = append(s.Sent, traces.Msg{ID: id, From: node, To: name(m.To), Text: m.Message})
		s.Text += fmt.Sprintf(", sends %s to %s", m.Message, name(m.To))
	}
	for _, key := range slices.Sorted(maps.Keys(e.State)) {
		s.Changed = append(s.Changed, traces.Var{Owner: node, Name: key, Value: e.State[key]})
	}
	if e.Maybe {
		s.Text += " (may not have happened)"
	}
	s.Inside = []traces.Use{{Owner: node, Units: max(1, e.Units)}}
	b.row(s)
}

// departs adds the lines that no run gets beyond, with the reason and the steps enabled there.
func (b *rowBuilder) departs(f *explain.FurthestCut, reported map[*order.Event]bool) {
	for i := range f.Blocked {
		k := &f.Blocked[i]
		reported[k.Event] = true
		mark := "departs"
		if k.Waits {
			mark = "unexplained"
		}
		b.event(k.Event, mark)
		s := &b.rows[len(b.rows)-1]
		s.Text += ": " + k.Why
		s.Choices = printable.Each(k.Enabled, func(text *string) Choice {
			return Choice{Step: traces.Step{Node: k.Node, Text: *text, Changed: []traces.Var{}}}
		})
		for _, v := range f.State {
			s.Changed = append(s.Changed, traces.Var(v))
		}
	}
}

// finish adds the causes of each row, removes variables that did not change, and returns the rows.
func (b *rowBuilder) finish() []Step {
	steps := make([]traces.Step, len(b.rows))
	known := map[traces.Var]string{} // the latest value of each variable; the keys have no value
	for i := range b.rows {
		s := &b.rows[i].Step
		s.Changed = slices.DeleteFunc(s.Changed, func(v traces.Var) bool {
			name := traces.Var{Owner: v.Owner, Name: v.Name}
			was, is := known[name]
			known[name] = v.Value
			return is && was == v.Value
		})
		steps[i] = *s
	}
	for i, causes := range causesOf(steps) {
		b.rows[i].Causes = causes
	}
	return b.rows
}

// RowAt returns the index of the row of a place in a log; -1: it has no row.
func RowAt(rows []Step, p formats.Place) int {
	return slices.IndexFunc(rows, func(s Step) bool { return s.Where == p.File+":"+strconv.Itoa(p.Line) })
}

// ordered returns the indices of all events in a linear extension of the happens-before order.
func ordered(h *order.History) []int {
	waits, next := make([]int, len(h.Events)), make([][]int, len(h.Events))
	follow := func(i, j int) { waits[i], next[j] = waits[i]+1, append(next[j], i) }
	for i, after := range h.After {
		for _, j := range after {
			follow(i, j)
		}
	}
	for _, list := range h.ByNode {
		for k := range list[:max(0, len(list)-1)] {
			follow(list[k+1], list[k])
		}
	}
	var ready, sorted []int // ready: events whose predecessors are in sorted, the next one first
	add := func(i int) {
		at, _ := slices.BinarySearchFunc(ready, &h.Events[i], func(k int, b *order.Event) int {
			a := &h.Events[k]
			if !a.Begin.IsZero() && !b.Begin.IsZero() && !a.Begin.Equal(b.Begin) {
				return a.Begin.Compare(b.Begin)
			}
			return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.File, b.File))
		})
		ready = slices.Insert(ready, at, i)
	}
	for i, n := range waits {
		if n == 0 {
			add(i)
		}
	}
	for len(ready) > 0 {
		i := ready[0]
		sorted, ready = append(sorted, i), ready[1:]
		for _, j := range next[i] {
			if waits[j]--; waits[j] == 0 {
				add(j)
			}
		}
	}
	return sorted
}
