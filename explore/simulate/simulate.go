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
