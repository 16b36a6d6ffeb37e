package property

import (
	"fmt"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A PlainJudge is the part of lts.Plain that judges, for compositions and systems.
type PlainJudge struct {
	Judges Judges
	Shown  func(lts.State) codec.Value           // a copy of a state, as properties see it
	By     func(t *lts.Transition) protocol.Proc // the process that takes a step
	Names  []string                              // of the processes
}

// Judge reports whether property i has to report a state.
func (x *PlainJudge) Judge(s lts.State, i int) bool {
	defer check.Named(x.Judges.context(i, s))
	return x.Judges.flags(x.Shown(s), i)
}

// Marks returns the marks of a state for lasso k of property i.
func (x *PlainJudge) Marks(s lts.State, i, k int) lts.Marks {
	defer check.Named(x.Judges.context(i, s))
	return x.Judges.Marks(x.Shown(s), i, k)
}

// Served returns the requests that property i, of kind Costs, counts as served.
func (x *PlainJudge) Served(s lts.State, i int) int {
	defer check.Named(x.Judges.context(i, s))
	return x.Judges.served(x.Shown(s), i)
}

// JudgeStep reports whether property i has to report a step.
func (x *PlainJudge) JudgeStep(s lts.State, t lts.Transition, i int) bool {
	defer check.Named(x.Judges.context(i, s))
	return x.Judges.Step(x.Shown(s), t.Action, x.By(&t), x.Shown(t.Next), 1<<i) != 0
}

// Part names the function of property i that judges a state, or a step if t is not nil.
func (x *PlainJudge) Part(s lts.State, t *lts.Transition, i int) string {
	from, by, to := x.judged(s, t)
	if part, is := x.Judges.part(from, by, to, i); is {
		return part.Name
	}
	return ""
}

// judged returns the arguments of HoldsStep for a step; for a state, if t is nil, from is nil.
func (x *PlainJudge) judged(s lts.State, t *lts.Transition) (from codec.Value, by protocol.Proc,
	to codec.Value) {
	if t == nil {
		return nil, 0, x.Shown(s)
	}
	return x.Shown(s), x.By(t), x.Shown(t.Next)
}

// Blame names the processes that a violation of property i by a state, or by the step t from it, is about,
// and the offence; see Property.Blame.
func (x *PlainJudge) Blame(s lts.State, t *lts.Transition, i int) (names []string, offence string) {
	from, by, to := x.judged(s, t)
	part, _ := x.Judges.part(from, by, to, i)
	if part.Blame == nil {
		return nil, ""
	}
	name := func(p protocol.Proc) string { return x.Names[p] }
	who, offence := part.Blame(name, from, by, to)
	return who.Texts(name), offence
}

// Beside lists the further variables that property i has of a state.
func (x *PlainJudge) Beside(s lts.State, i int) []lts.Var {
	if of := x.Judges.Props[i].Beside; of != nil {
		return of(x.Shown(s))
	}
	return nil
}

// JudgedByUse completes a property with OfUse: use returns the units in use in a state, and how many
// processes live.
func JudgedByUse(p *Erased, use func(s codec.Value) (used, live int)) {
	of := p.OfUse
	p.Holds = func(s codec.Value) bool { return of(use(s)) }
	p.Blame = func(_ func(protocol.Proc) string, _ codec.Value, _ protocol.Proc, s codec.Value) (
		protocol.Set, string) {
		used, live := use(s)
		for most := used - 1; most >= 0; most-- { // the most units that OfUse allows
			switch {
			case !of(most, live):
			case most == 1:
				return 0, "at most 1 is allowed"
			default:
				return 0, fmt.Sprintf("at most %d are allowed", most)
			}
		}
		return 0, ""
	}
}

// A PartsJudge is the part of lts.Judge that compositions and systems share.
type PartsJudge struct {
	All *Judges
	See func(*protocol.Parts) codec.Value // shows a state to properties, until it is called again
}

// JudgeQuiet returns the properties of a mask that have to report a quiet state.
func (x *PartsJudge) JudgeQuiet(s *protocol.Parts, which uint64) uint64 {
	return x.All.Quiet(x.See(s), which)
}

// Origins returns the origin classes of Reachable property i to which a state belongs, as a mask.
func (x *PartsJudge) Origins(s *protocol.Parts, i int) uint64 { return x.All.origins(x.See(s), i) }

// Marks returns the marks of a state for lasso k of property i.
func (x *PartsJudge) Marks(s *protocol.Parts, i, k int) lts.Marks {
	return x.All.Marks(x.See(s), i, k)
}

// Served returns the number of requests that property i, of kind Costs, counts as served in a state.
func (x *PartsJudge) Served(s *protocol.Parts, i int) int { return x.All.served(x.See(s), i) }

// answer evaluates property i, if its kind is judged by a single state.
func (j *Judges) answer(s codec.Value, i int) (a Answer) {
	p := &j.Props[i]
	switch p.Kind {
	case Invariant, Reachable, Quiet:
		a.Report = j.flags(s, i)
	case Liveness:
		for k := range p.Lassos {
			a.Rest = a.Rest*31 + uint64(j.Marks(s, i, k))
		}
	}
	if p.Origins != nil {
		a.Rest = a.Rest*31 + j.origins(s, i)
	}
	return a
}
