package vcube

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

// strictState is the addition of variant=repaired to the state of Algorithm 7.1, by which Lemma 7.3
// holds with more than one unit. A process that enters sends INSIDE to the processes whose requests
// it has deferred, and while it is inside, to each process whose request it defers. At line 15 a process
// waits also until each other process has given a permission or is inside: any other one may be
// waiting with a smaller request.
type strictState struct {
	Deferred model.PerProc[uint32] // timestamps of the requests in defer_count, the latest of each process
	Inside   values.Group          // the processes that answered INSIDE to the current request
}

// enters is lines 15-16: strictly only when no process may be waiting with a smaller request.
func (x *mutex) enters(i model.Proc, l *mutexState, out *outbox) bool {
	if x.strict && l.preceded(i) || !x.enter(i, l, out) {
		return false
	}
	for j := range l.Correct.Without(i).Each() {
		if x.strict && l.DeferCount.At(j) != 0 {
			out.Send(j, inside(j, l.Deferred.At(j)))
		}
	}
	return true
}

// releases is lines 17-22. The timestamps of deferred requests are forgotten.
func (x *mutex) releases(i model.Proc, l *mutexState, out *outbox) bool {
	if !x.release(i, l, out) {
		return false
	}
	for j := range l.Correct.Without(i).Each() {
		l.Deferred.Put(j, 0)
	}
	return true
}

// receive is lines 23-29; strictly the timestamp of a request that is deferred is kept.
func (x *mutex) receive(i model.Proc, m content, l *mutexState, out *outbox) {
	before := l.DeferCount.At(m.Source)
	x.receiveRequest(i, m, l, out)
	if x.strict && l.DeferCount.At(m.Source) > before {
		l.deferred(m.Source, m.C, out)
	}
}

// preceded reports whether some process may be waiting with a smaller request.
func (l *mutexState) preceded(i model.Proc) bool {
	for j := range l.Correct.Without(i).Minus(l.Inside).Each() {
		if l.ReplyCount.At(j) != 0 {
			return true
		}
	}
	return false
}

// deferred keeps the timestamp of a deferred request of j, and answers INSIDE if the process
// is inside.
func (l *mutexState) deferred(j model.Proc, last uint32, out *outbox) {
	l.Deferred.Put(j, max(l.Deferred.At(j), last))
	if l.State == executing {
		out.Send(j, inside(j, l.Deferred.At(j)))
	}
}

// inside is the answer to the request of j with the given timestamp.
func inside(j model.Proc, last uint32) message {
	return message{kind: kindInside, m: content{Source: j, C: last}}
}

// receiveInside: INSIDE from j, if it is an answer to the request that waits.
func (x *mutex) receiveInside(_, j model.Proc, m message, l *mutexState, _ *outbox) bool {
	if l.State == requesting && m.m.C == l.Last.Value() {
		l.Inside = l.Inside.With(j)
	}
	return true
}
