package walk

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/atmostk/atmostk/model"
)

// Options say how a model is explored by random runs, and for how long.
type Options struct {
	Seed      uint64
	Scheduler Scheduler
	Depth     int   // of a bug that PCT is to find: how many steps have to come in a certain order, 1 or more
	First     int64 // the number of the first run
	Runs      int64 // at most so many; 0: no limit
	Steps     int   // of one run, at most
	Workers   int   // 0: one for each processor
	// Properties are those that are asked, by index.
	Properties []int
	// Within is for how many states in a row a Liveness property need not be fulfilled; 0: they are not
	// judged.
	Within int
	// KeepGoing goes on with other runs after one that violates a property.
	KeepGoing bool
	// NoCoverage counts no states, and notes no pairs of actions: runs are faster.
	NoCoverage bool
}

// Run plays random runs until there were as many as wanted, one of them violates a property, or the context
// is over.
func Run(ctx context.Context, in model.Instance, opt Options) (*Report, error) {
	if err := model.Check(in); err != nil && (in.Searched() || in.Plain == nil) {
		return nil, err
	}
	begin := time.Now()
	t := newTally(in, &opt)
	results := make(chan *run)
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	go play(limited, in, &opt, results)
	waiting := map[int64]*run{}
	for r := range results {
		for waiting[r.number] = r; waiting[opt.First+t.Runs] != nil && !t.done; {
			next := waiting[opt.First+t.Runs]
			delete(waiting, next.number)
			t.add(next)
		}
		if t.done {
			cancel()
		}
	}
	t.finish()
	t.Elapsed = time.Since(begin)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		t.Stopped = "the time is over"
	case ctx.Err() != nil:
		t.Stopped = "interrupted"
	}
	return &t.Report, nil
}

// play plays runs, the one of the next number whenever a worker is free, and closes results in the end.
func play(ctx context.Context, in model.Instance, opt *Options, results chan<- *run) {
	workers := opt.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
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
				done := w.run
				results <- &done
			}
		})
	}
	all.Wait()
	close(results)
}

// Path plays the run of a number once more, and returns its states up to a step, with the labels of the steps
// between them.
func Path(in model.Instance, opt Options, number int64, length int) (states []model.State,
	labels []model.Label) {
	w := newWalker(in, &opt)
	w.path = func(s model.State) {
		if w.length > length {
			return
		}
		if len(states) > 0 {
			labels = append(labels, w.last().label)
		}
		states = append(states, s)
	}
	w.walk(context.Background(), number)
	return states, labels
}
