package explore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
)

// diskShards is how many shards a search on disk has by default.
const diskShards = 16

// saveEvery is how often a search on disk is saved, at the end of a level: to have each of thousands of small levels
// written to the disk would take longer than to search them.
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
	shown    time.Time
	most     int64 // bytes of files
	memory   int64
}

// runOnDisk is Run, with the Disk store.
func runOnDisk(ctx context.Context, in model.Instance, opt Options) (*Report, error) {
	e, err := NewExpander(in, opt)
	if err != nil {
		return nil, err
	}
	defer e.Free()
	if err := e.s.unfit(); err != nil {
		return nil, err
	}
	d := &onDisk{Expander: e, ctx: ctx, opt: opt, dir: store.Dir(opt.Store.Dir), begun: time.Now()}
	e.progress = d.show
	if err := d.open(); err != nil {
		return nil, err
	}
	stopped, err := d.levels()
	var mistake *model.Error
	if err != nil && !errors.As(err, &mistake) {
		return nil, err
	}
	return d.conclude(stopped)
}

// open loads the search that is in the directory, or begins one.
func (d *onDisk) open() (err error) {
	d.at, err = store.Load(d.dir)
	switch {
	case store.Missing(err) && d.opt.Store.Resume:
		return model.Usage("there is no search in %s", d.dir)
	case store.Missing(err):
		shards := d.opt.Store.Shards
		if shards == 0 {
			shards = diskShards
		}
		d.at = store.NewSearch(d.digest, shards)
		d.at.About = d.opt.Store.About
		return d.save(false)
	case err != nil:
		return err
	case !d.opt.Store.Resume:
		return model.Usage("there is a search in %s already: resume goes on with it; another one needs another directory", d.dir)
	case d.at.Model != d.digest:
		return model.Usage("the search in %s is of a model that was changed since, or asks for other properties", d.dir)
	}
	d.before, d.saved = d.at.Seconds, time.Now()
	return nil
}

