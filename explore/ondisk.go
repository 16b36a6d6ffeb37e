package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// diskShards is how many shards a search on disk has by default.
const diskShards = 16

// saveEvery is how often a search on disk is saved, at the end of a level: to have each of thousands of small
// levels written to the disk would take longer than to search them.
const saveEvery = time.Second

// An onDisk is a search whose states are in files.
type onDisk struct {
	*Expander
	ctx      context.Context
	opt      Options
	dir      store.Dir
	at       *store.Search
	begun    time.Time
	before   float64 // seconds spent by those who searched before
	saved    time.Time
	fresh    []string // files that are not known to be on the disk
	obsolete []string // files that nobody needs once the search is saved
	output   string   // folder of the candidates that are being written
	shown    time.Time
	most     int64 // bytes of files
	memory   int64
}

// ErrRemoved is wrapped by the error of a search whose files were removed while it ran.
var ErrRemoved = errors.New("a file of the search was removed while it ran")

// removed makes an error that a file is missing one of a file that was removed: all files that a search
// goes on with were read when it began.
func removed(err error) error {
	if store.Missing(err) {
		err = fmt.Errorf("%w: %w", ErrRemoved, err)
	}
	return err
}

// runOnDisk is Run, with the Disk store.
func runOnDisk(ctx context.Context, in model.Instance, opt Options) (*Report, error) {
	e, err := NewExpander(in, opt)
	if err != nil {
		return nil, err
	}
	defer e.Free()
	e.s.opt.abandonable(false)
	d := &onDisk{Expander: e, ctx: ctx, opt: opt, dir: store.Dir(opt.Store.Dir), begun: time.Now()}
	e.progress, e.scratch = func() { d.show(0, 0) }, d.dir
	release, err := held(d.dir, opt.Store.Resume)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := d.open(); err != nil {
		return nil, err
	}
	stopped, err := d.levels()
	var mistake *model.Error
	switch {
	case store.Missing(err): // nothing is left to go on with
		return nil, removed(err)
	case err != nil && !errors.As(err, &mistake):
		_, _ = d.dir.Remove(d.output), d.save(true) // what was finished, if there is room
		return nil, err
	}
	r, err := d.conclude(stopped)
	return r, removed(err)
}

// held keeps the directory of a search from other processes.
func held(dir store.Dir, resume bool) (release func(), err error) {
	release, err = dir.Hold(!resume)
	var other *store.HeldError
	switch {
	case resume && store.Missing(err):
		return nil, noSearch(dir)
	case errors.As(err, &other):
		return nil, usage.Errorf("%v", other)
	}
	return release, err
}

func noSearch(dir store.Dir) error { return usage.Errorf("there is no search in %s", dir) }

func otherModel(dir store.Dir) error {
	return usage.Errorf("the search in %s is of a model that was changed since, or asks for other properties",
		dir)
}

// present loads the search in a directory, which has to be there if it is resumed, and must not be there if
// not: nil then.
func present(dir store.Dir, resume bool) (*store.Search, error) {
	at, err := store.Load(dir)
	switch missing := store.Missing(err); {
	case missing && resume:
		return nil, noSearch(dir)
	case missing:
		return nil, nil
	case err == nil && !resume:
		return nil, usage.Errorf("there is a search in %s already: resume goes on with it; another one "+
			"needs another directory", dir)
	}
	return at, err
}

// open loads the search that is in the directory, or begins one.
func (d *onDisk) open() (err error) {
	d.at, err = present(d.dir, d.opt.Store.Resume)
	switch {
	case err != nil:
		return err
	case d.at == nil:
		shards := d.opt.Store.Shards
		if shards == 0 {
			shards = diskShards
		}
		d.at = store.NewSearch(d.digest, shards)
		d.at.About, d.at.Bits = d.opt.Store.About, d.opt.Store.bits()
		d.at.Founders = cmp.Or(d.opt.Store.founders, d.at.Founders)
		return removed(d.save(false))
	case d.at.Model != d.digest:
		return otherModel(d.dir)
	}
	d.before, d.saved = d.at.Seconds, time.Now()
	err = d.at.Verify(d.ctx, d.dir, func(n int, do func(int)) {
		d.s.workers.run(n, func(_, i int) { do(i) })
	})
	if d.ctx.Err() != nil {
		return nil // it stops before its first level
	}
	return err
}

