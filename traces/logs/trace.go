package logs

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces"
)

// trace reads a trace of check. It is in the order of its steps, and says which
// model it is a run of. What a step has changed at its node is the state that it
// logs.
func (rd *reader) trace(s *source) error {
	t, err := traces.Read(s.in)
	var format *traces.FormatError
	if errors.As(err, &format) {
		return s.at(format.Line).wrong("%s", format.Msg)
	}
	if err != nil {
		return err
	}
	h := Header{Spec: t.Spec}
	for _, key := range slices.Sorted(maps.Keys(t.Parameters)) {
		if value := t.Parameters[key]; value != "" {
			h.Args = strings.TrimSpace(h.Args + " " + key + "=" + value)
		}
	}
	s.line = 1
	if err := rd.setHeader(s, h); err != nil {
		return err
	}
	for i := range t.Steps[1:] {
		if err := rd.step(s, &t.Steps[i+1], &t.Steps[i]); err != nil {
			return err
		}
	}
	return nil
}

// step takes a step of a trace.
func (rd *reader) step(s *source, step, before *traces.Step) error {
	e := newEntry(step.Index + 2)
	e.node, e.name = step.Node, step.Event
	if e.node == "" {
		return s.at(e.line).wrong("the step of nobody in particular; only runs of processes are logs")
	}
	e.begin, e.end = int64(step.Index), int64(step.Index)
	if m := step.Received; m != nil {
		e.from, e.id, e.message = m.From, m.ID, m.Text
	}
	for _, m := range step.Sent {
		e.sent = append(e.sent, post{m.To, m.ID, m.Text})
	}
	for _, v := range step.Changed {
		if v.Owner == step.Node && v.Name != "inbox" && !step.Crashed {
			if e.state == nil {
				e.state = map[string]string{}
			}
			e.state[v.Name] = v.Value
		}
	}
	inside := step.Inside
	if roleOf(e.name) == leaves {
		inside = before.Inside
	}
	for _, u := range inside {
		if u.Owner == step.Node {
			e.units = u.Units
		}
	}
	return rd.add(s, e)
}
