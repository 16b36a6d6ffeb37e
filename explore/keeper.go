package explore

import (
	"fmt"
	"time"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store/memory"
)

// A keeper keeps the states that a search visits: whole in memory, as codes in memory, or in files. The
// search itself is one loop, expandAll, for all three. It takes states of the level from a queue, a chunk for
// each worker; expands them; leaves out repeats within a chunk; hands the successors to the keeper, which
// finds out which are new, all shards at once; and adds up what was counted and found. States for which the
// tables of the kernel lack something are expanded last, by one worker.
//
// A keeper is called once for each expansion or shard, and not for each state.
type keeper interface {
	// pause does what is to be done between two expansions. If Report.Stopped is set there is none to come.
	pause() error
	// room makes room for all successors in chunks. It returns false if that is not possible; Report.Stopped
	// says why.
	room(chunks []chunk) (ok bool, err error)
	// enqueue puts those of them that are new into the next level.
	enqueue(chunks []chunk)
	// note takes down the first of some states or steps at which a property has to be reported.
	note(property int, f *find)
	// path returns the states from an initial one to the one found, in the vectors of the search.
	path(f find) ([][]uint32, error)
}

// queues returns all queues with entries.
func (s *search) queues() []*memory.Queue {
	if s.disk != nil {
		return []*memory.Queue{&s.now, &s.next, &s.disk.portion.states}
	}
	return []*memory.Queue{&s.now, &s.next}
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

func (k exact) room(chunks []chunk) (ok bool, err error) { return k.makeRoom(chunks) }

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
