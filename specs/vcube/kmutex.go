package vcube

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

// region is state_i.
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
	vars = append(vars, l.insideVars(names)...)
	if l.Part > 0 {
		vars = append(vars, model.Var{Name: "next part of the request", Value: fmt.Sprint(l.Part)})
	}
	if l.Half > 0 {
		vars = append(vars, model.Var{Name: "half notified of", Value: name(model.Proc(l.Half - 1))})
	}
	return vars
}

// mutex is Algorithm 7.1.
type mutex struct {
	n, k   int
	dead   values.Group // from the start
	rounds []int        // how often each process requests
	order  crashOrder
	strict bool // units are given in the order of requests
}

// crashOrder is the reading of lines 36-38.
type crashOrder uint8

const (
	atomicCrash  crashOrder = iota // all in one step
	printedCrash                   // lines 36-37, then line 38
	swappedCrash                   // line 38, then lines 36-37
)

// A part of procedure Request, to be executed without interruption.
type part uint8

const (
	line13 part = 1 << iota
	line14
)

// splits are the readings of procedure Request: the parts, the first of which
// begins with lines 9-12.
var splits = map[string][]part{
	"atomic":      {line13 | line14},
	"blocked":     {0, line13 | line14},
	"line":        {0, line13, line14},
	"count-first": {line14, line13},
}

// send is BROADCAST(m).
type send func(m content)

func (x *mutex) init(model.Proc) mutexState {
	return mutexState{Correct: values.Everybody(x.n).Minus(x.dead)} // lines 1-7
}

// mayRequest reports whether the process can call Request.
func (x *mutex) mayRequest(i model.Proc, l *mutexState) bool {
	return l.Half == 0 && l.State == notRequesting && (x.rounds[i] == model.Forever ||
		int(l.Made) < x.rounds[i])
}

// request: lines 8-12 and the first part of the rest.
func (x *mutex) request(i model.Proc, l *mutexState, parts []part, broadcast send) {
	l.Made++
	l.State = requesting      // line 9
	l.Clock = l.Clock.Plus(1) // line 10
	l.Last = l.Clock          // line 11
	l.PermCount = 0           // line 12
	l.Inside = values.Group{}
	x.resume(i, l, parts, broadcast)
}

// interrupted reports whether the process can go on with Request.
func (x *mutex) interrupted(l *mutexState) bool { return l.Half == 0 && l.Part > 0 }

// resume: the next part of lines 13-14.
func (x *mutex) resume(i model.Proc, l *mutexState, parts []part, broadcast send) {
	now := parts[l.Part]
	if now&line13 != 0 {
		broadcast(content{Source: i, C: l.Last.Value()})
	}
	if now&line14 != 0 {
		for j := range l.Correct.Without(i).Each() {
			l.ReplyCount.Put(j, l.ReplyCount.At(j)+1)
		}
	}
	l.Part = (l.Part + 1) % uint8(len(parts))
}

// enter: lines 15-16.
func (x *mutex) enter(i model.Proc, l *mutexState, out *outbox) bool {
	if l.State != requesting || l.Part > 0 || int(l.PermCount) < l.Correct.Len()-x.k { // line 15
		return false
	}
	if x.strict && !l.mayPrecede(i).Empty() {
		return false
	}
	l.State = executing // line 16
	if x.strict {
		l.tellInside(i, out)
	}
	return true
}

// release: lines 17-22.
func (x *mutex) release(i model.Proc, l *mutexState, out *outbox) bool {
	if l.State != executing || l.Half > 0 {
		return false
	}
	l.State = notRequesting                      // line 18
	for j := range l.Correct.Without(i).Each() { // line 19
		if n := l.DeferCount.At(j); n != 0 { // line 20
			out.Send(j, message{kind: kindReply, count: n}) // line 21
			l.DeferCount.Put(j, 0)                          // line 22
			l.Deferred.Put(j, 0)
		}
	}
	return true
}

// receiveRequest: lines 23-29. Line 26 is printed as (last_i, i) < (last_i, j); the
// second last is meant to be that of j.
func (x *mutex) receiveRequest(i model.Proc, m content, l *mutexState, out *outbox) bool {
	if l.Half > 0 {
		return false
	}
	j, lastJ := m.Source, m.C
	l.Clock = l.Clock.Max(lastJ) // line 24
	if !l.Correct.Has(j) {       // line 25
		return true
	}
	if l.State == executing || l.State == requesting && before(l.Last.Value(), i, lastJ, j) { // line 26
		l.DeferCount.Put(j, l.DeferCount.At(j)+1) // line 27
		if x.strict {
			l.deferred(j, lastJ, out)
		}
	} else { // line 28
		out.Send(j, message{kind: kindReply, count: 1}) // line 29
	}
	return true
}

// before is the order of requests: (a, i) < (b, j).
func before(a uint32, i model.Proc, b uint32, j model.Proc) bool {
	return a < b || a == b && i < j
}

// receiveReply: lines 30-34.
func (x *mutex) receiveReply(_, j model.Proc, m message, l *mutexState, _ *outbox) bool {
	if l.Half > 0 {
		return false
	}
	if l.Correct.Has(j) { // line 31
		l.ReplyCount.Put(j, l.ReplyCount.At(j)-int32(m.count)) // line 32
		if l.State == requesting && l.ReplyCount.At(j) == 0 {  // line 33
			l.PermCount++ // line 34
		}
	}
	return true
}

// notify: lines 35-38, or their first half.
func (x *mutex) notify(_, j model.Proc, l *mutexState, _ *outbox) bool {
	if !l.Correct.Has(j) || l.Half > 0 {
		return false
	}
	if x.order != swappedCrash {
		x.takeBack(j, l) // lines 36-37
	}
	if x.order != printedCrash {
		l.Correct = l.Correct.Without(j) // line 38
	}
	if x.order != atomicCrash {
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
	if x.order == swappedCrash {
		x.takeBack(j, l) // lines 36-37
	} else {
		l.Correct = l.Correct.Without(j) // line 38
	}
	return true
}

// takeBack: lines 36-37. A permission of j does not count any more.
func (x *mutex) takeBack(j model.Proc, l *mutexState) {
	if l.State == requesting && l.ReplyCount.At(j) == 0 { // line 36
		l.PermCount-- // line 37
	}
}

// forget leaves of the state of a process what is read again: the clock where it still requests, and
// the timestamp of a request that waits.
func (x *mutex) forget(i model.Proc, l *mutexState) {
	if x.rounds[i] != model.Forever && int(l.Made) >= x.rounds[i] {
		l.Clock.Forget()
	}
	if l.State != requesting {
		l.Last.Forget()
	}
}
