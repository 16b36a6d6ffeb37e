package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/naive"
	"github.com/atmostk/atmostk/model"
)

// mate is the local state of a random automaton that is like others: it names processes, and reads Scrap in
// mode 1 only.
type mate struct {
	Mode, Fuel, Scrap uint8
	Peer              model.Proc
	Seen              model.Set
}

// Messages with Vies compete: where Rivals is set in the model, their names decide.
type mateNote struct {
	Vies  bool
	About model.Proc
}

type mates = model.Global[mate, mateNote, model.None]

// orbits are states, and how many of each orbit there are, by all permutations of processes.
type orbits struct {
	n      int
	among  model.Set
	rivals bool
	fifo   bool
	states map[string]map[string]bool
}

// renamed writes a state with processes renamed.
func (o *orbits) renamed(g *mates, to []model.Proc) string {
	texts := make([]string, len(to))
	for p := range model.Proc(len(to)) {
		l, seen := g.Local(p), model.Set(0)
		for q := range l.Seen.Each() {
			seen = seen.With(to[q])
		}
		var inbox []string
		for _, e := range g.Inbox(p) {
			inbox = append(inbox, fmt.Sprint(to[e.From], e.M.Vies, to[e.M.About]))
		}
		slices.SortStableFunc(inbox, func(a, b string) int {
			if o.fifo { // those of one sender stay in their order
				return int(a[0]) - int(b[0])
			}
			return strings.Compare(a, b)
		})
		texts[to[p]] = fmt.Sprint(l.Mode, l.Fuel, l.Scrap, to[l.Peer], seen, g.Live(p), inbox)
	}
	return strings.Join(texts, ";")
}

// add notes a state.
func (o *orbits) add(g *mates) bool {
	free := o.among
	for p := range model.Proc(o.n) {
		if o.rivals && g.Local(p).Fuel > 0 {
			free = free.Without(p)
		}
		for _, e := range g.Inbox(p) {
			if o.rivals && e.M.Vies {
				free = free.Without(e.From)
			}
		}
	}
	to := make([]model.Proc, o.n)
	for p := range to {
		to[p] = model.Proc(p)
	}
	own := o.renamed(g, to)
	least, members := own, slices.Collect(free.Each())
	var all func(k int)
	all = func(k int) {
		if k == len(members) {
			least = min(least, o.renamed(g, to))
		}
		for i := k; i < len(members); i++ {
			a, b := members[k], members[i]
			to[a], to[b] = to[b], to[a]
			all(k + 1)
			to[a], to[b] = to[b], to[a]
		}
	}
	all(0)
	if o.states[least] == nil {
		o.states[least] = map[string]bool{}
	}
	o.states[least][own] = true
	return true
}

