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

// A numberedState is the end of a run with numbers: its last transition, after the run before. Initial
// states have none before, and their transitions are those of Plain.Init.
type numberedState struct {
	lts.Transition
	before *numberedState
}

// mostAlike is the largest number of states with numbers that are followed beside one of the given run.
const mostAlike = 1000

// follow returns the states with numbers, alike to the next of a given run, to which steps from some lead.
func (n *Numbered) follow(from []*numberedState, next lts.State) (all []*numberedState) {
	want, met := n.Alike(next), map[string]bool{}
	for _, before := range from {
		for _, t := range n.Plain.Steps(before.Next) {
			if t.Outside || t.Pruned || len(all) == mostAlike || n.Alike(t.Next) != want {
				continue
			}
			if key := t.Next.Key(); !met[key] {
				met[key] = true
				all = append(all, &numberedState{t, before})
			}
		}
	}
	return all
}

// run returns the states of the run to a state, and the transitions to them.
func (s *numberedState) run() (states []lts.State, taken []lts.Transition) {
	for ; s != nil; s = s.before {
		states, taken = append(states, s.Next), append(taken, s.Transition)
	}
	slices.Reverse(states)
	slices.Reverse(taken)
	return states, taken
}

// mostCycles is the largest number of times that a cycle is repeated until it closes with numbers.
const mostCycles = 12

// Again returns the transitions to the states of a run with numbers that is alike to a given one and has to
// be reported for property i; nil: none was found. For Liveness the run goes around the cycle of the given
// one, from cycleAt on, until it closes up to a shift of all times: with the state at, or a later one.
func (n *Numbered) Again(run []lts.State, cycleAt, i int) (again []lts.Transition, at int) {
	if n.Space.Properties()[i].Kind != property.Liveness {
		cycleAt = len(run) - 1
	}
	var ends []*numberedState
	for _, t := range n.Plain.Init() {
		if n.Alike(t.Next) == n.Alike(run[0]) {
			ends = append(ends, &numberedState{Transition: t})
		}
	}
	cycle, more := run[cycleAt+1:], run[1:]
	for round := 0; round == 0 || round < mostCycles && len(cycle) > 0; round++ {
		for _, next := range more {
			ends = n.follow(ends, next)
		}
		for _, s := range ends {
			states, again := s.run()
			for at = len(states) - 1 - len(cycle); at >= cycleAt; at -= max(1, len(cycle)) {
				if n.shows(s, states, at, i) {
					return again, at
				}
			}
		}
		more = cycle
	}
	return nil, 0
}

// shows reports whether property i has to be reported at the end of a run, which repeats itself from at on.
func (n *Numbered) shows(s *numberedState, run []lts.State, at, i int) bool {
	switch n.Space.Properties()[i].Kind {
	case property.Liveness:
		return n.Refutes(run, at, i) == ""
	case property.StepInvariant:
		return s.before != nil && n.Plain.JudgeStep(s.before.Next, s.Transition, i)
	}
	return n.Shows(s.Next, i)
}
