package occupancy_test

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

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
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
	// Clock is its vector clock.
	Clock map[string]int `json:"clock,omitempty"`

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
	clocks   bool // vector clocks are the order, of messages that are not told
	fails    bool // some releases fail
	// uncounted: lines are missing, nothing shows where, and only what cannot follow each other says so.
	uncounted bool
	nested    bool
	// reentrant: its threads are one holder that acquires again.
	reentrant bool
	weights   bool // threads acquire different numbers of units
	parts     bool // a release says how many units it gives back, one of two for example
	restarts  bool
	ending    occupancy.Ending
	// exact: the verdict is the one that brute force finds, not only none that it refutes.
	exact bool
	// long logs are not for brute force; untimed ones are read without skew, and in those of lines
	// the order of lines counts.
	long, untimed, lines bool
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
	events := 4 + r.IntN(6)
	if c.long {
		events *= 4 + r.IntN(10)
	}
	for range events {
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
		case c.fails && r.IntN(3) == 0:
			l.Event, l.Lock = "release-failed", th.lock
			if locks != "" {
				l.Lock = cmp.Or(th.lock, "x")
			}
		case th.units > 0:
			back := th.units
			if c.parts {
				back = 1 + r.IntN(th.units)
				l.Units = back
			}
			l.Event, l.Lock, th.units = "release", th.lock, th.units-back
		default:
			th.units, th.lock = 1, ""
			if r.IntN(4) == 0 && (c.threads == 1 || c.weights) {
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
		l.dropped = c.drop > 0 && (!l.first || c.clocks || c.uncounted) && r.IntN(c.drop) == 0
	}
	if c.messages || c.clocks {
		for i := range all {
			if j := i + 1 + r.IntN(4); j < len(all) && all[i].Node != all[j].Node && all[j].ID == "" &&
				!all[i].dropped {
				id := fmt.Sprint("m", i)
				all[i].Sent, all[j].ID = append(all[i].Sent, sent{id}), id
			}
		}
	}
	if c.clocks {
		tickClocks(all)
	}
	lost := make([]int, nodes)
	for _, l := range all {
		l.first = l.first && !c.uncounted
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

// tickClocks gives all events vector clocks in place of the messages.
func tickClocks(all []*drawnLine) {
	now, with := map[string]map[string]int{}, map[string]map[string]int{}
	for _, l := range all {
		mine := maps.Clone(now[l.Node])
		if mine == nil {
			mine = map[string]int{}
		}
		for node, count := range with[l.ID] {
			mine[node] = max(mine[node], count)
		}
		mine[l.Node]++
		now[l.Node], l.Clock = mine, mine
		for _, s := range l.Sent {
			with[s.ID] = mine
		}
		l.Sent, l.ID = nil, ""
	}
}

// text is the log as a file.
func (d *drawn) text() string { return text(d.lines) }

// texts is the log as several files.
func (d *drawn) texts(n int) (files []string) {
	parts := make([][][]*drawnLine, n)
	for node, lines := range d.lines {
		parts[node%n] = append(parts[node%n], lines)
	}
	for _, part := range parts {
		files = append(files, text(part))
	}
	return files
}

func text(nodes [][]*drawnLine) string {
	var all []*drawnLine
	for _, lines := range nodes {
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

// reading is how its logs are read.
func (c campaign) reading() occupancy.Reading {
	return occupancy.Reading{Ending: c.ending, Nested: c.nested, Reentrant: c.reentrant}
}

// campaigns are the kinds of logs that are drawn.
var campaigns = map[string]campaign{
	"whole":                {threads: 1, exact: true},
	"whole, held":          {threads: 1, ending: occupancy.Held, exact: true},
	"counted":              {threads: 1, seq: true, exact: true},
	"messages":             {threads: 1, messages: true, exact: true},
	"gaps":                 {threads: 1, seq: true, drop: 4},
	"gaps, held":           {threads: 1, seq: true, drop: 4, ending: occupancy.Held},
	"gaps, messages":       {threads: 1, seq: true, drop: 4, messages: true},
	"threads, counted":     {threads: 2, seq: true, exact: true},
	"threads, told":        {threads: 3, nested: true, exact: true},
	"threads, messages":    {threads: 2, nested: true, messages: true, exact: true},
	"threads, gaps":        {threads: 2, seq: true, drop: 4, nested: true},
	"restarts":             {threads: 1, seq: true, restarts: true},
	"restarts, gaps":       {threads: 1, seq: true, restarts: true, drop: 4},
	"restarts, held":       {threads: 2, seq: true, restarts: true, nested: true, ending: occupancy.Held},
	"parts":                {threads: 1, parts: true, exact: true},
	"parts, gaps":          {threads: 1, parts: true, seq: true, drop: 4},
	"parts, not told":      {threads: 2, parts: true, weights: true},
	"reentrant":            {threads: 3, reentrant: true, exact: true},
	"reentrant, counted":   {threads: 2, seq: true, reentrant: true, exact: true},
	"reentrant, units":     {threads: 2, reentrant: true, weights: true},
	"reentrant, messages":  {threads: 2, reentrant: true, messages: true, exact: true},
	"reentrant, gaps":      {threads: 2, seq: true, drop: 4, reentrant: true},
	"reentrant, gaps, m":   {threads: 2, seq: true, drop: 4, reentrant: true, messages: true},
	"clocks":               {threads: 1, clocks: true, exact: true},
	"clocks, gaps":         {threads: 1, clocks: true, drop: 4},
	"clocks, gaps, held":   {threads: 1, clocks: true, drop: 4, ending: occupancy.Held},
	"clocks, threads":      {threads: 2, clocks: true, drop: 4, nested: true},
	"clocks, reentrant":    {threads: 2, clocks: true, drop: 4, reentrant: true},
	"clocks, parts":        {threads: 1, clocks: true, drop: 4, parts: true},
	"fails":                {threads: 1, fails: true},
	"fails, held":          {threads: 1, fails: true, ending: occupancy.Held},
	"fails, gaps":          {threads: 1, seq: true, drop: 4, fails: true},
	"fails, threads":       {threads: 2, seq: true, fails: true, nested: true, drop: 6},
	"uncounted":            {threads: 1, drop: 4, uncounted: true},
	"uncounted, held":      {threads: 1, drop: 4, uncounted: true, ending: occupancy.Held},
	"uncounted, messages":  {threads: 1, drop: 4, uncounted: true, messages: true},
	"uncounted, fails":     {threads: 1, drop: 4, uncounted: true, fails: true},
	"threads, not told":    {threads: 2},
	"threads, not told, m": {threads: 3, messages: true},
}

// TestVerdictsHoldOfAllCompletions compares verdicts with what all completions of logs say: nothing that
// some run refutes is called definite, and nothing is accepted that some run violates.
func TestVerdictsHoldOfAllCompletions(t *testing.T) {
	rounds := 24
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
			if counts["definite"] == 0 || counts["undecided"] == 0 || counts["accepted"] == 0 && !c.nested &&
				!c.reentrant {
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
	l, err := order.Read(write(t, text), formats.Options{Format: "ndjson", Skew: &skew})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if l.Contradictory() {
		counts["contradictory"]++
		return
	}
	for _, k := range []int{1, 2} {
		for _, u := range occupancy.OccupanciesOf(l, func(string) int { return k }, c.reading()) {
			avoidable, possible := d.judge(u.Resource, k)
			switch {
			case u.Count > 0:
				counts["definite"]++
			case u.Possible != nil:
				counts["undecided"]++
			default:
				counts["accepted"]++
			}
			if !u.Exact || u.Count > 0 && avoidable || u.Possible == nil && u.Count == 0 && possible ||
				u.Avoidable && !avoidable {
				t.Fatalf("k=%d %q: %+v; by brute force avoidable %v, possible %v\n%s", k, u.Resource, u,
					avoidable, possible, text)
			}
			if (u.Count > 0) == avoidable || (u.Possibly > k) != possible {
				counts["undecided, though it can be decided"]++
				if c.exact {
					t.Fatalf("k=%d %q: %+v; by brute force avoidable %v, possible %v\n%s", k, u.Resource, u,
						avoidable, possible, text)
				}
			}
		}
	}
}
