package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// TestLivenessAgreesWithNaive compares the verdicts on random small systems under
// random fairness with those of the naive checker; that lassos are lassos, the
// search confirms by itself.
func TestLivenessAgreesWithNaive(t *testing.T) {
	verdicts, all := map[string]int{}, seeds(250, 3000)
	for seed := range all {
		livenessAgrees(t, fmt.Sprintf("seed %d", seed), rand.New(rand.NewPCG(seed, 3)), verdicts)
	}
	for _, name := range []string{"eventually", "always-eventually", "eventually-always", "leads-to",
		"infinitely-often", "each"} {
		if h, v := verdicts[name+" holds"], verdicts[name+" violated"]; !testing.Short() &&
			(h < int(all)/15 || v < int(all)/15) {
			t.Errorf("%s: %d hold and %d are violated; too few to tell", name, h, v)
		}
	}
}

// livenessAgrees compares on a random system, and counts the verdicts per property.
func livenessAgrees(t *testing.T, name string, r *rand.Rand, verdicts map[string]int) {
	t.Helper()
	in := model.NewSystem(randomFairSystem(r))
	want := naiveVerdicts(in, anySet)
	for _, workers := range []int{1, 2} {
		r, err := explore.Run(context.Background(), in, explore.Options{Workers: workers})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, p := range r.Properties {
			if p.Verdict != want[i] {
				t.Fatalf("%s, %d workers: %s is %s, naively %s", name, workers, p.Name, p.Verdict, want[i])
			}
			if p.Verdict == explore.Violated && p.Length != p.CycleAt {
				t.Errorf("%s: %s has length %d, its cycle begins at %d", name, p.Name, p.Length, p.CycleAt)
			}
			verdicts[p.Name+" "+string(p.Verdict)]++
		}
	}
}

// node is a state of a small graph.
type node struct{ N uint8 }

// fewNodes is how large the graphs of the naive checker are at most.
const fewNodes = 6

// randomFairSystem is a random graph with a few labels, of which up to three
// random sets are subject to weak or strong fairness; some labels are of steps
// that are never forced, and some states are outside a constraint.
func randomFairSystem(r *rand.Rand) model.System[node] {
	n := 2 + r.IntN(fewNodes-1)
	sys := model.System[node]{Constraint: func(s *node) bool { return s.N < fewNodes }}
	for a := range 3 {
		var to [fewNodes][]uint8
		for s := range n {
			for range max(0, r.IntN(4)-1) {
				to[s] = append(to[s], uint8(r.IntN(n)))
			}
			if r.IntN(20) == 0 {
				to[s] = append(to[s], fewNodes)
			}
		}
		kind := protocol.Ordinary
		if r.IntN(8) == 0 {
			kind = model.Spontaneous
		}
		sys.Actions = append(sys.Actions, model.SystemAction[node]{
			Name: fmt.Sprintf("a%d", a), Kind: kind, Instances: 2,
			Do: func(s *node, i int, c *model.Choice) bool {
				next := to[s.N]
				if len(next) == 0 || i == 1 && s.N%2 == 0 {
					return false
				}
				s.N = next[c.Pick(len(next))]
				return true
			},
		})
	}
	for range 1 + r.IntN(2) {
		sys.Init = append(sys.Init, node{uint8(r.IntN(n))})
	}
	for i := range r.IntN(4) {
		labels, ordinary := r.IntN(1<<6), 0
		for a, action := range sys.Actions {
			if action.Kind == protocol.Ordinary {
				ordinary |= 3 << (2 * a)
			}
		}
		if labels&ordinary == 0 { // it would force nothing
			continue
		}
		sys.Fairness = append(sys.Fairness, model.Fairness{
			Name: fmt.Sprintf("f%d", i), Strong: r.IntN(2) == 0,
			Has: func(l model.Label) bool { return labels>>(2*l.Action+uint16(l.Proc))&1 == 1 },
		})
	}
	where := func() func(*node) bool {
		set := r.IntN(1<<fewNodes) | r.IntN(1<<fewNodes)
		return func(s *node) bool { return set>>s.N&1 == 1 }
	}
	sys.Properties = []model.Property[node]{
		invariants.Eventually(where(), where()),
		invariants.AlwaysEventually(where()),
		invariants.EventuallyAlways(where()),
		invariants.LeadsTo(where(), where()),
		invariants.InfinitelyOften([]func(*node) bool{where(), where()}, where()),
		invariants.Each(invariants.LeadsTo(where(), where()), invariants.AlwaysEventually(where())).As("each",
			"", ""),
	}
	return sys
}

