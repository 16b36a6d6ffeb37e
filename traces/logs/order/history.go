package order

import (
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// A History has the events of a run with all their fields.
type History struct {
	Header formats.Header
	Nodes  []string // sorted; Event.Node is an index into it
	Events []Event  // all events, node by node, each node's in its order
	ByNode [][]int  // per node: indices into Events, in order
	// After lists for each event the events at other nodes known to have happened before it. Together with
	// the order at each node, the transitive closure is the order.
	After [][]int
}

// An Event is one line of a log.
type Event struct {
	File string
	Line int // from 1

	Node int    // index into History.Nodes
	Name string // what happened: the name of an action of the model, or of an event of a lock

	Seq     int64     // the node's own count of its events, from 1; 0: none
	Clock   []uint64  // vector clock, by node; nil: none
	Lamport uint64    // 0: none
	Begin   time.Time // it happened between Begin and End; zero: unknown
	End     time.Time
	Maybe   bool // it may not have happened at all

	// The message received: its sender as an index into Nodes (-1: none), its id ("": none) and its text,
	// such as "REQUEST(3)" ("": not logged).
	From    int
	ID      string
	Message string
	Sent    []Sent            // messages sent in this step
	State   map[string]string // logged variables after the step
	Units   int               // units acquired, released or asked for; 0: not given, which means 1
}

// Sent is a message that was sent.
type Sent struct {
	To      int // index into Nodes; -1: not logged
	ID      string
	Message string
}
