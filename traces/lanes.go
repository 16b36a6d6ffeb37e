package traces

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/printable"
)

// system is the lane of the steps that no process takes.
const system = "system"

func (s *Step) lane() string { return cmp.Or(s.Node, system) }

// Lanes returns the processes of a run that act, are sent messages or use units, and the further ones. They
// are in the order in which the model lists them, processes without variables last.
func Lanes(steps []Step, further ...string) []string {
	takesPart := map[string]bool{}
	var order []string
	meet := func(name string, part bool) {
		if _, known := takesPart[name]; !known && name != "" {
			order = append(order, name)
		}
		takesPart[name] = takesPart[name] || part
	}
	for _, v := range steps[0].Changed {
		meet(v.Owner, false)
	}
	for i := range steps {
		s := &steps[i]
		meet(s.Node, true)
		for _, m := range s.Sent {
			meet(m.To, true)
		}
		for _, u := range s.Inside {
			meet(u.Owner, true)
		}
	}
	for _, name := range further {
		meet(name, true)
	}
	return slices.DeleteFunc(order, func(name string) bool { return !takesPart[name] })
}

// lanes returns the processes of a trace, and the lane system if some step has no process.
func (t *Trace) lanes() []string {
	names, after := Lanes(t.Steps), t.Steps[min(1, len(t.Steps)-1):]
	if slices.ContainsFunc(after, func(s Step) bool { return s.Node == "" }) {
		names = append(names, system)
	}
	return names
}

func position(lanes []string) map[string]int {
	at := map[string]int{}
	for i, name := range lanes {
		at[name] = i
	}
	return at
}

// wrong is the mark of the step in which the fault of a run shows: its excess or, after the last step of a
// run that ends, the violated property; "": neither.
func (t *Trace) wrong(s *Step) string {
	over := t.excess(s)
	if over == "" && s == &t.Steps[len(t.Steps)-1] && t.Verdict == Violated && t.CycleAt == nil {
		return t.Property
	}
	return over
}

// excess describes how many units are in use after a step if they exceed the capacity; otherwise "".
func (t *Trace) excess(s *Step) string {
	if k := t.Capacity; k > 0 && s.units() > k {
		return fmt.Sprintf("%d units in use, k=%d", s.units(), k)
	}
	return ""
}

// claims is a sentence, without its full stop, about the claim that the trace shows.
func (t *Trace) claims() string {
	steps := printable.Plural(len(t.Steps)-1, "step")
	if m := t.Mistake; m != nil {
		e := model.Error{Part: t.Property, Process: m.Process}
		return fmt.Sprintf("model error: %s fails in this run of %s", e.Subject(), steps)
	}
	if t.Property == "" {
		return "a run of " + steps
	}
	return fmt.Sprintf("%s is %s by this run of %s", t.Property, t.Verdict, steps)
}

// subject names the model with its parameters. It leaves out the empty ones.
func (t *Trace) subject() string {
	return strings.Join(append([]string{t.Spec}, t.Settings()...), " ")
}

// Settings lists the parameters that have a value, as on the command line.
func (h *Header) Settings() (list []string) {
	for _, key := range slices.Sorted(maps.Keys(h.Parameters)) {
		if value := h.Parameters[key]; value != "" {
			list = append(list, key+"="+value)
		}
	}
	return list
}

// sentence describes a step, with its lines of the paper.
func (s *Step) sentence() string {
	text := cmp.Or(s.Text, s.eventName())
	if s.Source != "" && !strings.Contains(text, s.Source) {
		text += " (" + s.Source + ")"
	}
	return oneLine(text)
}

// oneLine replaces white space, such as line ends, by single blanks: several forms consist of lines.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func joined[T any](list []T, text func(*T) string) string {
	return strings.Join(printable.Each(list, text), ", ")
}

// act is the action of a step, or its text if no process acts.
func (s *Step) act() string {
	if s.Node == "" && s.Text != "" {
		return s.Text
	}
	return s.Event
}

// clip shortens a text to width columns.
func clip(s string, width int) string {
	runes := []rune(s)
	if len(runes) <= width {
		return s
	}
	return string(runes[:max(width-1, 0)]) + "…"
}
