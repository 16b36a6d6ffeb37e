package formats

import (
	"errors"
	"strings"

	"github.com/atmostk/atmostk/traces"
)

// trace reads a trace of check. The order of its steps is the order of events, and it names its model. The
// logged state of a step is the variables that the step changed at its node.
func (rd *Reader) trace(s *Source) error {
	t, err := traces.Read(s.in)
	if format, is := errors.AsType[*traces.FormatError](err); is {
		return s.at(format.Line).wrong("%s", format.Msg)
	}
	if err != nil {
		return err
	}
	s.line = 1
	if err := rd.setHeader(s, Header{Spec: t.Spec, Args: strings.Join(t.Settings(), " ")}); err != nil {
		return err
	}
	for i := range t.Steps[1:] {
		if err := rd.step(s, &t.Steps[i+1], &t.Steps[i]); err != nil {
			return err
		}
	}
	return nil
}

func (rd *Reader) step(s *Source, step, before *traces.Step) error {
	e := newEntry(step.Index + 2)
	e.Node, e.Name = step.Node, step.Event
	if e.Node == "" {
		return s.at(e.Line).wrong("this step belongs to no process; only runs of processes can be logs")
	}
	e.Begin, e.End = int64(step.Index), int64(step.Index)
	if m := step.Received; m != nil {
		e.From, e.ID, e.Message = m.From, m.ID, m.Text
	}
	for _, m := range step.Sent {
		e.Sent = append(e.Sent, sentMessage{m.To, m.ID, m.Text})
	}
	for _, v := range step.Changed {
		if v.Owner == step.Node && v.Name != "inbox" && !step.Crashed {
			if e.State == nil {
				e.State = map[string]string{}
			}
			e.State[v.Name] = v.Value
		}
	}
	inside := step.Inside
	if RoleOf(e.Name) == Leaves {
		inside = before.Inside
	}
	for _, u := range inside {
		if u.Owner == step.Node {
			e.Units = u.Units
		}
	}
	return rd.add(s, e)
}
