package explore

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"github.com/klauspost/compress/s2"

	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A search in memory is written down whole, between two expansions: the entries of the kernel's tables, in
// order, from which its tables are made again; the table of visited states as it stands; the queues; and what
// was counted and found. One that goes on from there does exactly what the other would have done.

// A Checkpoint says where a search in memory is written down, now and then, when it is interrupted and when
// memory does not suffice.
type Checkpoint struct {
	Dir    string          // "": nowhere
	Every  time.Duration   // 0: only when it is interrupted
	Resume bool            // the search that is there is gone on with
	About  json.RawMessage // kept with it, for whoever resumes it
	// Warn, if not nil, is called where it cannot be written down: the search goes on, and tries again.
	Warn func(why string) `json:"-"`
}

// memoryFile is the name of the file with a search in memory.
const memoryFile = "memory"

// A checkpoint is what a search has to know of that.
type checkpoint struct {
	Checkpoint
	files  store.Dir
	model  string
	last   time.Time
	before float64 // seconds spent by those who searched before
	number int     // of the next file
	file   string  // the present one
	good   string  // when that was written; "": before this search began
}

// remembered is the part of a search in memory that is small.
type remembered struct {
	Width      int
	Expansions int
	Seed       [32]byte // of the keys of a compact store
	Finds      []rememberedFind
	Shards     []rememberedShard
	Queues     [2]int // states
}

type rememberedFind struct {
	Known         bool
	Level         int
	State, Beyond []uint32
}

type rememberedShard struct{ Words, Stride, Used int }

// prepareCheckpoint begins to write a search down, or loads the one that is gone on with.
func (s *search) prepareCheckpoint(in model.Instance) error {
	if s.opt.Checkpoint.Dir == "" {
		return nil
	}
	s.opt.abandonable(true)
	about := digest(in, s.asked)
	s.opt.abandonable(false)
	k := &checkpoint{Checkpoint: s.opt.Checkpoint, files: store.Dir(s.opt.Checkpoint.Dir), last: time.Now(),
		model: about}
	s.checkpoint = k
	at, err := present(k.files, k.Resume)
	switch {
	case err != nil:
		return err
	case at == nil:
		s.space.Remember()
		return nil
	case at.Memory == nil || at.Store != s.opt.Store.Kind.String():
		return usage.Errorf("the search in %s cannot be gone on with in memory: it has ended, or "+
			"has another store", k.Dir)
	case at.Model != k.model:
		return otherModel(k.files)
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
func (s *search) saveUnexpanded() error {
	if s.checkpoint == nil || len(s.pending) == 0 {
		return nil
	}
	if grow, err := s.space.Outgrown(); grow || err != nil {
		return nil // which is what the search stops for, or would do next
	}
	for _, entries := range slices.Backward(s.pending) {
		s.now.unpop(entries, s.length())
	}
	s.save(false)
	return nil
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
			_ = k.files.Remove(k.file) // what there is of it
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

// written writes the search down. Ended: only that there is nothing to go on with.
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
		k.file = fmt.Sprintf("%s-%06d", memoryFile, k.number)
		size, err := s.write(k.file)
		if err == nil {
			err = k.files.Sync([]string{k.file})
		}
		if err != nil {
			return err
		}
		at.Memory = &store.Run{Name: k.file, First: 1, Last: len(r.Levels), States: r.States, Bytes: size}
	}
	return at.Save(k.files)
}

// write writes the file.
func (s *search) write(name string) (size int64, err error) {
	k := s.checkpoint
	f, err := store.Create(k.files, name, store.Header{Kind: memoryFile, Model: k.model})
	if err != nil {
		return 0, err
	}
	defer f.Discard()
	small := remembered{
		Width: s.width, Expansions: s.expansions,
		Queues: [2]int{s.now.count, s.next.count},
	}
	if s.compact != nil {
		small.Seed = s.compact.seed
	}
	for _, x := range s.finds {
		small.Finds = append(small.Finds, rememberedFind{x.known, x.level, x.state, x.beyond})
	}
	for i := range s.shards {
		small.Shards = append(small.Shards, s.keeper.table(i).shape())
	}
	b, err := json.Marshal(small)
	if err == nil {
		err = f.Block(b)
	}
	w := wordWriter{f: f}
	if err == nil {
		err = w.bytes(s.space.Filled())
	}
	for i := range s.shards {
		if err == nil {
			err = w.words(s.keeper.table(i).words())
		}
	}
	for _, q := range []*queue{&s.now, &s.next} {
		for i, c := range q.segments {
			if i == 0 {
				c = c[q.read:]
			}
			if err == nil {
				err = w.words(c)
			}
		}
	}
	if err != nil {
		return 0, err
	}
	return f.Close()
}

// A wordWriter writes words in compressed blocks.
type wordWriter struct {
	f   store.Writer
	out []byte
}

const blockBytes = 1 << 22

func (w *wordWriter) words(words []uint32) error {
	return w.bytes(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words)))
}

