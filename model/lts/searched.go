package lts

import (
	"iter"

	"github.com/atmostk/atmostk/model/protocol"
)

// Opened is a model for one search.
type Opened struct {
	Protocol protocol.Protocol // of a Composition; else nil
	System   protocol.System   // of a System; else nil
	States   States
}

// States decode and judge the kernel's states.
type States interface {
	// Decode returns the state that has these parts.
	Decode(*protocol.Parts) State
	// NewJudge returns a judge of states, for one goroutine.
	NewJudge() Judge
	// Coverage returns, after a complete search, the declarations that never were in use. It reads the
	// visited states only if the tables do not suffice.
	Coverage(visited iter.Seq[*protocol.Parts]) Coverage
}

// A PartsJudge is the part of a Judge that reads one whole state.
type PartsJudge interface {
	// JudgeQuiet returns the Quiet properties that fail in s, a quiet state.
	JudgeQuiet(s *protocol.Parts, which uint64) uint64
	// Origins returns the origin classes of Reachable property i to which s belongs.
	Origins(s *protocol.Parts, i int) uint64
	// Marks returns the marks of s in lasso k of Liveness property i.
	Marks(s *protocol.Parts, i, k int) Marks
	// Served returns the value of Cost.Served of property i in s, a state of a Composition.
	Served(s *protocol.Parts, i int) int
}

// A Judge judges states. Property masks have bit i for property i.
type Judge interface {
	// Check evaluates the properties and other functions of the model about a subject again, on copies; the
	// kernel runs handlers of a Composition again itself. Check panics with an Error if a function has two
	// results, changes the copies, or is not symmetric where symmetry is declared. In a System the check
	// of a state checks its steps, too.
	Check(x Checked)
	// Judge returns the invariants that s violates and the reachability goals that it satisfies.
	Judge(s *protocol.Parts, which uint64) uint64
	// JudgeStep returns the StepInvariants that the step breaks.
	JudgeStep(s *protocol.Parts, l protocol.Label, t *protocol.Parts, which uint64) uint64
	PartsJudge
}

// Checked is the subject of a purity check: a state, with the properties that judge any state or, if Quiet is
// set, with Quiet properties; or a step of a Composition.
type Checked struct {
	State, Next *protocol.Parts // Next: after the step; nil: the subject is a state
	Label       protocol.Label  // of the step
	Quiet       bool
	Which       uint64 // the properties to evaluate
	Hash        uint64 // of the state
}

// Coverage has the declarations that a search of all states never saw in use.
type Coverage struct {
	// Unchanged are the variables that keep their first value for ever, in
	// each process: fields by their names in Go, as "Mutex.State". It is nil
	// if states represent others, up to a symmetry or a shift of times.
	Unchanged []string
	Unused    bool // no local state uses a unit of the resource
}

// Marks are the acceptance marks of a state in the runs that a Lasso describes, a set of bits. States where
// Visits[i] holds have the mark FirstVisit << i.
type Marks uint64

const (
	// Starts is the mark of states from which on the property has to be fulfilled.
	Starts Marks = 1 << iota
	// Fulfils is the mark of states that end the search for a violation: Never holds.
	Fulfils
	// OffCycle is the mark of states that cannot be in the cycle: Avoids holds.
	OffCycle
	// FirstVisit is the mark of states where Visits[0] holds.
	FirstVisit
)

// Named returns for each action whether it has one of the names.
func Named(actions []Action, names []string) []bool {
	is := make([]bool, len(actions))
	for i, a := range actions {
		for _, name := range names {
			is[i] = is[i] || a.Name == name
		}
	}
	return is
}
