package vcube

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

// Readings of the printed text: the steps of Algorithm 7.1, lines 22, 28 and 36 of
// Algorithm 6.1, and line 11 of Algorithm 5.1.

// A part of procedure Request, to be executed without interruption: some of its lines.
type part []func(x *mutex, i model.Proc, l *mutexState, broadcast send)

var line13, line14 = (*mutex).announce, (*mutex).expect

// splits are the readings of procedure Request: its parts. The first one begins with lines 9-12.
var splits = map[string][]part{
	"atomic":      {{line13, line14}},
	"blocked":     {{}, {line13, line14}},
	"line":        {{}, {line13}, {line14}},
	"count-first": {{line14}, {line13}},
}

// begin is lines 8-12 and the first part of the rest.
func (x *mutex) begin(i model.Proc, l *mutexState, parts []part, broadcast send) bool {
	if l.Half > 0 || l.State != notRequesting || x.spent(i, l) {
		return false
	}
	l.Made++
	x.request(l)
	l.Inside = values.Group{} // empty without variant=repaired
	x.goOn(i, l, parts, broadcast)
	return true
}

// spent reports whether the process has made all its requests.
func (x *mutex) spent(i model.Proc, l *mutexState) bool {
	return x.rounds[i] != model.Forever && int(l.Made) >= x.rounds[i]
}

// resume is the next part of lines 13-14, where Request is interrupted.
func (x *mutex) resume(i model.Proc, l *mutexState, parts []part, broadcast send) bool {
	if l.Half > 0 || l.Part == 0 {
		return false
	}
	x.goOn(i, l, parts, broadcast)
	return true
}

func (x *mutex) goOn(i model.Proc, l *mutexState, parts []part, broadcast send) {
	for _, do := range parts[l.Part] {
		do(x, i, l, broadcast)
	}
	l.Part = (l.Part + 1) % uint8(len(parts))
}

// crashOrder is the reading of lines 36-38.
type crashOrder uint8

const (
	atomicCrash  crashOrder = iota // all in one step
	printedCrash                   // lines 36-37, then line 38
	swappedCrash                   // line 38, then lines 36-37
)

// halves are the steps of lines 36-38, in each reading.
var halves = [...][][]func(x *mutex, j model.Proc, l *mutexState){
	atomicCrash:  {{lines36to37, line38}},
	printedCrash: {{lines36to37}, {line38}},
	swappedCrash: {{line38}, {lines36to37}},
}

var lines36to37, line38 = (*mutex).takeBack, (*mutex).exclude

// notify: lines 35-38, or their first half.
func (x *mutex) notify(_, j model.Proc, l *mutexState, _ *outbox) bool {
	if !l.Correct.Has(j) || l.Half > 0 {
		return false
	}
	steps := halves[x.order]
	for _, do := range steps[0] {
		do(x, j, l)
	}
	if len(steps) > 1 {
		l.Half = 1 + uint16(j)
	}
	return true
}

// finish: the second half of lines 35-38.
func (x *mutex) finish(_ model.Proc, l *mutexState, _ *outbox) bool {
	if l.Half == 0 {
		return false
	}
	j := model.Proc(l.Half - 1)
	l.Half = 0
	for _, do := range halves[x.order][1] {
		do(x, j, l)
	}
	return true
}

type receipt = func(i, j model.Proc, m message, l *mutexState, out *outbox) bool

// whole leaves a message in its channel while a crash is half handled.
func whole(do receipt) receipt {
	return func(i, j model.Proc, m message, l *mutexState, out *outbox) bool {
		return l.Half == 0 && do(i, j, m, l, out)
	}
}

// forget forgets dead variables: the clock without rounds left, and the timestamp of a request that does
// not wait.
func (x *mutex) forget(i model.Proc, l *mutexState) {
	if x.spent(i, l) {
		l.Clock.Forget()
	}
	if l.State != requesting {
		l.Last.Forget()
	}
}

// receive is lines 15-26 of Algorithm 6.1, in the reading asked for.
func (b *broadcast) receive(i, j model.Proc, m content, l *broadcastState, up deliver, out *outbox) {
	// with forward=if-new, lines 22-25 are a part of the if of line 18
	if last := l.Last.At(m.Source); b.ifNew && last != 0 && m.T != last+1 {
		b.checkAcks(j, m, l, out)
		return
	}
	b.receiveTree(i, j, m, l, up, out)
}

// acknowledge is lines 27-31 of Algorithm 6.1, in the reading asked for.
func (b *broadcast) acknowledge(j model.Proc, m content, l *broadcastState, out *outbox) {
	if b.all {
		b.receiveAckOfAll(j, m, l, out)
	} else {
		b.receiveAck(j, m, l, out)
	}
}

// receiveAckOfAll reads line 28 as an ack for each x that fits.
func (b *broadcast) receiveAckOfAll(j model.Proc, m content, l *broadcastState, out *outbox) {
	ks := l.AckSet.awaits(j, m)
	for _, k := range ks {
		l.AckSet = l.AckSet.without(ack{k, j, m})
	}
	for _, k := range ks {
		if k != bottom {
			b.checkAcks(k, m, l, out)
		}
	}
}

// correct is the membership in correct_i that line 36 asks for: of a process, or of bottom.
func (b *broadcast) correct(p model.Proc, l *broadcastState) bool {
	return l.Correct.Has(p) || p == bottom && b.bottomOK
}

// receive is lines 5-8 of Algorithm 5.1; with track=on the sender is remembered.
func (t *tree) receive(i, j model.Proc, m message, l *treeState, out *outbox) bool {
	if t.track {
		l.Parents = l.Parents.With(j)
	}
	return t.receiveTree(i, j, m, l, out)
}

// hear is lines 9-12 of Algorithm 5.1; with guard=on lines 11-12 only in processes that have the message.
func (t *tree) hear(i, j model.Proc, l *treeState, out *outbox) bool {
	if t.guard && l.Got != accepted {
		known := !l.Correct.Has(j)
		l.Correct = l.Correct.Without(j)
		return !known
	}
	return t.notify(i, j, l, out)
}

// send sends a TREE; with track=on it is counted.
func (t *tree) send(k model.Proc, l *treeState, out *outbox) {
	if t.track {
		l.Sent++
	}
	out.Send(k, message{kind: kindTree})
}
