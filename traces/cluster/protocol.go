package cluster

import (
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

// An assignment is the first line of JSON from the supervisor on the standard input of a process. Every other
// line is a turn. The end of the input orders the process to end.
type assignment struct {
	Process model.Proc
	Again   bool   // the process recovers, and appends to its log
	Log     string // name of the file
	Spec    string // for the header of the log
	Args    string
	Seed    [2]uint64
}

// A turn orders a process to take a step of an enabled event.
type turn struct {
	Action   int
	Peer     model.Proc // the sender of the envelope, or the crashed process
	Local    []byte     // the local state before
	Context  protocol.Context
	Envelope *envelope `json:",omitempty"` // to be received; nil: none
	Crash    bool      // crash during the step, if it sends several messages
}

// A report is a line of JSON from a process on its standard output.
type report struct {
	Ready   bool         `json:",omitempty"` // the first report: the log exists
	Result  *result      `json:",omitempty"` // result of a turn
	Error   string       `json:",omitempty"` // the process failed; its last report
	Mistake *model.Error `json:",omitempty"` // the model failed; the last report
}

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
	ID, Clock string // as in the sender's log
	Message   []byte // canonical bytes
}

// Pace has the mean times of a run. The actual times are uniformly random from 0 to twice the mean.
type Pace struct {
	Think time.Duration // before a process's own step
	Stay  time.Duration // the same while the process uses the resource
	Delay time.Duration // of an envelope, and of the notice of a crash
	// Slow is the additional delay of envelopes from some processes.
	Slow map[model.Proc]time.Duration
}
