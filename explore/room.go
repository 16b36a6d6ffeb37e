package explore

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store/compact"
	"github.com/atmostk/atmostk/explore/store/memory"
)

// baseline is the memory in bytes of a process that has not stored a state yet: the program,
// the runtime, and data of models. Options.Memory includes it. If it were too small, the real
// memory would end a search, at a place that differs from run to run: see excess.
const baseline = 32 << 20

// memory returns the bytes that the search takes by its own account, including the program. The
// number is the same in each run and with any number of workers. It does not include data of
// models and garbage, which only the system knows: see excess.
func (s *search) memory() int64 {
	n := baseline + s.space.Footprint()
	for _, q := range s.queues() {
		n += q.Bytes()
	}
	n += s.tables.Bytes()
	for i := range s.chunks {
		n += s.chunks[i].bytes()
	}
	if s.built != nil {
		n += s.built.Bytes()
	}
	return n
}

// lookEvery is how often a search reads the memory of the process, which takes some
// microseconds.
const lookEvery = 5 * time.Millisecond

// excess returns the reason to stop if the process would exceed the memory limit with more
// bytes; "": it would not. It collects garbage first. The search goes on only if that leaves a
// twentieth of the limit free: otherwise it would soon do little but collect garbage.
func (s *search) excess(more int64) string {
	limit := s.opt.Memory
	if limit == 0 || more < limit/64 && time.Since(s.looked) < lookEvery {
		return ""
	}
	has := resident()
	if has+more > limit {
		debug.FreeOSMemory()
		has = resident() + limit/20
	}
	s.looked = time.Now()
	if has+more > limit {
		return fmt.Sprintf("stopped at the memory limit of %s: the process uses %s, and the next "+
			"step would take %s",
			Bytes(limit), Bytes(resident()), Bytes(more))
	}
	return ""
}

// takeMemory reports whether more bytes are within the memory limit, and notes the peak. If they are not, the
// reason is in Report.Stopped.
func (s *search) takeMemory(more int64) bool {
	n := s.memory() + more
	if s.opt.Memory > 0 && n > s.opt.Memory {
		s.report.Stopped = fmt.Sprintf("stopped at the memory limit of %s: the next step would take %s more "+
			"than the %s that are in use", Bytes(s.opt.Memory), Bytes(more), Bytes(n-more))
		return false
	}
	if why := cmp.Or(s.excess(more), s.stopsAt(atMemory)); why != "" {
		s.report.Stopped = why
		return false
	}
	s.report.Memory = max(s.report.Memory, n)
	return true
}

// newCells returns cells for the shards that get new ones: words returns their number of words; 0: it gets
// none; the vectors in them are of a width. The result is nil if no shard does. More other bytes are taken
// at the same time. ok is false if the memory limit or the system refuses memory; the search has to stop
// then, and the shards are unchanged.
func (s *search) newCells(width int, more int64, words func(shard int, t *memory.Table) int) (
	cells *[memory.Shards]memory.Pages, ok bool) {
	var all [memory.Shards]int
	var largest int64
	for i := range s.tables {
		t := &s.tables[i]
		if all[i] = words(i, t); all[i] != 0 {
			more += 4*int64(all[i]) - t.Bytes()
			largest = max(largest, t.Bytes())
		}
	}
	if !s.takeMemory(more + largest*growing) {
		return nil, false
	}
	cells = memory.SideBySide(&all)
	together := cells != nil
	for i, n := range all {
		if n == 0 {
			continue
		}
		if cells == nil {
			cells = new([memory.Shards]memory.Pages)
		}
		var err error
		if why := s.stopsAt(atPages); why != "" {
			err = errors.New(why)
		} else if together {
			continue
		} else if cells[i], err = s.tables[i].NewCells(n, width); err == nil {
			continue
		}
		for k := range cells {
			s.tables[k].Drop(cells[k])
		}
		s.report.Stopped = fmt.Sprintf("stopped: the system refuses more memory for the visited set: %v", err)
		return nil, false
	}
	return cells, true
}

// growing is the number of shards that the account of memory counts twice, old and new, while shards grow. It
// is not the number of workers, because the place where the memory limit ends a search must not depend on it.
const growing = 4

