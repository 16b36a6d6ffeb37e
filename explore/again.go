package explore

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
)

// The Compact store knows no parents. Where there is a run to be shown the search is done once more, up to
// the level of what was found: no table has to be filled and nothing to be judged this time, and each code is
// stored with that of the parent, which takes twice the memory, still less than the states.

// noRoom is why a search cannot be done once more.
type noRoom string

func (n noRoom) Error() string { return string(n) }

// again returns a run from an initial state to a state of a level.
func (s *search) again(v []uint32, level int) ([][]uint32, error) {
	if s.compact.parents == nil {
		levels := level
		for i := range s.finds {
			levels = max(levels, s.finds[i].level)
		}
		s.compact.noLinks = s.link(levels)
	}
	k := s.compact
	if k.noLinks != nil {
		return nil, k.noLinks
	}
	lineage := make([]map[store.Code]bool, level)
	shard, code := shardOf(s.cursors[0].Hash(v)), k.half(v, 0)
	for l := level - 1; l >= 0; l-- {
		lineage[l] = map[store.Code]bool{{Hi: code}: true}
		at, found := k.shards[shard].find(code, 0)
		// the shard is that of a hash which is not known
		for i := 0; l < level-1 && !found && i < numShards; i++ {
			if k.shards[i].used > 0 {
				at, found = k.shards[i].find(code, 0)
				shard = i
			}
		}
		if !found {
			return nil, fmt.Errorf("%w: a visited state was not visited again", ErrInternal)
		}
		code = k.shards[shard].cells[at+1]
	}
	path, err := s.follow(lineage)
	if err == nil && path == nil {
		err = fmt.Errorf("%w: no path to a visited state", ErrInternal)
	}
	return path, err
}

// link visits the states of so many levels once more, with links to their parents.
func (s *search) link(levels int) error {
	before, states, steps, asked := s.report, s.judgeStates, s.judgeSteps, s.asked
	before.Fired, before.Properties = slices.Clone(before.Fired), slices.Clone(before.Properties)
	defer func() { s.report, s.judgeStates, s.judgeSteps, s.asked = before, states, steps, asked }()
	for i := range s.compact.shards {
		if err := s.compact.shards[i].free(); err != nil {
			return err
		}
	}
	s.compact = newCompact(s.space, 64, s.compact.seed)
	for i := range s.compact.shards {
		s.compact.shards[i].stride = 2
	}
	s.compact.parents = make([][]uint64, len(s.chunks))
	s.judgeStates, s.judgeSteps, s.asked = false, false, 0
	s.report.Stopped, s.report.States, s.report.Depth = "", 0, 1
	s.opt.MaxStates = 0
	s.now, s.next = queue{}, queue{}
	ch := &s.chunks[0]
	ch.reset(s.width)
	s.space.Init(&ch.batch)
	s.number(0, 0, 0)
	s.compact.parents[0] = []uint64{0}
	ch.sort(&s.siblingCaches[0], false)
	err := s.lookUp(s.chunks[:1])
	for ; s.report.Depth < levels && err == nil && s.report.Stopped == ""; s.report.Depth++ {
		s.now, s.next = s.next, s.now
		for s.now.count > 0 && err == nil && s.report.Stopped == "" {
			err = s.linkNext()
		}
	}
	if err == nil && s.report.Stopped != "" {
		return noRoom("the search was done once more for a run that leads there, and " + s.report.Stopped)
	}
	return err
}

// linkNext expands the next states, and visits their successors with links.
func (s *search) linkNext() error {
	if s.report.Stopped = s.interruption(atExpansion); s.report.Stopped != "" {
		return nil
	}
	n := s.handOut()
	s.workers.run(n, func(w, i int) {
		ch, length := &s.chunks[i], s.length()
		parents := s.compact.parents[i][:0]
		at := 0
		for ; at < len(ch.input) && !ch.full(); at += length {
			from := len(ch.batch.Words)
			if _, lacking := s.expandThese(s.cursors[w], ch, ch.input[at:at+length]); lacking {
				ch.missing = append(ch.missing, ch.input[at:at+length]...)
			}
			s.number(i, from, uint32(len(parents)))
			parents = append(parents, s.compact.half(ch.input[at:at+s.width], 0))
		}
		ch.left = ch.input[at:]
		s.compact.parents[i] = parents
		ch.sort(&s.siblingCaches[w], false)
	})
	var left []uint32
	for i := range s.chunks[:n] {
		if len(s.chunks[i].missing) > 0 {
			return fmt.Errorf("%w: a state cannot be expanded again", ErrInternal)
		}
		left = append(left, s.chunks[i].left...)
	}
	if len(left) > 0 {
		s.now.unpop(left, s.length())
	}
	return s.lookUp(s.chunks[:n])
}

// number makes the records of a chunk from a word on those of the parent with a number.
func (s *search) number(chunk, from int, parent uint32) {
	b := &s.chunks[chunk].batch
	for at := from + b.Width + kernel.RecordParent; at < len(b.Words); at += b.Stride {
		b.Words[at] = parent
	}
}
