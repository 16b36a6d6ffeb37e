package explore

import (
	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// open prepares the kernel for the model.
func (s *search) open() {
	o := s.declared.Open()
	s.states = o.States
	if o.Protocol != nil {
		s.space = kernel.New(o.Protocol)
	} else {
		s.space = kernel.OfSystem(o.System)
	}
}

// decode returns what a state stands for.
func (s *search) decode(v []uint32) lts.State {
	return s.states.Decode(&protocol.Parts{Words: v, Slots: s.space.Slots()})
}

// A checker is the cursor of a worker, with what judges the states. Property masks have bit i for
// property i.
type checker struct {
	kernel.Cursor
	judge    lts.Judge
	byTable  uint64 // the properties that the cursor judges by table
	from, to protocol.Parts
}

func (s *search) newChecker(c kernel.Cursor) *checker {
	slots := s.space.Slots()
	k := &checker{
		Cursor: c, judge: s.states.NewJudge(),
		from: protocol.Parts{Slots: slots}, to: protocol.Parts{Slots: slots},
	}
	for i, p := range s.declared.Properties() {
		if p.ByTable {
			k.byTable |= 1 << i
		}
	}
	return k
}

// see returns the parts of a state.
func (c *checker) see(v []uint32) *protocol.Parts {
	c.from.Words = v
	return &c.from
}

// Judge returns the invariants that v violates and the reachability goals that it satisfies.
func (c *checker) Judge(v []uint32, which uint64) (found uint64) {
	if which&c.byTable != 0 {
		if byTable, ok := c.JudgeByTable(v); ok {
			found = byTable & which
			which &^= c.byTable
		}
	}
	if which == 0 {
		return found
	}
	return found | c.judge.Judge(c.see(v), which)
}

// JudgeQuiet returns the Quiet properties that fail in v, a quiet state.
func (c *checker) JudgeQuiet(v []uint32, which uint64) uint64 {
	return c.judge.JudgeQuiet(c.see(v), which)
}

// JudgeStep returns the StepInvariants that the step breaks.
func (c *checker) JudgeStep(v []uint32, l model.Label, w []uint32, which uint64) uint64 {
	c.to.Words = w
	return c.judge.JudgeStep(c.see(v), l, &c.to, which)
}

// CheckState checks the purity of what the model says of v.
func (c *checker) CheckState(v []uint32, which uint64) {
	x := lts.Checked{State: c.see(v), Which: which, Hash: c.Hash(v)}
	if which&c.byTable != 0 {
		x.ByTable, x.Told = c.JudgeByTable(v)
	}
	c.judge.Check(x)
}

// CheckQuiet does so for Quiet properties, of v, a quiet state.
func (c *checker) CheckQuiet(v []uint32, which uint64) {
	c.judge.Check(lts.Checked{State: c.see(v), Which: which, Quiet: true, Hash: c.Hash(v)})
}

// CheckStep does so for StepInvariants, of a step.
func (c *checker) CheckStep(v []uint32, l model.Label, w []uint32, which uint64) {
	c.to.Words = w
	c.judge.Check(lts.Checked{State: c.see(v), Next: &c.to, Label: l, Which: which})
}

// Origins returns the origin classes of Reachable property i to which v belongs.
func (c *checker) Origins(v []uint32, i int) uint64 { return c.judge.Origins(c.see(v), i) }

// Marks returns the marks of v in lasso k of Liveness property i.
func (c *checker) Marks(v []uint32, i, k int) lts.Marks { return c.judge.Marks(c.see(v), i, k) }

// Served returns what Cost.Served of property i says in v.
func (c *checker) Served(v []uint32, i int) int { return c.judge.Served(c.see(v), i) }