// randomMates is two to four random automata. Property 0 counts the orbits of the states that it judges.
func randomMates(r *rand.Rand) (model.Instance, *orbits) {
	n := 2 + r.IntN(3)
	o := &orbits{n: n, among: model.All(n), rivals: r.IntN(2) == 0, states: map[string]map[string]bool{}}
	if n > 2 && r.IntN(3) == 0 {
		o.among = o.among.Without(0)
	}
	table := make([]int, 128)
	for i := range table {
		table[i] = r.IntN(1 << 16)
	}
	act := func(p, from model.Proc, l *mate, x int, out *model.Outbox[mateNote]) {
		x += int(l.Mode)*7 + l.Seen.Len()*3
		if l.Mode == 1 {
			x += 5 * int(l.Scrap)
		}
		if !o.among.Has(p) {
			x += 31
		}
		e := table[x%len(table)]
		l.Fuel--
		l.Mode, l.Seen = uint8((e+out.Pick(1+e>>3%2))%4), l.Seen.With(from)
		if l.Mode == 1 {
			l.Scrap = uint8(e >> 5 % 2)
		}
		switch e >> 6 % 4 {
		case 0:
			out.Send(from, mateNote{e>>9%2 == 1, l.Peer})
		case 1:
			for q := range model.Proc(n) {
				if q != p {
					out.Send(q, mateNote{e>>9%2 == 1, from})
				}
			}
		}
		l.Peer = from
	}
	sends, most := []model.CrashSends{model.NoPart, model.Subset}[r.IntN(2)], 1+r.IntN(5)
	channel := model.Channel(r.IntN(2))
	o.fifo = channel == model.FIFO
	a, b, rich := uint8(r.IntN(4)), uint8(r.IntN(4)), 1+r.IntN(n)
	some := func(g *mates, mode uint8) int { return g.Count(func(l *mate) bool { return l.Mode == mode }) }
	c := model.Composition[mate, mateNote, model.None]{
		N: n, Init: func(p model.Proc) mate {
			l := mate{Peer: p}
			if int(p) < rich {
				l.Fuel = uint8(1 + 2/n)
			}
			return l
		},
		Local: []model.Handler[mate, mateNote]{{
			Name: "a", Do: func(p model.Proc, l *mate, out *model.Outbox[mateNote]) bool {
				if l.Fuel == 0 {
					return false
				}
				act(p, p, l, 1, out)
				return true
			},
		}},
		Receive: []model.Receiver[mate, mateNote]{{
			Name: "receive", Accepts: func(mateNote) bool { return true },
			Do: func(p, from model.Proc, m mateNote, l *mate, out *model.Outbox[mateNote]) bool {
				x := 2
				if l.Fuel > 0 && o.rivals && m.Vies && p < from {
					x = 3
				}
				if l.Fuel > 0 {
					act(p, from, l, x, out)
				} else if m.Vies {
					out.Send(from, mateNote{About: m.About})
				}
				l.Seen = l.Seen.With(m.About)
				return true
			},
		}},
		Crash: func(p model.Proc, l *mate) { *l = mate{Peer: p} }, // the zero mate names the first process
		Forget: func(_ model.Proc, l *mate) {
			if l.Mode != 1 {
				l.Scrap = 0
			}
		},
		Units: func(l *mate) int { return int(l.Mode) },
		Network: model.Network{
			Channel: channel, Crashes: r.IntN(3), Crashable: model.All(n), CrashSends: sends,
		},
		Symmetry: []model.Set{o.among},
		Named: func(p model.Proc, l *mate) (s model.Set) {
			if o.rivals && l.Fuel > 0 {
				s = s.With(p)
			}
			return s
		},
		NamedBy: func(from model.Proc, m *mateNote) (s model.Set) {
			if o.rivals && m.Vies {
				s = s.With(from)
			}
			return s
		},
		Properties: []model.Property[mates]{
			{Name: "orbits", Kind: model.Invariant, Holds: o.add},
			{Name: "use", Kind: model.Invariant, OfUse: func(used, _ int) bool { return used <= most }},
			{Name: "local", Kind: model.Invariant, OfLocal: func(g *mates, p model.Proc) bool {
				return g.Local(p).Mode != a || g.Local(p).Seen.Len() < 2
			}},
			{Name: "whole", Kind: model.Reachable, Holds: func(g *mates) bool {
				return some(g, a) > 1 && some(g, b) > 0
			}},
			{Name: "quiet", Kind: model.Quiet, Holds: func(g *mates) bool { return some(g, b) > 0 }},
			{Name: "deadlock", Kind: model.DeadlockFree},
		},
	}
	return model.Compose(c), o
}

// TestSymmetryCountsOrbits: on random models the search visits as many states as there are orbits by brute
// force, and verdicts and lengths are those of the naive explorer, also together with other reductions.
func TestSymmetryCountsOrbits(t *testing.T) {
	ofMany(t)
	saved := 0
	for seed := range seeds(64, 2000) {
		in, o := randomMates(rand.New(rand.NewPCG(seed, 40)))
		props := in.Space.Properties()
		want, ok := naive.Explore(in.Plain, in.Space.Actions(), props, 500)
		if !ok {
			continue
		}
		sum := 0
		for _, states := range o.states {
			sum += len(states)
		}
		less := model.Reduction{Symmetry: true, Dead: seed%4 == 1, Crashes: seed%4 == 2}
		asked := []int{1, 2, 3, 4, 5}
		switch {
		case less.Dead:
			asked = []int{1, 2, 5} // others may read Scrap of several processes
		case less.Crashes:
			asked = asked[:2]
		}
		r, err := explore.Run(context.Background(), in, explore.Options{
			KeepGoing: true, Workers: 1 + int(seed%3), Reduce: less, Properties: asked,
		})
		if err != nil {
			t.Fatalf("seed %d, %v: %v", seed, less, err)
		} else if !r.Complete {
			t.Fatalf("seed %d, %v: %v", seed, less, r.Mistake)
		}
		sameVerdicts(t, seed, props, &want, r)
		sameOnDisk(t, seed/4, in, asked, r) // the reduction depends on seed%4
		if seed%4 == 0 || seed%4 == 3 {
			if int(r.States) != len(o.states) || sum != want.States || r.Depth > want.Depth {
				t.Errorf("seed %d: %d states, depth %d; %d orbits with %d states, naively %d, depth %d", seed,
					r.States, r.Depth, len(o.states), sum, want.States, want.Depth)
			}
			saved += want.States - len(o.states)
		} else if int(r.States) > len(o.states) {
			t.Errorf("seed %d, %v: %d states, %d orbits", seed, less, r.States, len(o.states))
		}
	}
	if saved < 400 {
		t.Errorf("%d states are saved", saved)
	}
}

