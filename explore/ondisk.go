package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// diskShards is how many shards a search on disk has.
const diskShards = 16

// An onDisk is a search whose states are in files of a directory. It can be saved between two levels.
type onDisk struct {
	*Expander
	*store.Search
	dir    store.Dir
	ctx    context.Context
	memory int64
	most   int64 // bytes of files: the peak
	read   int64 // bytes of files, while they are read to resume the search

	begun, shown, saved time.Time
	before              float64  // seconds spent before it was resumed
	synced              []string // the files of the saved search, which were synced to the disk
}

// saveEvery is the least time between two saves of a search on disk, at ends of levels: a sync after each of
// thousands of small levels would take longer than the search.
const saveEvery = time.Second

// ErrRemoved is wrapped by the error of a search whose files were removed while it ran.
var ErrRemoved = errors.New("a file of the search was removed while it ran")

// removed wraps an error about a missing file in ErrRemoved: when a search is resumed, all its files are read
// first, so the file existed.
func removed(err error) error {
	if store.Missing(err) {
		err = fmt.Errorf("%w: %w", ErrRemoved, err)
	}
	return err
}

// runOnDisk is run, with the Disk store.
func runOnDisk(ctx context.Context, in model.Instance, opt Options) (*Report, error) {
	if runtime.GOOS == "js" { // a constant, so that the program for browsers has no disk store
		return nil, usage.Errorf("%s: a browser has no disk", usage.Option("store"))
	}
	dir, now := store.Dir(opt.Store.Dir), time.Now()
	e, err := newExpander(ctx, in, opt, dir)
	if err != nil {
		return nil, err
	}
	defer e.Free()
	e.s.opt.setAbandonable(false)
	d := &onDisk{Expander: e, dir: dir, ctx: ctx, begun: now, saved: now}
	e.progress = func() { d.show(0, 0) }
	release, err := dir.Hold(opt.Store.Resume)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := d.open(); err != nil {
		return nil, err
	}
	stopped, err := d.levels()
	if err != nil && !errors.As(err, new(*model.Error)) {
		if !store.Missing(err) { // it can be resumed
			_ = d.save(true) // the finished levels, if the disk has room
		}
		return nil, removed(err)
	}
	r, err := d.Report(ctx, dir, d.Search, stopped)
	if err == nil {
		r.Elapsed, r.Memory, r.Disk = d.elapsed(), d.memory, max(d.most, r.Disk)
	}
	return r, removed(err)
}

// open loads the search in the directory, or begins a new one.
func (d *onDisk) open() error {
	at, err := d.dir.Find(d.digest, d.opt.Store.Resume)
	if err != nil {
		return err
	}
	if at == nil {
		d.Search = store.NewSearch(d.digest, cmp.Or(d.s.hooks.shards, diskShards))
		d.About = d.opt.Store.About
		return removed(d.save(false))
	}
	d.Search, d.before, d.synced = at, at.Seconds, at.Names()
	var read atomic.Int64
	var showing sync.Mutex
	err = at.Verify(d.ctx, d.dir, func(n int, do func(int)) {
		d.s.workers.run(n, func(_, i int) { do(i) })
	}, func(bytes int) {
		if n := read.Add(int64(bytes)); showing.TryLock() {
			d.read = n
			d.show(0, 0)
			showing.Unlock()
		}
	})
	if d.read = 0; d.ctx.Err() != nil { // it stops before its first level
		return nil
	}
	return cmp.Or(err, d.dir.Keep(d.Names())) // a killed process may have left files
}

