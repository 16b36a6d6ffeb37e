package vcube

import (
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

// stamps is a set of timestamps, 1 to 15: no search has more rounds. Later timestamps, in runs that are only
// measured, are in no set.
type stamps uint16

func (s stamps) has(t uint32) bool      { return s>>t&1 == 1 }
func (s stamps) with(t uint32) stamps   { return s | 1<<t }
func (s stamps) contains(t stamps) bool { return s&t == t }

// upTo is the set of 1 to t.
func upTo(t uint32) stamps { return 1<<(t+1) - 2 }

func (s stamps) String() string { return model.Set(s).Format(0) }

// broadcastState is the state of one process in Algorithm 6.1.
type broadcastState struct {
	Correct values.Group
	Last    model.PerProc[uint32] // last_i: the timestamp of the last message from each source; 0 is ⊥
	AckSet  ackSet
	// For the claims:
	Delivered model.PerProc[stamps] // the messages delivered, by source
	Twice     values.Group          // the sources of messages delivered more than once
}

// Vars lists the state under the paper's names.
func (l broadcastState) Vars(names model.Names) []model.Var {
	return []model.Var{
		{Name: "correct", Value: l.Correct.Format(names.First)},
		{Name: "last", Value: entries(l.Last)},
		{Name: "ack_set", Value: l.AckSet.String()},
		{Name: "delivered", Value: entries(l.Delivered)},
	}
}

func entries[T comparable](xs model.PerProc[T]) string {
	var words []string
	for p, x := range xs.Each() {
		words = append(words, fmt.Sprintf("%s:%v", name(p), x))
	}
	return "[" + strings.Join(words, " ") + "]"
}

// broadcast is Algorithm 6.1 as printed; its readings are in readings.go.
type broadcast struct {
	cube
	dead values.Group // from the start
	// Readings:
	bottomOK bool // line36=bottom-ok: ⊥ counts as correct
	all      bool // line28=all: an ACK is for all x that wait for it, not for one of them
	ifNew    bool // forward=if-new: lines 22-25 inside the if of line 18
}

// deliver is DELIVER(m), by the layer above.
type deliver func(m content)

func (b *broadcast) init(model.Proc) broadcastState { // lines 1-3
	return broadcastState{Correct: values.Everybody(b.n).Minus(b.dead)}
}

// free reports whether the wait of procedure BROADCAST is over: no acks are pending for the last message.
func (b *broadcast) free(i model.Proc, l *broadcastState) bool { // line 4
	for a := range l.AckSet.acks() {
		if a.From == bottom && a.M.Source == i && a.M.T == l.Last.At(i) { // line 5
			return false
		}
	}
	return true
}

// broadcast is the rest of procedure BROADCAST, where line 5 is free. The timestamp of the message is the
// next one; the layer above adds c.
func (b *broadcast) broadcast(i model.Proc, c uint32, l *broadcastState, up deliver, out *outbox) {
	m := content{i, l.Last.At(i) + 1, c}
	l.Last.Put(i, m.T)                                         // line 6
	b.deliver(m, l, up)                                        // line 7
	for _, j := range b.neighborhood(i, b.logN(), l.Correct) { // line 8
		l.AckSet = l.AckSet.with(ack{bottom, j, m}) // line 9
		out.Send(j, message{kind: kindTree, m: m})  // line 10
	}
}

// checkAcks: no ACK is ever sent to bottom.
func (b *broadcast) checkAcks(j model.Proc, m content, l *broadcastState, out *outbox) { // line 11
	if !l.AckSet.pending(j, m) && // line 12
		l.Correct.Has(m.Source) && l.Correct.Has(j) { // line 13
		out.Send(j, message{kind: kindAck, m: m}) // line 14
	}
}

func (b *broadcast) receiveTree(i, j model.Proc, m content, l *broadcastState, up deliver,
	out *outbox) { // line 15
	if !l.Correct.Has(m.Source) || !l.Correct.Has(j) { // line 16
		return // line 17
	}
	if last := l.Last.At(m.Source); last == 0 || // line 18
		m.T == last+1 { // line 19
		l.Last.Put(m.Source, m.T) // line 20
		b.deliver(m, l, up)       // line 21
	}
	b.forward(i, j, m, l, out)
	b.checkAcks(j, m, l, out) // line 26
}

// forward is the part of the upper handler between lines 21 and 26.
func (b *broadcast) forward(i, j model.Proc, m content, l *broadcastState, out *outbox) {
	for _, k := range b.neighborhood(i, b.cluster(i, j)-1, l.Correct) { // line 22
		if !l.AckSet.has(ack{j, k, m}) { // line 23
			l.AckSet = l.AckSet.with(ack{j, k, m})     // line 24
			out.Send(k, message{kind: kindTree, m: m}) // line 25
		}
	}
}

func (b *broadcast) receiveAck(j model.Proc, m content, l *broadcastState, out *outbox) { // line 27
	ks := l.AckSet.awaits(j, m)
	if len(ks) == 0 {
		return
	}
	k := ks[out.Pick(len(ks))]                // line 28
	l.AckSet = l.AckSet.without(ack{k, j, m}) // line 29
	if k != bottom {                          // line 30
		b.checkAcks(k, m, l, out) // line 31
	}
}

// notify: the loop runs over ack_set as it was.
func (b *broadcast) notify(i, j model.Proc, l *broadcastState, out *outbox) bool { // line 32
	if !l.Correct.Has(j) {
		return false
	}
	l.Correct = l.Correct.Without(j)                 // line 33
	k := b.ffNeighbor(i, b.cluster(i, j), l.Correct) // line 34
	for a := range l.AckSet.acks() {                 // line 35
		if !l.Correct.Has(a.M.Source) || !b.correct(a.From, l) { // line 36
			l.AckSet = l.AckSet.without(a) // line 37
		} else if a.To == j { // line 38
			b.replace(a, k, l, out)
		}
	}
	return true
}

// replace is the part of the upper handler behind line 38. The message that waits for an ack of a dead
// process goes to k instead, if there is such a process.
func (b *broadcast) replace(a ack, k model.Proc, l *broadcastState, out *outbox) {
	if anew := (ack{a.From, k, a.M}); k != bottom && !l.AckSet.has(anew) { // line 39
		l.AckSet = l.AckSet.with(anew)               // line 40
		out.Send(k, message{kind: kindTree, m: a.M}) // line 41
	}
	l.AckSet = l.AckSet.without(a)   // line 42
	b.checkAcks(a.From, a.M, l, out) // line 43
}

// deliver: DELIVER(m), which the properties remember.
func (b *broadcast) deliver(m content, l *broadcastState, up deliver) {
	if l.Delivered.At(m.Source).has(m.T) {
		l.Twice = l.Twice.With(m.Source)
	}
	l.Delivered.Put(m.Source, l.Delivered.At(m.Source).with(m.T))
	up(m)
}
