package explore

import (
	"fmt"
	"time"

	"github.com/atmostk/atmostk/explore/kernel"
)

// A keeper keeps the states that a search visits: whole in memory, as codes in memory, or in files. The
// search itself is one loop, expandAll, for all three. It takes states of the level from a queue, a chunk for
// each worker; expands them; leaves out repeats within a chunk; hands the successors to the keeper, which
// finds out which are new, all shards at once; and adds up what was counted and found. States for which the
// tables of the kernel lack something are expanded last, by one worker.
//
// A keeper is called once for each expansion or shard, and not for each state.
type keeper interface {
	// table returns the table of a shard that is in memory.
	table(shard int) table
	// pause does what is to be done between two expansions. If Report.Stopped is set there is none to come.
	pause() error
	// room makes room for all successors in chunks. It returns false if that is not possible; Report.Stopped
	// says why.
	room(chunks []chunk) (ok bool, err error)
	// visit takes in those successors in chunks that belong to a shard.
	visit(c *checker, shard int, chunks []chunk)
	// enqueue puts those of them that are new into the next level.
	enqueue(chunks []chunk)
	// note takes down the first of some states or steps at which a property has to be reported.
	note(property int, f *find)
	// path returns the states from an initial one to the one found, in the vectors of the search.
	path(f find) ([][]uint32, error)
}

// A table is where the states of a shard are.
type table interface {
	// reserve returns how many words there should be to have room for so many more states; 0 if there is
	// room.
	reserve(more, width int) (words int)
	bytes() int64
	count() int // states
	// grow moves the states into other pages, with vectors translated to those of the given width.
	grow(p pages, width int, translate kernel.Translation) error
	free() error
	// words are all words of the table, and shape is what it takes to adopt others in their place.
	words() []uint32
	shape() rememberedShard
	adopt(p pages, shape rememberedShard)
}

// queues returns all queues with entries.
func (s *search) queues() []*queue {
	if s.disk != nil {
		return []*queue{&s.now, &s.next, &s.disk.portion.states}
	}
	return []*queue{&s.now, &s.next}
}

// exact keeps states whole, with links to their parents.
type exact struct{ *search }

func (k exact) table(shard int) table { return &k.shards[shard] }

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

func (k exact) room(chunks []chunk) (ok bool, err error) { return k.makeRoom(chunks) }

func (k exact) visit(c *checker, shard int, chunks []chunk) { k.visitExact(c, shard, chunks) }

// enqueue keeps the order in which the states were generated.
func (k exact) enqueue(chunks []chunk) {
	for i := range chunks {
		b := &chunks[i].batch.Records
		k.report.States += int64(k.next.pushMarked(b.Words, b.Stride, b.Width+1, b.Width+kernel.RecordTag))
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

// compacted keeps codes of states.
type compacted struct{ exact }

func (k compacted) table(shard int) table { return &k.compact.shards[shard] }

func (k compacted) visit(c *checker, shard int, chunks []chunk) { k.visitCompact(c, shard, chunks) }

func (k compacted) path(f find) ([][]uint32, error) { return k.again(f.state, f.level) }
