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
// the level of what was found: nothing has to be judged this time, and each code is stored with that of the
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
	k := &compacted{exact: exact{s}, Coder: compact.NewCoder(s.space, s.opt.Store.bits(), randomSeed())}
	s.tables.SetForm(memory.Form{Eighths: 7})
	return k
}

// cellWidth is how many words of a cell tell states apart.
func (k *compacted) cellWidth() int {
	if k.linked {
		return 2
	}
	return k.Words()
}

// cellWords is how many words a cell has.
func (k *compacted) cellWords() int {
	if k.linked {
		return compact.MostWords
	}
	return k.Words()
}

// encode makes the cells of the successors that belong to a shard, and lets their look-ups be by their codes.
func (k *compacted) encode(shard int, chunks []chunk) []uint32 {
	cells := k.cells[shard][:0]
	for i := range chunks {
		b := &chunks[i].batch.Records
		for j := range chunks[i].lookups[shard] {
			e := &chunks[i].lookups[shard][j]
			rec := b.Words[e.At : int(e.At)+b.Stride]
			at := len(cells)
			cells = k.Append(cells, rec[:b.Width])
			e.Place = compact.Place(cells[at:])
			if k.linked {
				parent := chunks[i].parents[rec[b.Width+kernel.RecordParent]]
				cells = compact.AppendCode(cells[:at+k.cellWidth()], parent)
			}
		}
	}
	k.cells[shard] = cells
	return cells
}

// number makes those successors of v that are in a chunk from a word on name it by its number in the chunk.
func (k *compacted) number(ch *chunk, from int, v []uint32) {
	b := &ch.batch
	for at := from + b.Width + kernel.RecordParent; at < len(b.Words); at += b.Stride {
		b.Words[at] = uint32(len(ch.parents))
	}
	ch.parents = append(ch.parents, k.code(v))
}

// code returns the first 64 bits of the code of a state.
func (k *compacted) code(v []uint32) uint64 {
	var cell [compact.MostWords]uint32
	return compact.Code(k.Append(cell[:0], v))
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
		k.noLinks = k.link(levels)
	}
	if k.noLinks != nil {
		return nil, k.noLinks
	}
	lineage := make([]map[store.Code]bool, f.level)
	cell, tables := k.Append(nil, f.state), s.tables[memory.ShardOf(s.cursors[0].Hash(f.state)):]
	for l := f.level - 1; l >= 0; l-- {
		lineage[l] = map[store.Code]bool{{Hi: compact.Code(cell)}: true}
		at := slices.IndexFunc(tables, func(t memory.Table) bool {
			if t.Used() == 0 {
				return false
			}
			at, found := t.Find(cell, compact.Place(cell))
			if found {
				copy(cell[:2], t.Remembered(at))
			}
			return found
		})
		if at < 0 {
			return nil, fmt.Errorf("%w: a visited state was not visited again", ErrInternal)
		}
		tables = s.tables[:] // the shard is that of a hash which is not known
	}
	return s.follow(lineage)
}

// link visits the states of so many levels once more, with links to their parents.
func (k *compacted) link(levels int) error {
	s := k.search
	before, opt, mistake, checkpoint, resumed := s.report, s.opt, s.mistake, s.checkpoint, s.resumed
	states, steps, deadlock, asked, expanded := s.judgeStates, s.judgeSteps, s.deadlock, s.asked, s.expanded
	before.Fired, before.Properties = slices.Clone(before.Fired), slices.Clone(before.Properties)
	defer func() {
		s.report, s.opt, s.mistake, s.checkpoint, s.resumed = before, opt, mistake, checkpoint, resumed
		s.judgeStates, s.judgeSteps, s.deadlock, s.asked = states, steps, deadlock, asked
		s.expanded = expanded
	}()
	s.tables.Free()
	s.tables.SetForm(memory.Form{Behind: 2, Eighths: 7})
	k.linked = true
	s.report.Stopped, s.report.States, s.report.Depth, s.report.Levels = "", 0, 0, nil
	s.opt.KeepGoing, s.opt.MaxStates, s.opt.MaxDepth = true, 0, levels
	s.opt.supervisor, s.opt.Progress = nil, nil
	s.mistake, s.checkpoint, s.resumed = nil, nil, false
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
