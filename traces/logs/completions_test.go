package logs_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs"
)

// This file is a second opinion on verdicts. It draws a run of nodes and their threads, writes
// the log of it, spoils the log, and asks by brute force what all runs that may have left
// such a log have in common. It shares no code with what it checks, and works forwards, as
// runs do: a node is an automaton whose steps are its lines and lines that may be missing.

// A drawnLine is a line of a log that was drawn.
type drawnLine struct {
	Time  int64  `json:"time"`
	Node  string `json:"node"`
	Event string `json:"event"`
	Seq   int    `json:"seq,omitempty"`
	Units int    `json:"units,omitempty"`
	Lock  string `json:"resource,omitempty"`
	ID    string `json:"id,omitempty"`
	Sent  []sent `json:"sent,omitempty"`

	real    int  // the moment at which it happened
	lost    int  // so many lines are missing before it
	first   bool // of a life of its node
	dropped bool
}

type sent struct {
	ID string `json:"id"`
}

// A campaign says how logs are drawn and read.
type campaign struct {
	threads  int // of each node
	seq      bool
	drop     int // one of so many lines is missing; 0: none
	messages bool
	nested   bool
	restarts bool
	ending   logs.Ending
	// exact: the verdict is the one that brute force finds, not only none that it refutes.
	exact bool
}

// A drawn log is one with what is known of it.
type drawn struct {
	campaign
	skew  int64
	lines [][]*drawnLine // of each node those that are left
}

// draw makes a run and its log.
func (c campaign) draw(r *rand.Rand) *drawn {
	d := &drawn{campaign: c, skew: int64(r.IntN(4))}
	locks := []string{"", "", "x"}[r.IntN(3)]
	type thread struct {
		node  int
		lock  string
		units int
	}
	nodes := 2 + r.IntN(2)
	var all []*drawnLine
	d.lines = make([][]*drawnLine, nodes)
	threads := make([]thread, nodes*c.threads)
	seq := make([]int, nodes)
	now := 0
	for range 4 + r.IntN(6) {
		t := r.IntN(len(threads))
		th := &threads[t]
		th.node = t / c.threads
		now += r.IntN(4)
		l := &drawnLine{real: now, Node: fmt.Sprintf("n%d", th.node), Event: "step"}
		l.Time = int64(now) + r.Int64N(2*d.skew+1) - d.skew
		if c.restarts && seq[th.node] > 0 && r.IntN(6) == 0 {
			seq[th.node] = 0
			for i := range threads {
				if threads[i].node == th.node {
					threads[i].units = 0
				}
			}
		}
		l.first = seq[th.node] == 0
		if seq[th.node]++; c.seq {
			l.Seq = seq[th.node]
		}
		switch {
		case r.IntN(5) == 0:
		case th.units > 0:
			l.Event, l.Lock, th.units = "release", th.lock, 0
		default:
			th.units, th.lock = 1, ""
			if r.IntN(4) == 0 && c.threads == 1 {
				th.units, l.Units = 2, 2
			}
			if locks != "" {
				th.lock = []string{"x", "y"}[r.IntN(2)]
			}
			l.Event, l.Lock = "acquire", th.lock
		}
		all = append(all, l)
	}
	for _, l := range all {
		l.dropped = c.drop > 0 && !l.first && r.IntN(c.drop) == 0
	}
	if c.messages {
		for i := range all {
			if j := i + 1 + r.IntN(4); j < len(all) && all[i].Node != all[j].Node && all[j].ID == "" && !all[i].dropped {
				id := fmt.Sprint("m", i)
				all[i].Sent, all[j].ID = append(all[i].Sent, sent{id}), id
			}
		}
	}
	lost := make([]int, nodes)
	for _, l := range all {
		n := int(l.Node[1] - '0')
		if l.first {
			lost[n] = 0 // whatever the life before has lost last is its tail
		}
		if l.dropped {
			lost[n]++
			continue
		}
		l.lost, lost[n] = lost[n], 0
		d.lines[n] = append(d.lines[n], l)
	}
	return d
}

// text is the log as a file.
func (d *drawn) text() string {
	var all []*drawnLine
	for _, lines := range d.lines {
		all = append(all, lines...)
	}
	slices.SortStableFunc(all, func(a, b *drawnLine) int { return cmp.Compare(a.real, b.real) })
	var b strings.Builder
	for _, l := range all {
		line, _ := json.Marshal(l)
		fmt.Fprintf(&b, "%s\n", line)
	}
	return b.String()
}

// A situation of a node: so many of its lines have happened, and it holds this.
type situation struct {
	lines, hidden int
	held          string // sorted; each a letter: units of its present life, capitals: of those before
}

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
// e and g of y.
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
	single := !d.nested && d.threads == 1
	if s.lines < len(lines) {
		l := lines[s.lines]
		held := s.held
		if l.first {
			held = strings.ToUpper(held)
		}
		if l.first && d.ending == logs.Free {
			held = ""
		}
		for _, h := range d.happens(l, held, single) {
			next = append(next, situation{lines: s.lines + 1, held: h})
		}
		line = len(next)
		if l.first && s.lines > 0 { // the life before ends some time
			next = append(next, situation{s.lines, s.hidden, strings.ToUpper(s.held)})
		}
		if s.hidden < l.lost && (!l.first || s.lines == 0) {
			next = append(next, d.hidden(s, single)...)
		}
	}
	// What the dead hold, and what is held after the last line, may be given back.
	if d.ending == logs.Auto {
		for i := range s.held {
			if s.held[i] < 'a' || s.lines == len(lines) {
				t := s
				t.held = less(s.held, i)
				next = append(next, t)
			}
		}
	}
	return next, line
}