// ranked is a model of three processes that pass a number on, with a symmetry that is wrong in some way.
func ranked(change func(c *model.Composition[mate, mateNote, model.None])) model.Instance {
	c := model.Composition[mate, mateNote, model.None]{
		N: 3, Init: func(p model.Proc) mate { return mate{Peer: p, Fuel: 1} },
		Local: []model.Handler[mate, mateNote]{{
			Name: "ask", Do: func(p model.Proc, l *mate, out *model.Outbox[mateNote]) bool {
				for q := range model.Proc(3) {
					if q != p && l.Fuel > 0 {
						out.Send(q, mateNote{About: p})
					}
				}
				l.Fuel--
				return l.Fuel == 0
			},
		}},
		Receive: []model.Receiver[mate, mateNote]{{Name: "hear", Accepts: func(mateNote) bool { return true },
			Do: func(_, from model.Proc, _ mateNote, l *mate, _ *model.Outbox[mateNote]) bool {
				l.Seen = l.Seen.With(from)
				return true
			}}},
		Symmetry: []model.Set{model.All(3)},
	}
	change(&c)
	return model.Compose(c)
}

// TestSymmetryRefuses: what tells processes apart is refused by name, and is no verdict.
func TestSymmetryRefuses(t *testing.T) {
	type composition = model.Composition[mate, mateNote, model.None]
	hear := func(c *composition, if1 func(p, from model.Proc) bool) {
		do := c.Receive[0].Do
		c.Receive[0].Do = func(p, from model.Proc, m mateNote, l *mate, out *model.Outbox[mateNote]) bool {
			l.Mode = max(l.Mode, map[bool]uint8{true: 1}[if1(p, from)])
			return do(p, from, m, l, out)
		}
	}
	property := func(c *composition, p model.Property[mates]) { c.Properties = append(c.Properties, p) }
	for _, c := range []struct {
		want   string
		change func(c *composition)
	}{
		{"", func(*composition) {}},
		{"hear|it is not symmetric: it distinguishes processes among {0,", func(c *composition) {
			hear(c, func(p, from model.Proc) bool { return p < from })
		}},
		{"property first|it is not symmetric", func(c *composition) {
			property(c, model.Property[mates]{Name: "first", Kind: model.Invariant,
				OfLocal: func(g *mates, p model.Proc) bool { return p > 0 || g.Local(p).Fuel < 9 && p != 0 }})
		}},
		{"property whole|it is not symmetric", func(c *composition) {
			property(c, model.Property[mates]{Name: "whole", Kind: model.Invariant,
				Holds: func(g *mates) bool { return !g.Local(0).Seen.Has(1) || g.Local(2).Fuel == 0 }})
		}},
		{"ask|it names a process again", func(c *composition) {
			c.Named = func(p model.Proc, l *mate) (s model.Set) {
				if l.Fuel == 0 {
					s = s.With(p)
				}
				return s
			}
		}},
		{"Constraint|it is not symmetric", func(c *composition) {
			c.Constraint = func(p model.Proc, l *mate) bool { return p != 1 || l.Fuel > 0 }
		}},
		{"error|movers receive at once", nil},
		{"error|crash in unequal ways", func(c *composition) {
			c.Network.Crashes, c.Network.Crashable = 1, 1
		}},
		{"error|crash in unequal ways", func(c *composition) {
			c.Network.Crashes, c.Network.Crashable, c.Network.CrashSends = 1, 7, model.Prefix
		}},
		{"error|Symmetry[1]", func(c *composition) { c.Symmetry = append(c.Symmetry, 1) }},
		{"error|does not say which processes are interchangeable", func(c *composition) { c.Symmetry = nil }},
		{"error|later is about steps or runs", func(c *composition) {
			property(c, model.Property[mates]{Name: "later", Kind: model.Liveness,
				Lassos: []model.Lasso[mates]{{Never: func(g *mates) bool { return g.Local(0).Fuel == 0 }}}})
		}},
		{"error|partitions", func(c *composition) { c.Network.Faults.Split = 1 }},
	} {
		less := model.Reduction{Symmetry: true, Movers: c.change == nil}
		if c.change == nil {
			c.change = func(*composition) {}
		}
		r, err := explore.Run(context.Background(), ranked(c.change), explore.Options{
			Workers: 1, Reduce: less, KeepGoing: true,
		})
		got := ""
		switch {
		case err != nil:
			got = "error|" + err.Error()
		case r.Mistake != nil:
			got = fmt.Sprint(r.Mistake)
		}
		for _, part := range strings.Split(c.want, "|") {
			met := strings.Contains(got, part) || part == "error" && err != nil
			if !met || (c.want == "") != (got == "") {
				t.Errorf("%q: got %q", c.want, got)
			}
		}
	}
}
