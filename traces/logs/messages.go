package logs

// A parcel is a message that was sent.
type parcel struct {
	event int32
	to    int32
}

// A receipt identifies a message at its receiver.
type receipt struct {
	id       string
	from, to int32
}

// byMessages relates each receipt to its send, by the message's identity.
func (l *Log) byMessages(found *findings) {
	posted, logs := l.posted(found)
	seen := map[receipt]int32{}
	for i := range l.recs {
		s, at := l.side(int32(i)), l.recs[i].node
		if s == nil || s.id == "" {
			continue
		}
		key := receipt{s.id, s.from, at}
		if first, again := seen[key]; again {
			found.add(DuplicateID, l.places(first, int32(i)), "%s receives message %s twice", l.Nodes[at],
				s.id)
			continue
		}
		seen[key] = int32(i)
		var sends []int32
		for _, p := range posted[s.id] {
			if (p.to == at || p.to < 0) && (s.from < 0 || s.from == l.recs[p.event].node) {
				sends = append(sends, p.event)
			}
		}
		switch {
		case len(sends) > 1:
			found.add(DuplicateID, l.places(append(sends, int32(i))...),
				"%s receives message %s, which was sent by several", l.Nodes[at], s.id)
		case len(sends) == 1:
			l.received(sends[0], int32(i), found)
		case s.from < 0 && len(logs) > 0 || s.from >= 0 && logs[s.from]:
			found.add(Unsent, l.places(int32(i)), "%s receives message %s, but no line sends it", l.Nodes[at],
				s.id)
		}
	}
}

// received relates a receipt to its send.
func (l *Log) received(send, receive int32, found *findings) {
	if send == receive {
		found.add(Cycle, l.places(send), "%s receives message %s in the step that sends it",
			l.Nodes[l.recs[send].node], l.side(receive).id)
		return
	}
	if a, b := l.side(send).lamport, l.side(receive).lamport; a > 0 && b > 0 && b <= a {
		found.add(LamportLess, l.places(send, receive),
			"message %s is sent at Lamport clock %d and received at %d", l.side(receive).id, a, b)
	}
	l.after[receive] = append(l.after[receive], send)
}

// posted lists the messages sent by their identity, and the nodes that log what
// they send.
func (l *Log) posted(found *findings) (map[string][]parcel, map[int32]bool) {
	posted := map[string][]parcel{}
	logs := map[int32]bool{}
	for i := range l.recs {
		s := l.side(int32(i))
		if s == nil {
			continue
		}
		node := l.recs[i].node
		for _, m := range s.sent {
			if m.id == "" {
				continue
			}
			logs[node] = true
			for _, p := range posted[m.id] {
				if p.to == m.to && l.recs[p.event].node == node {
					found.add(DuplicateID, l.places(p.event, int32(i)), "%s sends message %s twice",
						l.Nodes[node], m.id)
				}
			}
			posted[m.id] = append(posted[m.id], parcel{int32(i), m.to})
		}
	}
	return posted, logs
}
