package explore

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/atmostk/atmostk/model"
)

// A pool shares out numbered tasks among workers. The calling goroutine is
// worker 0; with one worker there is no other.
//
// The halves of an expansion take a fraction of a millisecond each, and to wake a
// sleeping thread takes about as long. So workers look out for work for a while
// before they go to sleep, and a job is over when its tasks are done, whether or
// not every worker has woken up for it.
type pool struct {
	others   int // further workers
	job      atomic.Pointer[job]
	sleepers atomic.Int32
	mu       sync.Mutex
	wake     sync.Cond
	ended    sync.WaitGroup
}

// A job is one call of run.
type job struct {
	task func(worker, i int)
	n    int64
	left atomic.Uint64 // the tasks to be taken: the first, and 32 bits higher the one behind the last
	done atomic.Int64  // tasks done
	last bool          // there will be no other job
	// waits: who posted the job sleeps until over is closed.
	waits atomic.Bool
	over  chan struct{}
	// failed is what the first task panicked with that did.
	failed atomic.Pointer[failure]
}

// A failure is a panic in a task, on its way to the goroutine that posted the job.
type failure struct {
	value any
	stack []byte // of the worker
}

// Error makes a panic that nobody recovers, or an error of it.
func (f *failure) Error() string { return fmt.Sprintf("%v\n\nin a worker:\n%s", f.value, f.stack) }

// Unwrap returns what the task panicked with, if that is an error.
func (f *failure) Unwrap() error {
	err, _ := f.value.(error)
	return err
}

// patience is how often a worker looks for a new job before it goes to sleep:
// some tenths of a millisecond.
const patience = 4000

// start starts the workers.
func (p *pool) start(workers int) {
	p.others = workers - 1
	p.wake.L = &p.mu
	p.job.Store(&job{})
	for w := 1; w < workers; w++ {
		p.ended.Go(func() {
			for j := p.await(nil); !j.last; j = p.await(j) {
				j.work(w)
			}
		})
	}
}

// stop ends the workers.
func (p *pool) stop() {
	p.announce(&job{last: true})
	p.ended.Wait()
}

// run calls task(worker, i) for each i below n and returns when all are done. It panics if
// one of them does, with a *failure, once all have ended: a worker's panic would end the process.
func (p *pool) run(n int, task func(worker, i int)) {
	j := &job{task: task, n: int64(n)}
	j.left.Store(uint64(n) << 32)
	if n > 1 && p.others > 0 {
		p.announce(j)
	}
	j.work(0)
	j.await()
	if f := j.failed.Load(); f != nil {
		if mistake, ok := f.value.(*model.Error); ok {
			panic(mistake)
		}
		panic(f)
	}
}

// announce makes a job known to the workers.
func (p *pool) announce(j *job) {
	p.job.Store(j)
	if p.sleepers.Load() > 0 {
		p.mu.Lock()
		p.wake.Broadcast()
		p.mu.Unlock()
	}
}

// await returns the job that is posted, once it is another than the one given.
func (p *pool) await(old *job) *job {
	for range patience {
		if j := p.job.Load(); j != old {
			return j
		}
		runtime.Gosched()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sleepers.Add(1)
	defer p.sleepers.Add(-1)
	for p.job.Load() == old {
		p.wake.Wait()
	}
	return p.job.Load()
}

// await returns when all tasks are done. On a busy machine the last of them may belong to a worker that does
// not run just now, for longer than it is worth looking out for.
func (j *job) await() {
	for range patience {
		if j.done.Load() == j.n {
			return
		}
		runtime.Gosched()
	}
	j.over = make(chan struct{})
	j.waits.Store(true)
	if j.done.Load() < j.n { // else the last may have looked before
		<-j.over
	}
}

func (j *job) work(worker int) {
	for i, ok := j.take(worker); ok; i, ok = j.take(worker) {
		j.do(worker, i)
	}
}

func (j *job) do(worker, i int) {
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
		if j.done.Add(1) == j.n && j.waits.Load() {
			close(j.over)
		}
		if worker == 0 && mistake != nil && mistake.Ended { // the goroutine of who waits for the job, too
			panic(mistake)
		}
	}()
	defer model.Catch(&mistake, &returned) // here, where the stack says where it is
	j.task(worker, i)
	returned = true
}

// take takes a task: worker 0 from the front, the others from the back. So in each
// expansion a worker mostly gets the chunks and shards that it had before, which may
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