// levels visits the states level by level, and returns why it stopped; "" if no state is left.
func (d *onDisk) levels() (stopped string, err error) {
	for !d.at.Exhausted() {
		if stopped = d.limit(); stopped != "" {
			break
		}
		if stopped, err = d.level(); err != nil || stopped != "" {
			break
		}
	}
	if err == nil && d.s.mistake == nil {
		err = d.save(d.at.Frontier != nil) // what is complete is told now, and not gone on with
	}
	return stopped, err
}

// limit returns why the search has to stop before the next level; "" if it need not.
func (d *onDisk) limit() string {
	d.s.ctx = d.ctx
	return cmp.Or(d.s.interruption(atExpansion), d.limits().Over(d.at))
}

// limits are those of the options.
func (d *onDisk) limits() store.Limits {
	return store.Limits{KeepGoing: d.opt.KeepGoing, MaxStates: d.opt.MaxStates, MaxDepth: d.opt.MaxDepth}
}

// level expands the present level, and goes on to the next. If it stops within, that is as if it had not
// begun, but that counts and finds remain where all states of the level were judged.
func (d *onDisk) level() (stopped string, err error) {
	task := d.limits().Plan(d.at, 1)[0]
	d.output = task.Output
	if err := d.dir.Remove(d.output); err != nil { // what a process has left there that was killed
		return "", err
	}
	d.stand()
	d.s.opt.abandonable(true)
	x, err := d.Expand(d.ctx, d.dir, task)
	d.s.opt.abandonable(false)
	d.memory = max(d.memory, d.s.memory()+d.bytes())
	switch why := d.s.interruption(atExpansion); {
	case err != nil && d.s.mistake != nil:
		return atFault, err
	case err != nil && why != "":
		return why, d.dir.Remove(d.output)
	case errors.Is(err, errStopped):
		return d.s.report.Stopped, nil
	case err != nil:
		return "", err
	}
	if d.at.Level() > 0 && d.loaded != d.at.Levels[d.at.Level()-1] {
		return "", fmt.Errorf("%w: level %d has %d states, and %d were read", ErrInternal, d.at.Level(),
			d.at.Levels[d.at.Level()-1], d.loaded)
	}
	if stopped = d.limits().Stops(d.at, []store.Expanded{x}); stopped != "" {
		return stopped, nil
	}
	return d.advance(x)
}

// stand keeps how the search stands between two levels.
func (d *onDisk) stand() {
	s := d.s
	if s.opt.supervisor == nil {
		return
	}
	c := &d.at.Counts
	between := search{opt: s.opt, finds: make([]find, len(s.finds))}
	between.report = Report{
		Store: Disk, Actions: s.report.Actions, NotAsked: s.report.NotAsked, States: d.at.States(),
		Generated: c.Generated, Depth: len(d.at.Levels), Levels: d.at.Levels, Outside: c.Outside,
		Beyond: c.Beyond, Pruned: c.Pruned, Stuck: c.Stuck, StuckDepth: c.StuckDepth, Quiet: c.Quiet,
		Fired: c.Fired, Memory: d.memory, Disk: d.at.Bytes(),
		StateBytes: bytesPerState(d.at),
	}
	for _, f := range d.at.Finds {
		between.finds[f.Property].known = true
	}
	between.stand()
}

