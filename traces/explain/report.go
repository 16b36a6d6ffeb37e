package explain

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A Verdict says whether a run of the model explains a log.
type Verdict string

// The verdicts.
const (
	Accepted  Verdict = "accepted"
	Rejected  Verdict = "rejected"  // no run explains it, within the missing lines that Options allow
	Undecided Verdict = "undecided" // a limit was reached
)

// A Report is the result of Run.
type Report struct {
	Verdict   Verdict
	Reason    string // why it is undecided
	Lines     int    // number of lines that the model has to explain
	Explained int    // number of lines explained
	States    int64  // number of states searched, in all passes

	// The explanation, or a longest part of one, as steps in the log and as a run of the model, with what it
	// shows.
	Steps      []Step
	Initial    lts.State
	Taken      []lts.Transition
	Properties []Property
	Broken     []Step // steps that a constraint or a history of the model excludes
	Vacuity    Vacuity
	Cover      *Cover // nil: not asked, or no run explains the log

	Furthest []FurthestCut // where the search got stuck; nil if accepted
	Repair   *Repair       // nil: not tried
}

// A Step is one step of an explanation.
type Step struct {
	Node   string // the process
	Action string // "" for an event that did not happen
	Text   string // in words
	Event  *order.Event
	// A step without an event is hidden. It happened after event After of the same node, and before event
	// Before; nil: there is no such event.
	After, Before *order.Event
}

// String returns the step in words, with its place.
func (s *Step) String() string {
	switch {
	case s.Event != nil && s.Action == "":
		return fmt.Sprintf("%s: did not happen", s.Event.Place)
	case s.Event != nil:
		return fmt.Sprintf("%s: %s", s.Event.Place, s.Text)
	case s.After != nil && s.Before != nil:
		return fmt.Sprintf("between %s and %s: %s", s.After.Place, s.Before.Place, s.Text)
	case s.After != nil:
		return fmt.Sprintf("after %s: %s", s.After.Place, s.Text)
	case s.Before != nil:
		return fmt.Sprintf("before %s: %s", s.Before.Place, s.Text)
	}
	return fmt.Sprintf("%s without any lines: %s", s.Node, s.Text)
}

// A Property is the judgement of a property of the model along an explanation, which is one run of many: it
// can show a violation, and proves nothing.
type Property struct {
	Name     string
	Kind     model.PropertyKind
	Judged   bool // false for kinds that a finite run cannot decide
	Violated bool // for a goal: reached
	At       *Step
}

// Vacuity has the coverage of the model by an explanation.
type Vacuity struct {
	Inside   int      // the largest number of units in use at once
	Crashes  int      // crashes, without processes that are dead from the start
	Never    []string // actions of the model that did not occur, without crashes
	Entries  int      // steps after which a process uses more units than before
	Hidden   int      // hidden steps
	Switches int      // receipts of messages
}

// A FurthestCut is a cut of the log beyond which no explanation leads; no other such cut has more lines.
type FurthestCut struct {
	Blocked []Blocked // the nodes with lines left; nodes that wait for others come last
	State   []lts.Var
	Last    *order.Event // the last line explained; nil: none
}

// Blocked is a node with the next line that could not be explained.
type Blocked struct {
	Node    string
	Event   *order.Event
	Why     string
	Waits   bool     // it only waits for lines of other nodes
	Enabled []string // steps that the model could take there, without crashes
}

// A Repair is the result of the search for missing lines.
type Repair struct {
	Found     bool
	Missing   []Step // the steps without a line, including Options.Hidden ones
	Tried     int    // the largest number of additional lines
	Exhausted bool   // if not found: that number is certainly not enough
}
