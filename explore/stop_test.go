package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/cohorts"
	"github.com/atmostk/atmostk/specs/files"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/ring"
	"github.com/atmostk/atmostk/specs/timerfree"
)

// TestStopAnywhere stops small searches wherever they can stop: at each expansion, before each
// state for which tables have to be filled, before each growth of a table, within the passes
// for liveness, costs and goals out of reach; by interrupt, deadline and memory, at each
// number of states and of levels; with all kinds of properties, with 1 and 3 workers, to the
// end and to the first violation (in the ordinary run two of these four, by turns). Nothing is said then
// that the full search does not say.
// Each instance is a test of its own, so that the sweep can be run in pieces:
// ATMOSTK_SWEEP=1 go test -run 'StopAnywhere/random_links' -v ./explore. ATMOSTK_STOPS is how many points
// of a kind there are at most in each search, for pieces that would take too long.
func TestStopAnywhere(t *testing.T) {
	random, most, large := uint64(1), 4, false
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		random, most, large = 60, 200, true
	}
	if n, err := strconv.Atoi(os.Getenv("ATMOSTK_STOPS")); err == nil {
		most = max(1, n)
	}
	s := stopper{t: t, most: most, kinds: map[string]int{}, answers: map[string]int{}}
	for _, x := range []struct {
		spec  model.Spec
		args  string
		large bool
	}{
		{files.Spec("die-hard"), "", false},
		{raymond.Spec, "n=2 k=1 rounds=1,1", false},
		{raymond.Spec, "n=2 k=1 max-skew=2 crashes=1 max-owed=2 rounds=inf", false},
		{raymond.Spec, "n=3 k=2 rounds=1,1,0 crashes=1", true},
		{cohorts.Cohorts, "cohorts=1,2 h=1,1", true},
		{timerfree.Spec, "n=2 k=1 f=1 rounds=1,1", false},
		{ring.Election, "", false},
	} {
		if x.large && !large {
			continue
		}
		s.anywhere(x.spec.Name+" "+x.args, func() model.Instance {
			in, _, err := x.spec.Instantiate(strings.Fields(x.args))
			if err != nil {
				t.Fatal(err)
			}
			return in
		})
	}
	for seed := range random {
		for kind, random := range map[string]func(*rand.Rand) model.Instance{
			"system": randomSystem, "composition": randomComposition,
			"links":       randomLinked,
			"fair system": func(r *rand.Rand) model.Instance { return model.NewSystem(randomFairSystem(r)) },
		} {
			s.anywhere(fmt.Sprintf("random %s %d", kind, seed), func() model.Instance {
				return random(rand.New(rand.NewPCG(seed, 7)))
			})
		}
	}
	t.Logf("%d searches stopped at %d points, %v; their answers: %v", s.searches, s.points, s.kinds,
		s.answers)
	if s.left { // to another piece
		return
	}
	for _, kind := range append(slices.Clone(points), "states", "levels") {
		if s.kinds[kind] == 0 {
			t.Errorf("no search was stopped at a point of kind %q", kind)
		}
	}
}

// points are the kinds of places at which a search is stopped from outside.
var points = []string{explore.AtExpansion, explore.AtFilled, explore.AtMemory, explore.AtPages,
	explore.AtPass}

// A stopper stops the searches of instances.
type stopper struct {
	t                *testing.T
	most             int // points of a kind, evenly spread, if there are more
	points, searches int
	kinds, answers   map[string]int
	instances        int
	left             bool // some instance was left out
}

// anywhere stops the searches of an instance, as a test of its own.
func (s *stopper) anywhere(name string, instance func() model.Instance) {
	whole, asked := s.t, false
	whole.Run(name, func(t *testing.T) {
		s.t, asked = t, true
		before := s.points
		s.all(name, instance)
		t.Logf("%d points", s.points-before)
	})
	s.t, s.left = whole, s.left || !asked
}

// all stops searches of each kind.
func (s *stopper) all(name string, instance func() model.Instance) {
	opt := explore.Options{OutOfReach: true, Properties: []int{}}
	in := instance()
	for i, p := range in.Space.Properties() {
		if p.Kind != model.Liveness || !in.Space.Reduced() {
			opt.Properties = append(opt.Properties, i)
		}
	}
	s.instances++
	for _, opt.KeepGoing = range []bool{true, false} {
		for _, opt.Workers = range []int{1, 3} {
			if !sweep && (opt.KeepGoing == (opt.Workers == 1)) != (s.instances%2 == 0) {
				continue // the other two of the four are those of the next instance
			}
			s.everywhere(fmt.Sprintf("%s, %d workers, keep going: %t", name, opt.Workers, opt.KeepGoing),
				instance, opt)
		}
	}
}

