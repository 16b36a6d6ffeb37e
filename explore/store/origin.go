package store

import (
	"context"
	"errors"
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
)

// The origin of a state is the first 32 bits of a parent's code. It serves to find a run to the state again.
// If a state has several parents, the least one counts.

// Origin returns the origin of the successors of a state with a code.
func Origin(c Code) uint32 { return uint32(c.Hi >> 32) }

// Unite unites the origin and the tag of a state with the origin and the tag of another step to it. The
// result does not depend on their order.
func Unite(origin, tag *uint32, otherOrigin, otherTag uint32) {
	*origin = min(*origin, otherOrigin)
	*tag = uint32(kernel.SleepTag(*tag).Over(kernel.SleepTag(otherTag)))
}

// Ancestry returns, for each level up to the given one, initial states first, the codes of states through
// which a run may lead to the state with the given code: all that origins allow. If ctx ends first, the error
// is its cause.
func (s *Search) Ancestry(ctx context.Context, files Files, level int, state Code) ([]map[Code]bool, error) {
	ancestry := make([]map[Code]bool, level)
	wanted := map[Code]bool{state: true}
	for l := range slices.Backward(ancestry) {
		ancestry[l] = wanted
		if l == 0 {
			break
		}
		parents, shards := map[uint32]bool{}, map[int]bool{}
		for c := range wanted {
			shards[ShardOf(c, s.Shards)] = true
		}
		if err := s.scan(ctx, files, shards, l+1, func(c Code, origin uint32) {
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
		if err := s.scan(ctx, files, shards, l, func(c Code, _ uint32) {
			if parents[Origin(c)] {
				wanted[c] = true
			}
		}); err != nil {
			return nil, err
		}
	}
	return ancestry, nil
}

// scan calls visit for each code in the runs of some shards that include a level.
func (s *Search) scan(ctx context.Context, files Files, shards map[int]bool, level int,
	visit func(c Code, origin uint32)) error {
	for shard := range shards {
		for _, run := range s.Visited[shard] {
			if level < run.First || level > run.Last {
				continue
			}
			r, err := Open(files, run.Name, Codes, s.Model)
			if err != nil {
				return err
			}
			err = r.Each(func() error {
				for i, origin := range r.Columns[ColumnOrigin] {
					visit(r.Code(i), origin)
				}
				return context.Cause(ctx)
			})
			if err = errors.Join(err, r.Close()); err != nil {
				return err
			}
		}
	}
	return nil
}
