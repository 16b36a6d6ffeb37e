package explain

import (
	"encoding/binary"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
)

// A cut is the progress of an explanation: the number of explained lines of each process, and the state of
// the model after them. It is a consistent cut of the log: with a line it has all lines known to be before.
type cut struct {
	point     point
	explained []int32       // per process: number of its lines explained
	gap       []int32       // per process: hidden steps since its last line
	hidden    int           // hidden steps that count against the budget
	pending   []pendingStep // hidden steps since the last line that nothing depends on yet
	asleep    model.Set     // processes whose next line was tried; they wake when something may change that
	via       *pathStep     // the last step; nil: none yet
}

// A pendingStep is a hidden step since the last line on which no later step depends yet.
type pendingStep struct {
	proc  model.Proc
	sent  []envelope
	crash bool
}

// A pathStep is a step of an explanation, linked to the step before it.
type pathStep struct {
	before *pathStep
	step   step
	point  point // afterwards
	proc   model.Proc
	line   int32 // the line of proc that it explains; -1: none
	skip   bool  // the event of the line did not happen
}

func (c *cut) used() (n int) {
	for _, x := range c.explained {
		n += int(x)
	}
	return n
}

// appendKey appends the parts of c on which its future depends. It omits the number of hidden steps: with
// fewer of them, at least as much is possible.
func (c *cut) appendKey(b []byte) []byte {
	for _, part := range c.point.parts {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(part))), part...)
	}
	for i := range c.explained {
		b = binary.LittleEndian.AppendUint32(b, uint32(c.explained[i]))
		b = binary.LittleEndian.AppendUint32(b, uint32(c.gap[i]))
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(c.asleep))
	for _, l := range c.pending {
		b = append(b, byte(l.proc))
		for _, m := range l.sent {
			b = append(append(b, byte(m.To)), m.text...)
			b = append(b, 0)
		}
	}
	return b
}

func (s *search) after(c *cut, o *choice) cut {
	if o.hidden {
		return s.afterHidden(c, o.successor)
	}
	return s.afterLine(c, o.proc, o.successor)
}

// afterLine returns the cut after a step that explains the next line of p.
func (s *search) afterLine(c *cut, p model.Proc, n successor) cut {
	d := *c
	d.point, d.explained, d.pending = n.point, slices.Clone(c.explained), nil
	if c.gap[p] != 0 {
		d.gap = slices.Clone(c.gap)
		d.gap[p] = 0
	}
	d.via = &pathStep{c.via, n.step, n.point, p, c.explained[p], n.skip}
	d.explained[p]++
	d.asleep = d.asleep.Without(p)
	for q := range d.asleep.Each() {
		if i := int(d.explained[q]); i < len(s.lines[q]) && slices.ContainsFunc(s.lines[q][i].after,
			func(x need) bool { return x.proc == p }) {
			d.asleep = d.asleep.Without(q)
		}
	}
	d.wake(&n.step)
	return d
}

// afterHidden returns the cut after a step without a line.
func (s *search) afterHidden(c *cut, n successor) cut {
	d := *c
	p := n.step.Proc
	d.point, d.gap = n.point, slices.Clone(c.gap)
	// A crash after the last line of a process costs nothing: no process need log it.
	over := n.step.Crash && int(c.explained[p]) == len(s.lines[p])
	if !over && (!s.done(c, p) || int(c.gap[p]) >= s.tail) {
		d.hidden++
	}
	d.gap[p]++
	if s.track.independent() {
		d.pending = append(s.stillPending(c, &n.step), pendingStep{p, n.step.sent, n.step.Crash})
		slices.SortFunc(d.pending, func(a, b pendingStep) int { return int(a.proc) - int(b.proc) })
	}
	d.via = &pathStep{before: c.via, step: n.step, point: n.point, proc: p, line: -1}
	d.asleep = d.asleep.Without(p)
	d.wake(&n.step)
	return d
}

// wake wakes the processes that a step may have given new choices.
func (c *cut) wake(m *step) {
	if m.Crash || m.guarded {
		c.asleep = 0
	}
	for i := range m.sent {
		c.asleep = c.asleep.Without(m.sent[i].To)
	}
}

// stillPending returns the pending steps of c that a step does not depend on.
func (s *search) stillPending(c *cut, m *step) (rest []pendingStep) {
	for _, l := range c.pending {
		received := m.At >= 0 && l.proc == m.Peer && slices.ContainsFunc(l.sent,
			func(x envelope) bool {
				return x.To == m.Proc && x.text == c.point.inboxes[m.Proc][m.At].text
			})
		noticed := l.crash && (m.guarded || l.proc == m.Peer &&
			s.track.Class(m.Action) == interp.CrashNotice ||
			slices.ContainsFunc(m.sent, func(x envelope) bool { return x.To == l.proc }))
		if l.proc != m.Proc && !received && !noticed {
			rest = append(rest, l)
		}
	}
	return rest
}

// done reports whether the log has no further line of p, except perhaps its crash.
func (s *search) done(c *cut, p model.Proc) bool {
	rest := s.lines[p][c.explained[p]:]
	return len(rest) == 0 || len(rest) == 1 && rest[0].class == interp.CrashStep
}

// allowance returns the number of hidden steps that p may take before its next line.
func (s *search) allowance(c *cut, p model.Proc) int {
	left := s.hidden - c.hidden
	if s.done(c, p) {
		return left + max(0, s.tail-int(c.gap[p]))
	}
	if gap := s.lines[p][c.explained[p]].gap; gap >= 0 {
		left = min(left, gap-int(c.gap[p]))
	}
	return left
}
