package simulate

import (
	"math/rand/v2"
	"slices"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

// A Scheduler decides which step a run takes next.
type Scheduler string

// The schedulers.
const (
	// Steps draws each step among all that are enabled, each as likely: a handler with its message.
	// The picks of a handler, and the part of its sends that gets out before a crash, are drawn then.
	Steps Scheduler = "steps"
	// Processes draws a process among those that can take a step, and then one of its steps.
	Processes Scheduler = "processes"
	// PCT takes a step of the thread with the highest priority. Priorities are drawn, and change at some
	// steps that are drawn (Burckhardt, Kothari, Musuvathi, Nagarakatte, A randomized scheduler with
	// probabilistic guarantees of finding bugs, ASPLOS 2010).
	PCT Scheduler = "pct"
	// Swarm draws a weight for each action for the whole run, 0 for some: they are taken only where
	// no other can be (Groce, Zhang, Eide, Chen, Regehr, Swarm testing, ISSTA 2012).
	Swarm Scheduler = "swarm"
	// Crashes draws among all steps but crashes, and lets processes crash at times that are drawn: in the
	// middle of their sends where some process sends.
	Crashes Scheduler = "crashes"
	// Timed takes each step at its time: see Measure.
	Timed Scheduler = "timed"
)

// Schedulers are those that need no Settings.
var Schedulers = []Scheduler{Steps, Processes, PCT, Swarm, Crashes}

// A policy is a scheduler at work in one run.
type policy interface {
	begin(r *rand.Rand)
	// next prepares the next step. It returns false if none is enabled.
	next(w *walker) bool
}

// policy returns the policy of a player of a model.
func (o *Options) policy(in model.Instance, pl player) policy {
	switch o.Scheduler {
	case Processes:
		return &byProcess{}
	case PCT:
		return &byPriority{depth: o.Depth, steps: o.Steps}
	case Swarm:
		return &byWeight{weights: make([]int, len(in.Space.Actions()))}
	case Crashes:
		return &withCrashes{}
	case Timed:
		of, _ := rolesOf(in.Interp.Actions, in.Interp.Requests, o.Timed) // which Measure has checked
		return &timed{s: o.Timed, roles: of, capacity: in.Capacity, pl: pl.(*composedPlayer)}
	}
	return &uniform{}
}

// drawn lists the candidates that a policy draws from, and has not drawn in vain.
type drawn struct {
	r    *rand.Rand
	list []candidate
}

func (d *drawn) begin(r *rand.Rand) { d.r = r }

// any prepares one of the candidates, each that is enabled as likely. It returns false if none is enabled.
func (d *drawn) any(w *walker) bool {
	for len(d.list) > 0 {
		i := d.r.IntN(len(d.list))
		if w.enabled(d.list[i]) {
			return true
		}
		d.list[i] = d.list[len(d.list)-1]
		d.list = d.list[:len(d.list)-1]
	}
	return false
}

// collect lists the candidates of all processes for which keep is true; nil: all.
func (d *drawn) collect(w *walker, keep func(candidate) bool) {
	d.list = d.list[:0]
	for p := range w.procs() {
		d.add(w, p, keep)
	}
}

// add adds the candidates of process p for which keep is true; nil: all.
func (d *drawn) add(w *walker, p int, keep func(candidate) bool) {
	for i := range w.count(p) {
		if c := w.candidate(p, i); keep == nil || keep(c) {
			d.list = append(d.list, c)
		}
	}
}

// uniform is the policy of Steps.
type uniform struct{ drawn }

// blindDraws is how often a candidate is drawn without a list of them: most often a few times do.
const blindDraws = 8

func (u *uniform) next(w *walker) bool {
	all := 0
	for p := range w.procs() {
		all += w.count(p)
	}
	for range blindDraws {
		if all == 0 {
			break
		}
		p, i := 0, u.r.IntN(all)
		for i >= w.count(p) {
			i -= w.count(p)
			p++
		}
		if w.enabled(w.candidate(p, i)) {
			return true
		}
	}
	u.collect(w, nil)
	return u.any(w)
}

// byProcess is the policy of Processes.
type byProcess struct {
	drawn
	procs []int
}

func (b *byProcess) next(w *walker) bool {
	b.procs = b.procs[:0]
	for p := range w.procs() {
		b.procs = append(b.procs, p)
	}
	for len(b.procs) > 0 {
		i := b.r.IntN(len(b.procs))
		b.list = b.list[:0]
		b.add(w, b.procs[i], nil)
		if b.any(w) {
			return true
		}
		b.procs = slices.Delete(b.procs, i, i+1)
	}
	return false
}

// byWeight is the policy of Swarm.
type byWeight struct {
	drawn
	weights []int // per action
}

func (b *byWeight) begin(r *rand.Rand) {
	b.r = r
	for i := range b.weights {
		b.weights[i] = [...]int{0, 1, 4, 16}[r.IntN(4)]
	}
}

func (b *byWeight) next(w *walker) bool {
	b.collect(w, nil)
	sum := 0
	for _, c := range b.list {
		sum += b.weights[c.action]
	}
	for sum > 0 {
		i, x := 0, b.r.IntN(sum)
		for x >= b.weights[b.list[i].action] {
			x -= b.weights[b.list[i].action]
			i++
		}
		c := b.list[i]
		if w.enabled(c) {
			return true
		}
		sum -= b.weights[c.action]
		b.list[i] = b.list[len(b.list)-1]
		b.list = b.list[:len(b.list)-1]
	}
	return b.any(w)
}

// withCrashes is the policy of Crashes.
type withCrashes struct {
	drawn
	rate float64 // of crashes, per step
}

func (b *withCrashes) begin(r *rand.Rand) {
	b.r = r
	b.rate = [...]float64{1. / 4, 1. / 16, 1. / 64, 1. / 256}[r.IntN(4)]
}

func (b *withCrashes) next(w *walker) bool {
	if b.r.Float64() < b.rate {
		for _, k := range []kind{broken, crash} {
			b.collect(w, func(c candidate) bool { return c.kind == k })
			for range blindDraws { // another handler is drawn each time
				if len(b.list) == 0 {
					break
				}
				if w.enabled(b.list[b.r.IntN(len(b.list))]) {
					return true
				}
			}
		}
	}
	b.collect(w, func(c candidate) bool { return c.kind != crash && c.kind != broken })
	if b.any(w) {
		return true
	}
	b.collect(w, nil)
	return b.any(w)
}

// enabled prepares a candidate. Before one that no process has to take, the state is judged as a quiet one if
// it is.
func (w *walker) enabled(c candidate) bool {
	if !w.quietKnown && w.quietAsked() && w.kindOf(c) != protocol.Ordinary {
		w.findQuiet()
	}
	switch w.prepare(c) {
	case enabled:
		return true
	case excluded:
		w.excluded = true
	}
	return false
}
