// Package simulate plays random runs of a model that has too many states to visit them all, or to find a
// violation sooner than a search in breadth does. Runs can miss a violation, so no property is reported to
// hold, except a goal that a run has reached.
//
// A scheduler chooses the next step among the enabled ones: with equal probability, or by priorities, for
// instance. Each run draws from a source of its own, made from the seed and the number of the run, and the
// results are combined in the order of these numbers: the report does not depend on the number of workers.
package simulate

import (
	"cmp"
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// Options say how a model is explored by random runs, and for how long.
type Options struct {
	Seed      uint64
	Scheduler Scheduler
	Depth     int   // of a bug that PCT is to find: how many steps have to come in a certain order, 1 or more
	First     int64 // the number of the first run
	Runs      int64 // at most; 0: no limit
	Steps     int   // of one run, at most
	Workers   int   // 0: one for each processor
	// Properties are judged, by index.
	Properties []int
	// Within is the number of states in a row in which a Liveness property may stay unfulfilled; 0: no such
	// property is judged.
	Within int
	// KeepGoing goes on with other runs after one that violates a property.
	KeepGoing bool
	// NoCoverage counts neither states nor pairs of actions: runs are faster.
	NoCoverage bool
}

// Run plays random runs until their number is reached, one violates a property, or the context ends. The
// error is a mistake of the model that shows before any run.
func Run(ctx context.Context, in model.Instance, opt Options) (*Report, error) {
	begin := time.Now()
	t, err := newTally(in, opt)
	if err != nil {
		return nil, err
	}
	missing := inOrder(ctx, in, &opt, t.add)
	r := t.sum(ctx, time.Since(begin))
	if missing != "" && r.Stopped != "" {
		r.Stopped += ": " + missing
	}
	return r, nil
}

// inOrder plays runs, and passes them to take in the order of their numbers until no more are wanted. It
// abandons runs in which a function of the model does not return after the end, and missing is the reason.
func inOrder(ctx context.Context, in model.Instance, opt *Options,
	take func(*played) (more bool)) (missing string) {
	results, gone := make(chan *played), make(chan struct{})
	defer close(gone)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go play(ctx, in, opt, results, gone)
	waiting, next, more := map[int64]*played{}, opt.First, true
	over := ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case r, some := <-results:
			if !some {
				return ""
			}
			for waiting[r.Number] = r; waiting[next] != nil && more; next++ {
				if more = take(waiting[next]); !more {
					cancel()
				}
				delete(waiting, next)
			}
		case <-over:
			over, late = nil, time.After(explore.GracePeriod)
		case <-late:
			if !more { // nobody waits for the results
				return ""
			}
			return "a function of the model has not returned"
		}
	}
}

// play plays runs, the one of the next number whenever a worker is free, and closes results in the end.
func play(ctx context.Context, in model.Instance, opt *Options, results chan<- *played,
	gone <-chan struct{}) {
	workers := cmp.Or(opt.Workers, runtime.GOMAXPROCS(0))
	send := func(r *played) {
		select {
		case results <- r:
		case <-gone:
		}
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			w := newWalker(in, opt)
			for ctx.Err() == nil {
				number := next.Add(1) - 1
				if opt.Runs > 0 && number >= opt.Runs || !w.walk(ctx, opt.First+number) {
					return
				}
				done := w.played
				send(&done)
			}
		})
	}
	all.Wait()
	close(results)
}

// Path plays the run of a number again, and returns the states of its first length steps, with the labels of
// the steps between them.
func Path(in model.Instance, opt Options, number int64, length int) (states []lts.State,
	labels []model.Label) {
	w := newWalker(in, &opt)
	w.path = func(s lts.State) {
		if w.Length > length {
			return
		}
		if len(states) > 0 {
			labels = append(labels, w.last.label)
		}
		states = append(states, s)
	}
	w.walk(context.Background(), number)
	return states, labels
}

