package explore

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/compact"
	"github.com/atmostk/atmostk/explore/store/disk"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/movers"
	"github.com/atmostk/atmostk/model/usage"
)

// An Expander does the expansions of a search whose states are in files: see package store. It keeps its
// tables of the model between expansions. Only one goroutine may use it at a time; it starts several itself.
type Expander struct {
	opt      Options
	scratch  store.Files
	s        *search
	level    *disk.Level
	digest   string
	task     store.Expansion
	out      store.Expanded
	met      int64  // number of states expanded, in all tasks
	progress func() // called between expansions
	files    store.Files
	at       *store.Search // the search that Report is about
	memos    []store.Run   // the files of finished levels
	kept     int           // how much of what the space has kept is in memos
	first    movers.Movers // with which searches begin
	movers   movers.Movers // with which the space began
	failed   bool          // the last task failed: the space may have a part of it
}

// errStopped is wrapped by the error of an expansion that reached a limit of the program.
var errStopped = errors.New("the search cannot go on")

// NewExpander prepares expansions of an instance. The caller calls Free at the end. Only the options that
// say what to check, Workers, and Memory as a budget apply. Properties that need the graph of all states are
// an error.
func NewExpander(in model.Instance, opt Options) (*Expander, error) {
	opt.Store.Kind = Disk
	in, err := in.Reduce(opt.Reduce, opt.asked(in.Space.Properties()))
	if err != nil {
		return nil, err
	}
	return newExpander(context.Background(), in, opt, nil)
}

// newExpander prepares expansions that may put states aside in scratch files; nil: they may not.
func newExpander(ctx context.Context, in model.Instance, opt Options, scratch store.Files) (*Expander,
	error) {
	if err := in.Check(); err != nil {
		return nil, err
	}
	e := &Expander{opt: opt, scratch: scratch, progress: func() {}}
	err := e.open(ctx, in)
	e.first = e.movers
	return e, err
}

// open gives the expander an empty space.
func (e *Expander) open(ctx context.Context, in model.Instance) error {
	opt := e.opt
	opt.Memory, opt.MaxStates, opt.MaxDepth, opt.Progress, opt.Store.Kind = 0, 0, 0, nil, Disk
	opt.KeepGoing = true // through the level: see store.Limits
	s, err := newSearch(ctx, in, opt)
	if err != nil {
		return err
	}
	if e.s, e.memos, e.kept = s, nil, 0; e.digest == "" {
		e.digest = digest(in, s.asked, opt.Reduce)
	}
	if opt.Reduce.Movers {
		e.movers = *moversOf(in)
	}
	e.level = disk.New(disk.Host{
		Space: s.space, Model: e.digest, Tables: &s.tables, Scratch: e.scratch, Budget: e.opt.Memory,
		Base: baseline, BatchStates: s.hooks.batch, Workers: s.opt.Workers, Run: s.workers.run,
		Segment: e.segment, Expand: func() error { return s.stopped(s.expandAll()) },
		Coder:    func() func([]uint32) store.Code { return compact.OfFiles(s.space) },
		Outgrown: func() error { s.outgrown(); return s.stopped(nil) },
	})
	s.visited, s.disk, s.behind = e.level, e, 2
	return nil
}

// fit gives the expander an empty space if its own has met what a task must not know: something of another
// search, of another attempt, or of a later level. What is received at once depends on that.
func (e *Expander) fit(ctx context.Context, t *store.Expansion) error {
	n, m := len(e.memos), cmp.Or(t.Movers, &e.first)
	if !e.failed && t.Level >= e.task.Level && n <= len(t.Memos) && slices.Equal(e.memos, t.Memos[:n]) &&
		slices.Equal(m.Levels, e.movers.Levels) && m.Guesses == e.movers.Guesses ||
		!e.opt.Reduce.Dead && !e.opt.Reduce.Movers {
		return nil
	}
	e.s.free()
	e.failed = true // as long as there is no space, and no task was done
	if e.opt.Reduce.Movers {
		is := moversOf(e.s.in)
		is.Levels, is.Obstacles, is.Seen, is.Guesses = m.Levels, m.Obstacles, m.Seen, m.Guesses
	}
	return e.open(ctx, e.s.in)
}

// stopped returns err, or errStopped if err is nil and the search has stopped.
func (s *search) stopped(err error) error {
	if err == nil && s.report.Stopped != "" {
		return errStopped
	}
	return err
}

// Model returns the digest of the model, its parameters and properties; each task has the same.
func (e *Expander) Model() string { return e.digest }

// Stopped returns the reason, a sentence, that the last expansion was not completed: the model is at fault,
// or a limit was reached; "" for an error of files. It is the same on every machine.
func (e *Expander) Stopped() string { return e.s.report.Stopped }

// Free gives the memory back.
func (e *Expander) Free() { e.s.free() }

