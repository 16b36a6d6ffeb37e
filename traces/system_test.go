package traces_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
)

// desk is a System of three clients that queue at a desk, which serves one of them. A client
// can lend its place to another, and both go on.
type desk struct {
	Queue  queue
	served [3]bool
	Dead   [3]bool
}

// queue holds the clients that wait, the first come first; the rest of the array is zero.
type queue struct {
	at [3]uint32
	n  uint32
}

func (q *queue) index(x uint32) int { return slices.Index(q.at[:q.n], x) }

func (q *queue) push(x uint32) {
	q.at[q.n] = x
	q.n++
}

func (q *queue) remove(i int) uint32 {
	x := q.at[i]
	copy(q.at[i:], q.at[i+1:])
	q.at[2] = 0
	q.n--
	return x
}

func (q queue) String() string { return fmt.Sprint(q.at[:q.n]) }

func deskModel() model.Instance {
	names := []string{"ann", "bob", "cy"}
	itself := func(i int) int { return i }
	return model.NewSystem(model.System[desk]{
		Init:      []desk{{}},
		Processes: names,
		Actions: []model.SystemAction[desk]{
			{Name: "queue", Instances: 3, Owner: itself, Fair: model.WeakFairness,
				Do: func(s *desk, i int, _ *model.Choice) bool {
					if s.Dead[i] || s.served[i] || s.Queue.index(uint32(i)) >= 0 {
						return false
					}
					s.Queue.push(uint32(i))
					return true
				}},
			{Name: "serve", Do: func(s *desk, _ int, _ *model.Choice) bool {
				if s.served != [3]bool{} || s.Queue.n == 0 {
					return false
				}
				s.served[s.Queue.remove(0)] = true
				return true
			}},
			{Name: "lend", Instances: 9, Owner: func(i int) int { return i / 3 }, Do: func(s *desk, i int,
				_ *model.Choice) bool {
				from, to := i/3, i%3
				if from == to || !s.served[from] || s.Dead[from] || s.Queue.index(uint32(to)) < 0 {
					return false
				}
				s.Queue.remove(s.Queue.index(uint32(to)))
				s.served[to] = true
				return true
			}},
			{Name: "crash", Kind: model.Fault, Instances: 3, Owner: itself, Do: func(s *desk, i int,
				_ *model.Choice) bool {
				alive := !s.Dead[i]
				s.Dead[i] = true
				return alive
			}},
		},
		Dead: func(s *desk, p int) bool { return s.Dead[p] },
		Units: func(s *desk, p int) int {
			if s.served[p] {
				return 1
			}
			return 0
		},
		Capacity: 1,
		Properties: []model.Property[desk]{
			invariants.For[desk]{}.AtMost(1),
			invariants.For[desk]{}.CanReach(3),
			{Name: "can-survive", Kind: model.Reachable, OfUse: func(used, live int) bool {
				return used == 2 && live == 2
			}},
		},
		Vars: func(s *desk) []lts.Var {
			return append(model.VarsOf(names, "served", s.served[:]), lts.Var{Name: "queue",
				Value: s.Queue.String()})
		},
	})
}

// TestSystemIsDrawnInLanes: the steps of a System's processes are in their lanes, with what they use, where
// that is too much, and who crashes.
func TestSystemIsDrawnInLanes(t *testing.T) {
	in := deskModel()
	report, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	wants := []string{`
      ann         bob         system
   0  │           │           │           initial state
   1  ◆           │           │           ann queue
   2  │           ◆           │           bob queue
   3  │           │           ●           serve
   4  ●           │           │           ‼ 2 units in use, k=1: ann lend
`, `
      ann        bob        cy         system
   0  │          │          │          │          initial state
   1  ●          │          │          │          ann queue
   2  │          ●          │          │          bob queue
   3  │          │          ●          │          cy queue
   4  │          │          │          ●          serve
   5  ●          │          │          │          ‼ 2 units in use, k=1: ann le…
   6  ●          █          │          │          ‼ 3 units in use, k=1: ann le…
`, `
      ann        bob        cy         system
   0  │          │          │          │          initial state
   1  ●          │          │          │          ann queue
   2  │          ●          │          │          bob queue
   3  │          │          │          ●          serve
   4  ●          │          │          │          ‼ 2 units in use, k=1: ann le…
   5  █          █          ✗          │          ‼ 2 units in use, k=1: cy cra…
`}
	for i, want := range wants {
		p := &report.Properties[i]
		var states []lts.State
		for _, s := range p.Path {
			states = append(states, s.State)
		}
		r, err := traces.FromPath(in, traces.Header{Spec: "desk", Property: p.Name,
			Parameters: map[string]string{"n": "3"}}, states, make([]string, len(states)))
		if err != nil {
			t.Fatal(err)
		}
		if got := rendered(t, "chart", r, 80); !strings.HasSuffix(got, want) {
			t.Errorf("%s is drawn as\n%s", p.Name, got)
		}
		var file strings.Builder
		if err := traces.Write(&file, r.Trace); err != nil {
			t.Fatal(err)
		}
		tr, err := traces.Read(strings.NewReader(file.String()))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := traces.Replay(in, tr); err != nil {
			t.Errorf("%v in\n%s", err, file.String())
		}
	}
}
