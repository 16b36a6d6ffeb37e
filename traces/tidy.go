package traces

import (
	"slices"

	"github.com/atmostk/atmostk/model"
)

// Tidy returns the run in another order: the steps are the same and so is the
// last state, but a process goes on as long as it can before another takes
// over, and what a message causes comes soon after it. The result has been
// executed; where no better order is found it is the run itself. A run without
// end stays as it is.
func Tidy(r *Run) *Run {
	if r.Trace.CycleAt != nil || len(r.Taken) < 3 || len(r.Taken) > tidyBudget {
		return r
	}
	m := &mover{&r.claim, tidyBudget}
	o := newOrder(r)
	for m.left > 0 {
		order := o.schedule()
		taken, stuck := m.reorder(r, order)
		if stuck >= 0 { // something that the order does not know of was missing
			if !o.learn(stuck, order) {
				return r
			}
			continue
		}
		if !m.ends(r, taken) {
			if !o.crashesAreBarriers() {
				return r
			}
			continue
		}
		tidied := r.claim.record(r.Trace.Header, r.States[0], taken)
		if switches(tidied.Taken) >= switches(r.Taken) || r.claim.shown(tidied.States, tidied.Taken) != "" {
			return r
		}
		return tidied
	}
	return r
}

// switches counts how often another process takes over.
func switches(ts []model.Transition) (n int) {
	for i := 1; i < len(ts); i++ {
		if ts[i].Owner != ts[i-1].Owner {
			n++
		}
	}
	return n
}

// reorder executes the steps of a run in another order. stuck is the step that
// was not enabled when its turn came; -1: none.
func (m *mover) reorder(r *Run, order []int) (taken []model.Transition, stuck int) {
	at := r.States[0]
	for _, i := range order {
		t := m.again(at, &r.Taken[i])
		if t == nil || !same(t, &r.Taken[i]) || t.Outside && !r.Taken[i].Outside {
			return nil, i
		}
		taken, at = append(taken, *t), t.Next
	}
	return taken, -1
}

// ends reports whether steps end where the run ends.
func (m *mover) ends(r *Run, taken []model.Transition) bool {
	return taken[len(taken)-1].Next.Key() == r.States[len(r.States)-1].Key()
}

// An order is what has to happen before what. A step waits for the one before
// it of its process, for the send of what it receives, for the crash that it
// notices; and it may have been found out that it waits for more.
type order struct {
	run      *Run
	before   [][]int // for each step those that it waits for
	barriers []bool
}

func newOrder(r *Run) *order {
	o := &order{run: r, before: make([][]int, len(r.Taken)), barriers: make([]bool, len(r.Taken))}
	last := map[string]int{}
	sent := map[string]int{}
	crash := map[string]int{}
	for i := range r.Taken {
		s := &r.Trace.Steps[i+1]
		wait := func(m map[string]int, key string) {
			if j, ok := m[key]; ok {
				o.before[i] = append(o.before[i], j)
			}
		}
		wait(last, s.Node)
		wait(crash, s.Noticed)
		if s.Received != nil {
			wait(sent, s.Received.ID)
		}
		for _, m := range s.Sent {
			sent[m.ID] = i
		}
		last[s.Node] = i
		if s.Crashed {
			crash[s.Node] = i
		}
	}
	if n := len(r.Taken); r.claim.info.Kind == model.StepInvariant {
		o.barrier(n - 1) // the step that is judged stays the last one
	}
	return o
}

// barrier keeps a step between those that were before it and those that were
// after it. It returns false if it was there already.
func (o *order) barrier(i int) bool {
	if o.barriers[i] {
		return false
	}
	o.barriers[i] = true
	for j := range i {
		o.before[i] = append(o.before[i], j)
	}
	for j := i + 1; j < len(o.before); j++ {
		o.before[j] = append(o.before[j], i)
	}
	return true
}

// learn draws a lesson from an order in which a step was not enabled, or sent
// other messages. Mostly it has changed places with a crash: nothing is sent to
// the dead. It returns false if there is nothing to learn.
func (o *order) learn(stuck int, list []int) (learnt bool) {
	place := slices.Index(list, stuck)
	for k, j := range list {
		if !o.run.Taken[j].Crashed || (k < place) == (j < stuck) {
			continue
		}
		first, second := min(j, stuck), max(j, stuck)
		if !slices.Contains(o.before[second], first) {
			o.before[second] = append(o.before[second], first)
			learnt = true
		}
	}
	return learnt || o.barrier(stuck)
}

// crashesAreBarriers keeps all crashes where they were. It returns false if they
// were kept there already.
func (o *order) crashesAreBarriers() (learnt bool) {
	for i := range o.run.Taken {
		if o.run.Taken[i].Crashed && o.barrier(i) {
			learnt = true
		}
	}
	return learnt
}

// schedule returns an order in which each process goes on as long as it can.
// Next is the one that can then go on longest; of those one that goes on because
// of the one that stops, and then the one whose turn was first.
func (o *order) schedule() (list []int) {
	done := make([]bool, len(o.before))
	own := map[string][]int{} // the steps of each process that are not done
	var names []string
	for i := range o.run.Taken {
		name := o.run.Taken[i].Owner
		if own[name] == nil {
			names = append(names, name)
		}
		own[name] = append(own[name], i)
	}
	stopped := ""
	for len(list) < len(done) {
		best, turn := "", []int{0, 0, 0}
		for _, name := range names {
			n := o.ready(own[name], done)
			if n == 0 {
				continue
			}
			if t := []int{n, o.owes(own[name][0], stopped), -own[name][0]}; slices.Compare(t, turn) > 0 {
				best, turn = name, t
			}
		}
		for _, i := range own[best][:turn[0]] {
			done[i] = true
			list = append(list, i)
		}
		own[best], stopped = own[best][turn[0]:], best
	}
	return list
}

// owes is 1 if a step receives a message of a process or notices its crash, 0 if not.
func (o *order) owes(step int, to string) int {
	t := &o.run.Taken[step]
	if t.Received != nil && t.Received.From == to || t.Noticed == to && to != "" {
		return 1
	}
	return 0
}

// ready returns how many steps of a process can be taken one after the other
// when those done are done.
func (o *order) ready(steps []int, done []bool) (n int) {
	for _, i := range steps {
		waits := func(j int) bool { return !done[j] && o.run.Taken[j].Owner != o.run.Taken[i].Owner }
		if slices.ContainsFunc(o.before[i], waits) {
			break
		}
		n++
	}
	return n
}