// A player plays one run of a model after the other. It lists the steps that may be enabled, and takes them.
type player interface {
	// begin starts a run, which draws from r.
	begin(r *rand.Rand)
	// candidates are listed by process, or by owner of actions in a system; action is the action of one.
	candidates() [][]candidate
	action(c candidate) int
	// prepare answers whether a candidate can be taken, and commit takes the one that was prepared last.
	prepare(c candidate) answer
	commit() taken
	beyond() bool

	// judge returns the properties in which, a set, that the state or the last step violates, and the goals
	// that it reaches; judgeQuiet does so for properties of quiet states.
	judge(which uint64) uint64
	judgeQuiet(which uint64) uint64
	marks(i, k int) lts.Marks
	state() lts.State
	// hash hashes the state, and adds the hashes of its local states that are new to those that were met.
	hash(met map[uint64]struct{}) uint64
}

type candidate struct {
	kind       kind
	proc, peer model.Proc
	at         int32 // the envelope in the inbox, or the transition of a system; -1: none
	act        int32 // the action; -1: of a receipt, which is found when it is asked for
	// thread is the sequence of steps that it belongs to, for priorities: steps of one thread happen in one
	// order, or exclude each other.
	thread uint64
}

type kind uint8

const (
	other kind = iota
	receipt
	hazard // a fault of a message
	crash
	broken // a crash inside a handler
)

type taken struct {
	action, proc int
	label        model.Label
	// the process of the step before, if its message was received in it, lost or copied, or its crash
	// noticed; -1 if not
	cause int
}

// An answer says whether a step can be taken.
type answer uint8

const (
	notEnabled answer = iota
	enabled
	// excluded says that an assumption on runs excludes it.
	excluded
)

// A Report is the result of random runs.
type Report struct {
	// Verdict is violated, a model error, or unknown: runs without a violation do not show that a property
	// holds.
	Verdict explore.Verdict
	Stopped string // why there were fewer runs than wanted, a sentence; "": there were not

	Runs    int64
	Steps   int64
	Longest int // steps of a run
	Ends    [numEnds]int64
	Actions []lts.Action
	Fired   []int64 // per action: how often it was taken
	Threads int     // of a run at most, where the scheduler is PCT

	Coverage   *Coverage // nil: nothing was counted
	Properties []Result
	Unasked    []model.PropertyInfo // of kinds that runs do not judge

	Mistake    *model.Error // of the model; nil: none was met
	MistakeRun int64        // the number of the run in which it was
	MistakeAt  int          // the steps before it

	Elapsed time.Duration
}

// A Result is the result of the runs for one property.
type Result struct {
	model.PropertyInfo
	// Verdict is violated, holds for a goal that was reached, and unknown otherwise.
	Verdict explore.Verdict
	Run     int64 // the number of the first run that violates it, or reaches the goal; -1: none
	Length  int   // the steps of this run up to there
	Late    bool  // a Liveness property was unfulfilled for longer than it may be
	Runs    int64 // the number of runs like Run
}

// Coverage counts the parts of a model that runs have seen.
type Coverage struct {
	States int64 // distinct ones
	Locals int64 // distinct local states, of all processes
	Pairs  int   // of actions that were seen to be concurrent
	// Once and Twice are the numbers of states that were seen in one run only, and in two.
	Once, Twice int64
	// Last is the number of states that the last tenth of the runs, LastRuns, was the first to see.
	Last     int64
	LastRuns int64
}

// Next estimates the number of states that the next run will be the first to see (Good, The population
// frequencies of species and the estimation of population parameters, 1953, for samples that are sets).
func (c *Coverage) Next(runs int64) float64 { return float64(c.Once) / float64(max(runs, 1)) }

// Least estimates a lower bound of the number of states (Chao, Estimating the population size for
// capture-recapture data with unequal catchability, 1987).
func (c *Coverage) Least(runs int64) float64 {
	q1, q2 := float64(c.Once), float64(c.Twice)
	rest := float64(max(runs-1, 0)) / float64(max(runs, 1))
	if c.Twice == 0 {
		return float64(c.States) + rest*q1*(q1-1)/2
	}
	return float64(c.States) + rest*q1*q1/(2*q2)
}
