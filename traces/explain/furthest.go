package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// maxFurthest is the number of furthest cuts that are kept, maxEnabled the number of steps listed for a node.
const (
	maxFurthest = 4
	maxEnabled  = 8
)

// furthest keeps the cuts that have explained the most lines.
type furthest struct {
	most int
	list []cut
}

// add keeps a cut that leads no further, if no other has more lines.
func (x *furthest) add(c *cut) {
	used := c.used()
	if used < x.most || len(c.pending) > 0 {
		return
	}
	if used > x.most {
		x.most, x.list = used, x.list[:0]
	}
	same := func(d cut) bool { return slices.Equal(d.explained, c.explained) }
	if len(x.list) < maxFurthest && !slices.ContainsFunc(x.list, same) {
		x.list = append(x.list, *c)
	}
}

func (s *matcher) furthestCut(c *cut) FurthestCut {
	state := c.point.State
	f := FurthestCut{State: state.Vars()}
	for t := c.via; t != nil && f.Last == nil; t = t.before {
		f.Last = s.event(t.proc, int(t.line))
	}
	for p := range model.Proc(len(s.names)) {
		i := int(c.explained[p])
		if i == len(s.lines[p]) {
			continue
		}
		b := Blocked{Node: s.names[p], Event: s.event(p, i), Enabled: s.enabled(state, p)}
		b.Why, b.Waits = s.why(c, p)
		f.Blocked = append(f.Blocked, b)
	}
	slices.SortStableFunc(f.Blocked, func(a, b Blocked) int { return one(a.Waits) - one(b.Waits) })
	return f
}

// event returns the event of line i of p; nil: no such line.
func (s *matcher) event(p model.Proc, i int) *order.Event {
	if i < 0 || i >= len(s.lines[p]) {
		return nil
	}
	return &s.h.Events[s.lines[p][i].event]
}

// enabled lists in words the steps that p could take in a state, without crashes.
func (s *matcher) enabled(state lts.State, p model.Proc) (texts []string) {
	for a := range s.actions {
		if s.track.Class(a) > interp.CrashNotice {
			continue
		}
		for _, t := range s.track.StepsOf(state, p, a) {
			if !t.Crashed {
				texts = append(texts, t.Text())
			}
		}
	}
	if n := len(texts); n > maxEnabled {
		texts = append(texts[:maxEnabled], fmt.Sprintf("and %d more", n-maxEnabled))
	}
	return texts
}

// why describes the first mismatch of the next line of p, and whether p only waits for other processes.
func (s *matcher) why(c *cut, p model.Proc) (why string, waits bool) {
	l := &s.lines[p][c.explained[p]]
	e := s.event(p, int(c.explained[p]))
	for _, x := range l.after {
		if c.explained[x.proc] < x.lines {
			return fmt.Sprintf("it comes after %s, which could not be explained",
				s.event(x.proc, int(x.lines)-1).Place), true
		}
	}
	if c.point.IsDead(p) {
		return fmt.Sprintf("%s is dead", s.names[p]), false
	}
	var list mismatches
	if len(s.matches(c.point, p, l, &list)) > 0 {
		return "it can be explained, but nothing that follows from it leads further", false
	}
	deepest := 0
	for _, m := range list {
		deepest = max(deepest, m.depth)
	}
	if deepest > 1 {
		return strings.Join(texts(list, deepest), "; or "), false
	}
	if l.class == interp.Receipt {
		return s.whyNotReceived(c, p, l, e, list)
	}
	if len(list) > 0 {
		return fmt.Sprintf("%s is not enabled: %s", e.Name, strings.Join(texts(list, deepest), "; ")), false
	}
	return fmt.Sprintf("%s is not enabled", e.Name), false
}

func (s *matcher) whyNotReceived(c *cut, p model.Proc, l *line, e *order.Event, list mismatches) (why string,
	waits bool) {
	what := cmp.Or(e.Message, "a message")
	if l.from >= 0 {
		what += " from " + s.names[l.from]
	}
	inbox := c.point.inboxes[p]
	for i := range inbox {
		if s.receivable(&inbox[i], l) == "" { // in the channel, but not deliverable
			return fmt.Sprintf("%s cannot be received now", what), false
		}
	}
	waits = l.from >= 0 && int(c.explained[l.from]) < len(s.lines[l.from])
	why = what + " is not in the channel"
	if len(list) > 0 {
		why += ": " + strings.Join(texts(list, 1), "; ")
	}
	return why, waits
}

// texts returns the distinct mismatches of one depth.
func texts(list mismatches, depth int) (texts []string) {
	for _, m := range list {
		if m.depth == depth && !slices.Contains(texts, m.why) {
			texts = append(texts, m.why)
		}
	}
	return texts
}
