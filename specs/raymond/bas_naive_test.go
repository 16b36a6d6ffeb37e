package raymond

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// A site is a process in the naive enumeration.
type site struct {
	where         string // "", "waits", "in" or "dead"
	clock, last   int
	permissions   int
	awaited, owed string // for each other process a digit
	toGo          int
	suspects      string // digits of the processes known as dead
}

// An envelope is a message in the naive enumeration: a request if count is 0.
type envelope struct{ from, to, time, count int }

// A scene is a global state in the naive enumeration.
type scene struct {
	sites     []site
	envelopes []envelope
}

func (s scene) copy() scene { return scene{slices.Clone(s.sites), slices.Clone(s.envelopes)} }

func (s scene) key() string {
	spelled := make([]string, len(s.envelopes))
	for i, l := range s.envelopes {
		spelled[i] = fmt.Sprint(l)
	}
	slices.Sort(spelled)
	return fmt.Sprint(s.sites, spelled)
}

// add adds to the digit of process p.
func add(digits string, p, by int) string {
	b := []byte(digits)
	b[p] += byte(by)
	return string(b)
}

// send sends envelopes to the live processes.
func (s *scene) send(ls ...envelope) {
	for _, l := range ls {
		if s.sites[l.to].where != "dead" {
			s.envelopes = append(s.envelopes, l)
		}
	}
}

// die stops process p.
func (s *scene) die(p int) {
	s.sites[p] = site{where: "dead"}
	s.envelopes = slices.DeleteFunc(s.envelopes, func(l envelope) bool { return l.to == p })
}

// naive counts the states and levels of the algorithm with bag channels and
// crash-sends=subset, by code that shares nothing with the model.
func naive(n, k, crashes int, rounds []int) (states, depth int) {
	var start scene
	zeros := strings.Repeat("0", n)
	for p := range n {
		start.sites = append(start.sites, site{awaited: zeros, owed: zeros, toGo: rounds[p]})
	}
	seen := map[string]bool{start.key(): true}
	for level := []scene{start}; len(level) > 0; depth++ {
		var next []scene
		for _, s := range level {
			successors(s, k, crashes, func(t scene) {
				if key := t.key(); !seen[key] {
					seen[key] = true
					next = append(next, t)
				}
			})
		}
		level = next
	}
	return len(seen), depth
}

func successors(s scene, k, crashes int, yield func(scene)) {
	dead := 0
	for _, p := range s.sites {
		if p.where == "dead" {
			dead++
		}
	}
	// after yields what comes of t, in which p has yet to send ls: all gets out, or p
	// dies on the way and a part gets out.
	after := func(t scene, p int, ls []envelope) {
		whole := t.copy()
		whole.send(ls...)
		yield(whole)
		live := slices.DeleteFunc(slices.Clone(ls),
			func(l envelope) bool { return t.sites[l.to].where == "dead" })
		for part := 1; part < 1<<len(live)-1 && dead < crashes; part++ {
			broken := t.copy()
			broken.die(p)
			for i, l := range live {
				if part>>i&1 == 1 {
					broken.send(l)
				}
			}
			yield(broken)
		}
	}
	for p, me := range s.sites {
		if me.where == "dead" {
			continue
		}
		if dead < crashes {
			t := s.copy()
			t.die(p)
			yield(t)
		}
		for q := range s.sites {
			if s.sites[q].where == "dead" && !strings.Contains(me.suspects, fmt.Sprint(q)) {
				t := s.copy()
				t.suspect(p, q)
				after(t, p, nil)
			}
		}
		act(s, p, k, after)
	}
	for i, l := range s.envelopes {
		t := s.copy()
		t.envelopes = slices.Delete(t.envelopes, i, i+1)
		after(t, l.to, t.receive(l))
	}
}

// suspect: p learns that q is dead.
func (s *scene) suspect(p, q int) {
	me := &s.sites[p]
	if me.where == "waits" && me.awaited[q] == '0' {
		me.permissions--
	}
	known := append([]byte(me.suspects), byte('0'+q))
	slices.Sort(known)
	me.suspects = string(known)
	me.awaited = add(me.awaited, q, int('0')-int(me.awaited[q]))
	me.owed = add(me.owed, q, int('0')-int(me.owed[q]))
}

// act takes the step that p can take by itself.
func act(s scene, p, k int, after func(scene, int, []envelope)) {
	t := s.copy()
	me := &t.sites[p]
	var ls []envelope
	switch n := len(s.sites); {
	case me.where == "" && me.toGo > 0:
		me.toGo--
		me.clock++
		me.where, me.last, me.permissions = "waits", me.clock, 0
		for q := range n {
			if q != p && !strings.Contains(me.suspects, fmt.Sprint(q)) {
				me.awaited = add(me.awaited, q, 1)
				ls = append(ls, envelope{p, q, me.last, 0})
			}
		}
	case me.where == "waits" && me.permissions >= n-k-len(me.suspects):
		me.where = "in"
	case me.where == "in":
		for q := range n {
			if c := int(me.owed[q] - '0'); c > 0 {
				ls = append(ls, envelope{p, q, 0, c})
			}
		}
		me.where, me.owed = "", strings.Repeat("0", n)
	default:
		return
	}
	after(t, p, ls)
}

// receive delivers an envelope that has been taken from the channel.
func (s *scene) receive(l envelope) (answer []envelope) {
	me := &s.sites[l.to]
	suspected := strings.Contains(me.suspects, fmt.Sprint(l.from))
	if l.count == 0 {
		me.clock = max(me.clock, l.time) + 1
		mine := me.last < l.time || me.last == l.time && l.to < l.from
		switch {
		case suspected:
		case me.where == "in" || me.where == "waits" && mine:
			me.owed = add(me.owed, l.from, 1)
		default:
			return []envelope{{l.to, l.from, 0, 1}}
		}
		return nil
	}
	if !suspected {
		me.awaited = add(me.awaited, l.from, -l.count)
		if me.where == "waits" && me.awaited[l.from] == '0' {
			me.permissions++
		}
	}
	return nil
}

// TestBASAgreesWithNaiveEnumeration compares the model with the enumeration.
func TestBASAgreesWithNaiveEnumeration(t *testing.T) {
	for _, c := range []struct {
		n, k, crashes int
		rounds        []int
	}{
		{2, 1, 0, []int{2, 2}},
		{2, 1, 1, []int{1, 1}},
		{2, 1, 1, []int{2, 1}},
		{2, 2, 2, []int{2, 2}},
		{3, 1, 1, []int{1, 1, 0}},
		{3, 1, 2, []int{2, 1, 0}},
		{3, 2, 2, []int{1, 1, 0}},
	} {
		alg := bas{algorithm: algorithm{n: c.n, k: c.k, advanceH: true, rounds: c.rounds}}
		nw := model.Network{Crashes: c.crashes, Crashable: model.All(c.n), CrashSends: model.Subset}
		r, err := explore.Run(context.Background(), model.Compose(alg.composition(nw)),
			explore.Options{KeepGoing: true})
		if err != nil {
			t.Fatal(err)
		}
		states, depth := naive(c.n, c.k, c.crashes, c.rounds)
		if int(r.States) != states || r.Depth != depth {
			t.Errorf("%+v: %d states, depth %d; the enumeration has %d, %d", c, r.States, r.Depth, states,
				depth)
		}
		for _, p := range r.Properties {
			if p.Verdict != explore.Holds {
				t.Errorf("%+v: %s %s", c, p.Name, p.Verdict)
			}
		}
	}
}
