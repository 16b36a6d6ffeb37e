package explore

import (
	"crypto/rand"
	"encoding/json"
	"math"
	"slices"
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

// randomSeed returns a random seed.
func randomSeed() (seed [32]byte) {
	_, _ = rand.Read(seed[:]) // which never fails
	return seed
}

// omission bounds the probability that two of the states have the same code.
func omission(states int64, bits int) float64 {
	n := float64(states)
	return min(1, n*(n+1)/2*math.Pow(2, -float64(bits)))
}

// A visitedSet keeps the states that a search visits: whole in memory, as codes in memory, or in files. The
// search itself is one loop, expandAll, for all three. It takes states of the level from a queue, a chunk for
// each worker; expands them; leaves out repeats within a chunk; hands the successors to the set, which
// finds out which are new, all shards at once; and adds up what was counted and found. States for which the
// tables of the kernel lack something are expanded last, by one worker.
//
// A set is called once for each expansion or shard, and not for each state.
type visitedSet interface {
	// pause comes between two expansions. If Report.Stopped is set, it was the last.
	pause() error
	// room makes room for the wanted states of each shard. It returns false if that is not possible;
	// Report.Stopped says why.
	room(wanted *[memory.Shards]int) (ok bool, err error)
	// take looks up the successors in chunks that belong to a shard, stores those that are new, and judges
	// these unless that is done later.
	take(c *checker, shard int, chunks []chunk)
	// enqueue puts the new ones into the next level.
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
	k.opt.setAbandonable(false)
	if k.report.Stopped != "" {
		return nil
	}
	k.recordProgress()
	if k.opt.Progress != nil && time.Since(k.shown) > 100*time.Millisecond {
		k.shown = time.Now()
		k.opt.Progress(k.snapshot())
	}
	k.opt.setAbandonable(true)
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

// touch loads the cells and the records that are looked up in a shard next, some of them written by
// other workers, so that the cache misses overlap.
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

// path goes back by links, which name a parent by the beginning of its hash: there may be several states with
// it in a level.
func (k exact) path(f find) ([][]uint32, error) {
	s, hash := k.search, k.cursors[0].Hash
	ancestry, states := make([]map[store.Code]bool, f.level), [][]uint32{f.state}
	for l := range slices.Backward(ancestry) {
		ancestry[l] = map[store.Code]bool{}
		var parents [][]uint32
		for _, v := range states {
			ancestry[l][s.code(v)] = true
			h := hash(v)
			t := &s.tables[memory.ShardOf(h)]
			at, _ := t.Find(v, memory.PlaceOf(h))
			link := t.Remembered(at)[0]
			parents = append(parents, s.tables[memory.ShardOf(uint64(link)<<32)].Begin(link, hash)...)
		}
		states = parents
	}
	return s.follow(ancestry)
}

// Codes of states in files are codes of their canonical bytes, which for a composition are sums of the codes
// of its parts. The state of a system would have to be hashed whole, each time that it is met:
// SHA-256 took a quarter of a search. Its words are the same wherever the program runs, so there the codes
// come from a coder whose keys were drawn once. The bound of its probability is a theorem about the keys,
// and no model was written with a view to these.

// fixedSeed is the seed of the keys, which are the same on all machines.
var fixedSeed = [32]byte{'s', 't', 'a', 't', 'e', 's', ' ', 'o', 'f', ' ', 's', 'y', 's', 't', 'e', 'm', 's'}

// newWordCoder returns the coder of the states of a system; nil: the space is of a composition.
func newWordCoder(space kernel.Space) *compact.Coder {
	if space.Slots() != nil {
		return nil
	}
	return compact.NewCoder(space, 128, fixedSeed)
}

// wordCode returns the code of a system's state.
func wordCode(c *compact.Coder, v []uint32) store.Code {
	return store.Cut(store.Code{Hi: mixed(c.Half(v, 0)), Lo: c.Half(v, 1)})
}

// mixed makes of different numbers different ones that are spread like random numbers, as runs that are
// sorted want them: sums of products of regular numbers are not. It is the last step of splitmix64.
func mixed(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// coder returns a function that computes codes of states, for one goroutine.
func (s *search) coder() func(v []uint32) store.Code {
	switch {
	case s.compact != nil:
		return func(v []uint32) store.Code { return store.Code{Hi: s.compact.code(v)} }
	case s.words != nil:
		return func(v []uint32) store.Code { return wordCode(s.words, v) }
	}
	code := s.space.NewCoder()
	return func(v []uint32) store.Code { return store.Cut(code(v)) }
}

// code returns the code that identifies a state.
func (s *search) code(v []uint32) store.Code { return s.coder()(v) }
