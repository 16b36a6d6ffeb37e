package explore

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestPool wants each task done once, by a worker that there is, before run returns: with few
// tasks and many, one after the other.
func TestPool(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		p := newPool(workers)
		for round := range 300 {
			n := round * round % 97
			done := make([]atomic.Int32, n)
			p.run(n, func(worker, i int) {
				if worker < 0 || worker >= workers {
					t.Errorf("worker %d of %d", worker, workers)
				}
				for range i % 20 {
					runtime.Gosched() // so that others get tasks, and some are late
				}
				done[i].Add(1)
			})
			for i := range done {
				if k := done[i].Load(); k != 1 {
					t.Fatalf("%d workers, round %d: task %d of %d was done %d times", workers, round, i, n, k)
				}
			}
		}
	}
}

// TestPoolPanic: what a task panics with reaches the caller, once all other tasks are done,
// and the workers go on.
func TestPoolPanic(t *testing.T) {
	p := newPool(3)
	for bad := range 20 {
		var done atomic.Int32
		func() {
			defer func() {
				if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(),
					fmt.Sprintf("wrong %d", bad)) {
					t.Errorf("task %d: run has panicked with %v", bad, err)
				}
			}()
			p.run(20, func(_, i int) {
				if i == bad {
					panic(fmt.Sprintf("wrong %d", i))
				}
				done.Add(1)
			})
		}()
		if n := done.Load(); n != 19 {
			t.Errorf("%d of 19 other tasks were done", n)
		}
	}
}

// TestPoolTake: of workers that take tasks at the same time no two get the same.
func TestPoolTake(t *testing.T) {
	const n = 200_000
	var j job
	j.left.Store(n << 32)
	taken := make([]atomic.Int32, n)
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i, ok := j.take(worker); ok; i, ok = j.take(worker) {
				taken[i].Add(1)
			}
		})
	}
	all.Wait()
	for i := range taken {
		if k := taken[i].Load(); k != 1 {
			t.Fatalf("task %d was taken %d times", i, k)
		}
	}
}

// TestPoolOrder: worker 0 takes tasks from the front, the others from the back.
func TestPoolOrder(t *testing.T) {
	var j job
	j.left.Store(5 << 32)
	var taken []int
	for _, worker := range []int{0, 1, 2, 0, 1, 0, 1} {
		if i, ok := j.take(worker); ok {
			taken = append(taken, i)
		}
	}
	if got := fmt.Sprint(taken); got != "[0 4 3 1 2]" {
		t.Errorf("taken: %s", got)
	}
}
