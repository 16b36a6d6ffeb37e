package timerfree

import "github.com/atmostk/atmostk/model"

// A reading of the Responsiveness Property says when a process is without the
// answer of another.
type reading uint8

const (
	rpOff reading = iota // RP is not assumed
	rpV                  // whenever line 37 sets the variable not_rec_from
	rpT                  // when the request terminates, at line 16
)

// unanswered is the note by which a handler tells the history that the process
// has to do without the answers of the processes in missing, according to one of
// the readings.
func unanswered(by reading, missing model.Set) uint32 { return uint32(by)<<16 | uint32(missing) }

// answers is the history of RP. A[i] is the intersection in its definition up to
// now: the processes that never were, in their lives, without an answer of i. Of a
// dead i nothing is demanded any more, so A[i] is made full.
type answers struct{ A [model.MaxProcs]model.Set }

// responsiveness is the assumption that the adversary respects RP.
type responsiveness struct {
	rp   reading
	n, f int
}

func (a *algorithm) history() model.History[answers] {
	if a.rp == rpOff {
		return model.History[answers]{}
	}
	r := responsiveness{a.rp, a.n, a.f}
	var all answers
	for i := range r.n {
		all.A[i] = model.All(r.n)
	}
	return model.History[answers]{Init: all, Step: r.step}
}

// step excludes the steps after which at most f processes are left that never were
// without the answer of some live process. The note says to which reading it
// belongs, so that handlers need not know which one is assumed.
func (r responsiveness) step(h *answers, e model.Event) bool {
	if e.Crash {
		h.A[e.Proc] = model.All(r.n)
		return true
	}
	if reading(e.Note>>16) != r.rp {
		return true
	}
	for i := range (model.Set(e.Note) &^ e.Dead).Each() {
		h.A[i] = h.A[i].Without(e.Proc)
		if h.A[i].Len() <= r.f {
			return false
		}
	}
	return true
}
