package simulate

import (
	"container/heap"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
)

// A timedEvent is something that happens at a time.
type timedEvent struct {
	at       float64
	seq      uint64
	kind     timedKind
	proc     model.Proc // the process concerned
	peer     model.Proc // the process that has crashed; of an event of a link its number
	envelope interp.Envelope
	left     float64 // when the message left its sender
}

type timedKind uint8

const (
	arrives  timedKind = iota // a message has come to the receiver
	received                  // the receiver has taken the message in
	requests
	releases
	crashes
	noticed
	linked  // an event of a link
	nothing // the message was lost on its way
)

// An agenda is the events to come, a heap in the order of their times; equal times in the order of planning.
type agenda struct {
	queue timedEvents
	seq   uint64
}

func (a *agenda) push(e *timedEvent) {
	a.seq++
	e.seq = a.seq
	heap.Push(&a.queue, e)
}

// pop takes the next event; the agenda must not be empty.
func (a *agenda) pop() *timedEvent { return heap.Pop(&a.queue).(*timedEvent) }

// timedEvents implement heap.Interface.
type timedEvents []*timedEvent

func (es timedEvents) Len() int      { return len(es) }
func (es timedEvents) Swap(i, k int) { es[i], es[k] = es[k], es[i] }
func (es *timedEvents) Push(x any)   { *es = append(*es, x.(*timedEvent)) }

func (es timedEvents) Less(i, k int) bool {
	e, f := es[i], es[k]
	return e.at < f.at || e.at == f.at && e.seq < f.seq
}

func (es *timedEvents) Pop() any {
	last := len(*es) - 1
	e := (*es)[last]
	(*es)[last], *es = nil, (*es)[:last]
	return e
}
