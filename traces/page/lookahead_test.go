package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces"
)

func instance(t *testing.T, spec, args string) model.Instance {
	t.Helper()
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == spec })
	in, _, err := specs.All[i].Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestOutlookHasShortestDistances compares what a search tells, from several states, with searches for one
// thing each.
func TestOutlookHasShortestDistances(t *testing.T) {
	for _, c := range []struct{ spec, args string }{
		{"die-hard", ""}, {"raymond", "n=2 k=1"}, {"raymond", "n=2 k=1 crashes=1"},
		{"ring-recovery", "n=3 start=cold"},
	} {
		in := instance(t, c.spec, c.args)
		at := in.Plain.Init()[0]
		for n := range 3 {
			h := newLookahead(in, &at)
			for h.expanded() < 100 && !h.ended() {
				h.turn()
			}
			compare(t, in, &at, h)
			steps := traces.Enabled(in, at.Next)
			if at = steps[(n*5)%len(steps)]; at.Outside {
				break
			}
		}
	}
}

// compare compares the distances from the end of a step, and from the choices there.
func compare(t *testing.T, in model.Instance, at *lts.Transition, h *lookahead) {
	t.Helper()
	from := h.predecessors()
	choices := traces.Enabled(in, at.Next)
	if n := h.first[1]; int(n) != len(choices) {
		t.Fatalf("%d choices, want %d", n, len(choices))
	}
	for p, info := range h.infos {
		if info.Kind == model.Liveness || info.Kind == model.Costs {
			continue
		}
		far := h.distances(p, from)
		to := func(from lts.State, tr *lts.Transition) bool {
			v := traces.Verdict(in, from, tr, tr.Next, p)
			return v == traces.Violated || v == traces.Reached
		}
		check := func(what string, v uint32, from *lts.Transition, after int) {
			f := nearestRun(in, from, to, 120)
			if far[v] == 0 { // stands already, which the other search does not ask
				return
			}
			if got := int(far[v]); f.is && got <= h.knownWithin(after)+1 && got != len(f.choices) {
				t.Errorf("%s to %s: %d steps, want %d", what, info.Name, got, len(f.choices))
			}
			if f.is && len(f.choices) <= h.knownWithin(after) && far[v] == never || f.complete && !f.is &&
				far[v] != never {
				t.Errorf("%s to %s: found %t, want %t", what, info.Name, far[v] != never, f.is)
			}
			if v == 0 && far[0] != never {
				way := h.pathTo(p, far)
				if _, err := (Path{Choices: way}).follow(in); len(way) != int(far[0]) ||
					at.Owner == "" && err != nil {
					t.Errorf("%s to %s: the way %v has not %d steps, %v", what, info.Name, way, far[0], err)
				}
			}
		}
		check("from here", 0, at, 0)
		for k, v := range h.to[:h.first[1]] {
			check(choices[k].Text(), v, &choices[k], 1)
		}
	}
}

// A distance is what another search finds: the length of the shortest run to a target.
type distance struct {
	choices      []int
	is, complete bool
}

// TestTwoWindowsSearchInTurn: the search of each goes on, though they ask in turn.
func TestTwoWindowsSearchInTurn(t *testing.T) {
	s := &Server{In: instance(t, "raymond", "n=4 k=2 rounds=1")}
	var states [2][2]int
	for round := range states {
		for window, choices := range [][]int{{}, {0}} {
			found, err := s.Ahead(t.Context(), Path{Choices: choices})
			if err != nil {
				t.Fatal(err)
			}
			states[round][window] = found.States
		}
	}
	for window, first := range states[0] {
		if then := states[1][window]; then < 3*first {
			t.Errorf("window %d: %d states, then %d", window, first, then)
		}
	}
}

// nearestRun looks for the shortest run to a target, by paths of choices.
func nearestRun(in model.Instance, from *lts.Transition, to target, limit int) (d distance) {
	type place struct {
		at   lts.Transition
		path []int
	}
	seen := map[string]bool{from.Next.Key(): true}
	for todo := []place{{at: *from}}; len(todo) > 0; todo = todo[1:] {
		p := todo[0]
		if p.at.Outside {
			continue
		}
		for k, t := range traces.Enabled(in, p.at.Next) {
			path := append(slices.Clone(p.path), k)
			if to(p.at.Next, &t) {
				return distance{choices: path, is: true}
			}
			if key := t.Next.Key(); !seen[key] {
				seen[key] = true
				todo = append(todo, place{t, path})
			}
		}
		if len(seen) >= limit {
			return distance{}
		}
	}
	return distance{complete: true}
}

// TestShortestRunsAreShortest compares the search for one thing with another one.
func TestShortestRunsAreShortest(t *testing.T) {
	for _, c := range []struct{ spec, args, only string }{
		{"die-hard", "", ""}, {"raymond", "n=2 k=1 crashes=1", ""},
		// One that is found far away, and one of each kind that is not found near by.
		{"ring-recovery", "n=3 start=cold", "no-lost-request mutual-exclusion deadlock-freedom can-recover"},
	} {
		in := instance(t, c.spec, c.args)
		at := in.Plain.Init()[0]
		for p, info := range in.Space.Properties() {
			to, err := ofProperty(in, p)
			if err != nil || c.only != "" && !slices.Contains(strings.Fields(c.only), info.Name) {
				continue
			}
			want := nearestRun(in, &at, to, 2000)
			got := shortest(t.Context(), in, &at, to, "", 2000)
			same := (got.choices != nil) == want.is && len(got.choices) == len(want.choices)
			if !same || got.done && want.is {
				t.Errorf("%s %s: %v, want %v", c.spec, info.Name, got.choices, want)
			}
			if _, err := (Path{Choices: got.choices}).follow(in); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestProspectFitsTheGraph asks whether it can still go well.
func TestProspectFitsTheGraph(t *testing.T) {
	in := instance(t, "die-hard", "")
	at := in.Plain.Init()[0]
	h := newLookahead(in, &at)
	for !h.ended() {
		h.turn()
	}
	if d := h.outlook(); !strings.HasPrefix(d.Well, "It can still go well") || !d.Ended || d.States != 16 {
		t.Errorf("%+v", d)
	}
	// A person who can only go on to a violation.
	doomed := &lookahead{
		search: search{in: in, first: []uint32{0, 1, 3, 3}, to: []uint32{1, 0, 2}, levels: []int{1, 1, 1},
			done: true},
		infos: []model.PropertyInfo{{Name: "p", Kind: model.Invariant}}, can: 1, bad: 1,
		is: []uint64{0, 0, 1}, by: map[uint32]uint64{},
	}
	for cut, want := range map[int]string{3: "It can still", 0: "It cannot"} {
		doomed.to[1] = uint32(2 - 2*min(cut, 1)) // back to the beginning, or on
		if got := doomed.prospect(doomed.predecessors()); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	doomed.first, doomed.done = []uint32{0, 1}, false // what follows is not known yet
	if got := doomed.prospect(doomed.predecessors()); !strings.HasPrefix(got, "Not known") {
		t.Errorf("%q", got)
	}
}
