package explain_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// An itemSet has the items of a run.
type itemSet = map[any]bool

// itemsOf returns the items of a step; last has the last action of each process.
func itemsOf(from lts.State, tr *lts.Transition, last map[protocol.Proc]int) itemSet {
	before, any := last[tr.Proc]
	if !any {
		before = -1
	}
	set := itemSet{tr.Action: true, explain.Pair{Before: before, Then: tr.Action}: true}
	if !tr.Crashed {
		set[explain.Effect{Action: tr.Action, Does: tr.Effect()}] = true
	}
	if !tr.Pruned && !tr.Outside {
		set[explain.Transition{From: from.Code(), To: tr.Next.Code(), Action: tr.Action,
			Proc: tr.Proc}] = true
	}
	return set
}

// every goes through all runs that explain the log, one after the other, and keeps the items that all of
// them have, and those that some have. It gives up after many runs.
type every struct {
	*oracle
	certain  itemSet
	possible itemSet
	runs     int
}

const mostRuns = 3000

func (a *every) follow(w *world, items itemSet, last map[protocol.Proc]int) {
	if a.runs > mostRuns {
		return
	}
	done := true
	for node, n := range w.cut {
		done = done && n == len(a.h.ByNode[node])
	}
	if done {
		a.runs++
		maps.Copy(a.possible, items)
		if a.certain == nil {
			a.certain = maps.Clone(items)
		}
		maps.DeleteFunc(a.certain, func(x any, _ bool) bool { return !items[x] })
		return
	}
	steps := a.steps(w.s)
	for i := range steps {
		tr := &steps[i].Transition
		next := a.line(w, &steps[i])
		if a.hidden > 0 && !tr.Crashed {
			next = append(next, a.unlogged(w, &steps[i])...)
		}
		for j := range next {
			with, then := maps.Clone(items), maps.Clone(last)
			maps.Copy(with, itemsOf(w.s.state, tr, last))
			then[tr.Proc] = tr.Action
			a.follow(&next[j], with, then)
		}
	}
}

// withoutTransitions leaves out transitions.
func withoutTransitions(set itemSet) itemSet {
	c := maps.Clone(set)
	maps.DeleteFunc(c, func(x any, _ bool) bool { _, is := x.(explain.Transition); return is })
	return c
}

// inOrder says that the lines are in the order of the run.
func inOrder(h *order.History) *order.History {
	c := *h
	c.After = make([][]int, len(h.Events))
	for i := 1; i < len(h.Events); i++ {
		c.After[i] = []int{i - 1}
	}
	return &c
}

// TestCoverageOfAnOrderedLogIsTheRun: if a log says everything, its coverage is the run, and certain.
func TestCoverageOfAnOrderedLogIsTheRun(t *testing.T) {
	for _, args := range []string{"n=2 k=1 rounds=2", "n=3 k=2 crashes=1"} {
		in := instance(t, "raymond", args)
		for seed := range uint64(10) {
			rng := rand.New(rand.NewPCG(seed, 43))
			rec := newRecorder(t, in)
			s, want, last := in.Plain.Init()[0].Next, itemSet{}, map[protocol.Proc]int{}
			for range 30 {
				ts := in.Plain.Steps(s)
				if len(ts) == 0 {
					break
				}
				tr := ts[rng.IntN(len(ts))]
				rec.add(&tr)
				maps.Copy(want, itemsOf(s, &tr, last))
				last[tr.Proc] = tr.Action
				s = tr.Next
			}
			r, err := explain.Run(t.Context(), in, inOrder(rec.h), explain.Options{Cover: true})
			switch {
			case err != nil:
				t.Fatal(err)
			case r.Cover == nil || !r.Cover.Orders:
				t.Fatalf("%s, seed %d: %s, no exact coverage", args, seed, r.Verdict)
			case !maps.Equal(r.Cover.Certain, want) || !maps.Equal(r.Cover.Possible, want):
				t.Errorf("%s, seed %d: %d certain and %d possible items, the run has %d", args, seed,
					len(r.Cover.Certain), len(r.Cover.Possible), len(want))
			}
		}
	}
}

