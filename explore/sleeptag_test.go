package explore_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
)

// TestSleepTags looks, in random compositions, at each two steps after each other, and wants
// what the tag of the first leaves out to be found elsewhere: what a state leads to that was
// reached from s is reached, in two steps, over another successor of s. Nothing else is
// left out, and all steps are counted. And each record has the hash of its state, and the
// link to the state that was expanded.
func TestSleepTags(t *testing.T) {
	leftOut, ofSenders := 0, 0
	for seed := range seeds(100, 300) {
		leftOut += tags(t, randomComposition(rand.New(rand.NewPCG(seed, 10))))
		ofSenders += tags(t, randomSenders(rand.New(rand.NewPCG(seed, 14)), model.FIFO))
	}
	t.Log(leftOut, ofSenders)
	// In FIFO channels what was sent before the latest message was known before: 700 steps more.
	if !testing.Short() && (leftOut < 1000 || ofSenders < 18_000) {
		t.Errorf("only %d and %d steps were left out", leftOut, ofSenders)
	}
}

// tags looks at all states of an instance that has no more than 500, and returns how many
// steps are left out.
func tags(t *testing.T, in model.Instance) (leftOut int) {
	t.Helper()
	space, _, complete := explore.Space(in, explore.Options{KeepGoing: true, MaxStates: 500, Workers: 1})
	if !complete {
		return 0
	}
	x := expander{t: t, space: space, c: space.NewCursor(), known: map[string]*expansion{}}
	b := x.batch()
	space.Init(b)
	var todo []string
	seen := map[string]bool{}
	add := func(b *kernel.Batch) {
		for i := range b.Len() {
			if key := fmt.Sprint(b.At(i)); !seen[key] {
				seen[key] = true
				x.expand(b.At(i))
				todo = append(todo, key)
			}
		}
	}
	for add(b); len(todo) > 0; todo = todo[1:] {
		s := x.known[todo[0]]
		add(s.batch)
		leftOut += x.check(s)
	}
	return leftOut
}

// An expander has all successors of states, of which it keeps those that it has met.
type expander struct {
	t     *testing.T
	space kernel.Space
	c     kernel.Cursor
	known map[string]*expansion
}

// An expansion is what a state leads to.
type expansion struct {
	batch   *kernel.Batch
	to      map[string]int // states, with the number of steps there
	enabled kernel.Enabled
}

func (x *expander) batch() *kernel.Batch {
	var b kernel.Batch
	b.Reset(x.space.Width())
	return &b
}

// expand returns all that a state leads to.
func (x *expander) expand(v []uint32) *expansion {
	key := fmt.Sprint(v)
	if x.known[key] == nil {
		x.known[key] = x.by(v, 0)
	}
	return x.known[key]
}

// by returns what a state of a tag leads to.
func (x *expander) by(v []uint32, tag kernel.SleepTag) *expansion {
	e := &expansion{batch: x.batch(), to: map[string]int{}}
	var ok bool
	if e.enabled, ok = x.c.Expand(v, tag, e.batch); !ok {
		x.t.Fatal("the tables lack something after the search")
	}
	b := e.batch
	for i := range b.Len() {
		e.to[fmt.Sprint(b.At(i))]++
		rec := b.Words[i*b.Stride:][:b.Stride]
		if b.Hash(i) != x.c.Hash(b.At(i)) || rec[b.Width+kernel.RecordParent] != kernel.Parent(x.c.Hash(v)) {
			x.t.Fatalf("%v to %v: the record has another hash, or another parent", v, b.At(i))
		}
	}
	return e
}

// check looks at all successors of a state, and returns how many steps from them are left out.
func (x *expander) check(s *expansion) (leftOut int) {
	b := s.batch
	for i := range b.Len() {
		all := x.expand(b.At(i))
		less := x.by(b.At(i), kernel.SleepTag(b.Words[i*b.Stride+b.Width+kernel.RecordTag]))
		if less.enabled != all.enabled || less.batch.Fired != all.batch.Fired ||
			less.batch.Outside.Len() != all.batch.Outside.Len() {
			x.t.Fatalf("%v: steps that are left out are not counted", b.At(i))
		}
		for to, n := range less.to {
			if n > all.to[to] {
				x.t.Fatalf("%v: there is no step to %s", b.At(i), to)
			}
		}
		for to, n := range all.to {
			if leftOut += n - less.to[to]; less.to[to] == 0 && !x.elsewhere(b, b.At(i), to) {
				x.t.Fatalf("the step from %v to %s is left out, and no sibling has it", b.At(i), to)
			}
		}
	}
	return leftOut
}

// elsewhere reports whether another state of a batch than v leads to a state.
func (x *expander) elsewhere(b *kernel.Batch, v []uint32, to string) bool {
	for i := range b.Len() {
		if fmt.Sprint(b.At(i)) != fmt.Sprint(v) && x.expand(b.At(i)).to[to] > 0 {
			return true
		}
	}
	return false
}
