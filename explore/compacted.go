package explore

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/compact"
	"github.com/atmostk/atmostk/explore/store/memory"
)

// The Compact store knows no parents. Where there is a run to be shown the search is done once more, up to
// the level of the find: nothing has to be judged this time, and each code is stored with the code of the
// parent, which takes twice the memory, still less than the states.

// compacted keeps codes of states.
type compacted struct {
	exact
	*compact.Coder
	cells   [memory.Shards][]uint32 // of the successors that are looked up
	linked  bool                    // the tables have the codes of parents
	noLinks error                   // why the search could not be done once more; nil: no reason is known
}

func newCompacted(s *search) *compacted {
	s.tables.SetForm(memory.Form{Eighths: 7})
	return &compacted{exact: exact{s}, Coder: compact.NewCoder(s.space, compactBits, randomSeed())}
}

func (k *compacted) take(c *checker, i int, chunks []chunk) {
	s, t := k.search, &k.tables[i]
	checks := s.purityChecks(i)
	cells, size := k.encode(i, chunks), k.cellSize()
	for n := range chunks {
		b := &chunks[n].batch.Records
		for _, e := range chunks[n].lookups[i] {
			cell := cells[:size]
			cells = cells[size:]
			if at, found := t.Find(cell, compact.Place(cell)); !found {
				t.Fill(at, cell)
				s.enter(c, i, b.Width, b.Words[e.At:int(e.At)+b.Stride], &checks)
			}
		}
	}
}

// cellSize is how many words a cell has.
func (k *compacted) cellSize() int {
	if k.linked {
		return 2 * compact.Width
	}
	return compact.Width
}

// encode makes the cells of the successors that belong to a shard, and touches the cells of the table where
// they are looked up.
func (k *compacted) encode(shard int, chunks []chunk) []uint32 {
	size, n := k.cellSize(), 0
	for i := range chunks {
		n += len(chunks[i].lookups[shard]) * size
	}
	all := slices.Grow(k.cells[shard][:0], n)[:n]
	cells, t, touched := all, &k.tables[shard], uint32(0)
	for i := range chunks {
		b := &chunks[i].batch.Records
		for _, e := range chunks[i].lookups[shard] {
			rec := b.Words[e.At : int(e.At)+b.Stride]
			compact.Put(cells, k.Half(rec[:b.Width], 0))
			if k.linked {
				compact.Put(cells[compact.Width:], chunks[i].parents[rec[b.Width+kernel.RecordParent]])
			}
			cells = cells[size:]
		}
	}
	for at := 0; at < len(all); at += size { // so that the cache misses overlap
		touched += t.Touch(compact.Place(all[at:]))
	}
	k.shardResults[shard].touched = touched
	k.cells[shard] = all
	return all
}

// number makes those successors of a state that are in a chunk from a word on name it by its number in the
// chunk.
func (k *compacted) number(ch *chunk, from int, entry []uint32) {
	b := &ch.batch
	for at := from + b.Width + kernel.RecordParent; at < len(b.Words); at += b.Stride {
		b.Words[at] = uint32(len(ch.parents))
	}
	ch.parents = append(ch.parents, k.code(entry[:b.Width]))
}

// code returns the code of a state, as a cell has it.
func (k *compacted) code(v []uint32) uint64 {
	var cell [compact.Width]uint32
	compact.Put(cell[:], k.Half(v, 0))
	return compact.Code(cell[:])
}

// noRoom is why a search cannot be done once more.
type noRoom string

func (n noRoom) Error() string { return string(n) }

func (k *compacted) path(f find) ([][]uint32, error) {
	s := k.search
	if !k.linked {
		levels := f.level
		for i := range s.finds {
			levels = max(levels, s.finds[i].level)
		}
		k.noLinks = k.recoverParents(levels)
	}
	if k.noLinks != nil {
		return nil, k.noLinks
	}
	ancestry := make([]map[store.Code]bool, f.level)
	cell, tables := make([]uint32, compact.Width), s.tables[memory.ShardOf(s.cursors[0].Hash(f.state)):]
	compact.Put(cell, k.code(f.state))
	for l := f.level - 1; l >= 0; l-- {
		ancestry[l] = map[store.Code]bool{{Hi: compact.Code(cell)}: true}
		at := slices.IndexFunc(tables, func(t memory.Table) bool {
			if t.Used() == 0 {
				return false
			}
			at, found := t.Find(cell, compact.Place(cell))
			if found {
				copy(cell, t.Remembered(at))
			}
			return found
		})
		if at < 0 {
			return nil, fmt.Errorf("%w: a visited state was not visited again", ErrInternal)
		}
		tables = s.tables[:] // the hash, and so the shard, is not known
	}
	return s.follow(ancestry)
}

// recoverParents visits the states of n levels once more, with the codes of their parents.
func (k *compacted) recoverParents(levels int) error {
	s := k.search
	before, opt, mistake := s.report, s.opt, s.mistake
	states, steps, deadlock, asked, counts := s.judgeStates, s.judgeSteps, s.deadlock, s.asked, s.counts
	defer func() {
		s.report, s.opt, s.mistake = before, opt, mistake
		s.judgeStates, s.judgeSteps, s.deadlock, s.asked = states, steps, deadlock, asked
		s.counts = counts
	}()
	s.tables.Free()
	s.tables.SetForm(memory.Form{Behind: 2, Eighths: 7})
	k.linked, s.link = true, k.number
	s.counts = s.noCounts()
	s.report.Stopped, s.report.States, s.report.Depth, s.report.Levels = "", 0, 0, nil
	s.opt.KeepGoing, s.opt.MaxStates, s.opt.MaxDepth = true, 0, levels
	s.opt.supervisor, s.opt.Progress = nil, nil
	s.mistake = nil
	s.judgeStates, s.judgeSteps, s.deadlock, s.asked = false, false, 0, 0
	s.now, s.next = memory.Queue{}, memory.Queue{}
	err := s.levels()
	switch {
	case s.mistake != nil:
		panic(s.mistake.Error) // as where it is judged
	case err == nil && s.report.Depth < levels:
		return noRoom("the search was done once more for a run that leads there, and " + s.report.Stopped)
	}
	return err
}
