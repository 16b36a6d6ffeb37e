package explain

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces/logs"
)

// A Verdict is the answer to the question whether a run of the model explains a log.
type Verdict string

// The verdicts.
const (
	Accepted  Verdict = "accepted"
	Rejected  Verdict = "rejected"  // no run explains it, within what Options allow to be missing
	Undecided Verdict = "undecided" // a limit was reached
)

// A Report says what was found.
type Report struct {
	Verdict   Verdict
	Reason    string // why it is undecided
	Lines     int    // that the model has to explain
	Explained int    // of them
	States    int64  // of the search, all passes together

	// Of the explanation, or of a longest part of one: what the steps are in the log, and the run of the
	// model.
	Steps      []Step
	Initial    lts.State
	Taken      []lts.Transition
	Properties []Property
	Broken     []Step // steps that an assumption of the model on its runs forbids
	Vacuity    Vacuity

	Furthest []FurthestCut // where it leads no further; nil if accepted
	Repair   *Repair       // nil: none was looked for
}

// A Step is one step of an explanation.
type Step struct {
	Node   string // the process
	Action string // "" for an event that did not happen
	Text   string // in words
	Event  *logs.Event
	// A step without an event is hidden. It was after event After of the same node, and
	// before event Before; nil: there is no such event.
	After, Before *logs.Event
}

// String says in words what the step is, and where.
func (s *Step) String() string {
	switch {
	case s.Event != nil && s.Action == "":
		return fmt.Sprintf("%s: did not happen", Where(s.Event))
	case s.Event != nil:
		return fmt.Sprintf("%s: %s", Where(s.Event), s.Text)
	case s.After != nil && s.Before != nil:
		return fmt.Sprintf("between %s and %s: %s", Where(s.After), Where(s.Before), s.Text)
	case s.After != nil:
		return fmt.Sprintf("after %s: %s", Where(s.After), s.Text)
	case s.Before != nil:
		return fmt.Sprintf("before %s: %s", Where(s.Before), s.Text)
	}
	return fmt.Sprintf("%s without any lines: %s", s.Node, s.Text)
}

// A Property is what an explanation shows of a property of the model. It is one run
// out of many, so nothing is ever proved by it.
type Property struct {
	Name     string
	Kind     model.PropertyKind
	Judged   bool // false for kinds that a finite run says nothing about
	Violated bool // for a goal: reached
	At       *Step
}

// Vacuity says how much a log puts to the test.
type Vacuity struct {
	Inside   int      // the largest number of units in use at once
	At       *Step    // when it was first reached; nil: in the initial state
	Crashes  int      // crashes, without processes that are dead from the start
	Never    []string // actions of the model that did not occur, crashes left out
	Entries  int      // steps after which a process uses more units than before
	Hidden   int      // hidden steps
	Switches int      // receipts of messages
}

// A FurthestCut is a cut of the log beyond which no explanation leads, of those that explain the most lines.
type FurthestCut struct {
	Blocked []Blocked // the nodes with lines left; those that others wait for first
	State   []lts.Var
	Last    *logs.Event // the last line explained; nil: none
}

// Blocked is a node with the next line that could not be explained.
type Blocked struct {
	Node    string
	Event   *logs.Event
	After   *logs.Event // the last line of the node that was explained; nil: none
	Why     string
	Waits   bool     // only for what others have not done
	Enabled []string // what the model could do there, but for crashes
}

// A Repair is the search for lines that are missing.
type Repair struct {
	Found     bool
	Missing   []Step // the steps without a line, Options.Hidden of them included
	Tried     int    // the most lines that were added
	Exhausted bool   // if not found: that many are certainly not enough
}
