package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/track"
	"github.com/atmostk/atmostk/traces/logs"
)

// maxFronts is how many of the furthest configs are kept, and maxEnabled how many
// steps are listed for a node.
const (
	maxFronts  = 4
	maxEnabled = 8
)

// furthest keeps the configs that have explained the most lines.
type furthest struct {
	most int
	list []config
}

// note looks at a config that leads no further.
func (x *furthest) note(c *config) {
	used := c.used()
	if used < x.most || len(c.loose) > 0 {
		return
	}
	if used > x.most {
		x.most, x.list = used, x.list[:0]
	}
	same := func(d config) bool { return slices.Equal(d.cut, c.cut) }
	if len(x.list) < maxFronts && !slices.ContainsFunc(x.list, same) {
		x.list = append(x.list, *c)
	}
}

// fronts returns the furthest configs, after all lines that can still be explained
// from there: a search gives up before, when some line is beyond hope.
func (x *furthest) fronts(s *script) (list []config) {
	probe := search{script: s}
	for _, c := range x.list {
		for again := true; again; {
			again = false
			for p := range model.Proc(len(s.names)) {
				for probe.ready(&c, p) {
					ns := probe.visible(&c, p)
					if len(ns) == 0 {
						break
					}
					c, again = probe.afterLine(&c, p, ns[0]), true
				}
			}
		}
		same := func(d config) bool { return slices.Equal(d.cut, c.cut) }
		if !slices.ContainsFunc(list, same) {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b config) int { return b.used() - a.used() })
	return list
}

// frontier describes a config that leads no further.
func (s *script) frontier(c *config) Frontier {
	state := s.track.State(c.v)
	f := Frontier{State: state.Vars()}
	for t := c.via; t != nil && f.Last == nil; t = t.before {
		if t.line >= 0 {
			f.Last = s.event(t.proc, int(t.line))
		}
	}
	for p := range model.Proc(len(s.names)) {
		i := int(c.cut[p])
		if i == len(s.lines[p]) {
			continue
		}
		b := Blocked{Node: s.names[p], Event: s.event(p, i), After: s.event(p, i-1), Enabled: s.enabled(state,
			p)}
		b.Why, b.Waits = s.why(c, p)
		f.Blocked = append(f.Blocked, b)
	}
	slices.SortStableFunc(f.Blocked, func(a, b Blocked) int {
		switch {
		case a.Waits == b.Waits:
			return 0
		case b.Waits:
			return -1
		}
		return 1
	})
	return f
}

// event returns the event of line i of p; nil if there is none.
func (s *script) event(p model.Proc, i int) *logs.Event {
	if i < 0 || i >= len(s.lines[p]) {
		return nil
	}
	return &s.h.Events[s.lines[p][i].event]
}

// enabled lists in words what p could do in a state, but for crashes.
func (s *script) enabled(state lts.State, p model.Proc) (texts []string) {
	for a := range s.actions {
		if s.track.Class(a) > track.CrashNotice {
			continue
		}
		for _, t := range s.plain.StepsOf(state, p, a) {
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

// why says what is the first thing about the next line of p that does not match,
// and whether p only waits for others.
func (s *script) why(c *config, p model.Proc) (why string, waits bool) {
	l := &s.lines[p][c.cut[p]]
	e := s.event(p, int(c.cut[p]))
	for _, x := range l.after {
		if c.cut[x.proc] < x.lines {
			return fmt.Sprintf("it comes after %s, which could not be explained",
				Where(s.event(x.proc, int(x.lines)-1))), true
		}
	}
	if s.track.Dead(c.v).Has(p) {
		return fmt.Sprintf("%s is dead", s.names[p]), false
	}
	var list []mismatch
	if len(s.outcomes(c.v, p, l, &list)) > 0 {
		return "it can be explained, but nothing that follows from it leads further", false
	}
	deepest := 0
	for _, m := range list {
		deepest = max(deepest, m.depth)
	}
	if deepest > 1 {
		return strings.Join(texts(list, deepest), "; or "), false
	}
	if l.class == track.Receipt {
		return s.whyNotReceived(c, p, l, e, list)
	}
	if len(list) > 0 {
		return fmt.Sprintf("%s is not enabled: %s", e.Name, strings.Join(texts(list, deepest), "; ")), false
	}
	return fmt.Sprintf("%s is not enabled", e.Name), false
}

// whyNotReceived says what keeps p from a receipt.
func (s *script) whyNotReceived(c *config, p model.Proc, l *line, e *logs.Event, list []mismatch) (why string,
	waits bool) {
	what := "a message"
	if e.Message != "" {
		what = e.Message
	}
	if l.from >= 0 {
		what += " from " + s.names[l.from]
	}
	inbox := s.track.Inbox(c.v, p)
	for i := range inbox {
		if s.receivable(&inbox[i], l) == "" { // there, but not to be received
			return fmt.Sprintf("%s cannot be received now", what), false
		}
	}
	waits = l.from >= 0 && int(c.cut[l.from]) < len(s.lines[l.from])
	why = what + " is not in the channel"
	if len(list) > 0 {
		why += ": " + strings.Join(texts(list, 1), "; ")
	}
	return why, waits
}

// texts returns the distinct mismatches of some depth.
func texts(list []mismatch, depth int) (texts []string) {
	for _, m := range list {
		if m.depth == depth && !slices.Contains(texts, m.why) {
			texts = append(texts, m.why)
		}
	}
	return texts
}
