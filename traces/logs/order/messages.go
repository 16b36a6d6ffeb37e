package order

import "github.com/atmostk/atmostk/traces/logs/formats"

// A sendEvent is the event that sends a message, and its target; -1: not logged.
type sendEvent struct {
	event int32
	to    int32
}

// A receipt is the identity of a message at its receiver.
type receipt struct {
	id       string
	from, to int32
}

// byMessages relates each receipt to its send, by the message's id.
func (l *Log) byMessages(found *formats.Findings) {
	sendsByID, logs := l.sendsByID(found)
	seen := map[receipt]int32{}
	for i := range l.Recs {
		s, at := l.Recs[i].Side, l.Recs[i].Node
		if s == nil || s.ID == "" {
			continue
		}
		key := receipt{s.ID, s.from, at}
		if first, again := seen[key]; again {
			found.Add(formats.DuplicateID, l.places(first, int32(i)), "%s receives message %s twice",
				l.Nodes[at], s.ID)
			continue
		}
		seen[key] = int32(i)
		var sends []int32
		for _, p := range sendsByID[s.ID] {
			if (p.to == at || p.to < 0) && (s.from < 0 || s.from == l.Recs[p.event].Node) {
				sends = append(sends, p.event)
			}
		}
		switch {
		case len(sends) > 1:
			found.Add(formats.DuplicateID, l.places(append(sends, int32(i))...),
				"%s receives message %s, which was sent by several", l.Nodes[at], s.ID)
		case len(sends) == 1:
			l.received(sends[0], int32(i), found)
		case s.from < 0 && len(logs) > 0 || s.from >= 0 && logs[s.from]:
			found.Add(formats.Unsent, l.places(int32(i)), "%s receives message %s, but no line sends it",
				l.Nodes[at], s.ID)
		}
	}
}

// received puts a send before its receipt.
func (l *Log) received(send, receive int32, found *formats.Findings) {
	if send == receive {
		found.Add(formats.Cycle, l.places(send), "%s receives message %s in the step that sends it",
			l.Nodes[l.Recs[send].Node], l.Recs[receive].Side.ID)
		return
	}
	if a, b := l.Recs[send].Side.lamport, l.Recs[receive].Side.lamport; a > 0 && b > 0 && b <= a {
		found.Add(formats.LamportLess, l.places(send, receive),
			"message %s is sent at Lamport clock %d and received at %d", l.Recs[receive].Side.ID, a, b)
	}
	l.after[receive] = append(l.after[receive], send)
}

// sendsByID maps message ids to their sends, and marks the nodes that log sends.
func (l *Log) sendsByID(found *formats.Findings) (map[string][]sendEvent, map[int32]bool) {
	sendsByID := map[string][]sendEvent{}
	logs := map[int32]bool{}
	for i := range l.Recs {
		s := l.Recs[i].Side
		if s == nil {
			continue
		}
		node := l.Recs[i].Node
		for _, m := range s.sent {
			if m.id == "" {
				continue
			}
			logs[node] = true
			for _, p := range sendsByID[m.id] {
				if p.to == m.to && l.Recs[p.event].Node == node {
					found.Add(formats.DuplicateID, l.places(p.event, int32(i)), "%s sends message %s twice",
						l.Nodes[node], m.id)
				}
			}
			sendsByID[m.id] = append(sendsByID[m.id], sendEvent{int32(i), m.to})
		}
	}
	return sendsByID, logs
}