// levels visits the states level by level, and returns the reason that it stopped; "": no state is left. An
// unfinished level counts as not begun, unless all of its states were judged: see store.Limits.Next.
func (d *onDisk) levels() (stopped string, err error) {
	limits := store.Limits{KeepGoing: d.opt.KeepGoing, MaxStates: d.opt.MaxStates, MaxDepth: d.opt.MaxDepth}
	for !d.Exhausted() && stopped == "" && err == nil {
		d.s.ctx = d.ctx
		if stopped = d.s.interruption(atExpansion); stopped != "" {
			break
		}
		stopped, _, err = limits.Next(d.Search, 1, store.Tasks{Expand: d.expand, Merge: d.merge})
		why := d.s.interruption(atExpansion)
		switch {
		case err != nil && d.s.mistake == nil && why != "":
			stopped, err = why, nil
		case err == nil && stopped == "" && time.Since(d.saved) >= saveEvery:
			err = d.save(true)
		}
	}
	if err == nil && d.s.mistake == nil {
		err = d.save(d.Frontier != nil) // a complete search is reported now, and not resumed
	}
	return stopped, err
}

// expand expands the current level, which is one task.
func (d *onDisk) expand(tasks []store.Expansion) (done []store.Expanded, stopped string, err error) {
	if tasks[0].Ends == nil {
		d.recount(d.Search)
		d.s.recordProgress()
	}
	d.s.opt.setAbandonable(true)
	x, err := d.Expand(d.ctx, d.dir, tasks[0])
	s := d.s // it may be another one
	s.opt.setAbandonable(false)
	d.memory = max(d.memory, s.memory()+d.level.Bytes())
	switch why := s.interruption(atExpansion); {
	case err == nil:
	case s.mistake != nil:
		return nil, atFault, err
	case why != "" || errors.Is(err, errStopped):
		return nil, cmp.Or(why, s.report.Stopped), nil
	}
	return []store.Expanded{x}, "", err
}

// merge does the merges, with all workers.
func (d *onDisk) merge(tasks []store.Merging) ([]store.Merged, error) {
	merged, errs := make([]store.Merged, len(tasks)), make([]error, len(tasks))
	var ended atomic.Int64
	d.s.workers.run(len(tasks), func(worker, i int) {
		merged[i], errs[i] = store.Merge(d.ctx, d.dir, tasks[i])
		if n := ended.Add(1); worker == 0 {
			d.show(int(n), len(tasks))
		}
	})
	err, total := cmp.Or(errs...), d.Bytes()+d.level.Written
	for _, m := range merged {
		total += m.Frontier.Bytes + m.Codes.Bytes
	}
	if err == nil && (len(tasks) == 0 || tasks[0].Frontier != "") { // it does not only compact
		d.most = max(d.most, total, d.Bytes()+d.level.Most)
	}
	return merged, err
}

// elapsed returns the duration of the search, including the time before it was resumed.
func (d *onDisk) elapsed() time.Duration {
	return time.Duration(d.before*float64(time.Second)) + time.Since(d.begun)
}

// save saves the search, and removes all other files. With lasting it syncs the files, so that the saved
// search survives a crash of the system.
func (d *onDisk) save(lasting bool) error {
	if lasting {
		synced := func(name string) bool { return slices.Contains(d.synced, name) }
		room := d.dir.Keep(append(d.Names(), d.synced...)) // for the new one
		if err := cmp.Or(room, d.dir.Sync(slices.DeleteFunc(d.Names(), synced))); err != nil {
			return err
		}
		d.synced = d.Names()
	}
	d.Seconds = d.elapsed().Seconds()
	if err := d.Save(d.dir); err != nil {
		return err
	}
	d.saved = time.Now()
	return d.dir.Keep(d.Names())
}

// show reports the progress: merged of merging merges are finished; merging is 0 while states are expanded.
func (d *onDisk) show(merged, merging int) {
	if d.opt.Progress == nil || time.Since(d.shown) < 100*time.Millisecond {
		return
	}
	d.shown = time.Now()
	shot := Snapshot{
		States: d.States(), Generated: d.Counts.Generated + d.s.counts.Generated, Level: d.Level(),
		Levels: d.Levels, Memory: d.s.memory() + d.level.Bytes(), Disk: d.Bytes(), Elapsed: d.elapsed(),
		Merged: merged, Merging: merging, Read: d.read,
	}
	if level := d.Level(); level > 0 && merging == 0 {
		shot.Frontier = int(d.Levels[level-1] - d.s.counts.Expanded)
	}
	d.opt.Progress(shot)
}

