package starfile

import (
	"sync"
	"sync/atomic"
	"testing"
)

// TestMemoFindsOwnBranch: while workers add branches, no one follows that of another value. Where a place was
// loaded twice, one in 100,000 rounds found it.
func TestMemoFindsOwnBranch(t *testing.T) {
	for range 20_000 {
		var room atomic.Int64
		room.Store(maxNodes)
		m := memo[uint64]{room: &room}
		var workers sync.WaitGroup
		for w := range uint64(4) {
			workers.Go(func() {
				for i := range uint64(16) {
					x := (i*5 + w*7) % 16
					leaf, found := m.find(func(uint32) key { return key{x: x} })
					if found && leaf != x {
						t.Errorf("%d is found at %d", leaf, x)
					}
					if !found {
						m.add([]step{{0, key{x: x}}}, x)
					}
				}
			})
		}
		workers.Wait()
	}
}
