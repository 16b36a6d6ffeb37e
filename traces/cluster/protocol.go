package cluster

import (
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

// An assignment is the first line of JSON from the supervisor on the standard input of a process. Every other
// one is a turn, and the end of the input is the order to end.
type assignment struct {
	Process model.Proc
	Again   bool   // it recovers, and goes on with its log
	Log     string // file
	Spec    string // for the header of the log
	Args    string
	Seed    [2]uint64
}

// A turn is an event that is enabled at a process, which takes one of its steps.
type turn struct {
	Action   int
	Peer     model.Proc // the sender of the envelope, or the crashed process
	Local    []byte     // the local state before
	Context  protocol.Context
	Envelope *envelope `json:",omitempty"` // received
	Crash    bool      // inside the step, if it sends several messages
}

// A report is a line of JSON from a process on its standard output.
type report struct {
	Ready   bool         `json:",omitempty"` // the first report: the log has begun
	Result  *result      `json:",omitempty"` // of a turn
	Error   string       `json:",omitempty"` // instead of any other
	Mistake *model.Error `json:",omitempty"` // of the model, instead of any other
}

// The result of a turn.
type result struct {
	Outside bool   // the step would leave the constraint, and was not taken
	Local   []byte // the local state afterwards
	Sent    []sending
}

// sending is an envelope with its target.
type sending struct {
	To       model.Proc
	Envelope envelope
}

// envelope is a message on its way.
type envelope struct {
	ID, Clock string
	Message   []byte
}

// Pace are the mean times of a run; the actual ones are drawn from 0 to twice the mean.
type Pace struct {
	Think time.Duration // before a step that a process takes by itself
	Stay  time.Duration // the same while it uses the resource
	Delay time.Duration // of an envelope, and of the notice of a crash
	// Slow is the additional delay of envelopes from some processes.
	Slow map[model.Proc]time.Duration
}
