package explore

import (
	"fmt"
	"time"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store/memory"
)

// A visitedSet keeps the states that a search visits: whole in memory, as codes in memory, or in files. The
// search itself is one loop, expandAll, for all three. It takes states of the level from a queue, a chunk for
// each worker; expands them; leaves out repeats within a chunk; hands the successors to the set, which
// finds out which are new, all shards at once; and adds up what was counted and found. States for which the
// tables of the kernel lack something are expanded last, by one worker.
//
// A set is called once for each expansion or shard, and not for each state.
type visitedSet interface {
	// pause does what is to be done between two expansions. If Report.Stopped is set there is none to come.
	pause() error
	// room makes room for so many states in each shard. It returns false if that is not possible;
	// Report.Stopped says why.
	room(wanted *[memory.Shards]int) (ok bool, err error)
	// take looks up the successors in chunks that belong to a shard, stores those that are new, and judges
	// these unless that is done later.
	take(c *checker, shard int, chunks []chunk)
	// enqueue puts those of them that are new into the next level.
	enqueue(chunks []chunk)
	// note takes down the first of some states or steps at which a property has to be reported.
	note(property int, f *find)
	// path returns the states from an initial one to the one found, in the vectors of the search.
	path(f find) ([][]uint32, error)
}

// queues returns all queues with entries.
func (s *search) queues() []*memory.Queue {
	queues := []*memory.Queue{&s.now, &s.next}
	if e, onDisk := s.visited.(*Expander); onDisk {
		queues = append(queues, e.level.States())
	}
	return queues
}

// exact keeps states whole, with links to their parents.
type exact struct{ *search }

func (k exact) pause() error {
	k.opt.abandonable(false)
	if err := k.due(); err != nil || k.report.Stopped != "" {
		return err
	}
	k.stand()
	if k.opt.Progress != nil && time.Since(k.shown) > 100*time.Millisecond {
		k.shown = time.Now()
		k.opt.Progress(k.snapshot())
	}
	k.opt.abandonable(true)
	return nil
}

func (k exact) room(wanted *[memory.Shards]int) (ok bool, err error) { return k.makeRoom(wanted) }

func (k exact) take(c *checker, i int, chunks []chunk) {
	t, s := &k.tables[i], k.search
	checks := s.purityChecks(i)
	s.touch(i, chunks)
	for k := range chunks {
		b := &chunks[k].batch.Records
		for _, e := range chunks[k].lookups[i] {
			rec := b.Words[e.At : int(e.At)+b.Stride]
			if at, found := t.Find(rec, e.Place); !found {
				t.Fill(at, rec)
				s.enter(c, i, b.Width, rec, &checks)
			}
		}
	}
}

// touch loads the cells and the records that are looked up in a shard next, of which other workers have
// written some, so that the cache misses overlap.
func (s *search) touch(shard int, chunks []chunk) {
	t, touched := &s.tables[shard], uint32(0)
	for k := range chunks {
		words := chunks[k].batch.Words
		for _, e := range chunks[k].lookups[shard] {
			touched += t.Touch(e.Place) + words[e.At]
		}
	}
	s.shardResults[shard].touched = touched
}

// enter makes the record of a new state an entry of the next queue, and judges the state.
func (s *search) enter(c *checker, shard, width int, rec []uint32, checks *int) {
	tag := rec[width+kernel.RecordTag]
	rec[width], rec[width+kernel.RecordTag] = tag, memory.IsNew
	if *checks > 0 || s.suspect(tag) {
		s.judgeState(c, &s.shardResults[shard].findings, s.report.Depth+1, rec[:width], tag, *checks > 0)
		*checks--
	}
}

// enqueue keeps the order in which the states were generated.
func (k exact) enqueue(chunks []chunk) {
	for i := range chunks {
		b := &chunks[i].batch.Records
		k.report.States += int64(k.next.PushMarked(b.Words, b.Stride, b.Width+1, b.Width+kernel.RecordTag))
	}
}

func (k exact) note(property int, f *find) {
	if !k.finds[property].known {
		k.finds[property] = *f
	}
}

func (k exact) path(f find) ([][]uint32, error) {
	path := k.ancestors(f.state, f.level-1)
	if path == nil {
		return nil, fmt.Errorf("%w: no path to a visited state", ErrInternal)
	}
	return path, nil
}