// everywhere stops a search at each of its points.
func (s *stopper) everywhere(name string, instance func() model.Instance, opt explore.Options) {
	full := opt
	full.KeepGoing = true
	want := s.run(context.Background(), instance(), full)
	if want == nil || !want.Complete && want.Beyond == 0 {
		s.t.Fatalf("%s: the full search is not complete: %s %+v", name, want.Stopped, want.Mistake)
	}
	counts := map[string]*atomic.Int64{}
	for _, kind := range points {
		counts[kind] = &atomic.Int64{}
	}
	s.run(explore.StopAt(context.Background(), func(at string) string {
		counts[at].Add(1)
		return ""
	}), instance(), opt)
	for _, kind := range points {
		for i := range s.some(int(counts[kind].Load())) {
			s.stop(name, kind, i, want, s.stopAt(instance(), opt, kind, i))
		}
	}
	for i := range s.some(int(want.States)) {
		limited := opt
		limited.MaxStates = int64(i) + 1
		r := s.run(context.Background(), instance(), limited)
		s.stop(name, "states", i, want, r)
		if r.States > limited.MaxStates {
			s.t.Fatalf("%s: %d states, the limit is %d", name, r.States, limited.MaxStates)
		}
	}
	for i := range s.some(want.Depth) {
		limited := opt
		limited.MaxDepth = i + 1
		r := s.run(context.Background(), instance(), limited)
		s.stop(name, "levels", i, want, r)
		if r.Depth > limited.MaxDepth {
			s.t.Fatalf("%s: %d levels, the limit is %d", name, r.Depth, limited.MaxDepth)
		}
	}
}

// some yields the numbers below n, or as many as there may be.
func (s *stopper) some(n int) func(func(int) bool) {
	step := 1 + (n-1)/s.most
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i += step {
			continue
		}
	}
}

func (s *stopper) run(ctx context.Context, in model.Instance, opt explore.Options) *explore.Report {
	s.searches++
	r, err := explore.Run(ctx, in, opt)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// stopAt runs a search that is stopped at point i of a kind: one after the other by a
// deadline, by an interrupt, and by the memory limit where that can be.
func (s *stopper) stopAt(in model.Instance, opt explore.Options, kind string, i int) *explore.Report {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	var n atomic.Int64
	return s.run(explore.StopAt(ctx, func(at string) string {
		switch {
		case at != kind || n.Add(1) != int64(i)+1:
			return ""
		case kind == explore.AtMemory || kind == explore.AtPages:
			return "stopped at the memory limit"
		case i%2 == 0:
			cancel(context.DeadlineExceeded)
		default:
			cancel(context.Canceled)
		}
		return ""
	}), in, opt)
}

// stop judges what a search says that was stopped.
func (s *stopper) stop(name, kind string, i int, want, r *explore.Report) {
	s.points++
	s.kinds[kind]++
	wrong := func(format string, a ...any) {
		s.t.Helper()
		s.t.Fatalf("%s, stopped at %s %d: %s", name, kind, i, fmt.Sprintf(format, a...))
	}
	levels := int64(0)
	for k, n := range r.Levels {
		levels += n
		if k < len(r.Levels)-2 && n != want.Levels[k] || n > want.Levels[k] {
			wrong("levels %v, in full %v", r.Levels, want.Levels)
		}
	}
	switch {
	case levels != r.States || r.Depth != len(r.Levels):
		wrong("%d states, depth %d, levels %v", r.States, r.Depth, r.Levels)
	case !r.Complete && r.Stopped == "":
		wrong("neither complete nor stopped")
	case r.Complete && (r.States != want.States || !reflect.DeepEqual(r.Fired, want.Fired)):
		wrong("complete with %d states, steps %v; in full %d, %v", r.States, r.Fired, want.States, want.Fired)
	case r.Verdict != explore.Unknown && r.Verdict != want.Verdict, r.Verdict == explore.Holds && !r.Complete:
		wrong("%s, in full %s", r.Verdict, want.Verdict)
	}
	givenUp := kind != explore.AtPass
	for k := range r.Properties {
		p, q := &r.Properties[k], &want.Properties[k]
		givenUp = givenUp || p.Undecided != "" || p.LostUnknown != ""
		s.answers[string(p.Verdict)]++
		switch {
		case p.Verdict == explore.Unknown:
			if p.Path != nil || p.Least != nil {
				wrong("%s is unknown, with a run", p.Name)
			}
			if r.Complete && p.Undecided == "" {
				wrong("%s is unknown, and it is not said why", p.Name)
			}
		case p.Verdict != q.Verdict:
			wrong("%s %s, in full it %s", p.Name, p.Verdict, q.Verdict)
		case p.Verdict == explore.Holds && !r.Complete && p.Kind != model.Reachable,
			p.Kind == model.Reachable && p.Verdict == explore.Violated && !r.Complete:
			wrong("%s %s, and the search is not complete", p.Name, p.Verdict)
		case p.Length != q.Length:
			wrong("%s: a run of %d steps, the shortest has %d", p.Name, p.Length, q.Length)
		}
		if p.Lost != nil && !reflect.DeepEqual(p.Lost, q.Lost) {
			wrong("%s: out of reach from %v, in full %v", p.Name, p.Lost, q.Lost)
		}
		if p.Lost == nil && p.LostUnknown == "" && q.Lost != nil && r.Complete {
			wrong("%s: from where it is out of reach is not said, nor why", p.Name)
		}
		if p.Least != nil && (q.Least == nil ||
			p.Least.Count != q.Least.Count || p.Most.Endless != q.Most.Endless) {
			wrong("%s: another least or most than in full", p.Name)
		}
	}
	if !givenUp {
		wrong("no pass was given up")
	}
}
