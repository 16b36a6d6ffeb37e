package distributed

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
)

// aloneFor is for how long one worker goes on alone, so that not more than that is lost with it.
const aloneFor = 10 * time.Second

// Reached is how far one worker came alone.
type Reached struct {
	Search   *store.Search `json:"search"`
	Obsolete []string      `json:"obsolete"` // files that are not needed once the search is saved
	Stopped  string        `json:"stopped,omitempty"`
	// Failed is the expansion in which the model was found to be at fault; nil: none.
	Failed *store.Expansion `json:"failed,omitempty"`
}

// Alone goes on with a search for as long as its levels are small, since tasks for several workers would
// take longer than what they do. It removes nothing: it may be done twice, and begins with what there is.
func (w *Worker) Alone(ctx context.Context, j Job, at *store.Search) (*Reached, error) {
	return task(ctx, w, &j, func(ctx context.Context, files store.Files) (*Reached, error) {
		s, begun := &Reached{Search: at}, time.Now()
		err := w.with(&j, func(e *explore.Expander) error {
			for s.Stopped == "" && !at.Exhausted() && small(&j, at) && time.Since(begun) < aloneFor {
				if s.Stopped = j.Limits.Over(at); s.Stopped != "" {
					return nil
				}
				if err := w.level(ctx, e, files, &j, s); err != nil {
					return err
				}
			}
			return nil
		})
		return s, err
	})
}

// level does one level.
func (w *Worker) level(
	ctx context.Context,
	e *explore.Expander,
	files store.Files,
	j *Job,
	s *Reached,
) error {
	at := s.Search
	t := j.Limits.Plan(at, 1)[0]
	o, err := expand(ctx, e, files, t)
	if err != nil {
		return err
	}
	if o.Stopped != "" {
		s.Stopped = o.Stopped
		if o.AtFault {
			s.Failed = &t
		}
		return nil
	}
	done := []store.Expanded{o.Expanded}
	if s.Stopped = j.Limits.Stops(at, done); s.Stopped != "" {
		return nil
	}
	tasks := at.Mergings(done)
	// The files are small, so that this is mostly waiting for them.
	merged, err := atOnce(
		max(w.workers(), 16),
		tasks,
		func(t store.Merging) (store.Merged, error) { return store.Merge(ctx, files, t) },
	)
	if err != nil {
		return err
	}
	s.Obsolete = append(s.Obsolete, at.Advance(done, tasks, merged)...)
	for _, t := range at.Compactings() {
		run, err := store.Compact(ctx, files, t)
		if err != nil {
			return err
		}
		s.Obsolete = append(s.Obsolete, at.Replace(t, run)...)
	}
	return nil
}

// atOnce does pieces of work, at most so many at the same time.
func atOnce[T, R any](most int, tasks []T, do func(T) (R, error)) ([]R, error) {
	results, errs := make([]R, len(tasks)), make([]error, len(tasks))
	free := make(chan struct{}, most)
	var all sync.WaitGroup
	for i := range tasks {
		free <- struct{}{}
		all.Go(func() {
			results[i], errs[i] = do(tasks[i])
			<-free
		})
	}
	all.Wait()
	return results, errors.Join(errs...)
}

func (w *Worker) workers() int {
	if w.Workers > 0 {
		return w.Workers
	}
	return runtime.GOMAXPROCS(0)
}
