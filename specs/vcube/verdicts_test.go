package vcube

import (
	"maps"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/values"
)

// violated are the properties that do not hold, with the lengths of their
// shortest counterexamples.
func violated(r *explore.Report) map[string]int {
	lengths := map[string]int{}
	for _, p := range r.Properties {
		if p.Verdict == explore.Violated {
			lengths[p.Name] = p.Length
		}
	}
	return lengths
}

// TestReadingsHaveKnownViolations: what holds under which reading, at the smallest sizes where the
// readings differ.
func TestReadingsHaveKnownViolations(t *testing.T) {
	for _, c := range []struct {
		spec model.Spec
		args []string
		want map[string]int
	}{
		{Tree, []string{"n=4", "crashes=3", "guard=off"}, map[string]int{"no-creation": 2}},
		{Tree, []string{"n=4", "crashes=3", "guard=on"}, nil},
		{Broadcast, []string{"n=4", "crashes=3", "rounds=3", "line36=bottom-ok"}, nil},
		{Broadcast, []string{"n=4", "crashes=3", "rounds=3", "forward=if-new"}, nil},
		{Broadcast, []string{"n=4", "crashes=2", "sources=0,1"}, nil},
		{Broadcast, []string{"n=8", "dead=1,2,3,7", "crashes=5"}, nil},
		{Broadcast, []string{"n=8", "dead=1,2,3,7", "crashes=5", "forward=if-new"},
			map[string]int{"synchronous-ack": 6, "validity": 8}},
		{Broadcast, []string{"n=16", "dead=1,2,3,4,5,6,7,9,10,11,13", "crashes=12"},
			map[string]int{"broadcast-terminates": 14, "no-leftover": 14}},
		{Broadcast, []string{"n=16", "dead=1,2,3,4,5,6,7,9,10,11,13", "crashes=12", "line28=all"}, nil},
		{Broadcast, []string{"n=4", "crashes=1", "rounds=3", "line36=literal", "channel=fifo"},
			map[string]int{"synchronous-ack": 3, "validity": 7, "no-gap": 11}},
		{KMutex, []string{"n=2", "k=1", "rounds=2", "crashes=1", "request=atomic"}, nil},
		{KMutex, []string{"n=2", "k=1", "rounds=2", "crashes=1", "request=count-first"}, nil},
		{KMutex, []string{"n=2", "k=1", "crashes=1", "request=blocked"},
			map[string]int{"no-starvation": 4, "permissions-exact": 4}},
		{KMutex, []string{"n=2", "k=1", "crashes=1", "request=line"},
			map[string]int{"reply-count-natural": 4, "no-starvation": 5, "permissions-exact": 5}},
		{KMutex, []string{"n=3", "k=1", "rounds=1,1,0", "crashes=1", "crash-order=printed"}, nil},
		{KMutex, []string{"n=3", "k=1", "rounds=1,1,0", "crashes=1", "crash-order=swapped"},
			map[string]int{"fair-order": 7, "at-most-k": 11}},
		{KMutex, []string{"n=3", "k=2", "rounds=2,1,1", "channel=fifo", "request=blocked"},
			map[string]int{"at-most-k": 21, "fair-order": 6, "permissions-exact": 10}},
		{KMutex, []string{"n=3", "k=2", "rounds=2,1,1", "channel=fifo", "request=count-first"},
			map[string]int{"fair-order": 6}},
		{KMutex, []string{"n=3", "k=1"}, nil},
		{KMutex, []string{"n=2", "k=2"}, map[string]int{"fair-order": 3}},
		{KMutex, []string{"n=3", "k=2", "requesters=0,1", "crashes=2"}, map[string]int{"fair-order": 5}},
		{Stack, []string{"n=2", "k=1", "rounds=2,0", "crashes=1"}, map[string]int{"no-starvation": 8,
			"permissions-exact": 8}},
		{Stack, []string{"n=2", "k=1", "rounds=2,2", "crashes=1", "request=count-first"}, nil},
		{Stack, []string{"n=4", "k=1", "rounds=2,0,0,0", "crashes=1", "crashable=1,2,3", "channel=fifo"},
			map[string]int{"permissions-exact": 14, "no-starvation": 22}},
		{Stack, []string{"n=4", "k=2", "rounds=1,1,0,0"}, map[string]int{"fair-order": 7}},
		{Rounds, []string{"n=4", "crashes=2"}, nil},
		{Rounds, []string{"n=4", "crashes=3"}, map[string]int{"latency": 7}}, // all that knew crash
		{Rounds, []string{"n=8", "crashes=2", "offsets=common"}, nil},
		{Rounds, []string{"n=16", "crashes=1", "offsets=common"}, nil},
	} {
		r := search(t, c.spec, c.args, 0)
		if got := violated(r); !maps.Equal(got, c.want) {
			t.Errorf("%s %v: violated %v, want %v", c.spec.Name, c.args, got, c.want)
		}
	}
}

