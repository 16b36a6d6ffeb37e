package traces

import "fmt"

// step reads the line of a step and checks that it fits the lines before it.
func (rd *reader) step() error {
	n := len(rd.t.Steps)
	var s Step
	fields := []string{"step", "changed", "event"}
	if n == 0 {
		fields = fields[:2]
	}
	if err := rd.next(&s, fields...); err != nil {
		return err
	}
	if s.Index != n {
		return rd.wrong("step %d where step %d is expected", s.Index, n)
	}
	if why := s.contradiction(); why != "" {
		return rd.wrong("step %d: %s", n, why)
	}
	if s.Failed != "" && (n != rd.steps || rd.t.Mistake == nil) {
		return rd.wrong("step %d: only the last step of a run to a mistake may have field \"failed\"", n)
	}
	if why := rd.applyVars(&s); why != "" {
		return rd.wrong("step %d: %s", n, why)
	}
	if why := rd.deliver(&s); why != "" {
		return rd.wrong("step %d: %s", n, why)
	}
	rd.t.Steps = append(rd.t.Steps, s)
	return nil
}

// contradiction describes the first contradiction between the fields of a step; "": they agree.
func (s *Step) contradiction() string {
	initial := s.Index == 0
	switch {
	case initial && (s.Node != "" || s.Event != "" || s.Received != nil || s.Sent != nil || s.Lost != nil ||
		s.Noticed != "" || s.Crashed || s.Gone != nil):
		return "it is the initial state, in which nothing happens: only \"changed\" and " +
			"\"inside\" are allowed"
	case !initial && s.Event == "":
		return "field \"event\" is empty"
	case s.Node == "" && (s.Received != nil || s.Noticed != "" || s.Crashed):
		return "field \"node\" is missing: receipts, notices and crashes belong to a process"
	case s.Received != nil && s.Noticed != "":
		return "it both receives a message and notices a crash"
	case s.Received != nil && s.Received.To != s.Node:
		return fmt.Sprintf("%s receives a message to %s", s.Node, s.Received.To)
	}
	for _, m := range s.Sent {
		if s.Node != "" && m.From != s.Node { // in a step without a node the network copies a message
			return fmt.Sprintf("%s sends a message from %s", s.Node, m.From)
		}
	}
	for _, u := range s.Inside {
		if u.Owner == "" || u.Units < 1 {
			return fmt.Sprintf("%q uses %d units; allowed are processes with 1 or more", u.Owner, u.Units)
		}
	}
	return ""
}

// applyVars updates the variables. It returns the first contradiction to their earlier values; "": none.
func (rd *reader) applyVars(s *Step) string {
	seen := map[[2]string]bool{}
	for _, v := range s.Gone {
		key := [2]string{v.Owner, v.Name}
		if was, known := rd.vars[key]; !known || was != v.Value {
			return fmt.Sprintf("variable %s is gone with value %q, but did not have this value before",
				v.Label(), v.Value)
		}
		seen[key] = true
		delete(rd.vars, key)
	}
	for _, v := range s.Changed {
		key := [2]string{v.Owner, v.Name}
		if seen[key] {
			return fmt.Sprintf("variable %s is changed twice", v.Label())
		}
		seen[key] = true
		rd.vars[key] = v.Value
	}
	return ""
}

// deliver records the messages received, lost and sent. It returns the first contradiction; "": none.
func (rd *reader) deliver(s *Step) string {
	for _, m := range s.collected() {
		if why := rd.endMessage(m, s.how(m)); why != "" {
			return why
		}
	}
	for _, m := range s.Sent {
		if m.ID == "" || rd.messages[m.ID] != nil {
			return fmt.Sprintf("the message id %q is empty or was used before", m.ID)
		}
		rd.messages[m.ID] = &knownMessage{Msg: m}
	}
	return ""
}

// endMessage records that a message left its channel. Only replay can check messages that
// were in channels from the start.
func (rd *reader) endMessage(m *Msg, how string) string {
	if m.ID == initialMessage {
		return ""
	}
	p := rd.messages[m.ID]
	switch {
	case p == nil:
		return fmt.Sprintf("message %s is %s and was not sent before", m.ID, how)
	case p.gone:
		return fmt.Sprintf("message %s is received or lost a second time", m.ID)
	case p.Msg != *m:
		return fmt.Sprintf("message %s is %s as %s, but was sent as %s", m.ID, how, m, &p.Msg)
	}
	p.gone = true
	return ""
}

// String is the message with its sender and target, for people.
func (m *Msg) String() string { return fmt.Sprintf("%s from %s to %s", m.Text, m.From, m.To) }
