package explore

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/usage"
)

// An Expander does the expansions of a search whose states are in files: see package store. What it learns of
// the model in one it knows in the next. It is for one goroutine at a time, and uses several itself.
type Expander struct {
	s        *search
	digest   string
	budget   int64 // bytes of memory; 0: no limit
	files    store.Files
	task     store.Expansion
	out      store.Expanded
	flushers []flusher // per worker
	portion  portion
	ranges   ranges
	scratch  store.Files // for ranges; nil: portions are expanded as they come
	written  int64       // bytes of runs, in this task
	most     int64       // bytes of ranges and runs at the same time
	coding   sync.Mutex  // of codes by several workers, which fill tables
	loaded   int64       // states of the task
	looked   int64       // states that were looked at, see lookAt
	progress func()
	at       *store.Search // that is reported
}

// A reached is how a candidate was reached: its origin, see store.Passed, and a tag.
type reached struct{ origin, tag uint32 }

// errStopped is wrapped by the error of an expansion that came to a limit of the program.
var errStopped = errors.New("the search cannot go on")

// NewExpander prepares expansions of an instance. Free has to be called in the end. Of the options those
// count that say what to check, Workers, and Memory, as a budget. What needs the graph of all states is
// refused.
func NewExpander(in model.Instance, opt Options) (*Expander, error) {
	if err := in.Check(); err != nil {
		return nil, err
	}
	budget := opt.Memory
	opt.Memory, opt.MaxStates, opt.MaxDepth, opt.Progress, opt.Store.Kind = 0, 0, 0, nil, Disk
	s, err := newSearch(context.Background(), in, opt)
	if err == nil {
		err = s.unfit()
	}
	if err != nil {
		return nil, err
	}
	s.words = newWordCoder(s.space)
	s.tables.SetForm(candidateForm)
	e := &Expander{s: s, budget: budget, digest: digest(in, s.asked)}
	s.keeper, s.disk, s.behind = e, e, 2
	e.flushers = make([]flusher, s.opt.Workers)
	return e, nil
}

// Model returns the digest of the model, its parameters and what is asked, as tasks have it.
func (e *Expander) Model() string { return e.digest }

// Stopped returns why the last expansion could not be done, if that is not an error of files: a sentence,
// which is that the model is at fault where it is. It says the same wherever the task is done.
func (e *Expander) Stopped() string { return e.s.report.Stopped }

// Free gives the memory back.
func (e *Expander) Free() { e.s.free() }

// Expand does a task. If ctx is done before, its cause is the error. A mistake of the model is a
// *model.Error. If the model is another one than that of the task nothing is done.
func (e *Expander) Expand(ctx context.Context, files store.Files, t store.Expansion) (x store.Expanded,
	err error) {
	if t.Model != e.digest {
		return x, usage.Errorf("the task belongs to another model, or to other parameters")
	}
	s := e.s
	if s.until != nil {
		defer s.until(ctx)()
	}
	e.begin(ctx, files, t)
	var mistake *model.Error
	func() {
		defer model.Catch(&mistake)
		if t.Level == 0 {
			err = s.initial()
		}
		for _, name := range t.Inputs {
			if err == nil && s.report.Stopped == "" {
				err = e.file(name)
			}
		}
		if err == nil && s.report.Stopped == "" && e.ranges.dealt() {
			err = e.expandRanges()
		}
		if err == nil && s.report.Stopped == "" {
			err = e.expandPortion()
		}
	}()
	e.abandonRanges()
	if mistake != nil {
		s.fail(mistake, find{})
	}
	if err == nil && s.report.Stopped == "" {
		err = e.flush()
		e.release()
	}
	switch {
	case err != nil:
		return x, err
	case s.mistake != nil:
		return x, s.mistake.Error
	case context.Cause(ctx) != nil:
		return x, context.Cause(ctx)
	case s.report.Stopped != "":
		return x, errors.Join(errStopped, errors.New(s.report.Stopped))
	}
	e.count()
	return e.out, nil
}

