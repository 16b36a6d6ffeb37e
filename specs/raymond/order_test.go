package raymond

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/explore"
)

// A place is a process in an enumeration where times are real numbers and count by their order only; the
// messages under way are at their receivers.
type place struct {
	where           string // "", "waits" or "in"
	clock, last     float64
	permissions     int
	awaits          [3]bool // a reply of each other process
	owes            [3]bool // a reply to each other process
	asked           [3]float64
	asking, replied [3]bool // messages under way from each other process: a request, of time asked, a reply
}

// ordered lists the times that are alive, without 0.
func ordered(s []place) (all []float64) {
	for _, p := range s {
		all = append(append(all, p.last), p.asked[:]...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all[1:] // 0 is among them: nobody asks itself
}

// canonical changes all times to ranks.
func canonical(s []place) [3]place {
	all := ordered(s)
	for i := range s {
		p := &s[i]
		for _, x := range []*float64{&p.clock, &p.last, &p.asked[0], &p.asked[1], &p.asked[2]} {
			rank := 0
			for _, y := range all {
				if y <= *x {
					rank++
				}
			}
			*x = float64(rank)
		}
	}
	return [3]place(append(slices.Clone(s), make([]place, 3-len(s))...))
}

// enumerate counts the states and levels of the algorithm with k=1 where times count by their order only, by
// code that shares nothing with the model; and the states with two processes inside.
func enumerate(n int) (states, depth, bad int) {
	start := make([]place, n)
	seen := map[[3]place]bool{canonical(start): true}
	for level := [][]place{start}; len(level) > 0; depth++ {
		var next [][]place
		for _, s := range level {
			after(s, func(t []place) {
				key := canonical(t)
				if seen[key] {
					return
				}
				inside := 0
				for _, p := range t {
					if p.where == "in" {
						inside++
					}
				}
				bad += inside / 2
				seen[key] = true
				next = append(next, t)
			})
		}
		level = next
	}
	return len(seen), depth, bad
}

// after yields the states that follow s.
func after(s []place, yield func([]place)) {
	for i := range s {
		switch p := &s[i]; {
		case p.where == "":
			low := p.clock
			var times []float64
			for _, x := range ordered(s) {
				if x > p.clock {
					times = append(times, (low+x)/2, x)
					low = x
				}
			}
			for _, time := range append(times, low+1) {
				t := slices.Clone(s)
				q := &t[i]
				q.where, q.clock, q.last, q.permissions = "waits", time, time, 0
				for j := range t {
					if j != i {
						q.awaits[j], t[j].asking[i], t[j].asked[i] = true, true, time
					}
				}
				yield(t)
			}
		case p.where == "waits" && p.permissions == len(s)-1:
			t := slices.Clone(s)
			t[i].where = "in"
			yield(t)
		case p.where == "in":
			t := slices.Clone(s)
			for j := range t {
				t[j].replied[i] = t[j].replied[i] || p.owes[j]
			}
			t[i].where, t[i].last, t[i].owes = "", 0, [3]bool{}
			yield(t)
		}
		for j := range s {
			if s[i].asking[j] {
				t := slices.Clone(s)
				p, time := &t[i], s[i].asked[j]
				p.asking[j], p.asked[j] = false, 0
				p.clock = max(p.clock, time)
				if p.where == "in" || p.where == "waits" && (p.last < time || p.last == time && i < j) {
					p.owes[j] = true
				} else {
					t[j].replied[i] = true
				}
				yield(t)
			}
			if s[i].replied[j] {
				t := slices.Clone(s)
				t[i].replied[j], t[i].awaits[j] = false, false
				t[i].permissions++
				yield(t)
			}
		}
	}
}

// TestAnyRoundsAgreeWithEnumeration: for every number of requests of each of n processes no two are inside
// at once, and each request is served.
func TestAnyRoundsAgreeWithEnumeration(t *testing.T) {
	for n := 2; n <= 3; n++ {
		in, _, err := Spec.Instantiate([]string{fmt.Sprint("n=", n), "k=1", "rounds=any", "last=forgotten"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore.Run(context.Background(), in, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		states, depth, bad := enumerate(n)
		if int(r.States) != states || r.Depth != depth || bad > 0 || !r.Complete {
			t.Errorf("n=%d: %d states, depth %d; the enumeration has %d, %d, and %d with two inside", n,
				r.States, r.Depth, states, depth, bad)
		}
		for _, p := range r.Properties {
			if p.Verdict != explore.Holds {
				t.Errorf("n=%d: %s %s", n, p.Name, p.Verdict)
			}
		}
	}
}
