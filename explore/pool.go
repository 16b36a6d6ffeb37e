package explore

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/atmostk/atmostk/model"
)

// A pool is a number of workers that share numbered tasks. The calling goroutine is worker 0; a pool of one
// worker starts no other.
type pool int

// A job is one call of run.
type job struct {
	task func(worker, i int)
	left atomic.Uint64 // tasks not taken yet: low 32 bits the first, high 32 bits the one behind the last
	// failed is the first panic in a task; nil: none.
	failed atomic.Pointer[failure]
}

// A failure is a panic in a task, on its way to the goroutine that called run.
type failure struct {
	value any
	stack []byte // of the worker
}

// Error is the text of a panic that is not recovered.
func (f *failure) Error() string { return fmt.Sprintf("%v\n\nin a worker:\n%s", f.value, f.stack) }

// Unwrap returns the value of the panic, if it is an error.
func (f *failure) Unwrap() error {
	err, _ := f.value.(error)
	return err
}

// run calls task(worker, i) for each i below n and returns when all calls have returned. If one
// panics, run panics with a *failure, or with its *model.Error, after all workers have ended: a
// panic in a worker would end the process.
func (p pool) run(n int, task func(worker, i int)) {
	j := &job{task: task}
	j.left.Store(uint64(n) << 32)
	var others sync.WaitGroup
	for w := 1; w < min(int(p), n); w++ {
		others.Go(func() { j.work(w) })
	}
	func() {
		defer others.Wait() // also if a function of the model ends the goroutine
		j.work(0)
	}()
	if f := j.failed.Load(); f != nil {
		if mistake, ok := f.value.(*model.Error); ok {
			panic(mistake)
		}
		panic(f)
	}
}

// work does tasks until none is left, or one panics; run panics then, too.
func (j *job) work(worker int) {
	var mistake *model.Error
	returned := false
	defer func() {
		x := recover()
		if mistake != nil {
			x = mistake
		}
		if x != nil {
			j.failed.CompareAndSwap(nil, &failure{x, debug.Stack()})
		}
		if worker == 0 && mistake != nil && mistake.Ended { // the goroutine of the caller, too
			panic(mistake)
		}
	}()
	defer model.Catch(&mistake, &returned) // here, because the stack shows the place
	for i, ok := j.take(worker); ok; i, ok = j.take(worker) {
		j.task(worker, i)
	}
	returned = true
}

// take takes a task: worker 0 from the front, the others from the back. So a worker
// mostly gets the chunks and shards that it had in the last expansion, which may
// still be in its cache.
func (j *job) take(worker int) (i int, ok bool) {
	for {
		left := j.left.Load()
		first, end := left&(1<<32-1), left>>32
		if first >= end {
			return 0, false
		}
		i, rest := first, left+1
		if worker > 0 {
			i, rest = end-1, left-1<<32
		}
		if j.left.CompareAndSwap(left, rest) {
			return int(i), true
		}
	}
}