// TestCoverageIsThatOfAllRuns compares the coverage of short logs that leave things open with all runs that
// explain them, tried one after the other.
func TestCoverageIsThatOfAllRuns(t *testing.T) {
	compared := 0
	for _, c := range []struct{ spec, args string }{
		{"raymond", "n=2 k=1 rounds=2"}, {"raymond", "n=3 k=1"}, {"raymond", "n=2 k=1 crashes=1"},
		{"lamport-mutex", "n=2"},
	} {
		in := instance(t, c.spec, c.args)
		g := newGraph(in)
		for seed := range uint64(8) {
			rng := rand.New(rand.NewPCG(seed, 7))
			h := walk(t, in, rng, 9)
			if len(h.Events) < 3 {
				continue
			}
			h = only(h, []detail{full, texts | state, sends, 0}[seed%4])
			for i := range h.Events { // any receipt
				if rng.IntN(3) == 0 && h.Events[i].From >= 0 {
					h.Events[i].From, h.Events[i].Message = -1, ""
				}
			}
			dropped := 0
			if seed%3 == 0 {
				at := rng.IntN(len(h.Events) - 1)
				h, dropped = without(h, func(i int) bool { return i == at }), 1
			}
			r, err := explain.Run(t.Context(), in, h, explain.Options{Cover: true, Hidden: dropped})
			if err != nil {
				t.Fatal(err)
			}
			for hidden := range dropped + 1 { // steps without a line only if there have to be some
				o := every{oracle: newOracle(g, h, hidden), possible: itemSet{}}
				n := len(h.Nodes)
				o.follow(&world{s: g.vertex(in.Plain.Init()[0].Next), cut: make([]int, n),
					gaps: make([]int64, n), post: o.atStart()}, itemSet{}, map[protocol.Proc]int{})
				if o.runs > mostRuns || r.Cover == nil {
					break
				}
				if o.runs == 0 {
					continue
				}
				compared++
				got := r.Cover
				certain, possible := got.Certain, got.Possible
				if hidden > 0 {
					o.certain, o.possible = withoutTransitions(o.certain), withoutTransitions(o.possible)
					possible = withoutTransitions(possible)
				}
				if got.Open || got.Orders != (hidden == 0) || !maps.Equal(certain, o.certain) ||
					!maps.Equal(possible, o.possible) {
					t.Errorf("%s %s, seed %d, %d hidden: %d certain, %d possible (open: %t); "+
						"all %d runs: %d, %d", c.spec, c.args, seed, hidden, len(certain), len(possible),
						got.Open, o.runs, len(o.certain), len(o.possible))
				}
				break
			}
		}
	}
	if compared < 16 {
		t.Errorf("only %d logs were compared", compared)
	}
}

// TestEffectsShowTheBranchesOfHandlers compares the effects of Raymond's handlers with their branches: a
// request is deferred, or answered; a release pays what it owes, or owes nothing.
func TestEffectsShowTheBranchesOfHandlers(t *testing.T) {
	in := instance(t, "raymond", "n=2 k=1")
	all, complete := explain.Everything(t.Context(), in, 0)
	var got []string
	for item := range all {
		if o, is := item.(explain.Effect); is {
			got = append(got, in.Space.Actions()[o.Action].Name+": "+o.Does)
		}
	}
	slices.Sort(got)
	want := []string{
		"enter: changes State", "receive REPLY: changes Miss, PermCount", "receive REQUEST: changes Defer, H",
		"receive REQUEST: changes H; sends REPLY", "release: changes Defer, State; sends REPLY",
		"release: changes State", "request: changes H, Last, Miss, Rounds, State; sends REQUEST",
	}
	if !complete || !slices.Equal(got, want) {
		t.Errorf("complete: %t, effects %q, want %q", complete, got, want)
	}
}

// TestEverythingIsWhatRandomRunsShow compares the items of small instances with those of many random runs.
func TestEverythingIsWhatRandomRunsShow(t *testing.T) {
	for _, args := range []string{"n=2 k=1", "n=2 k=1 rounds=1,0 crashes=1"} {
		in, want, rng := instance(t, "raymond", args), itemSet{}, rand.New(rand.NewPCG(1, 1))
		for range 1500 {
			s, last := in.Plain.Init()[0].Next, map[protocol.Proc]int{}
			for ts := in.Plain.Steps(s); len(ts) > 0; ts = in.Plain.Steps(s) {
				tr := ts[rng.IntN(len(ts))]
				maps.Copy(want, itemsOf(s, &tr, last))
				s, last[tr.Proc] = tr.Next, tr.Action
			}
		}
		got, complete := explain.Everything(t.Context(), in, 0)
		if !complete || !maps.Equal(got, want) {
			t.Errorf("%s: %d items, random runs have %d", args, len(got), len(want))
		}
		if _, complete := explain.Everything(t.Context(), in, 5); complete {
			t.Errorf("%s: complete within 5 states", args)
		}
	}
}
