package occupancy_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
)

// This file is a second opinion on leases and on readers and writers. It draws runs of nodes that do one
// thing at a time, writes down their logs with stamps that are off by up to the skew, and then tries every
// moment at which each event may have happened and every order of what happens at one moment.

// A rightEvent is an event of such a log; times are small whole numbers.
type rightEvent struct {
	node, stamp int
	name        string // acquire, release, release-failed, renew, expire, step
	reads       bool
	lasts       int // 0: there is no lease, or none is said
	maybe       bool
}

// A rightLog is one.
type rightLog struct {
	skew   int
	leases bool // holdings end with their leases
	// crashes: the last step of a node is its crash, after which it may hold units as before.
	crashes bool
	k       int
	nodes   [][]rightEvent
}

const someWriter = 100 // units: as many as no readers are

func drawRights(r *rand.Rand, leases, shared bool) *rightLog {
	x := &rightLog{
		skew:   r.IntN(2),
		leases: leases && r.IntN(2) == 0,
		k:      1 + r.IntN(2),
		nodes:  make([][]rightEvent, 2+r.IntN(2)),
	}
	x.crashes = leases && r.IntN(2) == 0
	if shared {
		x.k = someWriter
	}
	for n := range x.nodes {
		now, inside, lasts, reads := 5+r.IntN(6), false, 0, false
		for range 1 + r.IntN(2) + (4-len(x.nodes))*r.IntN(2) {
			now += r.IntN(5)
			e := rightEvent{node: n, name: "step"}
			switch about := r.IntN(7); {
			case inside && leases && about < 2:
				e.name, e.lasts = "renew", lasts
			case inside && leases && about == 2:
				e.name = "expire"
			case leases && about == 3:
				e.name = "release-failed"
			case inside:
				e.name, e.reads, inside, e.maybe = "release", reads, false, leases && r.IntN(4) == 0
			case r.IntN(6) > 0:
				inside, reads, lasts = true, shared && r.IntN(3) > 0, 0
				if leases && r.IntN(3) > 0 {
					lasts = 1 + r.IntN(6)
				}
				e.name, e.reads, e.lasts = "acquire", reads, lasts
			}
			e.stamp = now + r.IntN(2*x.skew+1) - x.skew
			x.nodes[n] = append(x.nodes[n], e)
		}
	}
	return x
}

// text is the log.
func (x *rightLog) text() string {
	var b strings.Builder
	for _, e := range slices.Concat(x.nodes...) {
		more, name := "", e.name
		if events := x.nodes[e.node]; x.crashes && name == "step" && events[len(events)-1] == e {
			name = "crash"
		}
		if e.reads {
			more = `,"shared":true`
		}
		if e.maybe {
			more += `,"maybe":true`
		}
		if e.lasts > 0 {
			more += fmt.Sprintf(`,"lease_lasts":"%dns"`, e.lasts)
		}
		fmt.Fprintf(&b, `{"node":"n%d","event":"%s","time":%d%s}`+"\n", e.node, name, 1000+e.stamp, more)
	}
	return b.String()
}

// A rightRun is one way in which the log may have come about, as far as it is decided.
type rightRun struct {
	*rightLog
	at [][]int // the moment of each event
}

// judge tries all, and of what may not have happened both. It says whether one never has more than k units
// in use, and whether one has at some moment.
func (x *rightLog) judge() (avoidable, possible bool) {
	for _, events := range x.nodes {
		for i := range events {
			if e := &events[i]; e.maybe {
				e.maybe = false
				avoidable, possible = x.judge()
				e.name = "step"
				avoids, can := x.judge()
				e.maybe, e.name = true, "release"
				return avoidable || avoids, possible || can
			}
		}
	}
	run := &rightRun{rightLog: x}
	for _, events := range x.nodes {
		run.at = append(run.at, make([]int, len(events)))
	}
	run.assign(0, 0, func() {
		avoidable = avoidable || run.walk(false)
		possible = possible || run.walk(true)
	})
	return avoidable, possible
}

// assign gives all events from this one on each moment that they may have.
func (r *rightRun) assign(node, event int, then func()) {
	switch {
	case node == len(r.nodes):
		then()
		return
	case event == len(r.nodes[node]):
		r.assign(node+1, 0, then)
		return
	}
	stamp := r.nodes[node][event].stamp
	for t := stamp - r.skew; t <= stamp+r.skew; t++ {
		if event == 0 || t >= r.at[node][event-1] {
			r.at[node][event] = t
			r.assign(node, event+1, then)
		}
	}
}

// A rightWorld is a moment of a run.
type rightWorld struct {
	done  [3]int // events of each node
	units [3]int
	ends  [3]int  // the moment at which its lease ends; 0: it has none
	long  [3]int  // how long that lasts
	tried [3]bool // its release has failed, and it has no lease
}

// walk tries all orders of what happens at one moment. With more it looks for one in which at some moment
// more than k units are in use, where holdings last as long as can be; else for one in which that is never
// so, and they are short.
func (r *rightRun) walk(more bool) bool {
	return r.from(rightWorld{}, more)
}

