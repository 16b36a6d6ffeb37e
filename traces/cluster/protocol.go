package cluster

import (
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

// order is what the supervisor tells a process: a line of JSON on its standard input. One
// field is set.
type order struct {
	Assignment *assignment `json:",omitempty"` // the first order
	Peers      []string    `json:",omitempty"` // addresses by process, "" for the dead
	Start      bool        `json:",omitempty"`
	Notice     *model.Proc `json:",omitempty"` // that process has crashed
	CrashSoon  bool        `json:",omitempty"` // inside the next step with several messages
	Finish     bool        `json:",omitempty"` // between two steps
	Turn       *turn       `json:",omitempty"`
}

// turn tells a process of a model with links to take a step now, if it has one.
type turn struct {
	Around protocol.Context
	Gone   []model.Proc // who has crashed since its last turn
	// From is the sender of what it is to receive; -1: it is to take a step of its own.
	From     int
	Envelope envelope
}

// turned is what came of a turn.
type turned struct {
	Stepped bool
	Local   []byte // its local state afterwards
	Units   int    // that it uses then
	Sent    []sending
}

// sending is an envelope with the process that it goes to.
type sending struct {
	To       model.Proc
	Envelope envelope
}

// assignment says who a process is.
type assignment struct {
	Process model.Proc
	Run     string // a secret of the run, so that no other program's connection is taken for an envelope
	Log     string // file
	Spec    string // for the header of the log
	Args    string
	Seed    [2]uint64
	Pace    Pace
	// Local is the local state of a process that has been there before, and comes up with it.
	Local []byte `json:",omitempty"`
}

// Pace are the mean times of a run; what happens is drawn from 0 to twice that.
type Pace struct {
	Think time.Duration // before a step that a process takes by itself
	Stay  time.Duration // the same while it uses the resource
	Delay time.Duration // of an envelope, and of the notice of a crash
	// Slow is by how much longer the envelopes from some processes take.
	Slow map[model.Proc]time.Duration
}

// report is what a process tells the supervisor: a line of JSON on its standard output.
type report struct {
	Listening string `json:",omitempty"` // address; the first report
	Connected bool   `json:",omitempty"` // the second
	progress
	Turned *turned `json:",omitempty"`
	Ended  bool    `json:",omitempty"` // the last
	Error  string  `json:",omitempty"` // instead of any other
	// Mistake of the model that showed in the process; likewise.
	Mistake *model.Error `json:",omitempty"`
}

// progress is how far a process is.
type progress struct {
	Idle    bool // it has nothing to do until an envelope or a notice comes
	Outside bool // its next step would leave the constraint; it takes none any more
	Steps   int
	Entries int       // steps by which it began to use the resource
	Sent    []int     `json:",omitempty"` // envelopes, by target
	Arrived []int     `json:",omitempty"` // envelopes, by sender
	Closed  model.Set // those from whom no envelope can come any more
	Noticed model.Set // those of whose crash it was told
}

// hello is the first thing on a connection.
type hello struct {
	Run  string
	From model.Proc
}

// envelope is a message on its way.
type envelope struct {
	ID, Clock string
	Message   []byte
}
