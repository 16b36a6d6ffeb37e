package simulate

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// byPriority is the policy of PCT: of the threads that can take a step, the one with the highest priority
// does. At depth-1 steps, which are drawn, the thread whose turn it would be gets a low one.
type byPriority struct {
	drawn
	depth, steps int
	priority     map[uint64]float64 // by thread; those that were not changed are positive
	changes      []int              // the steps at which one changes: the i-th makes it -i-1
}

func (b *byPriority) begin(r *rand.Rand) {
	b.r, b.priority, b.changes = r, map[uint64]float64{}, b.changes[:0]
	for range b.depth - 1 {
		b.changes = append(b.changes, r.IntN(b.steps))
	}
}

func (b *byPriority) of(thread uint64) float64 {
	p, known := b.priority[thread]
	if !known {
		p = b.r.Float64()
		b.priority[thread] = p
	}
	return p
}

func (b *byPriority) next(w *walker) bool {
	b.collect(w, nil)
	for _, c := range b.list {
		b.of(c.thread)
	}
	w.Threads = max(w.Threads, len(b.priority))
	for {
		// stable: candidates of one thread stay in the order of the player
		slices.SortStableFunc(b.list, func(c, d candidate) int {
			return cmp.Compare(b.priority[d.thread], b.priority[c.thread])
		})
		i := slices.IndexFunc(b.list, w.enabled)
		if i < 0 {
			return false
		}
		change := slices.Index(b.changes, w.Length)
		if change < 0 {
			return true
		}
		b.changes[change] = -1
		b.priority[b.list[i].thread] = -float64(change) - 1
	}
}
