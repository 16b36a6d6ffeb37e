package explore

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"time"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/compact"
	"github.com/atmostk/atmostk/explore/store/memory"
)

// A Store selects the place of the visited states. The zero value is the exact store.
type Store struct {
	Kind   StoreKind
	Dir    string          // directory of the files of the Disk store; it need not exist
	Resume bool            // resume the search in Dir
	About  json.RawMessage // saved with the search, for its resumption
}

// A visitedSet keeps the states that a search visits: package memory keeps whole states in memory, package
// compact codes in memory, package disk files. The search itself is one loop, expandAll, for all three. It
// takes states of the level from a queue, a chunk for each worker; expands them; leaves out repeats within a
// chunk; passes the successors to the set, which selects the new ones, all shards in parallel; and adds up
// counts and finds. States for which a memo of the kernel is missing are expanded last, by one worker.
//
// A set is called once for each chunk and shard, and not for each state.
type visitedSet interface {
	// Touch loads the cache lines that Take needs for the successors in a batch that belong to a shard, so
	// that cache misses overlap. Its result has no meaning.
	Touch(shard int, b *kernel.Records, lookups []memory.Lookup) uint32
	// Take looks these successors up, stores those that are new, and makes their records entries of the next
	// queue: see memory.Enter. It returns the union of their tags. To call a function with each took 2% of
	// the instructions of lamport-mutex.
	Take(shard int, b *kernel.Records, lookups []memory.Lookup) (tags uint32)
}

// A rememberingSet is a visitedSet in memory.
type rememberingSet interface {
	visitedSet
	// Holds reports whether state v, with hash h, was visited.
	Holds(v []uint32, h uint64) bool
	// Ancestry returns, for each level up to the level of a visited state, the codes of states through which
	// some run leads to it.
	Ancestry(level int, state []uint32) []map[store.Code]bool
}

// newVisited returns the visited set of a search in memory.
func (s *search) newVisited() rememberingSet {
	if s.opt.Store.Kind == Compact {
		var seed [32]byte
		_, _ = rand.Read(seed[:]) // it never fails
		s.compact = compact.NewSet(compact.NewCoder(s.space, compact.Bits, seed), &s.tables, false)
		return s.compact
	}
	s.tables.SetForm(memory.Form{Behind: 1, Eighths: 6})
	return &memory.Exact{Set: &s.tables, Code: func(v []uint32) store.Code { return s.code(v) },
		Hash: func(v []uint32) uint64 { return s.cursors[0].Hash(v) }} // it changes nothing in the cursor
}

// pause runs between two expansions: it reports the progress, and records it for an abandoned search.
func (s *search) pause() {
	if s.disk != nil {
		s.disk.progress()
		return
	}
	s.opt.setAbandonable(false)
	s.recordProgress()
	if s.opt.Progress != nil && time.Since(s.shown) > 100*time.Millisecond {
		s.shown = time.Now()
		s.opt.Progress(Snapshot{
			States: s.report.States, Generated: s.counts.Generated, Level: s.report.Depth,
			Levels: s.report.Levels, Frontier: s.now.Count, Memory: s.memory(), Elapsed: time.Since(s.begun),
		})
	}
	s.opt.setAbandonable(true)
}

// queues returns all queues with entries.
func (s *search) queues() []*memory.Queue {
	queues := []*memory.Queue{&s.now, &s.next}
	if s.disk != nil {
		queues = append(queues, s.disk.level.States())
	}
	return queues
}

// recoverParents gives the compact set the parents of its states, which it does not keep. It repeats the
// search up to the level of the last find, which may be f, without judging, and stores each code with a link,
// which takes half as much memory again. If that makes the layout grow, the finds are changed, too.
func (s *search) recoverParents(f *find) error {
	if s.compact == nil || s.compact.Linked && f.level <= s.linked {
		return nil
	}
	if s.noLinks != nil {
		return s.noLinks
	}
	again, last, level := *s, len(s.finds), 0
	again.finds = slices.Concat(s.finds, []find{*f})
	for i := range again.finds {
		level = max(level, again.finds[i].level)
	}
	again.compact = compact.NewSet(s.compact.Coder, &s.tables, true)
	again.tables, again.compact.Set, again.visited = s.tables, &again.tables, again.compact
	again.opt.KeepGoing, again.opt.Finds, again.opt.MaxStates, again.opt.MaxDepth = true, 0, 0, level
	again.opt.supervisor, again.opt.Progress, again.mistake = nil, nil, nil
	again.judgeStates, again.judgeSteps, again.deadlock, again.asked = false, false, 0, 0
	again.report = Report{Actions: s.report.Actions}
	again.counts, again.now, again.next = again.noCounts(), memory.Queue{}, memory.Queue{}
	still, cancel := context.WithCancelCause(context.WithoutCancel(s.ctx))
	end := func() { cancel(context.Cause(s.ctx)) }
	defer context.AfterFunc(s.ctx, func() { time.AfterFunc(GracePeriod, end) })() // most runs need less
	again.ctx = still
	err := again.levels()
	s.finds, *f, s.width = again.finds[:last], again.finds[last], again.width
	s.tables, s.compact = again.tables, again.compact
	s.compact.Set, s.visited, s.now, s.next = &s.tables, s.compact, again.now, again.next
	s.newCursors()
	s.linked = again.report.Depth
	switch {
	case again.mistake != nil:
		panic(again.mistake.Error) // as in a search that judges
	case err != nil:
		return err
	case s.linked < level:
		s.noLinks = noRoom("the search was repeated for a run that leads there, and " + again.report.Stopped)
	}
	return s.recoverParents(f)
}