// begin forgets what was counted and found before.
func (e *Expander) begin(ctx context.Context, files store.Files, t store.Expansion) {
	s, r := e.s, &e.s.report
	s.opt.Store.Bits = t.Bits
	e.files, e.task, e.out, e.loaded, e.written, e.most = files, t, store.Expanded{}, 0, 0, 0
	s.ctx, s.mistake = ctx, nil
	r.Stopped, r.Depth = "", t.Level
	s.countFrom(&store.Counts{})
	e.forget()
	if s.now.Count > 0 { // the last task stopped
		s.now, s.next = memory.Queue{}, memory.Queue{}
	}
	e.portion.states.Clear()
}

// forget empties the table of candidates.
func (e *Expander) forget() {
	for i := range e.s.tables {
		e.s.tables[i].Clear()
	}
}

// count fills in what was counted.
func (e *Expander) count() {
	s, covered, c := e.s, e.out.Counts, &e.out.Counts
	*c = s.counts()
	c.Covered, c.Unchanged, c.Unused = covered.Covered, covered.Unchanged, covered.Unused
	c.Broken = covered.Broken
	if s.space.Slots() != nil {
		all := s.states.Coverage(nil)
		c.Covered, c.Unchanged, c.Unused = true, all.Unchanged, all.Unused
	}
}

// file judges the states in a file, and takes them up to be expanded.
func (e *Expander) file(name string) error {
	s := e.s
	r, err := store.OpenStates(e.files, name, e.digest)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // nothing was written
	r.Ahead()
	numbers := make([][]uint32, len(r.Parts))
	for more := true; more && err == nil && s.report.Stopped == ""; more, err = nextBlock(r, s) {
		if err := e.cancelled(); err != nil {
			return err
		}
		if err := e.meet(r, numbers); err != nil || s.report.Stopped != "" {
			return err
		}
		entries := e.pack(r, numbers)
		e.loaded += int64(len(r.Codes))
		if e.judge(entries); s.report.Stopped != "" || e.task.JudgeOnly {
			continue
		}
		if err := e.takeUp(entries); err != nil {
			return err
		}
	}
	return err
}

// cancelled returns why the task is to end before it is done; nil: it is not. What goes through many states
// without expanding any asks for it now and then.
func (e *Expander) cancelled() error { return context.Cause(e.s.ctx) }

// nextBlock goes on to the next block of a file, unless the search has stopped.
func nextBlock(r *store.StatesReader, s *search) (more bool, err error) {
	if s.report.Stopped != "" {
		return false, nil
	}
	return r.Block()
}

// meet gives numbers to the components of a file that were not met before: numbers[i][n] is that of component
// n of part i.
func (e *Expander) meet(r *store.StatesReader, numbers [][]uint32) error {
	s := e.s
	for i := range numbers {
		for n := len(numbers[i]); n < len(r.Components[i]); n++ {
			numbers[i] = append(numbers[i], s.space.Intern(i, r.Components[i][n]))
		}
	}
	grow, err := s.space.Outgrown()
	if err != nil {
		s.report.Stopped = "stopped: " + err.Error()
	} else if grow {
		return s.relayout()
	}
	return nil
}

// pack returns the states of a block as entries of a queue.
func (e *Expander) pack(r *store.StatesReader, numbers [][]uint32) (entries []uint32) {
	width, length, slots := e.s.width, e.s.length(), e.s.space.Slots()
	entries = make([]uint32, len(r.Codes)*length)
	for k, c := range r.Codes {
		v := entries[k*length:][:length]
		for i := range r.Parts {
			if x := r.Parts[i][k]; slots == nil {
				v[i] = x
			} else {
				v[slots[i].Word] |= numbers[i][x] << (slots[i].Shift & 31)
			}
		}
		v[width], v[width+1] = r.Tags[k], store.Passed(c, r.Origins[k], e.task.Descended)
	}
	return entries
}

