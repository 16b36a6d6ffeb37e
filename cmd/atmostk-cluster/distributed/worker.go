package distributed

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A Worker does tasks: its methods that take a context and a Job are activities. It does one expansion at a
// time, with all its processors.
type Worker struct {
	Program string // name and version
	Files   *Files
	Workers int   // goroutines; 0: one for each processor
	Memory  int64 // bytes: the budget of expansions; 0: no limit

	mu        sync.Mutex
	expander  *explore.Expander // of the last model; nil: none
	keepGoing bool              // the expander continues after violations
}

// A Registry registers workflows and activities, as a worker of the SDK does.
type Registry interface {
	RegisterWorkflow(workflow any)
	RegisterActivityWithOptions(activity any, options activity.RegisterOptions)
}

// Register registers the workflows and activities.
func (w *Worker) Register(r Registry) {
	r.RegisterWorkflow(Search)
	for name, do := range map[string]any{
		"Begin": w.Begin, "Expand": w.Expand, "Merge": w.Merge, "Alone": w.Alone,
		"Save": w.Save,
	} {
		r.RegisterActivityWithOptions(do, activity.RegisterOptions{Name: name})
	}
}

// Close frees the expander, which a worker keeps between tasks.
func (w *Worker) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.expander != nil {
		w.expander.Free()
		w.expander = nil
	}
}

// task does a task of a job, with heartbeats: they show the engine that this process is alive, and this
// process whether the task is still wanted.
func task[T any](ctx context.Context, w *Worker, j *Job,
	do func(ctx context.Context, files store.Files) (T, error),
) (T, error) {
	var none T
	if j.Program != w.Program {
		return none, final(usage.Errorf("this worker is %s, the search is of %s", w.Program, j.Program), 1)
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		for tick := time.NewTicker(j.lost() / 4); ; {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
				activity.RecordHeartbeat(ctx)
			}
		}
	}()
	files, attempt := w.Files.In(ctx, j.Folder), activity.GetInfo(ctx).Attempt
	result, err := do(ctx, files)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return none, ctx.Err()
	case !errors.As(err, new(*usage.Error)):
		if other := owned(files, j); errors.As(other, new(*usage.Error)) { // its files were removed
			err = other
		}
		if _, nowhere := read(files, placeFile); store.Missing(nowhere) && attempt >= missingAttempts {
			err = usage.Errorf("%s: the --files of a worker are not those of check, or were removed: all "+
				"processes of a cluster have the same", j.Folder)
		}
	}
	return result, final(err, attempt)
}

// with calls do with an expander for the model of a job.
func (w *Worker) with(files store.Files, j *Job, do func(*explore.Expander) error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.expander == nil || w.expander.Model() != j.Model || w.keepGoing != j.Limits.KeepGoing {
		if w.expander != nil {
			w.expander.Free()
			w.expander = nil
		}
		in, err := instantiate(files, j)
		if err != nil {
			return err
		}
		e, err := explore.NewExpander(in, explore.Options{
			Properties: j.Properties, KeepGoing: j.Limits.KeepGoing, Workers: w.Workers, Memory: w.Memory,
			Store: explore.Store{Kind: explore.Disk}, Reduce: j.Reduce,
		})
		if err != nil {
			return err
		}
		if e.Model() != j.Model {
			e.Free()
			return usage.Errorf("the model %s of this worker is not the one of the search", j)
		}
		w.expander, w.keepGoing = e, j.Limits.KeepGoing
	}
	return do(w.expander)
}

// An Outcome is the result of an expansion.
type Outcome struct {
	store.Expanded
	// Stopped is the reason that the search cannot go on, a sentence; "": it can. AtFault: the model is at
	// fault.
	Stopped string `json:"stopped,omitempty"`
	AtFault bool   `json:"at-fault,omitempty"`
}

// Expand does an expansion.
func (w *Worker) Expand(ctx context.Context, j Job, t store.Expansion) (Outcome, error) {
	return task(ctx, w, &j, func(ctx context.Context, files store.Files) (o Outcome, err error) {
		err = w.with(files, &j, func(e *explore.Expander) (err error) {
			o, err = expand(ctx, e, files, t)
			return err
		})
		return o, err
	})
}

func expand(
	ctx context.Context, e *explore.Expander, files store.Files, t store.Expansion,
) (o Outcome, err error) {
	o.Expanded, err = e.Expand(ctx, files, t)
	if why := e.Stopped(); err != nil && ctx.Err() == nil && why != "" {
		o.Stopped, o.AtFault = why, errors.As(err, new(*model.Error))
		return o, nil
	}
	return o, err
}

// aloneFor is the time that one worker works alone before the search is saved: about as much work is lost
// with the worker.
const aloneFor = 10 * time.Second

