package explore

import (
	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
)

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