func (r *rightRun) from(w rightWorld, more bool) bool {
	used := w.units[0] + w.units[1] + w.units[2]
	if used > r.k {
		return more
	}
	for n := range r.nodes {
		if w.done[n] == len(r.nodes[n]) && !more && !w.tried[n] {
			w.units[n] = 0 // it may be over after its last event
		}
	}
	now, over := 1<<30, true
	for n := range r.nodes {
		if w.done[n] < len(r.nodes[n]) {
			now, over = min(now, r.at[n][w.done[n]]), false
		}
	}
	if over { // what goes on was counted
		return !more
	}
	for n := range r.nodes {
		if r.leaseEnds(&w, n) && w.ends[n] < now { // before anything else happens
			v := w
			v.units[n], v.ends[n] = 0, 0
			return r.from(v, more)
		}
	}
	for n := range r.nodes {
		if w.done[n] < len(r.nodes[n]) && r.at[n][w.done[n]] == now && r.from(r.step(w, n), more) {
			return true
		}
		if r.leaseEnds(&w, n) && w.ends[n] == now {
			v := w
			v.units[n], v.ends[n] = 0, 0
			if r.from(v, more) {
				return true
			}
		}
	}
	return false
}

// leaseEnds reports whether what a node has is over when its lease is: by the reading, or as nothing else
// ends it.
func (r *rightRun) leaseEnds(w *rightWorld, n int) bool {
	released, ends := false, w.ends[n]
	for i := w.done[n]; i < len(r.nodes[n]); i++ {
		name, at := r.nodes[n][i].name, r.at[n][i]
		if name == "acquire" {
			break // it had lost the units before
		}
		if name == "renew" && at == ends && at == w.ends[n] && !r.leases {
			return false // it is renewed in the last moment
		}
		if name == "renew" && w.long[n] > 0 && at <= ends {
			ends = at + w.long[n]
		}
		released = released || name == "release" || name == "release-failed" && (at > ends || w.long[n] == 0)
	}
	return w.units[n] > 0 && w.ends[n] > 0 && (r.leases || !released)
}

// step lets the next event of a node happen.
func (r *rightRun) step(w rightWorld, n int) rightWorld {
	e, at := r.nodes[n][w.done[n]], r.at[n][w.done[n]]
	w.done[n]++
	switch e.name {
	case "acquire":
		w.units[n], w.ends[n], w.long[n], w.tried[n] = 1, 0, e.lasts, false
		if r.k == someWriter && !e.reads {
			w.units[n] = r.k
		}
		if e.lasts > 0 {
			w.ends[n] = at + e.lasts
		}
	case "renew":
		if w.units[n] > 0 && w.long[n] > 0 && at <= w.ends[n] {
			w.ends[n] = at + w.long[n]
		}
	case "expire":
		if w.units[n] > 0 {
			w.ends[n], w.long[n] = at, 0
		}
	case "release":
		w.units[n], w.ends[n], w.tried[n] = 0, 0, false
	case "release-failed":
		if w.ends[n] > 0 && (at > w.ends[n] || w.long[n] == 0) {
			w.units[n], w.ends[n] = 0, 0
		}
		w.tried[n] = w.units[n] > 0 && w.ends[n] == 0
	}
	return w
}

// TestLeasesAndReadersAsBruteForce compares verdicts on logs with leases, and of readers and writers, with
// those by trying everything.
func TestLeasesAndReadersAsBruteForce(t *testing.T) {
	rounds := 150
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		rounds = 5000
	}
	for name, kind := range map[string][2]bool{"leases": {true, false}, "readers and writers": {false, true},
		"both": {true, true}} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(22, uint64(len(name))))
			counts := map[string]int{}
			for range rounds {
				drawRights(r, kind[0], kind[1]).compare(t, counts)
			}
			t.Log(counts)
			if counts["definite"] == 0 || counts["undecided"] == 0 || counts["accepted"] == 0 {
				t.Errorf("one-sided: %v", counts)
			}
		})
	}
}

func (x *rightLog) compare(t *testing.T, counts map[string]int) {
	t.Helper()
	skew := time.Duration(x.skew)
	bound := x.k
	how := occupancy.Judging{
		Reading: occupancy.Reading{Leases: x.leases},
		Units: func(formats.Header) (func(string) int, error) {
			return func(string) int { return bound },
				nil
		},
	}
	l, uses, err := occupancy.Judge(write(t, x.text()), formats.Options{Format: "ndjson", Skew: &skew}, how)
	if err != nil {
		t.Fatalf("%v\n%s", err, x.text())
	}
	if l.Contradictory() {
		counts["contradictory"]++
		return
	}
	u := uses[0]
	if x.k == someWriter && !u.Shared { // nobody has read
		return
	}
	avoidable, possible := x.judge()
	switch {
	case u.Count > 0:
		counts["definite"]++
	case u.Possible != nil:
		counts["undecided"]++
	default:
		counts["accepted"]++
	}
	if u.Count > 0 && avoidable || u.Count == 0 && u.Possible == nil && possible ||
		u.Avoidable && !avoidable {
		t.Fatalf(
			"leases %v, k=%d, skew %d: %d definite, possible %v, avoidable %v; by trying everything "+
				"avoidable %v, possible %v\n%s",
			x.leases,
			x.k,
			x.skew,
			u.Count,
			u.Possible != nil,
			u.Avoidable,
			avoidable,
			possible,
			x.text(),
		)
	}
	if u.Count == 0 != avoidable || (u.Possible != nil || u.Count > 0) != possible {
		counts["undecided, though it can be decided"]++
	}
}
