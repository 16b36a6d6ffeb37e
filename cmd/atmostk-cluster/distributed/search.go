package distributed

import (
	"errors"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/atmostk/atmostk/explore/store"
)

// historyEvents is after how many events of its history a search goes on as a new one. The engine reads
// the history again wherever the workflow is taken up, and refuses more than some 50,000 events. To begin
// anew with every level would cost searches whose levels are small two more tasks for each of them.
const historyEvents = 2000

// An End is what a search ended with.
type End struct {
	Search *store.Search `json:"search"`
	// Stopped is why, a sentence; "": no state is left to be expanded.
	Stopped string `json:"stopped,omitempty"`
	// Failed is the expansion in which the model was found to be at fault; nil: none.
	Failed *store.Expansion `json:"failed,omitempty"`
}

// A Standing is how far a search is: the answer to the query "standing".
type Standing struct {
	Job     Job     `json:"job"`
	Levels  []int64 `json:"levels"`
	Counts  Counted `json:"counts"`
	Bytes   int64   `json:"bytes"`
	Doing   string  `json:"doing"` // what is done at present
	Tasks   int     `json:"tasks"` // of that
	Done    int     `json:"done"`  // of these
	Seconds float64 `json:"seconds"`
}

// Counted are the counts that somebody who waits wants to see.
type Counted struct {
	Generated int64 `json:"generated"`
	Violated  bool  `json:"violated"`
}

// standingQuery is the name of the query for a Standing.
const standingQuery = "standing"

// cancelled is why a search stopped that somebody cancelled.
const cancelled = "cancelled"

// A searching is a search under way.
type searching struct {
	job      Job
	at       *store.Search
	standing Standing
	begun    time.Time
	before   float64 // seconds spent before
	end      End
}

// Search is the workflow: it explores all states, level by level. at is how far it is; nil: it begins, or
// goes on from what is saved.
func Search(ctx workflow.Context, j Job, at *store.Search) (*End, error) {
	s := &searching{job: j, begun: workflow.Now(ctx), standing: Standing{Job: j, Doing: "beginning"}}
	if err := workflow.SetQueryHandler(ctx, standingQuery, func() (Standing, error) {
		return s.standing,
			nil
	}); err != nil {
		return nil, err
	}
	ctx = workflow.WithActivityOptions(ctx, activities(&j))
	if at == nil {
		if err := workflow.ExecuteActivity(ctx, (*Worker).Begin, j).Get(ctx, &at); err != nil {
			return s.stopped(err)
		}
	}
	s.at, s.before = at, at.Seconds
	for s.end.Stopped == "" && !s.at.Exhausted() {
		s.stand(ctx)
		if s.end.Stopped = j.Limits.Over(s.at); s.end.Stopped != "" {
			break
		}
		if workflow.GetInfo(ctx).GetCurrentHistoryLength() > historyEvents {
			return nil, workflow.NewContinueAsNewError(ctx, Search, j, s.at)
		}
		next := s.level
		if small(&j, s.at) {
			next = s.alone
		}
		if err := next(ctx); err != nil {
			return s.stopped(err)
		}
	}
	s.stand(ctx)
	s.end.Search = s.at
	return &s.end, nil
}

// stopped ends a search at an error. To be cancelled is none: what was finished is saved.
func (s *searching) stopped(err error) (*End, error) {
	if !temporal.IsCanceledError(err) || s.at == nil {
		return nil, err
	}
	s.end.Search, s.end.Stopped = s.at, cancelled
	return &s.end, nil
}

// small reports whether one worker alone does the present level.
func small(j *Job, at *store.Search) bool {
	return at.Level() == 0 || at.Levels[at.Level()-1] <= j.Small
}

// activities are the options of all tasks. A task that a worker was lost with is tried again as often as
// needed.
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

