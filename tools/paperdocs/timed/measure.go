// Package timed measures models under a load, a network and crashes, by discrete-event simulation: each
// handler that is checked runs at its time.
package timed

import (
	"cmp"
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/usage"
)

// Measure plays n runs of a model, and returns a sample of each, in their order. Run i draws from a source
// made from the seed and i, so samples do not depend on the number of processors. A *model.Error reports that
// the model failed.
func Measure(ctx context.Context, in model.Instance, s Settings, seed uint64, n int) ([]Sample, error) {
	if in.Interp == nil || in.Interp.Medium.Faults.Some() {
		return nil, usage.Errorf("only compositions whose channels deliver everything can be measured")
	}
	x := *in.Interp
	x.Light = !x.Medium.Links // where the messages lost with a link have to be known
	in.Interp = &x
	if err := s.check(x.N()); err != nil {
		return nil, usage.Errorf("%v", err)
	}
	if _, err := rolesOf(&x, &s); err != nil {
		return nil, err
	}
	samples, mistakes := make([]Sample, n), make([]*model.Error, n)
	var begun atomic.Int64
	var failed atomic.Bool
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for ctx.Err() == nil && !failed.Load() {
				i := int(begun.Add(1)) - 1
				if i >= n {
					return
				}
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				mistakes[i] = check.Caught(func() { samples[i] = newRun(in, &s, r).play(ctx) })
				if mistakes[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	all.Wait()
	if mistake := cmp.Or(mistakes...); mistake != nil { // of the first run that has one
		return nil, mistake
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return samples, nil
}