// judge judges the states of a block, as a search in memory does when they are new.
func (e *Expander) judge(entries []uint32) {
	s := e.s
	length := s.length()
	n := (len(entries)/length + chunkStates - 1) / chunkStates
	s.workers.run(n, func(w, i int) {
		ch, c := &s.chunks[i], s.cursors[w]
		defer model.Catch(&ch.mistake)
		ch.input = append(ch.input[:0], entries[i*chunkStates*length:min((i+1)*chunkStates*length,
			len(entries))]...)
		for at := 0; at < len(ch.input); at += length {
			e.judgeOne(c, ch, ch.input[at:at+length], e.looked < firstChecked || at == 0)
		}
	})
	e.looked += int64(len(entries) / length)
	s.report.States = e.looked
	e.cover(entries)
	e.idle(entries)
	for i := range s.chunks[:n] {
		ch := &s.chunks[i]
		if ch.mistake != nil {
			e.failedToJudge(ch)
			return
		}
		if i > 0 { // states come in the order of codes: what was found first counts
			s.chunks[0].join(&ch.findings)
		}
	}
	s.merge(&s.chunks[0].findings)
}

// judgeOne looks at a state, if that is wanted, and judges it if that is needed.
func (e *Expander) judgeOne(c *checker, ch *chunk, entry []uint32, look bool) {
	s := e.s
	s.judgeState(c, &ch.findings, s.report.Depth, entry[:s.width], entry[s.width], look)
}

// failedToJudge stops the search at the first state of a chunk in which a mistake shows when it is judged.
func (e *Expander) failedToJudge(ch *chunk) {
	s := e.s
	mistake, length := ch.mistake, s.length()
	ch.mistake = nil
	for at := 0; at < len(ch.input); at += length {
		var here *model.Error
		func() {
			defer model.Catch(&here)
			e.judgeOne(s.filling, ch, ch.input[at:at+length], true)
		}()
		if here != nil {
			v := slices.Clone(ch.input[at : at+s.width])
			s.fail(here, find{known: true, level: s.report.Depth, state: v})
			return
		}
	}
	s.fail(mistake, find{})
}

// idle looks for states that break a property of quiet states that has an Idle, as long as none is known.
func (e *Expander) idle(entries []uint32) {
	s, c := e.s, &e.out.Counts
	var which uint64
	for i, p := range s.declared.Properties() {
		if p.Idle != "" {
			which |= 1 << i
		}
	}
	if which &= s.asked &^ c.Broken; which == 0 {
		return
	}
	c.Broken |= s.breaks(which, func(yield func([]uint32) bool) {
		for entry := range slices.Chunk(entries, s.length()) {
			if !yield(entry[:s.width]) {
				return
			}
		}
	})
}

// cover looks for variables of a system that never change, as long as there are any: those of a composition
// stand in the tables.
func (e *Expander) cover(entries []uint32) {
	s, c := e.s, &e.out.Counts
	if s.space.Slots() != nil || c.Covered && c.Unchanged == nil {
		return
	}
	var b kernel.Batch
	b.Reset(s.width)
	s.space.Init(&b)
	var parts protocol.Parts
	found := s.states.Coverage(func(yield func(*protocol.Parts) bool) {
		if b.Len() > 0 {
			parts.Words = b.At(0)
			if !yield(&parts) {
				return
			}
		}
		for entry := range slices.Chunk(entries, s.length()) {
			if parts.Words = entry[:s.width]; !yield(&parts) {
				return
			}
		}
	})
	c.Add(&store.Counts{Covered: true, Unchanged: found.Unchanged, Unused: found.Unused})
}

// note takes over what was found, in codes.
func (e *Expander) note(property int, f *find) {
	s := e.s
	s.space.Encode()
	told := store.Find{Property: property, Goal: s.goals>>property&1 == 1, Level: f.level}
	if f.state != nil {
		told.State = s.code(f.state)
	}
	if f.beyond != nil {
		c := s.code(f.beyond)
		told.Beyond = &c
	}
	all := store.Search{Finds: e.out.Finds}
	all.Note([]store.Find{told})
	e.out.Finds = all.Finds
}

// pause tells how far the search is.
func (e *Expander) pause() error {
	if e.progress != nil && e.s.report.Stopped == "" {
		e.progress()
	}
	return nil
}

// enqueue does nothing: which candidates are new turns out when they are merged.
func (e *Expander) enqueue([]chunk) {}
