package explore

import (
	"sync"
	"sync/atomic"
)

// A pool shares out numbered tasks among workers. The calling goroutine is
// worker 0; with one worker there is no other.
type pool struct {
	wake []chan struct{} // one for each further worker
	done sync.WaitGroup
	task func(worker, i int)
	next atomic.Int64
	n    int64
}

// start starts the workers.
func (p *pool) start(workers int) {
	for w := 1; w < workers; w++ {
		c := make(chan struct{}, 1)
		p.wake = append(p.wake, c)
		go func() {
			for range c {
				p.work(w)
				p.done.Done()
			}
		}()
	}
}

// stop ends the workers.
func (p *pool) stop() {
	for _, c := range p.wake {
		close(c)
	}
}

// run calls task(worker, i) for each i below n and returns when all are done.
func (p *pool) run(n int, task func(worker, i int)) {
	p.task, p.n = task, int64(n)
	p.next.Store(0)
	if n > 1 {
		p.done.Add(len(p.wake))
		for _, c := range p.wake {
			c <- struct{}{}
		}
	}
	p.work(0)
	p.done.Wait()
}

func (p *pool) work(worker int) {
	for i := p.next.Add(1) - 1; i < p.n; i = p.next.Add(1) - 1 {
		p.task(worker, int(i))
	}
}
