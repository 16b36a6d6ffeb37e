package cluster

import (
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

// An order is a line of JSON from the supervisor on the standard input of a process. One field is set.
type order struct {
	Assignment *assignment `json:",omitempty"` // the first order
	Turn       *turn       `json:",omitempty"`
	CrashSoon  bool        `json:",omitempty"` // inside the next step with several messages
	Finish     bool        `json:",omitempty"` // between two steps
}

// A turn lets a process take a step, if it has one: the receipt of an envelope, the notice of a crash, or a
// step by itself.
type turn struct {
	Context  protocol.Context
	Gone     []model.Proc // under Links: processes that crashed since its last turn
	Notice   *model.Proc  `json:",omitempty"` // the crashed process
	From     model.Proc   // the sender of the envelope
	Envelope *envelope    `json:",omitempty"`
}

// The result of a turn.
type result struct {
	Stepped bool
	Local   []byte // the local state afterwards
	Units   int    // in use afterwards
	Sent    []sending
}

// sending is an envelope with its target.
type sending struct {
	To       model.Proc
	Envelope envelope
}

// An assignment gives a process its part of the run.
type assignment struct {
	Process model.Proc
	Log     string // file
	Spec    string // for the header of the log
	Args    string
	Seed    [2]uint64
	// Local is the local state with which a process recovers; nil: it is new.
	Local []byte `json:",omitempty"`
}

// Pace are the mean times of a run; the actual ones are drawn from 0 to twice the mean.
type Pace struct {
	Think time.Duration // before a step that a process takes by itself
	Stay  time.Duration // the same while it uses the resource
	Delay time.Duration // of an envelope, and of the notice of a crash
	// Slow is the additional delay of envelopes from some processes.
	Slow map[model.Proc]time.Duration
}

// A report is a line of JSON from a process on its standard output.
type report struct {
	Ready  bool    `json:",omitempty"` // the first report: the log has begun
	Result *result `json:",omitempty"`
	progress
	Ended   bool         `json:",omitempty"` // the last
	Error   string       `json:",omitempty"` // instead of any other
	Mistake *model.Error `json:",omitempty"` // of the model, instead of any other
}

// progress of a process.
type progress struct {
	Outside bool // its next step would leave the constraint; it takes none any more
	Steps   int
	Entries int // steps by which it began to use the resource
}

// envelope is a message on its way.
type envelope struct {
	ID, Clock string
	Message   []byte
}
