package distributed

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
)

// historyEvents is the number of events after which a search continues as a new workflow. The engine reads
// the history again whenever it resumes the workflow, and refuses more than some 50,000 events. A new
// workflow for each level would cost two more tasks a level.
const historyEvents = 2000

// An End is the state of a search at its end, or after one worker alone has done some levels.
type End struct {
	Search *store.Search `json:"search"`
	// Obsolete are files that are not needed any more after the search is saved.
	Obsolete []string `json:"obsolete,omitempty"`
	// Stopped is the reason that the search stopped, a sentence; "": it did not.
	Stopped string `json:"stopped,omitempty"`
	// Failed is the expansion that met a mistake of the model; nil: none.
	Failed *store.Expansion `json:"failed,omitempty"`
}

// A Standing is the progress of a search: the answer to the query "standing".
type Standing struct {
	Job      Job              `json:"job"`
	Snapshot explore.Snapshot `json:"snapshot"`
}

// String returns the standing as text for people.
func (s *Standing) String() string {
	shot := &s.Snapshot
	seconds := shot.Elapsed.Seconds()
	text := fmt.Sprintf("%s\n%d states in %d levels, the last of %d\n%.1f s, %.0f states/s, %s of files\n",
		&s.Job, shot.States, shot.Level, shot.Frontier, seconds, float64(shot.States)/max(seconds, 0.001),
		explore.Bytes(shot.Disk))
	if e, ok := explore.EstimateOf(shot.Levels); ok {
		text += fmt.Sprintf("some %d states in the end, between %d and %d\n", e.States, e.Low, e.High)
	}
	return text
}

// standingQuery is the name of the query for a Standing.
const standingQuery = "standing"

// cancelled is the value of End.Stopped of a cancelled search.
const cancelled = "cancelled"

// A searching is a running search.
type searching struct {
	job      Job
	at       *store.Search
	standing Standing
	begun    time.Time
	before   float64 // seconds spent before begun
	end      End
}

// Search is the workflow: it explores all states, level by level, starting at the search at; if that is nil,
// at the saved search, or at the initial states.
func Search(ctx workflow.Context, j Job, at *store.Search) (*End, error) {
	j.Owner = cmp.Or(j.Owner, workflow.GetInfo(ctx).FirstRunID)
	s := &searching{job: j, begun: workflow.Now(ctx), standing: Standing{Job: j}}
	answer := func() (Standing, error) { return s.standing, nil }
	if err := workflow.SetQueryHandler(ctx, standingQuery, answer); err != nil {
		return nil, err
	}
	ctx = workflow.WithActivityOptions(ctx, activities(&j))
	if at == nil {
		if err := workflow.ExecuteActivity(ctx, (*Worker).Begin, j).Get(ctx, &at); err != nil {
			return s.stopped(ctx, err)
		}
	}
	s.at, s.before = at, at.Seconds
	for s.end.Stopped == "" && !s.at.Exhausted() {
		s.stand(ctx)
		if workflow.GetInfo(ctx).GetCurrentHistoryLength() > historyEvents {
			return nil, workflow.NewContinueAsNewError(ctx, Search, j, s.at)
		}
		next := s.level
		if small(&j, s.at) {
			next = s.alone
		}
		if err := next(ctx); err != nil {
			return s.stopped(ctx, err)
		}
	}
	s.stand(ctx)
	s.end.Search = s.at
	return &s.end, nil
}

// stopped ends a search at an error. A cancelled search ends without an error: its finished levels are saved.
func (s *searching) stopped(ctx workflow.Context, err error) (*End, error) {
	if !temporal.IsCanceledError(err) || s.at == nil {
		return nil, err
	}
	s.stand(ctx)
	s.end.Search, s.end.Stopped = s.at, cancelled
	return &s.end, nil
}

// small reports whether one worker alone does the current level.
func small(j *Job, at *store.Search) bool {
	return at.Level() == 0 || at.Levels[at.Level()-1] <= j.Small
}

// activities returns the options of all tasks. The task of a lost worker is tried again without a limit.
func activities(j *Job) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		StartToCloseTimeout: 7 * 24 * time.Hour,
		HeartbeatTimeout:    j.lost(),
		WaitForCancellation: false,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: time.Minute,
		},
	}
}