// TestAssumptionsAgreeWithNaive does the same under random conditions about states, of which
// the naive checker is told separately.
func TestAssumptionsAgreeWithNaive(t *testing.T) {
	changed := map[bool]int{} // verdicts that an assumption changes, by its strength
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 5))
		sys := randomFairSystem(r)
		free := model.NewSystem(sys)
		for range 1 + r.IntN(2) {
			when, then := r.IntN(1<<fewNodes), r.IntN(1<<fewNodes)
			a := model.StateFairness[node]{Strong: r.IntN(2) == 0,
				Then: func(s *node) bool { return then>>s.N&1 == 1 }}
			if r.IntN(4) > 0 {
				a.When = func(s *node) bool { return when>>s.N&1 == 1 }
			}
			sys.Assume = append(sys.Assume, a)
		}
		report, err := explore.Run(context.Background(), model.NewSystem(sys), explore.Options{Workers: 1})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		unassumed := naiveVerdicts(free, anySet)
		want := naiveVerdicts(free, func(set map[string]bool) bool { return keeps(sys.Assume, set) })
		for i, p := range report.Properties {
			if p.Verdict != want[i] {
				t.Fatalf("seed %d: %s is %s, naively %s", seed, p.Name, p.Verdict, want[i])
			}
			if want[i] != unassumed[i] {
				changed[sys.Assume[0].Strong]++
			}
		}
	}
	if changed[false] < 60 || changed[true] < 60 {
		t.Errorf("too few verdicts depend on assumptions: %v", changed)
	}
}

// keeps reports whether a run that visits a set of states again and again keeps conditions.
func keeps(conditions []model.StateFairness[node], set map[string]bool) bool {
	for _, c := range conditions {
		when, then := 0, 0
		for key := range set {
			var s node
			if _, err := fmt.Sscanf(key, "explore_test.node{N:%v}", &s.N); err != nil {
				panic(err)
			}
			if c.When == nil || c.When(&s) {
				when++
			}
			if c.Then(&s) {
				then++
			}
		}
		if then == 0 && (when == len(set) || c.Strong && when > 0) {
			return false
		}
	}
	return true
}

func anySet(map[string]bool) bool { return true }

// edge is a step of the plain semantics to a different state.
type edge struct {
	from, to string
	outside  bool // enabled, but not taken
	label    model.Label
}

// naiveVerdicts goes, for each property, through all sets of reachable states: it is
// violated if a run can go round in one of them for ever, visiting all of it, fairly,
// and reach it in the way that the property forbids. What else is wanted of such a set,
// also says.
func naiveVerdicts(in model.Instance, also func(map[string]bool) bool) (verdicts []explore.Verdict) {
	g := naiveGraph(in.Plain)
	for i, p := range in.Space.Properties() {
		verdict := explore.Holds
		for k := range p.Lassos {
			if naiveLasso(in, &g, i, k, also) {
				verdict = explore.Violated
			}
		}
		verdicts = append(verdicts, verdict)
	}
	return verdicts
}

// naiveLasso looks for a set of states in which a run can go round for ever, fairly, as
// lasso k of a property has it. What else it wants of such a set, also says.
func naiveLasso(in model.Instance, g *fairGraph, property, k int, also func(map[string]bool) bool) bool {
	info := in.Space.Properties()[property].Lassos[k]
	marks := map[string]lts.Marks{}
	after := map[string]bool{} // from here on the property is not fulfilled
	for key, s := range g.states {
		mark := in.Plain.Marks(s, property, k)
		marks[key] = mark
		if (g.initial[key] || !info.Initially) && mark&lts.Starts != 0 && mark&lts.Fulfils == 0 {
			after[key] = true
		}
	}
	spread(after, g.edges, func(key string) bool { return marks[key]&lts.Fulfils == 0 })
	var keys []string // of the states that the set may have
	for key := range after {
		if marks[key]&lts.OffCycle == 0 {
			keys = append(keys, key)
		}
	}
	for chosen := 1; chosen < 1<<len(keys); chosen++ {
		set, visited, ok := map[string]bool{}, lts.Marks(0), true
		for i, key := range keys {
			if chosen>>i&1 == 1 {
				set[key] = true
				visited |= marks[key]
			}
		}
		for v := range info.Visits {
			ok = ok && visited&(lts.FirstVisit<<v) != 0
		}
		if ok && connected(set, g.edges) && naiveFair(in, set, g.edges) && also(set) {
			return true
		}
	}
	return false
}

// fairGraph is the reachable states by their keys, the initial ones among them, and the
// steps.
type fairGraph struct {
	states  map[string]lts.State
	initial map[string]bool
	edges   []edge
}

