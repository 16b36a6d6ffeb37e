package order

import (
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// A History is what the logs of a run say.
type History struct {
	Header formats.Header
	Nodes  []string // sorted; Event.Node is an index into it
	Events []Event  // all of them, node by node, each node's in its order
	ByNode [][]int  // per node: indices into Events, in order
	// After lists for each event those known to have happened before it, the one
	// before it at the same node apart: the transitive closure is the order.
	After [][]int
}

// An Event is one line of a log.
type Event struct {
	File string
	Line int // from 1

	Node int    // index into History.Nodes
	Name string // what happened: the name of an action of the model, or enter and release

	Seq     int64     // the node's own count of its events, from 1; 0: none
	Clock   []uint64  // vector clock, by node; nil: none
	Lamport uint64    // 0: none
	Begin   time.Time // it happened between Begin and End; zero: unknown
	End     time.Time
	Maybe   bool // it may not have happened at all

	// Of the message received: who sent it, as an index into Nodes (-1: none), its
	// identity ("": none) and its text ("REQUEST(3)", "" if not logged).
	From    int
	ID      string
	Message string
	Sent    []Sent            // messages sent in this step
	State   map[string]string // variables after the step, those that were logged
	Units   int               // units asked for or held; 0: not said, that is 1
}

// Sent is a message that was sent.
type Sent struct {
	To      int // index into Nodes; -1: not said
	ID      string
	Message string
}
