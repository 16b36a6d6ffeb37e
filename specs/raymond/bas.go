package raymond

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

// basLocal is the state of one process of BAS: the state of Raymond's algorithm, and Crashed.
type basLocal struct {
	local
	Crashed values.Group // the processes known to have crashed
}

// bas is Raymond's algorithm with a failure detector.
type bas struct {
	algorithm
	dead values.Group // from the start
}

func (b *bas) init(p model.Proc) basLocal { return basLocal{b.algorithm.init(p), b.dead} }

// others are the processes other than i that l does not know to have crashed.
func (b *bas) others(i model.Proc, l *basLocal) values.Group {
	return values.Everybody(b.n).Without(i).Minus(l.Crashed)
}

func (b *bas) request(i model.Proc, l *basLocal, out *outbox) bool {
	return b.ask(b.others(i, l), &l.local, out)
}

// enter: all processes but k and the crashed ones have given permission.
func (b *bas) enter(_ model.Proc, l *basLocal, _ *outbox) bool {
	if !l.waits() || int(l.PermCount.Value()) < b.n-b.k-l.Crashed.Len() {
		return false
	}
	l.State = cs
	return true
}

func (b *bas) release(i model.Proc, l *basLocal, out *outbox) bool {
	return b.algorithm.release(i, &l.local, out)
}

// receiveRequest: a request of a process known to have crashed only moves the clock.
func (b *bas) receiveRequest(i, j model.Proc, m message, l *basLocal, out *outbox) bool {
	if l.Crashed.Has(j) {
		l.H = l.H.Max(m.ts).Plus(1)
		return true
	}
	return b.algorithm.receiveRequest(i, j, m, &l.local, out)
}

func (b *bas) receiveReply(i, j model.Proc, m message, l *basLocal, out *outbox) bool {
	return l.Crashed.Has(j) || b.algorithm.receiveReply(i, j, m, &l.local, out)
}

// notify: j has crashed. Its permission does not count any more, and one less is needed; no reply is owed to
// it or by it.
func (b *bas) notify(_, j model.Proc, l *basLocal, _ *outbox) bool {
	if l.Crashed.Has(j) {
		return false
	}
	if l.State == requesting && l.Miss.At(j).Value() == 0 {
		l.PermCount = l.PermCount.Minus(1)
	}
	l.Crashed = l.Crashed.With(j)
	l.Miss.Put(j, model.Count(0))
	l.Defer.Put(j, 0)
	return true
}