// happens lists what a node may hold after a line.
func (d *drawn) happens(l *drawnLine, held string, single bool) (after []string) {
	switch l.Event {
	case "acquire":
		if !single || !d.holds(alive(held), l.Lock) {
			return []string{with(held, letterOf(l.Lock, max(l.Units, 1)))}
		}
		return nil
	case "release":
		for i := range held {
			if lock, _ := unitsOf(held[i]); held[i] >= 'a' && (lock == l.Lock || l.Lock == "") {
				after = append(after, less(held, i))
			}
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
	t := situation{s.lines, s.hidden + 1, s.held}
	for i := range s.held {
		if s.held[i] >= 'a' {
			t.held = less(s.held, i)
			next = append(next, t)
		}
	}
	for _, lock := range d.locks() {
		for u := 1; u <= d.most(lock); u++ {
			if !single || !d.holds(alive(s.held), lock) {
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
		for i := range w[n].held {
			if l, u := unitsOf(w[n].held[i]); l == lock || lock == "" {
				units += u
			}
		}
	}
	return units
}

// campaigns are the kinds of logs that are drawn.
var campaigns = map[string]campaign{
	"whole":                {threads: 1, exact: true},
	"whole, held":          {threads: 1, ending: logs.Held, exact: true},
	"counted":              {threads: 1, seq: true, exact: true},
	"messages":             {threads: 1, messages: true, exact: true},
	"gaps":                 {threads: 1, seq: true, drop: 4},
	"gaps, held":           {threads: 1, seq: true, drop: 4, ending: logs.Held},
	"gaps, messages":       {threads: 1, seq: true, drop: 4, messages: true},
	"threads, counted":     {threads: 2, seq: true, exact: true},
	"threads, told":        {threads: 3, nested: true, exact: true},
	"threads, messages":    {threads: 2, nested: true, messages: true, exact: true},
	"threads, gaps":        {threads: 2, seq: true, drop: 4, nested: true},
	"restarts":             {threads: 1, seq: true, restarts: true},
	"restarts, gaps":       {threads: 1, seq: true, restarts: true, drop: 4},
	"restarts, held":       {threads: 2, seq: true, restarts: true, nested: true, ending: logs.Held},
	"threads, not told":    {threads: 2},
	"threads, not told, m": {threads: 3, messages: true},
}

// TestCompletions compares verdicts with what all completions of logs say: nothing that
// some run refutes is called definite, and nothing is accepted that some run violates.
func TestCompletions(t *testing.T) {
	rounds := 40
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		rounds = 3000
	}
	for _, name := range slices.Sorted(maps.Keys(campaigns)) {
		t.Run(name, func(t *testing.T) {
			c := campaigns[name]
			r := rand.New(rand.NewPCG(7, uint64(len(name))))
			counts := map[string]int{}
			for range rounds {
				c.compare(t, r, counts)
			}
			t.Log(counts)
			if counts["definite"] == 0 || counts["undecided"] == 0 || counts["accepted"] == 0 && !c.nested {
				t.Errorf("one-sided: %v", counts)
			}
		})
	}
}

// compare draws a log and judges it twice.
func (c campaign) compare(t *testing.T, r *rand.Rand, counts map[string]int) {
	d := c.draw(r)
	text := d.text()
	if text == "" {
		return
	}
	skew := time.Duration(d.skew)
	l, err := logs.Read(write(t, text), logs.Options{Format: "ndjson", Skew: &skew})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if l.Contradictory() {
		counts["contradictory"]++
		return
	}
	for _, k := range []int{1, 2} {
		for _, u := range l.Occupancies(func(string) int { return k }, c.ending, c.nested) {
			avoidable, possible := d.judge(u.Resource, k)
			switch {
			case u.Count > 0:
				counts["definite"]++
			case u.Possible != nil:
				counts["undecided"]++
			default:
				counts["accepted"]++
			}
			if !u.Exact || u.Count > 0 && avoidable || u.Possible == nil && u.Count == 0 && possible || u.Avoidable && !avoidable {
				t.Fatalf("k=%d %q: %+v; by brute force avoidable %v, possible %v\n%s", k, u.Resource, u, avoidable, possible, text)
			}
			if (u.Count > 0) == avoidable || (u.Possibly > k) != possible {
				counts["undecided, though it can be decided"]++
				if c.exact {
					t.Fatalf("k=%d %q: %+v; by brute force avoidable %v, possible %v\n%s", k, u.Resource, u, avoidable, possible, text)
				}
			}
		}
	}
}
