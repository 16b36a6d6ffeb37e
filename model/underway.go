package model

import (
	"sync/atomic"

	"github.com/atmostk/atmostk/model/lts"
)

// An underway tells another goroutine which handler a runner has called: in one word, so that to tell takes
// little and nothing has to be locked.
type underway struct {
	call   atomic.Uint64 // its number, its action in 16 bits, its process in 8; 0: none
	number uint64        // of the last one
}

func (u *underway) begin(p Proc, action int) {
	if u != nil {
		u.number++
		u.call.Store(u.number<<24 | uint64(action)<<8 | uint64(p))
	}
}

func (u *underway) end() {
	if u != nil {
		u.call.Store(0)
	}
}

var _ lts.Underway = (*typed)(nil)

func (t *typed) Call() uint64 { return t.under.call.Load() }

func (t *typed) Subject(call uint64) string {
	if call == 0 || t.under.call.Load() != call {
		return ""
	}
	e := Error{Part: "handler " + t.actions[call>>8&0xffff].Name, Process: t.c.Names.Of(Proc(call & 0xff))}
	return e.Subject()
}