func naiveGraph(p lts.Plain) fairGraph {
	states, initial := map[string]lts.State{}, map[string]bool{}
	var edges []edge
	var todo []lts.State
	arrive := func(t lts.Transition) {
		if key := t.Next.Key(); !t.Outside && !t.Pruned && states[key] == nil {
			states[key] = t.Next
			todo = append(todo, t.Next)
		}
	}
	for _, t := range p.Init() {
		arrive(t)
		initial[t.Next.Key()] = true
	}
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		from := s.Key()
		for _, t := range p.Steps(s) {
			arrive(t)
			if to := t.Next.Key(); from != to {
				edges = append(edges, edge{from, to, t.Outside || t.Pruned, t.Label()})
			}
		}
	}
	return fairGraph{states, initial, edges}
}

// spread adds to a set what can be reached from it through what is allowed.
func spread(set map[string]bool, edges []edge, allowed func(string) bool) {
	for changed := true; changed; {
		changed = false
		for _, e := range edges {
			if !e.outside && set[e.from] && !set[e.to] && allowed(e.to) {
				set[e.to], changed = true, true
			}
		}
	}
}

// connected reports whether each state of a set can be reached from each inside it.
func connected(set map[string]bool, edges []edge) bool {
	for key := range set {
		reached := map[string]bool{key: true}
		spread(reached, edges, func(to string) bool { return set[to] })
		if len(reached) != len(set) {
			return false
		}
	}
	return true
}

// naiveFair reports whether a run that goes through all states and steps inside a
// set again and again is fair.
func naiveFair(in model.Instance, set map[string]bool, edges []edge) bool {
	for _, f := range in.Space.Fairness() {
		taken, enabled := false, map[string]bool{}
		for _, e := range edges {
			if set[e.from] && in.Space.Actions()[e.label.Action].Kind == protocol.Ordinary && f.Has(e.label) {
				enabled[e.from] = true
				taken = taken || set[e.to]
			}
		}
		always, sometimes := len(enabled) == len(set), len(enabled) > 0
		if !taken && (always || f.Strong && sometimes) {
			return false
		}
	}
	return true
}

// TestLivenessRefused wants an error under symmetry reduction, and no verdict
// where the exploration is not complete.
func TestLivenessRefused(t *testing.T) {
	sys := model.System[node]{
		Init: []node{{0}},
		Actions: []model.SystemAction[node]{{Name: "next", Do: func(s *node, _ int, _ *model.Choice) bool {
			s.N++
			return s.N < 100
		}}},
		Properties: []model.Property[node]{invariants.AlwaysEventually(func(s *node) bool {
			return s.N == 0
		})},
	}
	r, err := explore.Run(context.Background(), model.NewSystem(sys), explore.Options{MaxDepth: 10})
	if err != nil || r.Verdict != explore.Unknown || r.Properties[0].Verdict != explore.Unknown {
		t.Errorf("limited: %v, %v; want unknown", r, err)
	}
	sys.Symmetry = []model.Symmetry[node]{{}}
	if _, err := explore.Run(context.Background(), model.NewSystem(sys), explore.Options{}); err == nil {
		t.Error("liveness under symmetry reduction is not refused")
	}
}

// TestLabels compares the labels of steps in the search with those of the plain
// semantics, on random compositions: fairness is stated of them.
func TestLabels(t *testing.T) {
	steps := 0
	for seed := range seeds(20, 60) {
		in := randomComposition(rand.New(rand.NewPCG(seed, 4)))
		space, decode, complete := explore.Space(in, explore.Options{KeepGoing: true, MaxStates: 2000})
		if !complete {
			continue
		}
		c := space.NewCursor() // the search has filled the tables
		var b kernel.Batch
		b.Reset(space.Width())
		space.Init(&b)
		seen := map[string]bool{}
		var todo [][]uint32
		find := func() {
			for i := range b.Len() {
				todo = append(todo, slices.Clone(b.At(i)))
			}
		}
		find()
		for ; len(todo) > 0; todo = todo[1:] {
			s := decode(todo[0])
			if seen[s.Key()] {
				continue
			}
			seen[s.Key()] = true
			b.Reset(space.Width())
			c.Expand(todo[0], 0, &b)
			find()
			balance := map[string]int{}
			for i := range b.Len() {
				balance[fmt.Sprint(b.Label(i), decode(b.At(i)).Key())]++
				steps++
			}
			for _, tr := range in.Plain.Steps(s) {
				if !tr.Pruned && !tr.Outside {
					balance[fmt.Sprint(tr.Label(), tr.Next.Key())]--
				}
			}
			for what, n := range balance {
				if n != 0 {
					t.Fatalf("seed %d: %d more in the search: %s", seed, n, what)
				}
			}
		}
	}
	if !testing.Short() && steps < 5_000 {
		t.Errorf("only %d steps compared", steps)
	}
}
