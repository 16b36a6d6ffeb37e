package simulate

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/atmostk/atmostk/model/protocol"
)

// A Scheduler decides which step a run takes next.
type Scheduler string

// The schedulers.
const (
	// Steps draws each enabled step, a handler with its message, with equal probability, and so the crash of
	// a process while it sends. The picks of the handler, the handler that a crash breaks off, and the part
	// of its sends that leaves before, are drawn afterwards.
	Steps Scheduler = "steps"
	// Processes draws a process that can take a step, and then one of its steps.
	Processes Scheduler = "processes"
	// PCT draws a step of the thread with the highest priority. Priorities are drawn, and change at some
	// steps that are drawn (Burckhardt, Kothari, Musuvathi, Nagarakatte, A randomized scheduler with
	// probabilistic guarantees of finding bugs, ASPLOS 2010).
	PCT Scheduler = "pct"
	// Swarm draws a weight for each action for the whole run. Actions of weight 0 are taken only where
	// no other is enabled (Groce, Zhang, Eide, Chen, Regehr, Swarm testing, ISSTA 2012).
	Swarm Scheduler = "swarm"
	// Crashes draws among all steps but crashes, and lets processes crash at times that are drawn: in the
	// middle of their sends where some process sends.
	Crashes Scheduler = "crashes"
)

// Schedulers are all of them.
var Schedulers = []Scheduler{Steps, Processes, PCT, Swarm, Crashes}

// A policy is a scheduler at work in one run. It prepares the next step, and returns false if none is
// enabled.
type policy func() bool

// policies begin a run, by schedulers.
var policies = map[Scheduler]func(w *walker) policy{
	Steps: bySteps, Processes: byProcess, PCT: byPriority, Swarm: byWeight, Crashes: withCrashes,
}

// enabled prepares a candidate, and reports whether it is enabled. Before a step that no process has to take,
// it judges the state if that is a quiet one.
func (w *walker) enabled(c candidate) bool {
	if w.actions[w.action(c)].Kind != protocol.Ordinary {
		w.findQuiet()
	}
	return w.prepare(c) == enabled
}

// collect lists the candidates of some processes for which keep is true; nil: all.
func (w *walker) collect(keep func(candidate) bool, of ...[]candidate) {
	w.list = w.list[:0]
	for _, list := range of {
		for _, c := range list {
			if keep == nil || keep(c) {
				w.list = append(w.list, c)
			}
		}
	}
}

// draw prepares one of the listed candidates, each that is enabled with a probability in proportion to its
// weight. It returns false if none is enabled. The list loses the candidates that were drawn and are not
// enabled.
func (w *walker) draw(weight func(candidate) int) bool {
	left := 0
	for _, c := range w.list {
		left += weight(c)
	}
	for left > 0 {
		i, x := 0, w.r.IntN(left)
		for ; x >= weight(w.list[i]); i++ {
			x -= weight(w.list[i])
		}
		if w.enabled(w.list[i]) {
			return true
		}
		left -= weight(w.list[i])
		w.list[i] = w.list[len(w.list)-1]
		w.list = w.list[:len(w.list)-1]
	}
	return false
}

// alike is the weight with which all candidates are drawn with equal probability.
func alike(candidate) int { return 1 }

// blind does the same for equal weights and keeps the list. After some draws of others it returns false.
func (w *walker) blind() bool {
	for i := 0; i < 8 && len(w.list) > 0; i++ {
		if w.enabled(w.list[w.r.IntN(len(w.list))]) {
			return true
		}
	}
	return false
}

func bySteps(w *walker) policy {
	return func() bool {
		w.collect(nil, w.candidates()...)
		return w.blind() || w.draw(alike)
	}
}

func byProcess(w *walker) policy {
	var lists [][]candidate
	return func() bool {
		lists = append(lists[:0], w.candidates()...)
		for len(lists) > 0 {
			p := w.r.IntN(len(lists))
			if w.collect(nil, lists[p]); w.draw(alike) {
				return true
			}
			lists = slices.Delete(lists, p, p+1)
		}
		return false
	}
}

func byWeight(w *walker) policy {
	weights := make([]int, len(w.actions))
	for i := range weights {
		weights[i] = [...]int{0, 1, 4, 16}[w.r.IntN(4)]
	}
	weight := func(c candidate) int { return weights[c.act] }
	return func() bool {
		w.collect(nil, w.candidates()...)
		for i, c := range w.list {
			w.list[i].act = int32(w.action(c))
		}
		return w.draw(weight) || w.draw(alike)
	}
}

func withCrashes(w *walker) policy {
	rate := [...]float64{1. / 4, 1. / 16, 1. / 64, 1. / 256}[w.r.IntN(4)] // of crashes, per step
	return func() bool {
		if w.r.Float64() < rate {
			for _, k := range []kind{broken, crash} {
				w.collect(func(c candidate) bool { return c.kind == k }, w.candidates()...)
				if w.draw(alike) {
					return true
				}
			}
		}
		w.collect(func(c candidate) bool { return c.kind != crash && c.kind != broken }, w.candidates()...)
		if w.draw(alike) {
			return true
		}
		w.collect(nil, w.candidates()...)
		return w.draw(alike)
	}
}

// byPriority takes a step of the thread with the highest priority that can take one. At depth-1 steps, which
// are drawn, this thread gets a low priority instead.
func byPriority(w *walker) policy {
	priority := map[uint64]float64{} // by thread; those that were not changed are positive
	var changes []int                // the steps at which one changes: the i-th makes it -i-1
	for range w.opt.Depth - 1 {
		changes = append(changes, w.r.IntN(w.opt.Steps))
	}
	choices := rand.New(rand.NewPCG(w.opt.Seed, ^uint64(w.Number))) // among the steps of a thread
	return func() bool {
		w.collect(nil, w.candidates()...)
		for _, c := range w.list {
			if _, known := priority[c.thread]; !known {
				priority[c.thread] = w.r.Float64()
			}
		}
		w.Threads = max(w.Threads, len(priority))
		choices.Shuffle(len(w.list), func(i, k int) { w.list[i], w.list[k] = w.list[k], w.list[i] })
		for { // the sort is stable: candidates of one thread stay in this order
			slices.SortStableFunc(w.list, func(c, d candidate) int {
				return cmp.Compare(priority[d.thread], priority[c.thread])
			})
			i, change := slices.IndexFunc(w.list, w.enabled), slices.Index(changes, w.Length)
			if i < 0 || change < 0 {
				return i >= 0
			}
			changes[change] = -1
			priority[w.list[i].thread] = -float64(change) - 1
		}
	}
}