// stand brings what is told of the search up to date.
func (s *searching) stand(ctx workflow.Context) {
	s.at.Seconds = s.before + workflow.Now(ctx).Sub(s.begun).Seconds()
	s.standing = Standing{
		Job: s.job, Levels: s.at.Levels, Bytes: s.at.Bytes(), Seconds: s.at.Seconds,
		Counts: Counted{s.at.Counts.Generated, s.at.Violated()},
	}
}

// doing notes what is done next.
func (s *searching) doing(what string, tasks int) {
	s.standing.Doing, s.standing.Tasks, s.standing.Done = what, tasks, 0
}

// ended notes that a task is done.
func (s *searching) ended() { s.standing.Done++ }

// alone has one worker go on.
func (s *searching) alone(ctx workflow.Context) error {
	s.doing("a worker alone", 1)
	var x Reached
	if err := workflow.ExecuteActivity(ctx, (*Worker).Alone, s.job, s.at).Get(ctx, &x); err != nil {
		return err
	}
	s.at, s.end.Stopped, s.end.Failed = x.Search, x.Stopped, x.Failed
	return s.save(ctx, x.Obsolete)
}

// level has the present level expanded and the next one merged.
func (s *searching) level(ctx workflow.Context) error {
	states := s.at.Levels[s.at.Level()-1]
	expansions := s.job.Limits.Plan(s.at, s.job.tasks(states, expansionStates))
	s.doing("expanding", len(expansions))
	outcomes, err := each[store.Expansion, Outcome](ctx, &s.job, (*Worker).Expand, expansions, s.ended)
	if err != nil {
		return err
	}
	done := make([]store.Expanded, len(outcomes))
	var expanded int64
	for i, o := range outcomes {
		if o.Stopped != "" {
			s.end.Stopped = o.Stopped
			if o.AtFault {
				s.end.Failed = &expansions[i]
			}
			return nil
		}
		done[i] = o.Expanded
		expanded += o.Counts.Expanded
	}
	if expanded != states && !expansions[0].JudgeOnly {
		return contradiction("level %d has %d states, and %d were expanded", s.at.Level(), states, expanded)
	}
	if s.end.Stopped = s.job.Limits.Stops(s.at, done); s.end.Stopped != "" {
		return s.save(ctx, nil)
	}
	tasks := s.at.Mergings(done)
	groups := grouped(tasks, s.job.tasks(s.at.States()+states, mergeStates))
	s.doing("merging", len(groups))
	merged, err := each[[]store.Merging, []store.Merged](ctx, &s.job, (*Worker).Merge, groups, s.ended)
	if err != nil {
		return err
	}
	all := make([]store.Merged, 0, len(tasks))
	for _, m := range merged {
		all = append(all, m...)
	}
	obsolete := s.at.Advance(done, tasks, all)
	if tasks := s.at.Compactings(); tasks != nil {
		groups := grouped(tasks, len(tasks))
		s.doing("compacting", len(groups))
		runs, err := each[[]store.Compacting, []store.Run](ctx, &s.job, (*Worker).Compact, groups, s.ended)
		if err != nil {
			return err
		}
		for i, t := range tasks {
			obsolete = append(obsolete, s.at.Replace(t, runs[i][0])...)
		}
	}
	return s.save(ctx, obsolete)
}

// save saves how far the search is.
func (s *searching) save(ctx workflow.Context, obsolete []string) error {
	s.stand(ctx)
	return workflow.ExecuteActivity(ctx, (*Worker).Save, s.job, s.at, obsolete).Get(ctx, nil)
}

// grouped divides tasks into at most so many groups.
func grouped[T any](tasks []T, most int) (groups [][]T) {
	n := min(most, len(tasks))
	for i := range n {
		groups = append(groups, tasks[i*len(tasks)/n:(i+1)*len(tasks)/n])
	}
	return groups
}

// each has all tasks done, and returns what came of them in their order; ended is called with each. The first
// error in this order is the one that is told. Where it is that somebody cancelled them there are results of
// those that were done before.
func each[T, R any](
	ctx workflow.Context, j *Job, activity any, tasks []T, ended func(),
) ([]R, error) {
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
				cancel() // the others would be done for nothing
			}
			ended()
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
