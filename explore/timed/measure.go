package timed

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// Check returns what is wrong with the settings for so many processes; nil: nothing.
func (s *Settings) check(n int) error {
	switch {
	case s.Duration <= 0:
		return errors.New("duration: allowed are times above 0")
	case s.Warmup < 0 || s.Warmup >= s.Duration:
		return fmt.Errorf("warmup: allowed are times from 0 to below the duration, %g", s.Duration)
	case s.Load.Requesters < 0 || s.Load.Requesters > n:
		return fmt.Errorf("load: requesters: allowed are 1 to %d, or 0 for all", n)
	case s.Network.Clusters < 0 || s.Network.Clusters > 0 && n%s.Network.Clusters != 0:
		return fmt.Errorf("network: clusters: %d processes are no %d clusters of equal size", n,
			s.Network.Clusters)
	case s.Network.Host != "" && s.Network.Host != "separate" && s.Network.Host != "shared" &&
		s.Network.Host != "parallel":
		return fmt.Errorf("network: host: %s: allowed are separate, shared and parallel", s.Network.Host)
	case s.Network.Slow < 0 || s.Network.Slow > n:
		return fmt.Errorf("network: slow: allowed are 0 to %d", n)
	case s.Faults.Spared < 0 || s.Faults.Crashes < 0 || s.Faults.Spared+max(s.Faults.Crashes,
		len(s.Faults.At)) > n:
		return fmt.Errorf("faults: there are %d processes, fewer than are to crash and to be spared", n)
	}
	return nil
}

// Measure plays so many runs of a model and returns what each has shown, in their order. Run i draws from a
// source made from the seed and i. A *model.Error says that the model failed.
func Measure(ctx context.Context, in model.Instance, s Settings, seed uint64, runs int) ([]Sample, error) {
	if in.Interp == nil || in.Interp.Medium.Faults.Some() {
		return nil, usage.Errorf("only compositions whose channels deliver everything can be measured")
	}
	samples, errs := make([]Sample, runs), make([]error, runs)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), runs) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < runs; i = int(next.Add(1)) - 1 {
				samples[i], errs[i] = measure(ctx, in, &s, seed, i)
			}
		})
	}
	all.Wait()
	return samples, errors.Join(errs...)
}

// measure plays run number i.
func measure(ctx context.Context, in model.Instance, s *Settings, seed uint64, i int) (sample Sample,
	err error) {
	var mistake *model.Error
	defer func() {
		if mistake != nil {
			err = mistake
		}
	}()
	returned := false
	defer model.Catch(&mistake, &returned)
	sample, err = play(ctx, in, s, seed, i)
	returned = true
	return sample, err
}

// play is measure, as long as nothing panics.
func play(ctx context.Context, in model.Instance, s *Settings, seed uint64, i int) (
	sample Sample, err error,
) {
	x := *in.Interp
	x.Light = !x.Medium.Links // which have to know what is lost with one
	if err := s.check(x.N()); err != nil {
		return sample, usage.Errorf("%v", err)
	}
	release := s.Release
	if release == "" {
		release = "release"
	}
	of, err := rolesOf(x.Actions, x.Requests, s.Request, release)
	if err != nil {
		return sample, usage.Errorf("%v", err)
	}
	r := &run{s: s, x: &x, r: rand.New(rand.NewPCG(seed, uint64(i))), roles: of, capacity: in.Capacity}
	if err := r.play(ctx); err != nil {
		return sample, err
	}
	return r.sample(r.seq), nil
}
