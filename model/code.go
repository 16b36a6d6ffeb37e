package model

import "github.com/atmostk/atmostk/model/protocol"

// Code is that of the state that is stored for w.
func (w *world[L, M, H]) Code() protocol.Code {
	w = w.settled()
	of := w.c.of
	n := len(w.local)
	all := protocol.CodeOf(2*n, append(of.history.append(nil, &w.history), w.record.Bytes()...))
	for p := range w.local {
		all = all.Plus(protocol.CodeOf(p, of.local.append(nil, &w.local[p])))
		var bytes []byte
		if !w.dead.Has(Proc(p)) {
			var inbox []protocol.Envelope
			for i := range w.inbox[p] {
				envelope := &w.inbox[p][i]
				message := of.message.append(nil, &envelope.M)
				inbox = append(inbox, protocol.Envelope{From: envelope.From, Message: message})
			}
			bytes = protocol.InboxBytes(w.c.Network.Channel, inbox)
		}
		all = all.Plus(protocol.CodeOf(n+p, bytes))
	}
	return all
}

// Code is that of the only component of a system.
func (st *systemState[S]) Code() protocol.Code {
	c := codecOf[S]()
	return protocol.CodeOf(0, c.append(nil, &st.s))
}
