package occupancy_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces/logs/occupancy"
)

// A situation of a node: so many of its lines have happened, and it holds this.
type situation struct {
	lines, hidden int
	held          string // sorted; each a letter: units of its present life, capitals: of those before
	// lost: a missing line has acquired what it holds of x (or of the only resource), and of y. That is taken
	// to be released as a whole.
	lost [2]bool
}

// indexOf is the index of a resource in situation.lost.
func indexOf(lock string) int { return int(letterOf(lock, 1)-'a') / 4 }

// most is the number of units of a resource that a line acquires at most.
func (d *drawn) most(lock string) int {
	most := 1
	for _, lines := range d.lines {
		for _, l := range lines {
			if l.Lock == lock {
				most = max(most, l.Units)
			}
		}
	}
	return most
}

// letterOf stands for what is held: a and c for one and two units of x, or of the only resource,
// e and g of y. The next letter stands for the same when its release has failed.
func letterOf(lock string, units int) byte {
	base := byte('a')
	if lock == "y" {
		base = 'e'
	}
	return base + byte(2*(units-1))
}

func unitsOf(letter byte) (lock string, units int) {
	if letter < 'a' {
		letter += 'a' - 'A'
	}
	if letter >= 'e' {
		return "y", int(letter-'e')/2 + 1
	}
	return "x", int(letter-'a')/2 + 1
}

func with(held string, letter byte) string {
	b := append([]byte(held), letter)
	slices.Sort(b)
	return string(b)
}

func less(held string, i int) string { return held[:i] + held[i+1:] }

// back is what is held when some units of one are given back; 0: all.
func back(held string, i, units int) string {
	lock, has := unitsOf(held[i])
	if units == 0 || units == has {
		return less(held, i)
	}
	return with(less(held, i), letterOf(lock, has-units))
}

// alive is what is held in the present life.
func alive(held string) (s string) {
	for _, c := range held {
		if c >= 'a' {
			s += string(c)
		}
	}
	return s
}

// steps lists what may happen next at a node; line tells which of them are its next line.
func (d *drawn) steps(n int, s situation) (next []situation, line int) {
	lines := d.lines[n]
	single := !d.nested && !d.reentrant && !d.uncounted && d.threads == 1
	if s.lines < len(lines) {
		l := lines[s.lines]
		held := s.held
		if l.first {
			held = strings.ToUpper(held)
		}
		if l.first && d.ending == occupancy.Free {
			held = ""
		}
		lost := s.lost
		if l.Event != "step" {
			lost[indexOf(l.Lock)] = false
		}
		for _, h := range d.happens(l, held, single, s.lost[indexOf(l.Lock)]) {
			next = append(next, situation{lines: s.lines + 1, held: h, lost: lost})
		}
		line = len(next)
		if l.first && s.lines > 0 { // the life before ends some time
			next = append(next, situation{s.lines, s.hidden, strings.ToUpper(s.held), s.lost})
		}
		if d.uncounted {
			next = append(next, d.unshown(lines[s.lines:], s)...)
		}
		if !d.uncounted && s.hidden < l.lost && (!l.first || s.lines == 0) {
			next = append(next, d.hidden(s, single)...)
		}
	}
	// What the dead hold, and what is held after the last line, may be given back.
	if d.ending == occupancy.Auto {
		for i := range s.held {
			if s.held[i] < 'a' || s.lines == len(lines) && s.held[i]%2 == 1 {
				t := s
				t.held = less(s.held, i)
				next = append(next, t)
			}
		}
	}
	return next, line
}

// happens lists what a node may hold after a line. lost: a missing line has acquired what it has of the
// resource.
func (d *drawn) happens(l *drawnLine, held string, single, lost bool) (after []string) {
	switch l.Event {
	case "acquire":
		if !single || !d.holds(alive(held), l.Lock) {
			return []string{with(held, letterOf(l.Lock, max(l.Units, 1)))}
		}
		return nil
	case "release-failed":
		for i := range held { // nothing but a release gives it back now
			if lock, _ := unitsOf(held[i]); held[i] >= 'a' && (lock == l.Lock || l.Lock == "") {
				after = append(after, with(less(held, i), held[i]+held[i]%2))
			}
		}
		if after != nil {
			return after
		}
	case "release":
		for i := range held {
			lock, has := unitsOf(held[i])
			if held[i] >= 'a' && (lock == l.Lock || l.Lock == "") &&
				(has == l.Units || !lost && has > l.Units) {
				after = append(after, back(held, i, l.Units))
			}
		}
		if d.uncounted && after == nil { // it has left twice
			return []string{held}
		}
		return after
	}
	return []string{held}
}

// holds reports whether something of a resource is held.
func (d *drawn) holds(held, lock string) bool {
	for i := range held {
		if l, _ := unitsOf(held[i]); l == lock || lock == "" {
			return true
		}
	}
	return false
}

