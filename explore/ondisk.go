package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/disk"
	"github.com/atmostk/atmostk/model"
)

// diskShards is how many shards a search on disk has.
const diskShards = 16

// An onDisk is a search whose states are in files.
type onDisk struct {
	*Expander
	*disk.Search
	ctx    context.Context
	opt    Options
	output string // folder of the candidates that are being written
	shown  time.Time
	memory int64
}

// ErrRemoved is wrapped by the error of a search whose files were removed while it ran.
var ErrRemoved = errors.New("a file of the search was removed while it ran")

// removed makes an error that a file is missing one of a file that was removed: all files of a search
// that is resumed were read when it began.
func removed(err error) error {
	if store.Missing(err) {
		err = fmt.Errorf("%w: %w", ErrRemoved, err)
	}
	return err
}

// runOnDisk is Run, with the Disk store.
func runOnDisk(ctx context.Context, in model.Instance, opt Options) (*Report, error) {
	dir := store.Dir(opt.Store.Dir)
	e, err := newExpander(ctx, in, opt, dir)
	if err != nil {
		return nil, err
	}
	defer e.Free()
	e.s.opt.setAbandonable(false)
	d := &onDisk{Expander: e, ctx: ctx, opt: opt}
	e.progress = func() { d.show(0, 0) }
	release, err := dir.Hold(opt.Store.Resume)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := d.open(dir); err != nil {
		return nil, err
	}
	stopped, err := d.levels()
	switch {
	case store.Missing(err): // it cannot be resumed
		return nil, removed(err)
	case err != nil && !errors.As(err, new(*model.Error)):
		_, _ = dir.Remove(d.output), d.Save(true) // what was finished, if there is room
		return nil, err
	}
	r, err := d.conclude(stopped)
	return r, removed(err)
}

// open loads the search that is in the directory, or begins one.
func (d *onDisk) open(dir store.Dir) error {
	at, err := dir.Find(d.digest, d.opt.Store.Resume)
	if err != nil {
		return err
	}
	if at == nil {
		at = store.NewSearch(d.digest, cmp.Or(d.s.hooks.shards, diskShards))
		at.About = d.opt.Store.About
		d.Search = disk.Resume(dir, at)
		return removed(d.Save(false))
	}
	d.Search = disk.Resume(dir, at)
	err = at.Verify(d.ctx, dir, func(n int, do func(int)) {
		d.s.workers.run(n, func(_, i int) { do(i) })
	})
	if d.ctx.Err() != nil {
		return nil // it stops before its first level
	}
	return err
}

// levels visits the states level by level, and returns why it stopped; "" if no state is left.
func (d *onDisk) levels() (stopped string, err error) {
	for !d.Exhausted() && stopped == "" && err == nil {
		d.s.ctx = d.ctx
		stopped = cmp.Or(d.s.interruption(atExpansion), d.limits().Over(d.Search.Search))
		if stopped == "" {
			stopped, err = d.next()
		}
	}
	if err == nil && d.s.mistake == nil {
		err = d.Save(d.Frontier != nil) // a complete search is reported now, and not resumed
	}
	return stopped, err
}

// limits returns the limits of the options.
func (d *onDisk) limits() store.Limits {
	return store.Limits{KeepGoing: d.opt.KeepGoing, MaxStates: d.opt.MaxStates, MaxDepth: d.opt.MaxDepth}
}

// next expands the present level, and goes on to the next. If it stops within, that is as if it had not
// begun, but that counts and finds remain where all states of the level were judged.
func (d *onDisk) next() (stopped string, err error) {
	s, at := d.s, d.Search.Search
	task := d.limits().Plan(at, 1)[0]
	d.output = task.Output
	if err := d.Dir.Remove(d.output); err != nil { // what a process has left there that was killed
		return "", err
	}
	d.recount(at)
	s.recordProgress()
	s.opt.setAbandonable(true)
	x, err := d.Expand(d.ctx, d.Dir, task)
	s.opt.setAbandonable(false)
	d.memory = max(d.memory, s.memory()+d.level.Bytes())
	switch why := s.interruption(atExpansion); {
	case err != nil && s.mistake != nil:
		return atFault, err
	case err != nil && why != "":
		return why, d.Dir.Remove(d.output)
	case errors.Is(err, errStopped):
		return s.report.Stopped, nil
	case err != nil:
		return "", err
	}
	if n := d.level.Loaded; at.Level() > 0 && n != at.Levels[at.Level()-1] {
		return "", fmt.Errorf("%w: level %d has %d states, and %d were read", ErrInternal, at.Level(),
			at.Levels[at.Level()-1], n)
	}
	if stopped = d.limits().Stops(at, []store.Expanded{x}); stopped != "" {
		return stopped, nil
	}
	err = d.Advance(d.ctx, x, d.level.Most, s.workers.run, d.show)
	if why := s.interruption(atExpansion); err != nil && why != "" {
		return why, nil
	}
	return "", err
}

// show reports the progress, with how many of the shards are merged; of none while states are expanded.
func (d *onDisk) show(merged, merging int) {
	if d.opt.Progress == nil || time.Since(d.shown) < 100*time.Millisecond {
		return
	}
	d.shown = time.Now()
	shot := Snapshot{
		States: d.States(), Generated: d.Counts.Generated + d.s.counts.Generated, Level: d.Level(),
		Levels: d.Levels,
		Memory: d.s.memory() + d.level.Bytes(), Disk: d.Bytes(), Elapsed: d.Elapsed(),
		Merged: merged, Merging: merging,
	}
	if level := d.Level(); level > 0 && merging == 0 {
		shot.Frontier = int(d.Levels[level-1] - d.s.counts.Expanded)
	}
	d.opt.Progress(shot)
}

// conclude makes the report.
func (d *onDisk) conclude(stopped string) (*Report, error) {
	r, err := d.Report(d.ctx, d.Dir, d.Search.Search, stopped)
	if err != nil {
		return nil, err
	}
	r.Elapsed, r.Memory, r.Disk = d.Elapsed(), d.memory, max(d.Most, r.Disk)
	return r, nil
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

// Report returns the report of a search that stopped for a reason, a sentence; "": no state is left to be
// expanded. After an expansion that met a mistake of the model it is about that. Each counterexample is found
// in the files, and executed by the plain semantics. The Expander is of no use for expansions any more.
func (e *Expander) Report(ctx context.Context, files store.Files, at *store.Search, stopped string) (*Report,
	error) {
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
	mistake, err := s.end()
	if err == nil && mistake != nil {
		err = mistake
	}
	if err != nil {
		return nil, err
	}
	r.Elapsed, r.StateBytes = time.Duration(at.Seconds*float64(time.Second)), bytes
	return r, nil
}

// path returns the states on the way to a find: of the states whose codes may be on it those that follow
// each other.
func (e *Expander) path(f *store.Find) ([][]uint32, error) {
	ancestry, err := e.at.Ancestry(e.files, f.Level, f.State)
	if err != nil {
		return nil, err
	}
	if f.Beyond != nil {
		ancestry = append(ancestry, map[store.Code]bool{*f.Beyond: true})
	}
	return e.s.follow(ancestry)
}
