package explain

import (
	"encoding/binary"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/track"
)

// A config is how far an explanation has come: what of the log it has used up, and
// where the model is.
type config struct {
	v      track.Point
	cut    []int32 // per process: lines used up
	gap    []int32 // per process: hidden steps since its last line
	hidden int     // hidden steps in all that count against the budget
	row    int     // hidden steps since the last line of any process
	loose  []loose // hidden steps since then that nothing depends on yet
	asleep model.Set
	before track.Point // before the last step
	via    *taken      // the last step; nil: none yet
}

// A loose end is a hidden step of the present block on which nothing depends yet.
type loose struct {
	proc  model.Proc
	sent  []track.Envelope
	crash bool
}

// A taken step is the last one of a path.
type taken struct {
	before *taken
	move   track.Step
	point  track.Point // afterwards
	proc   model.Proc
	line   int32 // of proc, which it explains; -1: none
	skip   bool  // the line was taken for something that did not happen
}

// path lists the steps up to t.
func (t *taken) path() (list []*taken) {
	for ; t != nil; t = t.before {
		list = append(list, t)
	}
	slices.Reverse(list)
	return list
}

// used returns the number of lines used up.
func (c *config) used() (n int) {
	for _, x := range c.cut {
		n += int(x)
	}
	return n
}

// appendKey spells out all of c that its future depends on, but for the number of
// hidden steps: fewer leave more open.
func (c *config) appendKey(b []byte) []byte {
	for _, x := range c.v {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	for i := range c.cut {
		b = binary.LittleEndian.AppendUint32(b, uint32(c.cut[i]))
		b = binary.LittleEndian.AppendUint32(b, uint32(c.gap[i]))
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(c.asleep))
	if c.row > 0 { // what swaps looks at
		m := &c.via.move
		b = append(b, byte(m.Proc), byte(m.Action), byte(m.Peer))
		b = binary.LittleEndian.AppendUint32(b, c.before[m.Proc])
		b = binary.LittleEndian.AppendUint32(b, c.before[len(c.cut)+int(m.Proc)])
	}
	for _, l := range c.loose {
		b = append(b, byte(l.proc))
		for _, m := range l.sent {
			b = append(append(b, byte(m.To)), m.Text...)
			b = append(b, 0)
		}
	}
	return b
}

// afterLine returns the config after a step that explains the next line of p.
func (s *search) afterLine(c *config, p model.Proc, n next) config {
	d := *c
	d.before, d.v, d.cut, d.row, d.loose = c.v, n.point, slices.Clone(c.cut), 0, nil
	if c.gap[p] != 0 {
		d.gap = slices.Clone(c.gap)
		d.gap[p] = 0
	}
	d.via = &taken{before: c.via, move: n.move, point: n.point, proc: p, line: c.cut[p], skip: n.skip}
	d.cut[p]++
	d.asleep = d.asleep.Without(p)
	for q := range d.asleep.Each() {
		if i := int(d.cut[q]); i < len(s.lines[q]) && slices.ContainsFunc(s.lines[q][i].after,
			func(x need) bool { return x.proc == p }) {
			d.asleep = d.asleep.Without(q)
		}
	}
	d.wake(&n.move)
	return d
}

// afterHidden returns the config after a step that the log does not have.
func (s *search) afterHidden(c *config, n next) config {
	d := *c
	p := n.move.Proc
	d.before, d.v, d.gap, d.row = c.v, n.point, slices.Clone(c.gap), c.row+1
	over := n.move.Crash && int(c.cut[p]) == len(s.lines[p]) // the log need not say who crashes in the end
	if !over && (!s.done(c, p) || int(c.gap[p]) >= s.tail) {
		d.hidden++
	}
	d.gap[p]++
	if s.track.Independent() {
		d.loose = append(s.use(c, &n.move), loose{p, n.move.Sent, n.move.Crash})
		slices.SortFunc(d.loose, func(a, b loose) int { return int(a.proc) - int(b.proc) })
	}
	d.via = &taken{before: c.via, move: n.move, point: n.point, proc: p, line: -1}
	d.asleep = d.asleep.Without(p)
	d.wake(&n.move)
	return d
}

// wake ends the sleep of those who can do more after a move than before it.
func (c *config) wake(m *track.Step) {
	if m.Crash || m.Guarded {
		c.asleep = 0
	}
	for i := range m.Sent {
		c.asleep = c.asleep.Without(m.Sent[i].To)
	}
}

// use returns the loose ends of c on which a step does not depend.
func (s *search) use(c *config, m *track.Step) (rest []loose) {
	for _, l := range c.loose {
		received := m.Envelope >= 0 && l.proc == m.Peer && slices.ContainsFunc(l.sent,
			func(x track.Envelope) bool {
				return x.To == m.Proc && x.Text == s.track.Inbox(c.v, m.Proc)[m.Envelope].Text
			})
		noticed := l.crash && (m.Guarded || l.proc == m.Peer &&
			s.track.Class(m.Action) == track.CrashNotice ||
			slices.ContainsFunc(m.Sent, func(x track.Envelope) bool { return x.To == l.proc }))
		if l.proc != m.Proc && !received && !noticed {
			rest = append(rest, l)
		}
	}
	return rest
}

// done reports whether the log has nothing more of p but perhaps its crash.
func (s *search) done(c *config, p model.Proc) bool {
	rest := s.lines[p][c.cut[p]:]
	return len(rest) == 0 || len(rest) == 1 && rest[0].class == track.CrashStep
}

// allowance returns how many hidden steps p may take now.
func (s *search) allowance(c *config, p model.Proc) int {
	left := s.hidden - c.hidden
	if s.done(c, p) {
		return left + max(0, s.tail-int(c.gap[p]))
	}
	if gap := s.lines[p][c.cut[p]].gap; gap >= 0 {
		left = min(left, gap-int(c.gap[p]))
	}
	return left
}
