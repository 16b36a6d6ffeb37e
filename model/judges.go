package model

import (
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A plainJudge is the part of lts.Plain that judges, of compositions and of systems.
type plainJudge struct {
	judges judges
	shown  func(State) value            // a copy of a state, as properties see it
	by     func(t *lts.Transition) Proc // who takes a step
}

func (x *plainJudge) Judge(s State, i int) bool {
	defer check.Named(x.judges.context(i, s))
	return x.judges.flags(x.shown(s), i)
}

func (x *plainJudge) Marks(s State, i, k int) lts.Marks {
	defer check.Named(x.judges.context(i, s))
	return x.judges.marks(x.shown(s), i, k)
}

// Served returns what Served of property i, of kind Costs, says.
func (x *plainJudge) Served(s State, i int) int {
	defer check.Named(x.judges.context(i, s))
	return x.judges.served(x.shown(s), i)
}

func (x *plainJudge) JudgeStep(s State, t lts.Transition, i int) bool {
	defer check.Named(x.judges.context(i, s))
	return x.judges.step(x.shown(s), t.Action, x.by(&t), x.shown(t.Next), 1<<i) != 0
}

func (x *plainJudge) Part(s State, t *lts.Transition, i int) string {
	if t == nil {
		return x.judges.part(x.shown(s), 0, nil, i)
	}
	return x.judges.part(x.shown(s), x.by(t), x.shown(t.Next), i)
}

// A partsJudge is the part of lts.Judge that compositions and systems share.
type partsJudge struct {
	all *judges
	see func(*protocol.Parts) value // shows a state to properties, until it is called again
}

func (x *partsJudge) JudgeQuiet(s *protocol.Parts, which uint64) uint64 {
	return x.all.quiet(x.see(s), which)
}

func (x *partsJudge) Origins(s *protocol.Parts, i int) uint64 { return x.all.origins(x.see(s), i) }

func (x *partsJudge) Marks(s *protocol.Parts, i, k int) lts.Marks {
	return x.all.marks(x.see(s), i, k)
}

func (x *partsJudge) Served(s *protocol.Parts, i int) int { return x.all.served(x.see(s), i) }

// answer evaluates property i, as far as its kind is judged by a state.
func (j *judges) answer(s value, i int) (a check.Answer) {
	p := &j.props[i]
	switch p.Kind {
	case Invariant, Reachable, Quiet:
		a.Report = j.flags(s, i)
	case Liveness:
		for k := range p.Lassos {
			a.Rest = a.Rest*31 + uint64(j.marks(s, i, k))
		}
	}
	if p.Origins != nil {
		a.Rest = a.Rest*31 + j.origins(s, i)
	}
	return a
}