// bytes writes bytes, behind a block with their number.
func (w *wordWriter) bytes(b []byte) error {
	if err := w.f.Block(fmt.Append(nil, len(b))); err != nil {
		return err
	}
	for len(b) > 0 {
		n := min(len(b), blockBytes)
		w.out = s2.Encode(w.out[:cap(w.out)], b[:n])
		if err := w.f.Block(w.out); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// A wordReader reads what a wordWriter has written.
type wordReader struct{ f store.Reader }

// size reads how many bytes follow.
func (r *wordReader) size() (n int, err error) {
	b, err := r.f.Block()
	if err != nil {
		return 0, err
	}
	if _, err := fmt.Sscan(string(b), &n); err != nil || n < 0 {
		return 0, r.f.Damaged("a block is not as it was written")
	}
	return n, nil
}

// fill fills b with what follows.
func (r *wordReader) fill(b []byte) error {
	for len(b) > 0 {
		in, err := r.f.Block()
		if err != nil {
			return err
		}
		n, err := s2.DecodedLen(in)
		if err == nil && n > 0 && n <= len(b) {
			_, err = s2.Decode(b[:n], in)
		}
		if err != nil || n <= 0 || n > len(b) {
			return r.f.Damaged("a block is not as it was written")
		}
		b = b[n:]
	}
	return nil
}

// words reads words into those given, which have to be as many.
func (r *wordReader) words(words []uint32) error {
	n, err := r.size()
	if err == nil && n != 4*len(words) {
		err = r.f.Damaged("a table has another size than it says")
	}
	if err != nil {
		return err
	}
	return r.fill(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words)))
}

// load makes the search what it was when it was written down.
func (s *search) load(at *store.Search) error {
	k, r := s.checkpoint, &s.report
	if n, err := fmt.Sscanf(at.Memory.Name, memoryFile+"-%d", &k.number); n != 1 || err != nil {
		return &store.DamagedError{File: store.SearchFile, What: "it names no file with a search in memory"}
	}
	f, err := store.Open(k.files, at.Memory.Name, memoryFile, k.model)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // nothing was written
	k.file, k.before = at.Memory.Name, at.Seconds
	r.States, r.Levels, r.Depth = at.Memory.States, at.Levels, len(at.Levels)
	s.countFrom(&at.Counts)
	var small remembered
	b, err := f.Block()
	if err == nil && (json.Unmarshal(b, &small) != nil || len(small.Finds) != len(s.finds) ||
		len(small.Shards) != numShards) {
		err = f.Damaged("it does not begin as it should")
	}
	if err != nil {
		return err
	}
	if err := s.loadParts(&wordReader{f}, &small); err != nil {
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

// loadParts loads what is large.
func (s *search) loadParts(r *wordReader, small *remembered) error {
	n, err := r.size()
	if err != nil {
		return err
	}
	list := make([]byte, n)
	if err := r.fill(list); err != nil {
		return err
	}
	s.space.Remember()
	if err := s.space.Refill(list); err != nil {
		return r.f.Damaged(err.Error())
	}
	if s.width = s.space.Width(); s.width != small.Width {
		return usage.Errorf("the model in %s does other things than it did when the search was written down",
			s.checkpoint.Dir)
	}
	if s.compact != nil {
		s.compact.seed = small.Seed
		s.compact.rekey(small.Seed)
	}
	s.newCursors()
	for i, shape := range small.Shards {
		if shape.Words == 0 {
			if err := r.words(nil); err != nil {
				return err
			}
			continue
		}
		pages, err := s.newPages(shape.Words)
		if err != nil {
			return fmt.Errorf("the system gives no memory for the visited set: %w", err)
		}
		s.keeper.table(i).adopt(pages, shape)
		if err := r.words(pages.words); err != nil {
			return err
		}
	}
	for i, q := range []*queue{&s.now, &s.next} {
		for q.count < small.Queues[i] {
			n, err := r.size()
			if err == nil && (n == 0 || n%(4*s.length()) != 0) {
				err = r.f.Damaged("a queue is not as it was written")
			}
			if err != nil {
				return err
			}
			words := make([]uint32, n/4)
			if err := r.fill(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n)); err != nil {
				return err
			}
			for at := 0; at < len(words); at += s.length() {
				q.push(words[at : at+s.length()])
			}
		}
	}
	return nil
}

// put writes down that the search has ended, if it has, or all of it if what is asked after that takes as
// long.
func (s *search) put(answered bool) {
	switch ended := s.exhausted || s.violated() && !s.opt.KeepGoing; {
	case s.checkpoint == nil || s.mistake != nil || !ended || s.ctx.Err() != nil:
	case answered, s.graphs || s.opt.OutOfReach:
		s.save(answered)
	}
}