// TestBothLayersOfTheStackHaveOneCorrect: the two correct_i of a process in the stack are always equal.
func TestBothLayersOfTheStackHaveOneCorrect(t *testing.T) {
	s := stack{broadcast: &broadcast{cube: cube{2}}, mutex: &mutex{n: 2, k: 1, rounds: []int{1, 1}},
		waiting: splits["blocked"]}
	c := s.composition(model.Network{Crashes: 1, Crashable: model.All(2), CrashSends: model.Subset,
		ToDead: true})
	c.Properties = []model.Property[stackGlobal]{{
		Name: "one-correct", Kind: model.Invariant,
		Holds: func(g *stackGlobal) bool {
			return g.Count(func(l *stackState) bool { return l.Broadcast.Correct != l.Mutex.Correct }) == 0
		},
	}}
	if v := verdict(t, model.Compose(c), "one-correct"); v != explore.Holds {
		t.Errorf("%s", v)
	}
}

// TestImpossibleCombinationsAreRejected: combinations that make no sense are refused, the papers' bounds
// are not.
func TestImpossibleCombinationsAreRejected(t *testing.T) {
	for _, c := range []struct {
		spec model.Spec
		args []string
		ok   bool
	}{
		{Tree, []string{"n=6"}, false},
		{Broadcast, []string{"n=4", "sources=4"}, false},
		{Broadcast, []string{"n=4", "rounds=1,1"}, false},
		{KMutex, []string{"n=3", "k=4"}, false},
		{KMutex, []string{"n=3", "rounds=1,1,1", "requesters=0"}, false},
		{KMutex, []string{"n=3", "crashes=1", "dead=0,1"}, false},
		{Stack, []string{"n=4", "request=line"}, false},
		{Stack, []string{"n=4", "crash-order=printed"}, false},
		{Rounds, []string{"n=16", "offsets=own"}, false},
		{Rounds, []string{"n=4", "channel=fifo"}, false},
		{Tree, []string{"n=16", "dead=0"}, true},
		{KMutex, []string{"n=3", "k=3", "crashes=3", "requesters=p0,p2"}, true},
		{Stack, []string{"n=2", "k=2", "dead=1"}, true},
	} {
		if _, _, err := c.spec.Instantiate(c.args); (err == nil) != c.ok {
			t.Errorf("%s %v: %v", c.spec.Name, c.args, err)
		}
	}
}

// TestAckSetHasOneForm: a set has what was put into it and not taken out, in one form only.
func TestAckSetHasOneForm(t *testing.T) {
	a := ack{bottom, 1, content{0, 1, 0}}
	b := ack{0, 1, content{0, 1, 0}}
	c := ack{15, 14, content{13, 2, 240}}
	s := ackSet("").with(c).with(a).with(b).with(a)
	if got := slices.Collect(s.acks()); !slices.Equal(got, []ack{a, b, c}) {
		t.Errorf("all: %v", got)
	}
	if s != ackSet("").with(b).with(c).with(a) {
		t.Error("the order in which acks come matters")
	}
	if got := s.awaits(1, content{0, 1, 0}); !slices.Equal(got, []model.Proc{bottom, 0}) {
		t.Errorf("awaits: %v", got)
	}
	s = s.without(a).without(a)
	if s.has(a) || !s.has(b) || s.pending(bottom, a.M) || !s.pending(0, b.M) {
		t.Errorf("after removal: %v", s)
	}
	if s.without(b).without(c) != "" {
		t.Error("the empty set has two forms")
	}
}

// TestStatesHaveTheNamesOfThePaper: states are shown under the paper's names.
func TestStatesHaveTheNamesOfThePaper(t *testing.T) {
	l := stackState{
		broadcastState{Correct: values.Everybody(2),
			AckSet: ackSet("").with(ack{bottom, 1, content{0, 2, 3}})},
		mutexState{Correct: values.Everybody(2), State: requesting, Clock: model.Count(3), Last: model.Count(
			3), PermCount: -1, Made: 2, Part: 1, Half: 2},
	}
	l.Broadcast.Last.Put(0, 2)
	l.Broadcast.Delivered.Put(0, upTo(2))
	l.Mutex.ReplyCount.Put(1, -1)
	var got []string
	for _, v := range l.Vars(names) {
		got = append(got, v.Name+"="+v.Value)
	}
	want := []string{
		"correct={0,1}", "last of 6.1=[p0:2]", "ack_set={⟨⊥,p1,(p0,2,3)⟩}", "delivered=[p0:{1,2}]",
		"state=requesting", "clock=3", "last of 7.1=3", "perm_count=-1", "reply_count=[p1:-1]",
		"defer_count=[]", "made=2",
		"next part of the request=1", "half notified of=p1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