// levels visits the states level by level, and returns why it stopped; "" if no state is left.
func (d *onDisk) levels() (stopped string, err error) {
	for d.at.Level() == 0 || d.at.Frontier != nil {
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
	why := d.s.interruption(atRound)
	if why == "" && d.opt.MaxStates > 0 && d.at.States() >= d.opt.MaxStates {
		why = fmt.Sprintf("stopped at the end of the level with the limit of %d states", d.opt.MaxStates)
	}
	return why
}

// level expands the present level, and goes on to the next. If it stops within, that is as if it had not begun, but that
// counts and finds remain where all states of the level were judged.
func (d *onDisk) level() (stopped string, err error) {
	task, last := d.at.First(), false
	if d.at.Level() > 0 {
		task = d.at.Expansions(1)[0]
		last = d.opt.MaxDepth > 0 && d.at.Level() >= d.opt.MaxDepth
		task.JudgeOnly = last
	}
	x, err := d.Expand(d.ctx, d.dir, task)
	d.memory = max(d.memory, d.s.memory()+d.bytes())
	switch why := d.s.interruption(atRound); {
	case err != nil && d.s.mistake != nil:
		return atFault, err
	case err != nil && why != "":
		return why, nil
	case errors.Is(err, ErrStopped):
		return d.s.report.Stopped, nil
	case err != nil:
		return "", err
	}
	if d.at.Level() > 0 && d.loaded != d.at.Levels[d.at.Level()-1] {
		return "", fmt.Errorf("%w: level %d has %d states, and %d were read", ErrInternal, d.at.Level(), d.at.Levels[d.at.Level()-1], d.loaded)
	}
	if last {
		stopped = fmt.Sprintf("stopped at the limit of %d levels", d.opt.MaxDepth)
	} else if d.violated(x.Finds) && !d.opt.KeepGoing {
		stopped = "stopped at the first violation"
	}
	if stopped != "" {
		d.at.Counts.Add(&x.Counts)
		d.at.Note(x.Finds)
		return stopped, nil
	}
	return d.advance(x)
}

// violated reports whether something was found that is not the answer to a question.
func (d *onDisk) violated(finds []store.Find) bool {
	return slices.ContainsFunc(finds, func(f store.Find) bool { return d.s.goals>>f.Property&1 == 0 })
}

// advance merges the runs of candidates with what was visited.
func (d *onDisk) advance(x store.Expanded) (stopped string, err error) {
	done := []store.Expanded{x}
	tasks := d.at.Mergings(done)
	merged, errs := make([]store.Merged, len(tasks)), make([]error, len(tasks))
	d.s.workers.run(len(tasks), func(_, i int) { merged[i], errs[i] = store.Merge(d.ctx, d.dir, tasks[i]) })
	if err := errors.Join(errs...); err != nil {
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
	d.most = max(d.most, total)
	d.obsolete = append(d.obsolete, d.at.Advance(done, tasks, merged)...)
	for _, t := range d.at.Compactings() {
		run, err := store.Compact(d.ctx, d.dir, t)
		if err != nil {
			return d.interrupted(err)
		}
		d.fresh = append(d.fresh, run.Name)
		d.obsolete = append(d.obsolete, d.at.Replace(t, run)...)
	}
	if time.Since(d.saved) < saveEvery {
		return "", nil
	}
	return "", d.save(true)
}

// interrupted returns why work was interrupted, if that is the reason for an error.
func (d *onDisk) interrupted(err error) (stopped string, _ error) {
	if why := d.s.interruption(atRound); why != "" {
		return why, nil
	}
	return "", err
}

// save saves the search, so that a crash of the system does no harm if that is wanted, and removes what it does not need.
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

// show tells how far the search is.
func (d *onDisk) show() {
	if d.opt.Progress == nil || time.Since(d.shown) < 100*time.Millisecond {
		return
	}
	d.shown = time.Now()
	shot := Snapshot{
		States: d.at.States(), Generated: d.at.Counts.Generated + d.s.report.Generated, Level: d.at.Level(),
		Memory: d.s.memory() + d.bytes(), Disk: d.at.Bytes(), Elapsed: d.elapsed(),
	}
	if level := d.at.Level(); level > 0 {
		shot.Frontier = int(d.at.Levels[level-1] - d.s.expanded)
	}
	d.opt.Progress(shot)
}

func (d *onDisk) elapsed() time.Duration {
	return time.Duration(d.before*float64(time.Second)) + time.Since(d.begun)
}

// conclude makes the report.
func (d *onDisk) conclude(stopped string) (*Report, error) {
	s, r, c := d.s, &d.s.report, &d.at.Counts
	s.ctx = d.ctx
	r.Stopped, r.Levels, r.Depth, r.States = stopped, d.at.Levels, d.at.Level(), d.at.States()
	r.Generated, r.Outside, r.Beyond, r.Pruned = c.Generated, c.Outside, c.Beyond, c.Pruned
	r.Stuck, r.StuckDepth, r.Quiet = c.Stuck, c.StuckDepth, c.Quiet
	copy(r.Fired, c.Fired)
	for i, n := range c.Properties {
		r.Properties[i].Count = n
	}
	clear(s.finds)
	for i := range d.at.Finds {
		f := &d.at.Finds[i]
		s.finds[f.Property] = find{known: true, level: f.Level, coded: f}
	}
	if m := s.mistake; m != nil && m.at.known {
		s.space.Encode()
		m.at = find{known: true, level: m.at.level, coded: &store.Find{Level: m.at.level, State: s.space.Code(m.at.state)}}
	}
	s.trace, s.covered = d.retrace, &model.Coverage{Unchanged: c.Unchanged, Unused: c.Unused}
	if stopped == "" {
		var stored int64
		for _, run := range slices.Concat(d.at.Visited...) {
			stored += run.States
		}
		if stored != r.States || c.Expanded != r.States {
			return nil, fmt.Errorf("%w: the search ended before it was complete: %d states in files, %d in levels, %d expanded",
				ErrInternal, stored, r.States, c.Expanded)
		}
		s.exhausted, r.Complete = true, r.Beyond == 0
		if !r.Complete {
			r.Stopped = "complete within bounds: " + s.declared.Bounds()
		}
	}
	mistake, err := s.end()
	if err == nil && mistake != nil {
		err = mistake
	}
	if err != nil {
		return nil, err
	}
	r.Elapsed, r.Memory, r.Disk, r.Omission = d.elapsed(), d.memory, max(d.most, d.at.Bytes()), omission(r.States, 128)
	if r.States > 0 {
		r.StateBytes = int((d.at.Bytes() + r.States - 1) / r.States)
	}
	return r, nil
}

// retrace returns the states on the way to a find: of the states whose codes may be on it those that follow each other.
func (d *onDisk) retrace(f *store.Find) ([][]uint32, error) {
	s := d.s
	lineage, err := d.at.Lineage(d.dir, f.Level, f.State)
	if err != nil {
		return nil, err
	}
	if f.Beyond != nil {
		lineage = append(lineage, map[store.Code]bool{*f.Beyond: true})
	}
	path, err := s.follow(make([][]uint32, 0, len(lineage)), lineage)
	if err == nil && path == nil {
		err = fmt.Errorf("%w: no path to a visited state", ErrInternal)
	}
	return path, err
}

// follow completes a path by states with codes of the lineage, one for each level; nil: there is no such path. The path has
// room for all of them, so that it stays the same one when its states are translated.
func (s *search) follow(path [][]uint32, lineage []map[store.Code]bool) ([][]uint32, error) {
	if len(path) == len(lineage) {
		return path, nil
	}
	for _, next := range slices.SortedFunc(maps.Keys(lineage[len(path)]), store.Compare) {
		v, err := s.successor(path, next, len(path) == len(lineage)-1)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		if whole, err := s.follow(append(path, v), lineage); whole != nil || err != nil {
			return whole, err
		}
	}
	return nil, nil
}

// successor returns the successor of the last state of a path, or the initial state if there is none, that has a code; nil
// if none has. Outside: it may be one that the constraint rejects. If the layout of vectors has to change the path is
// translated.
func (s *search) successor(path [][]uint32, code store.Code, outside bool) ([]uint32, error) {
	var b kernel.Batch
	b.Reset(s.width)
	if len(path) == 0 {
		s.space.Init(&b)
	} else {
		for {
			if _, ok := s.learner.Expand(path[len(path)-1], 0, &b); ok {
				break
			}
			if err := s.learner.Err(); err != nil {
				return nil, err
			}
			translate := s.space.Grow()
			s.width = s.space.Width()
			s.newCursors()
			for i, v := range path {
				path[i] = make([]uint32, s.width)
				translate(path[i], v)
			}
			b.Reset(s.width)
		}
	}
	if last := len(path) - 1; outside && last >= 0 && s.space.Code(path[last]) == code {
		return path[last], nil
	}
	for i := range b.Len() {
		if s.space.Code(b.At(i)) == code {
			return clone(b.At(i)), nil
		}
	}
	for i := range b.Outside.Len() {
		if outside && s.space.Code(b.Outside.At(i)) == code {
			return clone(b.Outside.At(i)), nil
		}
	}
	return nil, nil
}