// Alone goes on with a search while its levels are small: tasks for several workers would take longer than
// the levels themselves. It removes no file, because it may be done twice.
func (w *Worker) Alone(ctx context.Context, j Job, at *store.Search) (*End, error) {
	return task(ctx, w, &j, func(ctx context.Context, files store.Files) (*End, error) {
		all, begun := &End{Search: at}, time.Now()
		err := w.with(files, &j, func(e *explore.Expander) error {
			many := max(w.workers(), 16) // the files are small: merges mostly wait for them
			for all.Stopped == "" && !at.Exhausted() && small(&j, at) && time.Since(begun) < aloneFor {
				x, err := j.level(at, 1,
					func(tasks []store.Expansion) ([]Outcome, error) {
						o, err := expand(ctx, e, files, tasks[0])
						return []Outcome{o}, err
					},
					func(tasks []store.Merging) ([]store.Merged, error) {
						return atOnce(ctx, files, many, tasks)
					})
				if err != nil {
					return err
				}
				all.Stopped, all.Failed = x.Stopped, x.Failed
				all.Obsolete = append(all.Obsolete, x.Obsolete...)
			}
			return nil
		})
		return all, err
	})
}

// atOnce does merges, at most the given number at the same time.
func atOnce(ctx context.Context, files store.Files, most int, tasks []store.Merging) ([]store.Merged, error) {
	results, errs := make([]store.Merged, len(tasks)), make([]error, len(tasks))
	inParallel(most, len(tasks), func(i int) { results[i], errs[i] = store.Merge(ctx, files, tasks[i]) })
	return results, cmp.Or(errs...)
}

// inParallel calls do for each number below n, at most the given number of times at once.
func inParallel(most, n int, do func(i int)) {
	free := make(chan struct{}, most)
	var all sync.WaitGroup
	for i := range n {
		free <- struct{}{}
		all.Go(func() {
			do(i)
			<-free
		})
	}
	all.Wait()
}

func (w *Worker) workers() int { return cmp.Or(w.Workers, runtime.GOMAXPROCS(0)) }

// Merge does merges, as many at the same time as the worker has goroutines.
func (w *Worker) Merge(ctx context.Context, j Job, ts []store.Merging) ([]store.Merged, error) {
	return task(ctx, w, &j, func(ctx context.Context, files store.Files) ([]store.Merged, error) {
		return atOnce(ctx, files, w.workers(), ts)
	})
}

// Begin returns the search whose files are in the folder of the job, or a new one, and makes the engine of
// the job its owner. It reads all files once: they may be of a copy that was made while the search went on.
func (w *Worker) Begin(ctx context.Context, j Job) (*store.Search, error) {
	unowned := j
	unowned.Owner = "" // until it is written
	return task(ctx, w, &unowned, func(ctx context.Context, files store.Files) (*store.Search, error) {
		if _, err := begun(files, &j); err != nil {
			return nil, err
		}
		if err := write(files, ownerFile, []byte(j.Owner)); err != nil {
			return nil, err
		}
		at, err := begun(files, &j) // the owner before may have saved more
		if err != nil {
			return nil, err
		}
		each := func(n int, do func(int)) { inParallel(w.workers(), n, do) }
		return at, at.Verify(ctx, files, each, func(int) {})
	})
}

// begun loads the search of a job. A new one is saved at once: late tasks of a search that was begun with
// other shards would harm it.
func begun(files store.Files, j *Job) (*store.Search, error) {
	if _, err := read(files, placeFile); err != nil {
		return nil, err
	}
	at, err := store.Load(files)
	if store.Missing(err) {
		at = store.NewSearch(j.Model, j.Shards)
		at.About = j.About
		err = at.Save(files)
	}
	switch {
	case err != nil:
		return nil, err
	case at.Model != j.Model || at.Shards == 0:
		return nil, usage.Errorf("the search %s is of a model that was changed since, or asks for other "+
			"properties", j.Folder)
	case programOf(at.About) != programOf(j.About):
		return nil, usage.Errorf("the search %s was begun by %s; this is %s, which may count otherwise",
			j.Folder, programOf(at.About), programOf(j.About))
	}
	return at, nil
}

// ownerFile is the name of the file with the Job.Owner of the last search that began in a folder. The engine
// knows no other engine, and locks of files do not reach all places of files.
const ownerFile = "owner"

// placeFile is the name of a file that check writes into the folder of a search, so that a worker whose
// --files are another place does not begin it there.
const placeFile = "place"

// owned returns a *usage.Error if another engine has begun a search in the folder of the job since.
func owned(files store.Files, j *Job) error {
	owner, err := read(files, ownerFile)
	if err == nil && j.Owner != "" && string(owner) != j.Owner {
		err = usage.Errorf("another engine has taken over the search %s in these --files: it ended here",
			j.Folder)
	}
	return err
}

// programOf returns the program that began a search.
func programOf(about json.RawMessage) string {
	var kept struct{ Program string }
	_ = json.Unmarshal(about, &kept) // "" if it is not JSON
	return kept.Program
}

// Save saves the search, and removes files that it does not need any more.
func (w *Worker) Save(ctx context.Context, j Job, at *store.Search, obsolete []string) error {
	_, err := task(ctx, w, &j, func(_ context.Context, files store.Files) (none struct{}, err error) {
		if err := owned(files, &j); err != nil {
			return none, err
		}
		if err := at.Save(files); err != nil {
			return none, err
		}
		for _, name := range obsolete {
			if err := files.Remove(name); err != nil {
				return none, err
			}
		}
		return none, nil
	})
	return err
}