// advance merges the runs of candidates with what was visited.
func (d *onDisk) advance(x store.Expanded) (stopped string, err error) {
	done := []store.Expanded{x}
	tasks := d.at.Mergings(done)
	merged, errs := make([]store.Merged, len(tasks)), make([]error, len(tasks))
	var ended atomic.Int64
	d.s.workers.run(len(tasks), func(worker, i int) {
		merged[i], errs[i] = store.Merge(d.ctx, d.dir, tasks[i])
		if n := ended.Add(1); worker == 0 {
			d.show(int(n), len(tasks))
		}
	})
	if err := cmp.Or(errs...); err != nil {
		for _, t := range tasks {
			// the error is told, not those that it leads to
			_, _ = d.dir.Remove(t.Frontier), d.dir.Remove(t.Codes)
		}
		return d.interrupted(err)
	}
	total := d.at.Bytes()
	for _, r := range x.Runs {
		total += r.Bytes
	}
	for i, m := range merged {
		total += m.Frontier.Bytes + m.Codes.Bytes
		if m.Codes.States > 0 {
			d.fresh = append(d.fresh, tasks[i].Frontier, tasks[i].Codes)
		}
	}
	d.most = max(d.most, total, d.at.Bytes()+d.Expander.most)
	d.obsolete = append(d.obsolete, d.at.Advance(done, tasks, merged)...)
	for _, t := range d.at.Compactings() {
		run, err := store.Compact(d.ctx, d.dir, t)
		if err != nil {
			return d.interrupted(err)
		}
		d.fresh = append(d.fresh, run.Name)
		d.obsolete = append(d.obsolete, d.at.Replace(t, run)...)
		d.show(len(tasks), len(tasks))
	}
	if time.Since(d.saved) < saveEvery {
		return "", nil
	}
	return "", d.save(true)
}

// interrupted returns why work was interrupted, if that is the reason for an error.
func (d *onDisk) interrupted(err error) (stopped string, _ error) {
	if why := d.s.interruption(atExpansion); why != "" {
		return why, nil
	}
	return "", err
}

// save saves the search, so that a crash of the system does no harm if that is wanted, and removes what it
// does not need.
func (d *onDisk) save(lasting bool) error {
	d.fresh = slices.DeleteFunc(d.fresh, func(name string) bool { return slices.Contains(d.obsolete, name) })
	if lasting {
		if err := d.dir.Sync(d.fresh); err != nil {
			return err
		}
	}
	d.at.Seconds = d.before + time.Since(d.begun).Seconds()
	if err := d.at.Save(d.dir); err != nil {
		return err
	}
	for _, name := range d.obsolete {
		if err := d.dir.Remove(name); err != nil {
			return err
		}
	}
	d.fresh, d.obsolete, d.saved = nil, nil, time.Now()
	return nil
}

// show tells how far the search is, with the number of shards that are merged of so many; of none while
// states are expanded.
func (d *onDisk) show(merged, merging int) {
	if d.opt.Progress == nil || time.Since(d.shown) < 100*time.Millisecond {
		return
	}
	d.shown = time.Now()
	shot := Snapshot{
		States: d.at.States(), Generated: d.at.Counts.Generated + d.s.report.Generated, Level: d.at.Level(),
		Levels: d.at.Levels,
		Memory: d.s.memory() + d.bytes(), Disk: d.at.Bytes(), Elapsed: d.elapsed(),
		Merged: merged, Merging: merging,
	}
	if level := d.at.Level(); level > 0 && merging == 0 {
		shot.Frontier = int(d.at.Levels[level-1] - d.s.expanded)
	}
	d.opt.Progress(shot)
}

func (d *onDisk) elapsed() time.Duration {
	return time.Duration(d.before*float64(time.Second)) + time.Since(d.begun)
}

// conclude makes the report.
func (d *onDisk) conclude(stopped string) (*Report, error) {
	r, err := d.Report(d.ctx, d.dir, d.at, stopped)
	if err != nil {
		return nil, err
	}
	r.Elapsed, r.Memory, r.Disk = d.elapsed(), d.memory, max(d.most, r.Disk)
	return r, nil
}