// stand updates the standing of the search.
func (s *searching) stand(ctx workflow.Context) {
	s.at.Seconds = s.before + workflow.Now(ctx).Sub(s.begun).Seconds()
	shot := explore.Snapshot{
		States: s.at.States(), Generated: s.at.Counts.Generated, Level: s.at.Level(), Levels: s.at.Levels,
		Disk: s.at.Bytes(), Elapsed: time.Duration(s.at.Seconds * float64(time.Second)),
	}
	if shot.Level > 0 {
		shot.Frontier = int(shot.Levels[shot.Level-1])
	}
	s.standing = Standing{Job: s.job, Snapshot: shot}
}

// alone makes one worker do the next levels.
func (s *searching) alone(ctx workflow.Context) error {
	var x End
	if err := workflow.ExecuteActivity(ctx, (*Worker).Alone, s.job, s.at).Get(ctx, &x); err != nil {
		return err
	}
	return s.take(ctx, &x)
}

// level makes the workers expand the current level.
func (s *searching) level(ctx workflow.Context) error {
	states := s.at.Levels[s.at.Level()-1]
	x, err := s.job.level(s.at, s.job.tasks(states, expansionStates),
		func(tasks []store.Expansion) ([]Outcome, error) {
			return each[store.Expansion, Outcome](ctx, &s.job, (*Worker).Expand, tasks)
		},
		func(tasks []store.Merging) ([]store.Merged, error) {
			groups := grouped(tasks, s.job.tasks(s.at.States()+states, mergeStates))
			all, err := each[[]store.Merging, []store.Merged](ctx, &s.job, (*Worker).Merge, groups)
			return slices.Concat(all...), err
		})
	if err != nil {
		return err
	}
	return s.take(ctx, x)
}

// take adopts the result of one level or more, and saves it.
func (s *searching) take(ctx workflow.Context, x *End) error {
	s.at, s.end.Stopped, s.end.Failed = x.Search, x.Stopped, x.Failed
	s.stand(ctx)
	return workflow.ExecuteActivity(ctx, (*Worker).Save, s.job, s.at, x.Obsolete).Get(ctx, nil)
}

// level expands the current level, in at most the given number of tasks, and merges the next one. expand and
// merge do the tasks: in one worker, or in all of them through the engine.
func (j *Job) level(at *store.Search, tasks int, expand func([]store.Expansion) ([]Outcome, error),
	merge func([]store.Merging) ([]store.Merged, error),
) (*End, error) {
	end := &End{Search: at}
	var err error
	end.Stopped, end.Obsolete, err = j.Limits.Next(at, tasks, store.Tasks{
		Expand: func(tasks []store.Expansion) (done []store.Expanded, stopped string, err error) {
			outcomes, err := expand(tasks)
			for i, o := range outcomes {
				if o.AtFault {
					end.Failed = &tasks[i]
				}
				if o.Stopped != "" {
					return nil, o.Stopped, err
				}
				done = append(done, o.Expanded)
			}
			return done, "", err
		},
		Merge: merge,
	})
	return end, final(err, 1)
}

// grouped divides tasks into at most the given number of groups.
func grouped[T any](tasks []T, most int) (groups [][]T) {
	n := min(most, len(tasks))
	for i := range n {
		groups = append(groups, tasks[i*len(tasks)/n:(i+1)*len(tasks)/n])
	}
	return groups
}

// each executes all tasks, and returns their results in order, or the first error in this order. After a
// cancellation it also returns the results of finished tasks.
func each[T, R any](ctx workflow.Context, j *Job, activity any, tasks []T) ([]R, error) {
	results, errs := make([]R, len(tasks)), make([]error, len(tasks))
	ctx, cancel := workflow.WithCancel(ctx)
	defer cancel()
	wait := workflow.NewWaitGroup(ctx)
	for i := range tasks {
		future := workflow.ExecuteActivity(ctx, activity, *j, tasks[i])
		wait.Add(1)
		workflow.Go(ctx, func(ctx workflow.Context) {
			defer wait.Done()
			if errs[i] = future.Get(ctx, &results[i]); errs[i] != nil {
				cancel() // the other results would not be used
			}
		})
	}
	wait.Wait(ctx)
	for _, err := range errs {
		if err != nil && !temporal.IsCanceledError(err) {
			return nil, err
		}
	}
	return results, errors.Join(errs...)
}
