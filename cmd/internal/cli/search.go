package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime/debug"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// heapGrowth is the growth of the heap between two garbage collections during a search, in percent. States
// are outside the heap, and little on the heap becomes garbage: with Go's default of 100, short searches take
// 10% more time, and long ones up to 7% less memory. Other verbs keep 100: with 400, reading logs takes 50%
// more memory and as much time.
const heapGrowth = 400

// diskGrowth is the heapGrowth of a search on disk, which has a budget and much garbage.
const diskGrowth = 50

// heapTenths is the memory limit of the garbage collector in a search on disk, in tenths of the budget: the
// table of candidates is outside the heap. Without the limit 2pc n=11 took 1.6 GB with a budget of 1 GiB.
const heapTenths = 7

// runSearch explores an instance. The environment variables GOGC and GOMEMLIMIT override the constants above.
func runSearch(ctx context.Context, in model.Instance, opt explore.Options) (*explore.Report, error) {
	growth := heapGrowth
	if opt.Store.Kind == explore.Disk {
		growth = diskGrowth
	}
	budgeted := opt.Store.Kind == explore.Disk && opt.Memory > 0
	if budgeted && os.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(opt.Memory / 10 * heapTenths))
	}
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(growth))
	}
	report, err := explore.Run(ctx, in, opt)
	_, ofFile := errors.AsType[*fs.PathError](err)
	switch {
	case errors.Is(err, explore.ErrRemoved):
		err = badOutput(err)
	case errors.As(err, new(*store.DamagedError)),
		ofFile && opt.Store.Resume && errors.Is(err, fs.ErrNotExist):
		err = badInput(err)
	case ofFile:
		err = badOutput(err)
	}
	return report, err
}

// remoteError adds the exit code to an error of a remote search.
func remoteError(ctx context.Context, err error) error {
	switch code := term.Interrupted(ctx); {
	case err == nil || errors.As(err, new(*usage.Error)) || errors.Is(err, explore.ErrInternal):
		return err
	case code != 0:
		return failure{err, code}
	case errors.As(err, new(*store.DamagedError)):
		return badInput(err)
	}
	return badOutput(err) // no worker answers, or the files cannot be reached
}
