package instance

import (
	"slices"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
)

// Numbered is an instance with numbers, beside one whose times count by their order only.
type Numbered struct {
	Instance
	// Alike returns a text that is the same for states of both instances if they differ only in clocks and,
	// by a change that keeps their order, in stamps.
	Alike func(lts.State) string
}

// A numberedState is a state of a run with numbers.
type numberedState struct {
	lts.State
	before *numberedState
	by     lts.Transition
}

// mostAlike is the largest number of states with numbers that are followed beside one of the given run.
const mostAlike = 1000

// follow returns the states with numbers, alike to the next of a given run, to which steps from some lead.
func (n *Numbered) follow(from []*numberedState, next lts.State) (all []*numberedState) {
	want, met := n.Alike(next), map[string]bool{}
	for _, at := range from {
		for _, t := range n.Plain.Steps(at.State) {
			if t.Outside || t.Pruned || len(all) == mostAlike || n.Alike(t.Next) != want {
				continue
			}
			if key := t.Next.Key(); !met[key] {
				met[key] = true
				all = append(all, &numberedState{t.Next, at, t})
			}
		}
	}
	return all
}

// along returns the states with numbers at the end of a given run; none: no run with numbers is alike.
func (n *Numbered) along(run []lts.State) (at []*numberedState) {
	for _, t := range n.Plain.Init() {
		if n.Alike(t.Next) == n.Alike(run[0]) {
			at = append(at, &numberedState{State: t.Next})
		}
	}
	for _, next := range run[1:] {
		at = n.follow(at, next)
	}
	return at
}

// states returns the run to a state.
func (s *numberedState) states() (run []lts.State) {
	for ; s != nil; s = s.before {
		run = append(run, s.State)
	}
	slices.Reverse(run)
	return run
}

// Again returns a run with numbers that is alike to a given one and shows the same of property i in its last
// state or step; nil: no such run.
func (n *Numbered) Again(run []lts.State, i int) []lts.State {
	for _, s := range n.along(run) {
		if n.shows(s, i) {
			return s.states()
		}
	}
	return nil
}

// shows reports whether property i, which is not about whole runs, has to be reported at a state.
func (n *Numbered) shows(s *numberedState, i int) bool {
	if n.Space.Properties()[i].Kind == property.StepInvariant {
		return s.before != nil && n.Plain.JudgeStep(s.before.State, s.by, i)
	}
	return n.Shows(s.State, i)
}

// mostCycles is the largest number of times that a cycle is repeated until it closes with numbers.
const mostCycles = 12

// AgainForEver returns a run with numbers that goes around the cycle of a given one again and again, until
// it closes up to a shift of all times, is fair, and violates Liveness property i; nil: none was found.
func (n *Numbered) AgainForEver(run []lts.State, cycleAt, i int) (again []lts.State, at int) {
	ends := n.along(run[:cycleAt+1])
	if cycleAt == len(run)-1 {
		for _, s := range ends {
			if again = s.states(); n.Refutes(again, cycleAt, i) == "" {
				return again, cycleAt
			}
		}
		return nil, 0
	}
	for round := 1; round <= mostCycles; round++ {
		for _, next := range run[cycleAt+1:] {
			ends = n.follow(ends, next)
		}
		for _, s := range ends {
			again = s.states()
			last := again[len(again)-1].Key()
			for at = len(again) - len(run) + cycleAt; at >= cycleAt; at -= len(run) - 1 - cycleAt {
				if again[at].Key() == last && n.Refutes(again, at, i) == "" {
					return again, at
				}
			}
		}
	}
	return nil, 0
}
