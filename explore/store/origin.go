package store

import (
	"errors"

	"github.com/atmostk/atmostk/explore/kernel"
)

// An origin is what a state remembers of how it came about, for the run that leads to it to be found again.
// Up to the founders, the states of the first level that is large, it is the beginning of a parent's code, in
// 32 bits. Each state of a later level descends from one founder, and two bytes of that one's code are all
// that it remembers: from the founders with these two bytes forward, by states that remember the same, there
// are not many to go through.
//
//	bits    31 .. 16                    15 .. 0
//	        of a parent's code          of the parent's code, or of the founder's
//
// Among several parents the origin that is the least counts. The upper half makes that as good as a choice by
// lot among parents: were it one among founders, all states would soon descend from a few of them. Once it is
// made, the upper half is not needed where the lower one is of a founder.

// founders is how many states there are at least in the level of the founders.
const founders = 1 << 16

// prefix is the part of a state's code that its successors remember, or a founder's descendants.
func prefix(c Code) uint32 { return uint32(c.Hi >> 32) }

// founded is the part of an origin that names a founder.
func founded(origin uint32) uint16 { return uint16(origin) }

// Inherited returns the origin of the successors of a state that has a code and an origin. Descended: the
// state is of a level behind the founders'.
func Inherited(c Code, origin uint32, knowsFounder bool) uint32 {
	if knowsFounder {
		return prefix(c)&^(1<<16-1) | uint32(founded(origin))
	}
	return prefix(c)
}

// Unite adds, to the origin and the tag of a state, the ones of another way to it; the result does not
// depend on their order.
func Unite(origin, tag *uint32, otherOrigin, otherTag uint32) {
	*origin = min(*origin, otherOrigin)
	*tag = uint32(kernel.SleepTag(*tag).Over(kernel.SleepTag(otherTag)))
}

// foundersLevel returns the level of the founders; 0: none was so large.
func (s *Search) foundersLevel() int {
	for i, n := range s.Levels {
		if n >= s.Founders {
			return i + 1
		}
	}
	return 0
}

// knowsFounder reports whether the states of a level, one that is there or the next one, know their founders.
func (s *Search) knowsFounder(level int) bool {
	at := s.foundersLevel()
	return at > 0 && level > at
}

// Ancestry returns, for each level up to that of the state, the initial one first, the codes of states
// through which there is a run to the state with the given code: all that have its founder, and up to there
// all that origins allow.
func (s *Search) Ancestry(files Files, level int, state Code) ([]map[Code]bool, error) {
	ancestry := make([]map[Code]bool, level)
	wanted := map[Code]bool{state: true}
	if s.knowsFounder(level) {
		var err error
		if wanted, err = s.descent(files, ancestry, state); err != nil {
			return nil, err
		}
		level = s.foundersLevel()
	}
	for l := level; l > 0; l-- {
		ancestry[l-1] = wanted
		if l == 1 {
			break
		}
		parents, shards := map[uint32]bool{}, map[int]bool{}
		for c := range wanted {
			shards[ShardOf(c, s.Shards)] = true
		}
		if err := s.scan(files, shards, l, l, func(_ Run, c Code, origin uint32) {
			if wanted[c] {
				parents[origin] = true
			}
		}); err != nil {
			return nil, err
		}
		wanted, shards = map[Code]bool{}, map[int]bool{}
		for p := range parents {
			shards[ShardOf(Code{Hi: uint64(p) << 32}, s.Shards)] = true
		}
		if err := s.scan(files, shards, l-1, l-1, func(_ Run, c Code, _ uint32) {
			if parents[prefix(c)] {
				wanted[c] = true
			}
		}); err != nil {
			return nil, err
		}
	}
	return ancestry, nil
}

// descent puts those into the levels behind the founders' that have the founder of a state of the last level,
// and returns which may be that.
func (s *Search) descent(files Files, ancestry []map[Code]bool, state Code) (founder map[Code]bool,
	err error) {
	level, at := len(ancestry), s.foundersLevel()
	var of uint16
	one := map[int]bool{ShardOf(state, s.Shards): true}
	if err := s.scan(files, one, level, level, func(_ Run, c Code, origin uint32) {
		if c == state {
			of = founded(origin)
		}
	}); err != nil {
		return nil, err
	}
	all := map[int]bool{}
	for shard := range s.Shards {
		all[shard] = true
	}
	for l := at; l < level; l++ {
		ancestry[l] = map[Code]bool{}
	}
	if err := s.scan(files, all, at+1, level-1, func(r Run, c Code, origin uint32) {
		for l := max(at+1, r.First); l <= min(r.Last, level-1) && founded(origin) == of; l++ {
			ancestry[l-1][c] = true
		}
	}); err != nil {
		return nil, err
	}
	ancestry[level-1][state] = true
	founder = map[Code]bool{}
	return founder, s.scan(files, all, at, at, func(_ Run, c Code, _ uint32) {
		if founded(prefix(c)) == of {
			founder[c] = true
		}
	})
}

// scan goes through the runs of some shards that have states of some levels.
func (s *Search) scan(files Files, shards map[int]bool, first, last int, visit func(r Run, c Code,
	origin uint32)) error {
	for shard := range shards {
		for _, run := range s.Visited[shard] {
			if last < run.First || first > run.Last {
				continue
			}
			r, err := openCodes(files, run.Name, s.Model)
			if err != nil {
				return err
			}
			for err == nil && !r.ended {
				for i := range r.high {
					visit(run, r.code(i), r.origins.at(i))
				}
				err = r.next()
			}
			if err = errors.Join(err, r.Close()); err != nil {
				return err
			}
		}
	}
	return nil
}
