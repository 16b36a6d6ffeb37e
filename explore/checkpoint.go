package explore

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A search in memory is written down whole, between two expansions, in the format of the files of a search on
// disk: the entries of the kernel's tables, in order, from which its tables are made again; the tables of
// visited states as they stand; the queues; and what was counted and found. One that goes on from there does
// exactly what the other would have done.

// A checkpoint is what a search in memory knows of the directory where it is written down, now and then, when
// it is interrupted and when memory does not suffice.
type checkpoint struct {
	Store
	files  store.Dir
	model  string
	last   time.Time
	before float64 // seconds spent before it was resumed
	number int     // of the present file
	file   string  // that file
	good   string  // when that was written; "": before this search began
}

// memoryFile is the name of a file with a search in memory, by its number.
const memoryFile = "memory-%06d"

// remembered is the small part of a search in memory. The large part is a file of words: the words of
// the list of entries, of the tables, and of the queues.
type remembered struct {
	Width, Expansions int
	Seed              [32]byte // of the keys of a compact store
	Finds             []rememberedFind
	Filled            int // bytes of the list of entries
	Tables            []memory.Shape
	Queues            [2]int // states
}

type rememberedFind struct {
	Known         bool
	Level         int
	State, Beyond []uint32
}

// prepareCheckpoint begins to write a search down, or loads the one that is resumed.
func (s *search) prepareCheckpoint(in model.Instance) error {
	to := s.opt.Store
	if to.Dir == "" {
		return nil
	}
	s.opt.setAbandonable(true)
	about := digest(in, s.asked)
	s.opt.setAbandonable(false)
	s.checkpoint = &checkpoint{Store: to, files: store.Dir(to.Dir), last: time.Now(), model: about}
	at, err := s.checkpoint.files.Find(about, to.Resume)
	switch {
	case err != nil:
		return err
	case at == nil:
		s.space.Remember()
		return nil
	case at.Memory == nil || at.Store != to.Kind.String():
		return usage.Errorf("the search in %s cannot be gone on with in memory: it has ended, or "+
			"has another store", to.Dir)
	}
	return s.load(at)
}

// due writes the search down if it is time to, or if it is interrupted.
func (s *search) due() error {
	k := s.checkpoint
	if k == nil || s.ctx.Err() == nil && (k.Every == 0 || time.Since(k.last) < k.Every) {
		return nil
	}
	s.save(false)
	return nil
}

// saveUnexpanded writes the search down where it stops because there is no room for the successors of
// the states whose expansion is under way: as it was before that. It cannot where the tables have numbers
// that vectors have no room for. One that goes on from there may meet new states in another order, and so
// find another run of the same length.
func (s *search) saveUnexpanded() {
	if s.checkpoint == nil || len(s.pending) == 0 {
		return
	}
	if grow, err := s.space.Outgrown(); grow || err != nil {
		return // which is what the search stops for, or would do next
	}
	for _, entries := range slices.Backward(s.pending) {
		s.now.Unpop(entries, s.length())
	}
	s.save(false)
}

// save writes the search down. Where that fails the search goes on: what was written before stays, and the
// report says so unless a later try succeeds.
func (s *search) save(ended bool) {
	k, old := s.checkpoint, s.checkpoint.file
	err := s.written(ended)
	k.last = time.Now()
	switch {
	case err != nil:
		if k.file != old {
			_ = k.files.Remove(k.file) // if it was begun
		}
		k.file = old
		kept := "nothing of it is"
		if old != "" {
			kept = "what is there is of " + cmp.Or(k.good, "when it was gone on with")
		}
		s.report.Unsaved = fmt.Sprintf("the search could not be written down in %s, where %s: %v", k.Dir,
			kept, err)
		if k.Warn != nil {
			k.Warn(s.report.Unsaved)
		}
	case !ended:
		s.report.Unsaved, k.good = "", k.last.Format(time.DateTime)
	}
	if err == nil && old != "" {
		_ = k.files.Remove(old) // one file too many does no harm
	}
}

// written writes the search down. Ended: only that it has ended.
func (s *search) written(ended bool) error {
	k, r := s.checkpoint, &s.report
	at := store.NewSearch(k.model, 0)
	at.About, at.Store, at.Levels, at.Ended = k.About, s.opt.Store.Kind.String(), r.Levels, ended
	at.Seconds = k.before + time.Since(s.begun).Seconds()
	at.Counts = s.counts()
	for i := range r.Properties {
		if s.finds[i].known {
			at.Finds = append(at.Finds, store.Find{Property: i, Goal: s.goals>>i&1 == 1,
				Level: s.finds[i].level})
		}
	}
	if !ended {
		k.number++
		k.file = fmt.Sprintf(memoryFile, k.number)
		run, err := s.write(&at.Within)
		if err == nil {
			err = k.files.Sync([]string{k.file})
		}
		if err != nil {
			return err
		}
		run.First, run.Last, run.States = 1, len(r.Levels), r.States
		at.Memory = &run
	}
	return at.Save(k.files)
}

