package invariants

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
)

// Responsiveness is the Responsiveness Property RP of Mostefaoui, Mourgaya and Raynal: for every process i,
// as long as it lives, more than f processes never missed an answer of i in their lives. It is a history of
// missed answers, and an assumption on runs or a claim about them.
//
// Readings of the property differ in when an answer is missed. Handlers note it for every reading, with
// Unanswered, and need not know which one counts.
type Responsiveness struct {
	N, F    int
	Reading uint8 // the notes of other readings are ignored; 0: there is no monitor
	// Assume excludes the steps that break the property. If it is false nothing is
	// excluded, and ResponsivenessKept finds where a run breaks it.
	Assume bool
}

// Answers is the history of Responsiveness. A[i] are the processes that never
// missed an answer of i in their lives. A dead i owes nothing, so its A[i] has all processes.
type Answers struct{ A [model.FewProcs]model.Set }

// Unanswered is the note that the process misses the answers of the
// processes in missing, according to a reading.
func Unanswered(reading uint8, missing model.Set) uint32 {
	return uint32(reading)<<16 | uint32(missing)
}

// History returns the monitor, if there is one.
func (r Responsiveness) History() model.History[Answers] {
	if r.Reading == 0 {
		return model.History[Answers]{}
	}
	var all Answers
	for i := range r.N {
		all.A[i] = model.All(r.N)
	}
	return model.History[Answers]{Init: all, Step: r.step}
}

// step returns false if the step is excluded.
func (r Responsiveness) step(h *Answers, e model.Event) bool {
	if e.Crash {
		h.A[e.Proc] = model.All(r.N)
		return true
	}
	if uint8(e.Note>>16) != r.Reading {
		return true
	}
	for i := range (model.Set(uint16(e.Note)) &^ e.Dead).Each() {
		h.A[i] = h.A[i].Without(e.Proc)
		if r.Assume && h.A[i].Len() <= r.F {
			return false
		}
	}
	return true
}

// ResponsivenessKept is the invariant that the run has kept the property so far: history is Global.History.
func ResponsivenessKept[S any](r Responsiveness, history func(*S) *Answers) model.Property[S] {
	least := func(s *S) int { // the first process with too few such processes; -1: none
		return slices.IndexFunc(history(s).A[:r.N], func(a model.Set) bool { return a.Len() <= r.F })
	}
	return model.Property[S]{
		Name: "responsiveness", Kind: model.Invariant,
		Doc:   "for every live process, more than f processes never were without its answer in their lives",
		Holds: func(s *S) bool { return least(s) < 0 },
		Blame: func(_ func(model.Proc) string, _ *S, _ model.Proc, s *S) (model.Set, string) {
			i := least(s)
			if i < 0 {
				return 0, ""
			}
			return model.SetOf(model.Proc(i)), fmt.Sprintf("the processes that never were without its "+
				"answer are %d, not more than %d", history(s).A[i].Len(), r.F)
		},
	}
}
