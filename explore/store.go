package explore

import (
	"crypto/rand"
	"encoding/json"
	"math"
	"time"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/compact"
	"github.com/atmostk/atmostk/explore/store/memory"
)

// A Store says where the visited states are kept. The zero value is the exact one.
type Store struct {
	Kind   StoreKind
	Dir    string          // of the files of the Disk store; it need not exist
	Resume bool            // the search that is there is resumed
	About  json.RawMessage // kept with the search, for its resumption
}

// omission bounds the probability that two of the states have the same code.
func omission(states int64, bits int) float64 {
	n := float64(states)
	return min(1, n*(n+1)/2*math.Pow(2, -float64(bits)))
}

// A visitedSet keeps the states that a search visits: package memory's whole in memory, package compact's as
// codes in memory, package disk's in files. The search itself is one loop, expandAll, for all three. It takes
// states of the level from a queue, a chunk for each worker; expands them; leaves out repeats within a chunk;
// hands the successors to the set, which finds out which are new, all shards at once; and adds up what was
// counted and found. States for which the tables of the kernel lack something are expanded last, by one
// worker.
//
// A set is called for each chunk and shard, and not for each state.
type visitedSet interface {
	// Touch loads what Take needs for the successors in a batch that belong to a shard, so that cache misses
	// overlap. Its result is of no use.
	Touch(shard int, b *kernel.Records, lookups []memory.Lookup) uint32
	// Take looks these successors up, stores those that are new, and makes their records entries of the next
	// queue: see memory.Enter. It returns their number, and the union of their tags. To call a function with
	// each took 2% of the instructions of lamport-mutex.
	Take(shard int, b *kernel.Records, lookups []memory.Lookup) (fresh int, tags uint32)
}

// A rememberingSet is one in memory.
type rememberingSet interface {
	visitedSet
	// Holds reports whether a state, of a hash, was visited.
	Holds(v []uint32, h uint64) bool
	// Ancestry returns, for each level up to that of a visited state, the codes of states through which there
	// is a run to it.
	Ancestry(level int, state []uint32) []map[store.Code]bool
}

// newVisited returns the visited set of a search in memory.
func (s *search) newVisited() rememberingSet {
	if s.opt.Store.Kind == Compact {
		var seed [32]byte
		_, _ = rand.Read(seed[:]) // which never fails
		s.compact = compact.NewSet(compact.NewCoder(s.space, compact.Bits, seed), &s.tables, false)
		return s.compact
	}
	s.tables.SetForm(memory.Form{Behind: 1, Eighths: 6})
	return &memory.Exact{Set: &s.tables, Code: func(v []uint32) store.Code { return s.code(v) },
		Hash: func(v []uint32) uint64 { return s.cursors[0].Hash(v) }} // which changes nothing in a cursor
}

// pause comes between two expansions.
func (s *search) pause() {
	if s.disk != nil {
		s.disk.progress()
		return
	}
	s.opt.setAbandonable(false)
	s.recordProgress()
	if s.opt.Progress != nil && time.Since(s.shown) > 100*time.Millisecond {
		s.shown = time.Now()
		s.opt.Progress(s.snapshot())
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

// noRoom is why a search cannot be done once more.
type noRoom string

func (n noRoom) Error() string { return string(n) }

// recoverParents makes the compact set know the parents of its states, which it does not keep: the search is
// done once more, up to the level of the last find. Nothing has to be judged this time, and each code is
// stored with a link, which takes half as much memory again.
func (s *search) recoverParents(level int) error {
	if s.compact == nil || s.compact.Linked || s.noLinks != nil {
		return s.noLinks
	}
	for i := range s.finds {
		level = max(level, s.finds[i].level)
	}
	again := *s
	again.compact = compact.NewSet(s.compact.Coder, &s.tables, true)
	again.tables, again.compact.Set, again.visited = s.tables, &again.tables, again.compact
	again.opt.KeepGoing, again.opt.MaxStates, again.opt.MaxDepth = true, 0, level
	again.opt.supervisor, again.opt.Progress, again.mistake = nil, nil, nil
	again.judgeStates, again.judgeSteps, again.deadlock, again.asked = false, false, 0, 0
	again.report = Report{Actions: s.report.Actions}
	again.finds, again.counts, again.now, again.next = nil, again.noCounts(), memory.Queue{}, memory.Queue{}
	err := again.levels()
	s.tables, s.compact = again.tables, again.compact
	s.compact.Set, s.visited, s.now, s.next = &s.tables, s.compact, again.now, again.next
	switch {
	case again.mistake != nil:
		panic(again.mistake.Error) // as where it is judged
	case err == nil && again.report.Depth < level:
		s.noLinks = noRoom("the search was done once more for a run that leads there, and " +
			again.report.Stopped)
	case err != nil:
		s.noLinks = err
	}
	return s.noLinks
}
