package explore

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/atmostk/atmostk/model"
)

// A pool is a number of workers that share numbered tasks. The calling goroutine is worker 0; a pool of one
// worker starts no other.
//
// A worker without a task spins: to wake a thread takes as long as a third of a chunk, and a goroutine that
// was woken may be on another processor, whose cache lacks its chunks. If it spins in vain the processors
// have other work, which spinning would delay, so the workers sleep in the next jobs. So they do in the first
// jobs: in a search of a few states spinning took two fifths of the processor time.
type pool struct {
	workers int
	helpers []helper     // of worker 1 and up
	resting atomic.Int64 // number of jobs in which nobody spins
	vain    atomic.Int64 // number of times in a row that somebody spun in vain
}

// A helper is the goroutine of a worker other than 0, if there is one at present.
type helper struct {
	next atomic.Pointer[job] // waiting: it spins; any other value: it does not
	_    [cacheLine - 8]byte
}

// waiting is no job: it is the value of helper.next of a goroutine that spins.
var waiting job

const (
	cacheLine = 64
	// spinning is longer than a worker waits for the last chunk of another one.
	spinning = 300 * time.Microsecond
	rest     = 8 // jobs; twice as many each time, up to 64
)

func newPool(workers int) *pool {
	p := &pool{workers: workers, helpers: make([]helper, workers)}
	p.resting.Store(rest << 3) // as many jobs as it ever is
	if workers > runtime.GOMAXPROCS(0) {
		p.resting.Store(math.MaxInt64)
	}
	return p
}

// spin waits a short time until ready returns true.
func (p *pool) spin(ready func() bool) {
	if p.resting.Load() > 0 {
		return
	}
	for begun := time.Now(); time.Since(begun) < spinning; {
		if ready() {
			p.vain.Store(0)
			return
		}
	}
	p.resting.Store(rest << min(p.vain.Add(1)-1, 3))
}

// A job is one call of run.
type job struct {
	task    func(worker, i int)
	left    atomic.Uint64 // tasks not taken yet: low 32 bits the first, high 32 bits the one behind the last
	others  sync.WaitGroup
	working atomic.Int32 // number of goroutines in others
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
func (p *pool) run(n int, task func(worker, i int)) {
	j := &job{task: task}
	j.left.Store(uint64(n) << 32)
	if p.resting.Load() > 0 {
		p.resting.Add(-1)
	}
	for w := 1; w < min(p.workers, n); w++ {
		j.others.Add(1)
		j.working.Add(1)
		if !p.helpers[w].next.CompareAndSwap(&waiting, j) {
			go p.help(j, w)
		}
	}
	func() {
		defer p.wait(j) // also if a function of the model ends the goroutine
		j.work(0)
	}()
	if f := j.failed.Load(); f != nil {
		if mistake, ok := f.value.(*model.Error); ok {
			panic(mistake)
		}
		panic(f)
	}
}

// wait returns when all other workers have ended their tasks.
func (p *pool) wait(j *job) {
	p.spin(func() bool { return j.working.Load() == 0 })
	j.others.Wait()
}

// help does the tasks of a job, and of those that follow soon.
func (p *pool) help(j *job, worker int) {
	next := &p.helpers[worker].next
	for j != nil {
		j.help(worker, next)
		p.spin(func() bool { return next.Load() != &waiting })
		if next.CompareAndSwap(&waiting, nil) {
			return
		}
		j = next.Load()
	}
}

func (j *job) help(worker int, next *atomic.Pointer[job]) {
	defer j.others.Done()
	defer j.working.Add(-1)
	j.work(worker)
	next.Store(&waiting) // not if a function of the model ends the goroutine
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