// hidden lists what a missing line may do.
func (d *drawn) hidden(s situation, single bool) (next []situation) {
	t := situation{s.lines, s.hidden + 1, s.held, s.lost}
	for i := range s.held {
		if s.held[i] >= 'a' {
			t.held = less(s.held, i)
			next = append(next, t)
			if _, has := unitsOf(s.held[i]); d.parts && has > 1 {
				t.held = back(s.held, i, 1)
				next = append(next, t)
			}
		}
	}
	for _, lock := range d.locks() {
		for u := 1; u <= d.most(lock); u++ {
			if !single || !d.holds(alive(s.held), lock) {
				t.held = with(s.held, letterOf(lock, u))
				t.lost[indexOf(lock)] = d.parts && single
				next = append(next, t)
				t.lost = s.lost
			}
		}
	}
	return next
}

// unshown lists what a missing line may do in a log without counts: it releases what is held when the next
// line about that acquires again, or it acquires what the next one releases.
func (d *drawn) unshown(lines []*drawnLine, s situation) (next []situation) {
	for _, lock := range d.locks() {
		at := slices.IndexFunc(lines, func(l *drawnLine) bool {
			return l.Lock == lock && (l.Event == "acquire" || l.Event == "release")
		})
		holds := d.holds(s.held, lock)
		switch {
		case at < 0 || (lines[at].Event == "acquire") != holds:
		case holds:
			for i := range s.held {
				if l, _ := unitsOf(s.held[i]); l == lock || lock == "" {
					t := s
					t.held = less(s.held, i)
					next = append(next, t)
				}
			}
		default:
			for u := 1; u <= d.most(lock); u++ {
				t := s
				t.held = with(s.held, letterOf(lock, u))
				next = append(next, t)
			}
		}
	}
	return next
}

// locks lists the resources of the log.
func (d *drawn) locks() []string {
	seen := map[string]bool{}
	for _, lines := range d.lines {
		for _, l := range lines {
			if l.Event != "step" {
				seen[l.Lock] = true
			}
		}
	}
	if len(seen) == 0 {
		return []string{""}
	}
	return slices.Sorted(maps.Keys(seen))
}

// A world has the situation of each node.
type world [3]situation

// judge walks through all runs. It says whether there is one that never uses more than k
// units of a resource, and whether there is one that does at some moment.
func (d *drawn) judge(lock string, k int) (avoidable, possible bool) {
	can := make([]map[situation]bool, len(d.lines))
	for n := range d.lines {
		can[n] = map[situation]bool{}
		d.canEnd(n, situation{}, can[n])
	}
	seen := map[world]bool{}
	var start world
	within := map[world]bool{start: true} // reached without using more
	queue := []world{start}
	for len(queue) > 0 {
		w := queue[0]
		queue = queue[1:]
		ended := true
		for n := range d.lines {
			ended = ended && w[n].lines == len(d.lines[n])
			next, line := d.steps(n, w[n])
			for i, s := range next {
				if !can[n][s] || i < line && !d.fits(n, &w) {
					continue
				}
				v := w
				v[n] = s
				over := d.uses(&v, lock) > k
				possible = possible || over
				if !seen[v] || within[w] && !over && !within[v] {
					seen[v] = true
					within[v] = within[v] || within[w] && !over
					queue = append(queue, v)
				}
			}
		}
		avoidable = avoidable || ended && within[w]
	}
	return avoidable, possible
}

// canEnd finds the situations of a node from which its log can go on to its end.
func (d *drawn) canEnd(n int, s situation, can map[situation]bool) bool {
	if ends, known := can[s]; known {
		return ends
	}
	ends := s.lines == len(d.lines[n])
	can[s] = ends
	next, _ := d.steps(n, s)
	for _, t := range next {
		ends = d.canEnd(n, t, can) || ends
	}
	can[s] = ends
	return ends
}

// fits reports whether a node's next line may happen now.
func (d *drawn) fits(n int, w *world) bool {
	l := d.lines[n][w[n].lines]
	for m := range d.lines {
		for _, o := range d.lines[m][min(w[m].lines, len(d.lines[m])):] {
			before := o.Time+d.skew < l.Time-d.skew
			for _, s := range o.Sent {
				before = before || s.ID == l.ID
			}
			before = before || l.Clock != nil && l.Clock[o.Node] >= o.Clock[o.Node]
			if o != l && before {
				return false
			}
		}
	}
	return true
}

// uses is the number of units in use.
func (d *drawn) uses(w *world, lock string) (units int) {
	for n := range d.lines {
		own := 0
		for i := range w[n].held {
			l, u := unitsOf(w[n].held[i])
			switch {
			case l != lock && lock != "":
			case d.reentrant: // the holder has what it has acquired most of
				own = max(own, u)
			default:
				own += u
			}
		}
		units += own
	}
	return units
}