// Expand does a task. If ctx ends first, the error is its cause. A mistake of the model is a *model.Error.
// A task of another model is an error.
func (e *Expander) Expand(ctx context.Context, files store.Files, t store.Expansion) (x store.Expanded,
	err error) {
	if t.Model != e.digest {
		return x, usage.Errorf("the task belongs to another model, or to other parameters")
	}
	if err := e.fit(ctx, &t); err != nil {
		return x, err
	}
	s := e.s
	if s.in.Until != nil {
		defer s.in.Until(ctx)()
	}
	e.begin(ctx, files, t)
	if mistake := check.Caught(func() { err = e.do(files, &t) }); mistake != nil {
		s.fail(mistake, find{})
	}
	e.failed = err != nil || s.report.Stopped != ""
	if ended := e.level.End(!e.failed && t.Ends == nil); err == nil {
		err = ended
	}
	switch {
	case s.again():
		return store.Expanded{Again: new(*moversOf(s.in))}, nil
	case err != nil && !errors.Is(err, errStopped):
		return x, err
	case s.mistake != nil:
		return x, s.mistake.Error
	case context.Cause(ctx) != nil:
		return x, context.Cause(ctx)
	case s.report.Stopped != "":
		return x, errors.Join(errStopped, errors.New(s.report.Stopped))
	}
	if s.counts.Covered {
		s.addUnmet()
	}
	e.out.Counts, e.out.Runs, e.out.States = s.counts, e.level.Runs, e.level.Loaded
	if fresh := s.space.Kept(e.kept); len(fresh) > 0 && t.Output != "" { // "": for a report
		r, err := store.WriteMemos(files, t.Output, e.digest, t.Level, fresh)
		e.out.Memos = []store.Run{r}
		return e.out, err
	}
	return e.out, nil
}

// do does the task that was begun.
func (e *Expander) do(files store.Files, t *store.Expansion) (err error) {
	for err == nil && len(e.memos) < len(t.Memos) {
		err = e.finish(files, t.Memos[len(e.memos):][:1], false)
	}
	if err == nil && t.Ends != nil {
		err = e.finish(files, t.Ends, true)
		e.out.Memos = e.memos
	}
	e.s.outgrown()
	switch err = cmp.Or(err, e.s.stopped(nil)); {
	case err != nil || t.Ends != nil:
		return err
	case t.Level == 0:
		return e.s.stopped(e.s.initial())
	}
	return e.level.Read()
}

// finish ends a level: what any process kept in it, in the files parts, has to prove what the reductions left
// out, together with the levels before.
func (e *Expander) finish(files store.Files, parts []store.Run, join bool) (err error) {
	s, joined := e.s, parts[0]
	for _, r := range parts {
		f, err := store.Open(files, r.Name, store.Memos, e.digest)
		if err == nil {
			err = errors.Join(f.Each(func() error { return nil }), f.Close())
		}
		if err != nil {
			return err
		}
		s.space.Keep(f.Components[0])
		s.filler.Verify(new([]uint32))
	}
	s.space.CheckMovers()
	if s.disproved = s.space.EndLevel(); s.disproved {
		return errStopped
	}
	kept := s.space.Kept(e.kept)
	if join {
		joined, err = store.WriteMemos(files, "memos", e.digest, e.task.Level, kept)
	}
	e.memos, e.kept = append(slices.Clip(e.memos), joined), e.kept+len(kept)
	return err
}

// begin prepares a task: it resets counts and finds.
func (e *Expander) begin(ctx context.Context, files store.Files, t store.Expansion) {
	s, r := e.s, &e.s.report
	e.task, e.out = t, store.Expanded{}
	s.ctx, s.mistake = ctx, nil
	r.Stopped, r.Depth = "", t.Level
	s.counts = s.noCounts()
	if s.now.Count > 0 { // the last task stopped early
		s.now, s.next = memory.Queue{}, memory.Queue{}
	}
	e.level.Begin(ctx, files, t)
}

// segment returns room for the entries of the next n states to expand.
func (e *Expander) segment(n int) []uint32 {
	e.s.next.Lend(&e.s.now) // segments that were read
	return e.s.now.Extend(n, e.s.length())
}

// meet evaluates, on the states that are expanded next, the parts of the coverage that counts do not show
// and that are still open: properties of quiet states with an Idle that fail in a state, and variables that
// change.
func (e *Expander) meet(chunks []chunk) {
	s, c := e.s, &e.s.counts
	for i := range chunks {
		e.met += int64(len(chunks[i].input) / s.length())
	}
	states := func(yield func([]uint32) bool) {
		for i := range chunks {
			for entry := range slices.Chunk(chunks[i].input, s.length()) {
				if !yield(entry[:s.width]) {
					return
				}
			}
		}
	}
	var which uint64
	for i, p := range s.in.Space.Properties() {
		if p.Idle != "" {
			which |= 1 << i
		}
	}
	if which &= s.asked &^ c.Broken; which != 0 {
		c.Broken |= s.breaks(which, states)
	}
	if c.Covered && len(c.Unchanged) == 0 && !c.Unused {
		return
	}
	var b kernel.Batch
	b.Reset(s.width)
	s.space.Init(&b)
	found := s.coverageOf(func(yield func([]uint32) bool) {
		if b.Len() == 0 || yield(b.At(0)) {
			states(yield)
		}
	}, lts.Coverage{})
	c.Add(&store.Counts{Covered: true, Unchanged: found.Unchanged, Unused: found.Unused})
}

// note adds a find to the result of the task, with codes in place of states.
func (e *Expander) note(property int, f *find) {
	s := e.s
	coded := store.Find{Property: property, Goal: s.goals>>property&1 == 1, Level: f.level}
	if f.state != nil {
		coded.State = s.code(f.state)
	}
	if f.beyond != nil {
		coded.Beyond = new(s.code(f.beyond))
	}
	all := store.Search{Finds: e.out.Finds}
	all.Note([]store.Find{coded})
	e.out.Finds = all.Finds
}
