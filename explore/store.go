package explore

import (
	"crypto/rand"
	"encoding/json"
	"math"
	"slices"
	"time"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A StoreKind is a way to keep the visited states.
type StoreKind uint8

const (
	// Exact keeps them in memory, whole, each with a link to its parent.
	Exact StoreKind = iota
	// Compact keeps a code of each in memory, from which no proof follows, as two states may have the same.
	Compact
	// Disk keeps the codes of all and the states of two levels in files.
	Disk
)

// String names the kind as reports do.
func (k StoreKind) String() string { return [...]string{"exact", "compact", "disk"}[k] }

// A Store says where the visited states are kept. The zero value is the exact one.
type Store struct {
	Kind StoreKind
	// Dir is the directory of the search, which need not exist: that of the files of the Disk store, or where a
	// search in memory is written down, now and then, when it is interrupted and when memory does not
	// suffice; "": nowhere.
	Dir    string
	Resume bool            // the search that is there is gone on with
	About  json.RawMessage // kept with the search, for whoever resumes it
	// Of a search in memory: how often it is written down, 0: only when it is interrupted; and what is called,
	// if it is not nil, where that fails: the search goes on, and tries again.
	Every time.Duration
	Warn  func(why string) `json:"-"`
}

// compactBits is how many bits the codes of the Compact store have.
const compactBits = 64

// codeBits returns how many bits codes have that are compared; 0: states are.
func (k StoreKind) codeBits() int { return [...]int{0, compactBits, store.CodeBits}[k] }

// proves reports whether a search to the end visits all states, so that what it says of them is proved.
func (k StoreKind) proves() bool { return k != Compact }

// randomSeed returns a seed that nobody knows.
func randomSeed() (seed [32]byte) {
	_, _ = rand.Read(seed[:]) // which never fails
	return seed
}

// storeOption is the option by which a Store is asked for.
const storeOption = usage.Option("store")

// lacks reports whether the store does not keep what properties of a kind need.
func (k StoreKind) lacks(kind model.PropertyKind) bool {
	return k != Exact && (kind == model.Liveness || kind == model.Costs)
}

// Unfit says why properties of a kind cannot be judged with the store.
func (k StoreKind) Unfit(kind model.PropertyKind) usage.Text {
	return usage.Textf("a property of %v needs the graph of all states, which %s %v does not keep; "+
		"%s exact does", kind, storeOption, k, storeOption)
}

// omission bounds the probability that two of so many states have the same code of so many bits.
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

// path goes back by links, which name a parent by the beginning of its hash: there may be several states with
// it in a level.
func (k exact) path(f find) ([][]uint32, error) {
	s, hash := k.search, k.cursors[0].Hash
	lineage, states := make([]map[store.Code]bool, f.level), [][]uint32{f.state}
	for l := range slices.Backward(lineage) {
		lineage[l] = map[store.Code]bool{}
		var parents [][]uint32
		for _, v := range states {
			lineage[l][s.code(v)] = true
			h := hash(v)
			t := &s.tables[memory.ShardOf(h)]
			at, _ := t.Find(v, memory.PlaceOf(h))
			link := t.Remembered(at)[0]
			parents = append(parents, s.tables[memory.ShardOf(uint64(link)<<32)].Begin(link, hash)...)
		}
		states = parents
	}
	return s.follow(lineage)
}
