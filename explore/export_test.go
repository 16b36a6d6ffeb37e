package explore

import (
	"context"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// StopAt makes searches stop where stop, which gets the kind of each place where one can, returns a reason.
func StopAt(ctx context.Context, stop func(at string) string) context.Context {
	h := hooksOf(ctx)
	h.stopAt = func(at stopPoint) string { return stop(string(at)) }
	return context.WithValue(ctx, hooksKey{}, h)
}

// Hasty abandons any search after the short grace period.
func Hasty(ctx context.Context) context.Context {
	h := hooksOf(ctx)
	h.grace = GracePeriod
	return context.WithValue(ctx, hooksKey{}, h)
}

// TwoShards has the Disk store begin searches with two shards, which take fewer files.
func TwoShards(ctx context.Context) context.Context {
	h := hooksOf(ctx)
	h.shards = 2
	return context.WithValue(ctx, hooksKey{}, h)
}

// InBatches has the Disk store expand n states of the frontier at a time, so that most levels are split into
// partitions, and candidates are written after each of them.
func InBatches(ctx context.Context, states int64) context.Context {
	h := hooksOf(ctx)
	h.batch = states
	return context.WithValue(ctx, hooksKey{}, h)
}

// The kinds of places.
const (
	AtExpansion, AtFilled = string(atExpansion), string(atFilled)
	AtMemory, AtPages     = string(atMemory), string(atPages)
	AtPass                = string(atPass)
)

// Codes searches and returns the codes of all visited states.
func Codes(in model.Instance, opt Options) map[protocol.Code]bool {
	s := begun(context.Background(), in, opt)
	defer s.free()
	return s.codes()
}

// Space searches and returns the space with all entries of its tables, how its states are told, and whether
// the search was complete.
func Space(in model.Instance, opt Options) (space kernel.Space, decode func([]uint32) lts.State,
	complete bool) {
	s := searched(in, opt)
	defer s.free()
	return s.space, s.decode, s.report.Complete
}

func searched(in model.Instance, opt Options) *search {
	s, err := newSearch(context.Background(), in, opt)
	if err == nil {
		err = s.explore()
	}
	if err != nil {
		panic(err)
	}
	return s
}
