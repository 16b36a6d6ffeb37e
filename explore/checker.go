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

// judgeEach judges the steps from v that are in the batch, loops included, after a purity check where one is
// due: a property that changes a state would find it changed.
func (s *search) judgeEach(c *checker, ch *chunk, v []uint32) {
	b, check := &ch.batch, s.checksPurity(ch, v)
	judge := func(l model.Label, t []uint32) {
		if check {
			c.CheckStep(v, l, t, s.asked)
		}
		if found := c.JudgeStep(v, l, t, s.asked); found != 0 {
			ch.add(found, s.report.Depth, v, t)
		}
	}
	for at := b.Began.In; at < len(b.Words); at += b.Stride {
		judge(b.LabelAt(at), b.Words[at:at+s.width])
	}
	for _, l := range b.Loops[b.Began.Loops:] {
		judge(l, v)
	}
}

// judgeEnabled judges a state by what is enabled in it.
func (s *search) judgeEnabled(c *checker, ch *chunk, v []uint32, e kernel.Enabled) {
	ch.pruned += int64(e.Pruned)
	ch.beyond += int64(e.Beyond)
	if !e.Any && e.Pruned > 0 {
		ch.stuck++
	} else if !e.Any {
		ch.add(s.deadlock, s.report.Depth, v, nil)
	}
	if e.Quiet() {
		ch.quiet++
		if s.checksPurity(ch, v) {
			c.CheckQuiet(v, s.asked)
		}
		ch.add(c.JudgeQuiet(v, s.asked), s.report.Depth, v, nil)
	}
}

// suspect reports whether a state, of the tag in its record, has to be judged.
func (s *search) suspect(tag uint32) bool {
	return s.judgeStates && (s.judgeAll || kernel.SleepTag(tag).Suspect())
}

// judgeState judges a state of a level, with a tag, if that is needed, after a purity check if one is due.
func (s *search) judgeState(c *checker, f *findings, level int, v []uint32, tag uint32, check bool) {
	if check {
		s.checkState(c, v)
	}
	if s.suspect(tag) {
		if found := c.Judge(v, s.asked); found != 0 {
			f.add(found, level, v, nil)
		}
	}
}

// judgeOutside judges the successors of v that the constraint rejects: those with a record
// from the given word on; v is nil where they are initial states.
func (s *search) judgeOutside(c *checker, ch *chunk, v []uint32, at int) {
	out, steps := &ch.batch.Outside, v != nil && s.judgeSteps
	for ; at < len(out.Words); at += out.Stride {
		if steps || s.suspect(out.Words[at+out.Width+kernel.RecordTag]) {
			t := out.Words[at : at+out.Width]
			if steps {
				if s.checksPurity(ch, v) {
					c.CheckStep(v, out.LabelAt(at), t, s.asked)
				}
				ch.add(c.JudgeStep(v, out.LabelAt(at), t, s.asked), s.report.Depth, v, t)
			}
			if s.suspect(out.Words[at+out.Width+kernel.RecordTag]) {
				ch.add(c.Judge(t, s.asked), s.report.Depth, v, t)
			}
		}
		ch.outside++
	}
}