// room grows the shards so that each has room for the wanted states. It returns false if the memory limit or
// the system refuses the memory; Report.Stopped has the reason.
func (s *search) room(wanted *[memory.Shards]int) (ok bool, err error) {
	width := s.width // of the part of a cell that identifies a state
	if s.compact != nil {
		width = compact.Width
	}
	soon := 0 // 1: a shard has to grow; those that would soon grow, too, so that all workers have work
	if s.disk != nil {
		if err := s.disk.level.Room(wanted); err != nil {
			return false, err
		}
	}
	for i := range s.tables {
		if s.disk == nil && s.tables[i].Reserve(wanted[i], width) > 0 {
			soon = 1
		}
	}
	cells, ok := s.newCells(width, 0, func(i int, t *memory.Table) int {
		return t.Reserve(wanted[i]+soon*t.Used()/64, width)
	})
	if !ok {
		return false, nil
	}
	s.growTables(cells, width, func(dst, src []uint32) uint64 {
		copy(dst, src)
		if s.compact != nil {
			return memory.HashOf(compact.Place(dst))
		}
		return s.cursors[0].Hash(dst) // it changes nothing in the cursor
	})
	return true, nil
}

// growTables moves the tables for which there are new cells to those cells.
func (s *search) growTables(cells *[memory.Shards]memory.Pages, width int, translate kernel.Translation) {
	if cells == nil {
		return
	}
	s.workers.run(memory.Shards, func(_, i int) {
		if cells[i].Words != nil {
			s.tables[i].Grow(cells[i], width, translate)
		}
	})
}

// outgrown changes the layout of all vectors if the numbers of the space do not fit any more.
func (s *search) outgrown() {
	grow, err := s.space.Outgrown()
	if err != nil {
		s.report.Stopped = "stopped: " + err.Error()
	} else if grow {
		s.relayout()
	}
}

// relayoutInTime changes the layout of all vectors if the numbers of the space will soon outgrow it, and the
// tables will soon grow as well: both at once take one pass over the states: 3% of lamport-mutex.
func (s *search) relayoutInTime() {
	if s.disk == nil && s.compact == nil && s.tables[0].GrowsSoon() && s.space.Tight() {
		s.relayout()
	}
}

// relayout changes all vectors to a new layout, after the numbers of the space outgrew the old one.
func (s *search) relayout() {
	old, width := s.width, s.space.Grown()
	var more int64
	for _, q := range s.queues() {
		more += q.Widened(width - old)
	}
	cells, ok := s.newCells(width, more, func(_ int, t *memory.Table) int {
		if s.compact != nil { // codes stay as they are
			return 0
		}
		return t.Translated(width)
	})
	if !ok {
		return // in the old layout, with which paths can still be found
	}
	translate := s.space.Grow()
	s.width = width
	s.newCursors()
	s.growTables(cells, width, translate)
	s.widenQueues(old, translate)
	change := func(vs []uint32) []uint32 {
		if vs == nil {
			return nil
		}
		r := make([]uint32, len(vs)/old*s.width)
		for i := range len(vs) / old {
			translate(r[i*s.width:(i+1)*s.width], vs[i*old:(i+1)*old])
		}
		return r
	}
	missing := s.missing
	s.missing = nil
	for entry := range slices.Chunk(missing, old+s.behind) {
		s.missing = append(append(s.missing, change(entry[:old])...), entry[old:]...)
	}
	for i := range s.siblingCaches {
		clear(s.siblingCaches[i][:])
	}
	for i := range s.finds {
		s.finds[i].state, s.finds[i].beyond = change(s.finds[i].state), change(s.finds[i].beyond)
	}
}

// widenQueues changes the entries of all queues, whose vectors have the old width. It returns the memory of
// old segments to the system early: old and new together would exceed the memory limit by up to a fifth.
func (s *search) widenQueues(old int, translate kernel.Translation) {
	var garbage int64
	dropped := func(bytes int64) {
		if garbage += bytes; s.opt.Memory > 0 && garbage > s.opt.Memory/64 {
			debug.FreeOSMemory()
			garbage = 0
		}
	}
	for _, q := range s.queues() {
		*q = q.Translated(old, s.width, s.behind, translate, dropped)
	}
}
