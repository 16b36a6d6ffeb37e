package explain

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// TestPointsAreEqualAsStatesAre walks at random, and compares the parts of points with the keys of states.
func TestPointsAreEqualAsStatesAre(t *testing.T) {
	for _, text := range []string{
		"ring-recovery n=3 f=1", "ring-recovery scheme=1 n=2 f=2 rounds=2", "arbiter sets=1+2,2+3 k=1 h=1,1",
		"vcube-tree n=4 crashes=1",
	} {
		args := strings.Fields(text)
		spec := args[0]
		i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == spec })
		in, _, err := specs.All[i].Instantiate(args[1:])
		if err != nil {
			t.Fatal(err)
		}
		keys, parts := map[string]string{}, map[string]string{}
		r := rand.New(rand.NewPCG(7, 7))
		x := newTracker(in.Interp)
		for range 10 {
			v := x.start
			for range 80 {
				part, key := strings.Join(v.parts, "|"), v.Key()
				if k, known := keys[part]; known && k != key {
					t.Fatalf("%s: one point, two states:\n%s\n%s", spec, k, key)
				}
				if p, known := parts[key]; known && p != part && spec != "ring-recovery" {
					t.Fatalf("%s: two points, one state: %s", spec, key)
				}
				keys[part], parts[key] = key, part
				var next []point
				for p := range model.Proc(x.N()) {
					for a := range in.Space.Actions() {
						for _, m := range x.steps(v, p, a) {
							next = append(next, x.take(v, &m, nil))
						}
					}
				}
				if len(next) == 0 {
					break
				}
				v = next[r.IntN(len(next))]
			}
		}
	}
}

// TestIgnoredEventsKeepTheOrder: a line is after what the ignored events before it, at any node, are after.
func TestIgnoredEventsKeepTheOrder(t *testing.T) {
	s := &matcher{
		h: &order.History{Events: []order.Event{{Node: 0}, {Node: 1}, {Node: 2}, {Node: 2}},
			After: [][]int{nil, {0}, {1}, nil}},
		proc: []model.Proc{0, 1, 2}, names: []string{"a", "b", "c"},
		lines: [][]line{{{event: 0}}, nil, {{event: 3}}},
	}
	o := ordering{s: s, kept: []bool{true, false, false, true}, rank: make([]int32, 4),
		dropped: []int{-1, -1, -1, 2}}
	o.resolve()
	if after := s.lines[2][0].after; len(after) != 1 || after[0] != (need{0, 1}) {
		t.Errorf("%+v", after)
	}
}

// TestMessagesSentTwiceAreNoted: an id names one message, unless several were sent to the process that
// receives it.
func TestMessagesSentTwiceAreNoted(t *testing.T) {
	for second, want := range map[int]bool{1: true, -1: true, 2: false} {
		s := &matcher{h: &order.History{Events: []order.Event{
			{Node: 0, Sent: []order.Sent{{To: 1, ID: "m"}, {To: second, ID: "m"}}}, {Node: 1, ID: "m"}}},
			proc: []model.Proc{0, 1, 2}}
		if s.markMessages(); len(s.marks) != 1 || s.twice[s.marks[messageKey{"m", 1}]] != want {
			t.Errorf("%d: %+v", second, s)
		}
	}
}
