package explore

import (
	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// decode returns the state of the model that a vector encodes.
func (s *search) decode(v []uint32) lts.State {
	return s.states.Decode(&protocol.Parts{Words: v, Slots: s.space.Slots()})
}

// A checker is the cursor of a worker with its judge of states. Bit i of a mask of properties is
// property i.
type checker struct {
	kernel.Cursor
	judge    lts.Judge
	from, to protocol.Parts
}

func (s *search) newChecker(c kernel.Cursor) *checker {
	slots := s.space.Slots()
	return &checker{
		Cursor: c, judge: s.states.NewJudge(),
		from: protocol.Parts{Slots: slots}, to: protocol.Parts{Slots: slots},
	}
}

// see returns the parts of a state; they are valid until the next call.
func (c *checker) see(v []uint32) *protocol.Parts {
	c.from.Words = v
	return &c.from
}

// Judge returns the invariants that v violates and the reachability goals that it satisfies.
func (c *checker) Judge(v []uint32, which uint64) uint64 { return c.judge.Judge(c.see(v), which) }

// CheckState checks the purity of the functions by which the model judges v.
func (c *checker) CheckState(v []uint32, which uint64) {
	c.judge.Check(lts.Checked{State: c.see(v), Which: which, Hash: c.Hash(v)})
}

// judgeStep judges a step, after a purity check where one is due. The check comes first: a property that
// changes its state would leave the changed state to the check.
func (s *search) judgeStep(c *checker, ch *chunk, v []uint32, l model.Label, w []uint32, check bool) {
	c.to.Words = w
	if check {
		c.judge.Check(lts.Checked{State: c.see(v), Next: &c.to, Label: l, Which: s.asked})
	}
	if found := c.judge.JudgeStep(c.see(v), l, &c.to, s.asked); found != 0 {
		ch.add(found, find{level: s.report.Depth, state: v, beyond: w})
	}
}

// judgeEach judges the steps from v that are in the batch, loops included.
func (s *search) judgeEach(c *checker, ch *chunk, v []uint32) {
	b, check := &ch.batch, s.checksPurity(ch, v)
	for at := b.Began.In; at < len(b.Words); at += b.Stride {
		s.judgeStep(c, ch, v, b.LabelAt(at), b.Words[at:at+s.width], check)
	}
	for _, l := range b.Loops[b.Began.Loops:] {
		s.judgeStep(c, ch, v, l, v, check)
	}
}

// judgeEnabled judges the properties that depend on the enabled steps of a state: no deadlock, quiet states.
func (s *search) judgeEnabled(c *checker, ch *chunk, v []uint32, e kernel.Enabled) {
	ch.counts.Pruned += int64(e.Pruned)
	ch.counts.Beyond += int64(e.Beyond)
	if !e.Any && e.Pruned > 0 {
		ch.counts.Stuck++
	} else if !e.Any {
		ch.add(s.deadlock, find{level: s.report.Depth, state: v})
	}
	if e.Quiet() {
		ch.counts.Quiet++
		if s.checksPurity(ch, v) {
			c.judge.Check(lts.Checked{State: c.see(v), Which: s.asked, Quiet: true, Hash: c.Hash(v)})
		}
		ch.add(c.judge.JudgeQuiet(c.see(v), s.asked), find{level: s.report.Depth, state: v})
	}
}

// suspect reports whether a state has to be judged, by the tag in its record.
func (s *search) suspect(tag uint32) bool {
	return s.judgeStates && (s.judgeAll || kernel.SleepTag(tag).Suspect())
}

// judgeState judges a state if its tag asks for that, after a purity check if check is set.
func (s *search) judgeState(c *checker, v []uint32, tag uint32, check bool) (found uint64) {
	if check {
		c.CheckState(v, s.asked)
		if s.probing {
			s.probe(c, v)
		}
	}
	if s.suspect(tag) {
		found = c.Judge(v, s.asked)
	}
	return found
}

// judgeMet judges a state when it is expanded, in searches that do not judge it when they find it.
func (s *search) judgeMet(c *checker, ch *chunk, v []uint32, tag uint32) {
	ch.add(s.judgeState(c, v, tag, s.checksPurity(ch, v)), find{level: s.report.Depth, state: v})
}

// judgeOutside judges the successors of v that the constraint rejects, from the record at a word on. v is
// nil if they are initial states.
func (s *search) judgeOutside(c *checker, ch *chunk, v []uint32, at int) {
	out, steps := &ch.batch.Outside, v != nil && s.judgeSteps
	for ; at < len(out.Words); at += out.Stride {
		t := out.Words[at : at+out.Width]
		if steps {
			s.judgeStep(c, ch, v, out.LabelAt(at), t, s.checksPurity(ch, v))
		}
		if s.suspect(out.Words[at+out.Width+kernel.RecordTag]) {
			ch.add(c.Judge(t, s.asked), find{level: s.report.Depth, state: v, beyond: t})
		}
		ch.counts.Outside++
	}
}