// write writes the large part into a file, which it returns, and the small part into within.
func (s *search) write(within *json.RawMessage) (run store.Run, err error) {
	f, err := store.Create(s.checkpoint.files, s.checkpoint.file,
		store.Header{Kind: store.Words, Model: s.checkpoint.model, Columns: 1})
	if err != nil {
		return run, err
	}
	defer f.Discard()
	add := func(words []uint32) {
		err = cmp.Or(err, f.Add(&store.Batch{Columns: [][]uint32{words}}))
	}
	filled := s.space.Filled()
	small := remembered{Width: s.width, Expansions: s.expansions, Filled: len(filled),
		Queues: [2]int{s.now.Count, s.next.Count}}
	if s.compact != nil {
		small.Seed = s.compact.Seed
	}
	for _, x := range s.finds {
		small.Finds = append(small.Finds, rememberedFind{x.known, x.level, x.state, x.beyond})
	}
	list := make([]uint32, (len(filled)+3)/4)
	copy(bytesOf(list), filled)
	add(list)
	for i := range s.tables {
		small.Tables = append(small.Tables, s.tables[i].Shape())
		add(s.tables[i].Words())
	}
	for _, q := range s.queues() {
		q.Each(func(entries []uint32) bool {
			add(entries)
			return true
		})
	}
	if err == nil {
		*within, err = json.Marshal(small)
	}
	if err != nil {
		return run, err
	}
	return f.Close()
}

// bytesOf returns the bytes of words, in the order of this machine.
func bytesOf(words []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
}

// load restores the search that a file has.
func (s *search) load(at *store.Search) error {
	k, r := s.checkpoint, &s.report
	var small remembered
	if n, _ := fmt.Sscanf(at.Memory.Name, memoryFile, &k.number); n != 1 ||
		json.Unmarshal(at.Within, &small) != nil || len(small.Finds) != len(s.finds) ||
		len(small.Tables) != memory.Shards {
		return &store.DamagedError{File: store.SearchFile, What: "it names no file with a search in memory"}
	}
	f, err := store.Open(k.files, at.Memory.Name, store.Words, k.model)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // nothing was written
	k.file, k.before = at.Memory.Name, at.Seconds
	r.States, r.Levels, r.Depth = at.Memory.States, at.Levels, len(at.Levels)
	s.countFrom(&at.Counts)
	if err := s.read(f, &small); err != nil {
		return err
	}
	for i := range s.chunks { // as initial leaves them
		s.chunks[i].batch.Distinct = !s.judgeSteps
	}
	s.expansions, s.resumed = small.Expansions, true
	for i, x := range small.Finds {
		s.finds[i] = find{known: x.Known, level: x.Level, state: x.State, beyond: x.Beyond}
	}
	return nil
}

// read reads what write has written.
func (s *search) read(f *store.Reader, small *remembered) error {
	list := make([]uint32, (small.Filled+3)/4)
	if err := f.Fill(list); err != nil {
		return err
	}
	s.space.Remember()
	if err := s.space.Refill(bytesOf(list)[:small.Filled]); err != nil {
		return f.Damaged(err.Error())
	}
	if s.width = s.space.Width(); s.width != small.Width {
		return usage.Errorf("the model in %s does other things than it did when the search was written down",
			s.checkpoint.Dir)
	}
	if s.compact != nil {
		s.compact.Rekey(small.Seed)
	}
	s.newCursors()
	for i, shape := range small.Tables {
		if shape.Words == 0 {
			continue
		}
		pages, err := s.newPages(shape.Words)
		if err != nil {
			return fmt.Errorf("the system gives no memory for the visited set: %w", err)
		}
		s.tables[i].Adopt(pages, shape)
		if err := f.Fill(pages.Words); err != nil {
			return err
		}
	}
	for i, q := range s.queues() {
		for q.Count < small.Queues[i] {
			n := min(small.Queues[i]-q.Count, memory.SegmentStates)
			if err := f.Fill(q.Extend(n, s.length())); err != nil {
				return err
			}
		}
	}
	return f.End()
}

// put writes down that the search has ended, if it has, or all of it if the questions after that take as
// long.
func (s *search) put(answered bool) {
	switch ended := s.exhausted || s.violated() && !s.opt.KeepGoing; {
	case s.checkpoint == nil || s.mistake != nil || !ended || s.ctx.Err() != nil:
	case answered, s.graphs || s.opt.OutOfReach:
		s.save(answered)
	}
}
