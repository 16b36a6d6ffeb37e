package vcube

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

type region uint8

const (
	notRequesting region = iota
	requesting
	executing
)

func (r region) String() string {
	return [...]string{"not requesting", "requesting", "executing"}[r]
}

// mutexState is the state of one process in Algorithm 7.1.
type mutexState struct {
	Correct    values.Group
	State      region
	Clock      model.Counter
	Last       model.Counter // timestamp of the latest request
	PermCount  int32
	ReplyCount model.PerProc[int32]
	DeferCount model.PerProc[uint32]
	Made       uint32 // requests made
	Part       uint8  // the part of procedure Request that comes next; 0: it is not interrupted
	Half       uint16 // 1 + the process whose crash is half handled; 0: none
	strictState
}

// Vars lists the state under the paper's names.
func (l mutexState) Vars(names model.Names) []model.Var {
	vars := []model.Var{
		{Name: "correct", Value: l.Correct.Format(names.First)},
		{Name: "state", Value: l.State.String()},
		{Name: "clock", Value: fmt.Sprint(l.Clock)},
		{Name: "last", Value: fmt.Sprint(l.Last)},
		{Name: "perm_count", Value: fmt.Sprint(l.PermCount)},
		{Name: "reply_count", Value: entries(l.ReplyCount)},
		{Name: "defer_count", Value: entries(l.DeferCount)},
		{Name: "made", Value: fmt.Sprint(l.Made)},
	}
	if !l.Inside.Empty() {
		vars = append(vars, model.Var{Name: "inside", Value: l.Inside.Format(names.First)})
	}
	if l.Part > 0 {
		vars = append(vars, model.Var{Name: "next part of the request", Value: fmt.Sprint(l.Part)})
	}
	if l.Half > 0 {
		vars = append(vars, model.Var{Name: "half notified of", Value: name(model.Proc(l.Half - 1))})
	}
	return vars
}

// mutex is Algorithm 7.1 as printed. The division into steps is in readings.go, and
// variant=repaired in strict.go.
type mutex struct {
	n, k   int
	dead   values.Group // from the start
	rounds []int        // how often each process requests
	order  crashOrder
	strict bool // variant=repaired: units are given in the order of requests
}

// send is BROADCAST(m).
type send func(m content)

func (x *mutex) init(model.Proc) mutexState { // lines 1-7
	return mutexState{Correct: values.Everybody(x.n).Minus(x.dead)}
}

// request is procedure Request up to line 12.
func (x *mutex) request(l *mutexState) { // line 8
	l.State = requesting      // line 9
	l.Clock = l.Clock.Plus(1) // line 10
	l.Last = l.Clock          // line 11
	l.PermCount = 0           // line 12
}

func (x *mutex) announce(i model.Proc, l *mutexState, broadcast send) {
	broadcast(content{Source: i, C: l.Last.Value()}) // line 13
}

func (x *mutex) expect(i model.Proc, l *mutexState, _ send) {
	for j := range l.Correct.Without(i).Each() { // line 14
		l.ReplyCount.Put(j, l.ReplyCount.At(j)+1)
	}
}

// enter is the end of the wait of procedure Request.
func (x *mutex) enter(_ model.Proc, l *mutexState, _ *outbox) bool {
	if l.State != requesting || l.Part > 0 || int(l.PermCount) < l.Correct.Len()-x.k { // line 15
		return false
	}
	l.State = executing // line 16
	return true
}

func (x *mutex) release(i model.Proc, l *mutexState, out *outbox) bool { // line 17
	if l.State != executing {
		return false
	}
	l.State = notRequesting                      // line 18
	for j := range l.Correct.Without(i).Each() { // line 19
		if n := l.DeferCount.At(j); n != 0 { // line 20
			out.Send(j, message{kind: kindReply, count: n}) // line 21
			l.DeferCount.Put(j, 0)                          // line 22
		}
	}
	return true
}

// receiveRequest: REQUEST(j, last_j). Line 26 is printed as (last_i, i) < (last_i, j); the second one
// has to be last_j.
func (x *mutex) receiveRequest(i model.Proc, m content, l *mutexState, out *outbox) { // line 23
	j, lastJ := m.Source, m.C
	l.Clock = l.Clock.Max(lastJ) // line 24
	if l.Correct.Has(j) {        // line 25
		if l.State == executing || // line 26
			l.State == requesting && values.Before(l.Last.Value(), i, lastJ, j) {
			l.DeferCount.Put(j, l.DeferCount.At(j)+1) // line 27
		} else { // line 28
			out.Send(j, message{kind: kindReply, count: 1}) // line 29
		}
	}
}

func (x *mutex) receiveReply(_, j model.Proc, m message, l *mutexState, _ *outbox) bool { // line 30
	if l.Correct.Has(j) { // line 31
		l.ReplyCount.Put(j, l.ReplyCount.At(j)-int32(m.count)) // line 32
		if l.State == requesting && l.ReplyCount.At(j) == 0 {  // line 33
			l.PermCount++ // line 34
		}
	}
	return true
}

// takeBack is the first half of the notification of a crash of j, whose permission does not count any more;
// exclude is the second half. readings.go has them in one step or in two.
func (x *mutex) takeBack(j model.Proc, l *mutexState) { // line 35
	if l.State == requesting && l.ReplyCount.At(j) == 0 { // line 36
		l.PermCount-- // line 37
	}
}

func (x *mutex) exclude(j model.Proc, l *mutexState) {
	l.Correct = l.Correct.Without(j) // line 38
}
