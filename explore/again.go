package explore

import (
	"fmt"
	"slices"

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
	if !s.compact.linked {
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
	before, opt, mistake, checkpoint, resumed := s.report, s.opt, s.mistake, s.checkpoint, s.resumed
	states, steps, deadlock, asked, expanded := s.judgeStates, s.judgeSteps, s.deadlock, s.asked, s.expanded
	before.Fired, before.Properties = slices.Clone(before.Fired), slices.Clone(before.Properties)
	defer func() {
		s.report, s.opt, s.mistake, s.checkpoint, s.resumed = before, opt, mistake, checkpoint, resumed
		s.judgeStates, s.judgeSteps, s.deadlock, s.asked = states, steps, deadlock, asked
		s.expanded = expanded
	}()
	for i := range s.compact.shards {
		if err := s.compact.shards[i].free(); err != nil {
			return err
		}
	}
	s.compact = newCompact(s.space, 64, s.compact.seed)
	s.compact.linked = true
	for i := range s.compact.shards {
		s.compact.shards[i].stride = 2
	}
	s.report.Stopped, s.report.States, s.report.Depth, s.report.Levels = "", 0, 0, nil
	s.opt.KeepGoing, s.opt.MaxStates, s.opt.MaxDepth = true, 0, levels
	s.opt.supervisor, s.opt.Progress = nil, nil
	s.mistake, s.checkpoint, s.resumed = nil, nil, false
	s.judgeStates, s.judgeSteps, s.deadlock, s.asked = false, false, 0, 0
	s.now, s.next = queue{}, queue{}
	err := s.levels()
	switch {
	case s.mistake != nil:
		panic(s.mistake.Error) // as where it is judged
	case err == nil && s.report.Depth < levels:
		return noRoom("the search was done once more for a run that leads there, and " + s.report.Stopped)
	}
	return err
}