// recount fills the report with the figures of a search between two levels.
func (e *Expander) recount(at *store.Search) {
	s, r := e.s, &e.s.report
	r.Levels, r.Depth, r.States, r.Disk = at.Levels, at.Level(), at.States(), at.Bytes()
	r.StateBytes = int((r.Disk + max(r.States, 1) - 1) / max(r.States, 1)) // rounded up
	s.counts = s.noCounts()
	s.counts.Add(&at.Counts)
	clear(s.finds)
	for i := range at.Finds {
		f := &at.Finds[i]
		s.finds[f.Property] = find{known: true, level: f.Level, coded: f}
	}
}

// Report returns the report of a search. The reason that it stopped is a sentence; "": no state is left to
// expand. If the last expansion met a mistake of the model, the report is about that mistake. Counterexamples
// are found in the files, and executed by the plain semantics. The Expander can do no more expansions.
func (e *Expander) Report(ctx context.Context, files store.Files, at *store.Search, stopped string) (*Report,
	error) {
	// What several processes found is proved by all of it together, and shows what was received at once.
	if e.s.mistake == nil && (stopped == "" && at.Memos != nil || e.opt.Reduce.Movers) {
		x, err := e.Expand(context.WithoutCancel(ctx), files, store.Expansion{Model: at.Model,
			Level: max(at.Level(), 1), Shards: at.Shards, Movers: at.Movers, Memos: at.Memos})
		why := e.Stopped()
		if stopped = cmp.Or(stopped, why); why == "" && (err != nil || x.Again != nil) {
			return nil, cmp.Or(err, fmt.Errorf("%w: a receipt does not commute", ErrInternal))
		}
	}
	s, r := e.s, &e.s.report
	s.ctx, r.Stopped = ctx, stopped
	e.recount(at)
	bytes := r.StateBytes
	if m := s.mistake; m != nil && m.at.known {
		m.at = find{known: true, level: m.at.level, coded: &store.Find{Level: m.at.level,
			State: s.code(m.at.state)}}
	}
	e.files, e.at = files, at
	if stopped == "" {
		var stored int64
		for _, run := range slices.Concat(at.Visited...) {
			stored += run.States
		}
		if stored != r.States || at.Counts.Expanded != r.States {
			return nil, fmt.Errorf("%w: the search ended before it was complete: %d states in files, %d in "+
				"levels, %d expanded",
				ErrInternal, stored, r.States, at.Counts.Expanded)
		}
		s.exhausted = true
		s.exhaust()
	}
	switch mistake, err := s.end(); {
	case err != nil:
		return nil, err
	case mistake != nil:
		return nil, mistake
	}
	r.Elapsed, r.StateBytes = time.Duration(at.Seconds*float64(time.Second)), bytes
	r.unanswered()
	return r, nil
}

// path returns the states of a run to a find: the files give for each level the codes that may be on it, and
// follow selects states that follow each other.
func (e *Expander) path(f *store.Find) ([][]uint32, error) {
	ctx := e.s.ctx
	if ctx.Err() != nil { // what was met before has its run
		ctx = context.WithoutCancel(ctx)
	}
	ancestry, err := e.at.Ancestry(ctx, e.files, f.Level, f.State)
	switch {
	case ctx.Err() != nil:
		return nil, noRoom("a run that leads there was looked for in the files, and " + endedBy(ctx))
	case err != nil:
		return nil, err
	}
	if f.Beyond != nil {
		ancestry = append(ancestry, map[store.Code]bool{*f.Beyond: true})
	}
	return e.s.follow(ancestry)
}
