package timed

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
)

// An event is something that happens at a time.
type event struct {
	at       float64
	seq      uint64
	kind     kind
	proc     model.Proc // the process concerned
	peer     model.Proc // the process that has crashed; of an event of a link its number
	envelope interp.Envelope
	left     float64 // when the message left its sender
}

type kind uint8

const (
	arrives  kind = iota // a message has come to the receiver
	received             // the receiver has taken the message in
	requests
	releases
	crashes
	noticed
	linked  // an event of a link
	nothing // the message was lost on its way
)

func (e *event) before(f *event) bool { return e.at < f.at || e.at == f.at && e.seq < f.seq }

// An agenda is a binary heap of events, in the order of their times; equal times in the order of planning.
type agenda struct {
	heap []event
	seq  uint64
}

func (q *agenda) push(e event) {
	q.seq++
	e.seq = q.seq
	q.heap = append(q.heap, e)
	i := len(q.heap) - 1
	for ; i > 0 && e.before(&q.heap[(i-1)/2]); i = (i - 1) / 2 {
		q.heap[i] = q.heap[(i-1)/2]
	}
	q.heap[i] = e
}

// pop takes the next event; the agenda must not be empty.
func (q *agenda) pop() event {
	first, n := q.heap[0], len(q.heap)-1
	q.heap[0] = q.heap[n]
	q.heap = q.heap[:n]
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < n; c++ {
			if q.heap[c].before(&q.heap[least]) {
				least = c
			}
		}
		if least == i {
			return first
		}
		q.heap[i], q.heap[least] = q.heap[least], q.heap[i]
		i = least
	}
}
