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
)

// heapGrowth is by how many percent the heap may grow between two collections during a search.
// States lie outside of the heap, and of what is in it little becomes garbage: with the usual
// 100, short searches take 10% more time, and long ones up to 7% less memory. Other verbs
// keep 100: what reads logs would take half as much memory again, and no less time.
const heapGrowth = 400

// diskGrowth is that of a search on disk, which has a budget and much garbage.
const diskGrowth = 50

// heapTenths is how many tenths of the budget of a search on disk the heap may take before its garbage
// is collected at once: the table of candidates lies outside. Without it 2pc n=11 took 1.6 GB of 1 GiB.
const heapTenths = 7

// runSearch explores an instance. GOGC and GOMEMLIMIT, if they are set, override these.
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
	term.ForgetStart()
	report, err := explore.Run(ctx, in, opt)
	var damaged *store.DamagedError
	var file *fs.PathError
	switch {
	case errors.Is(err, explore.ErrRemoved):
		err = badOutput(err)
	case errors.As(err, &damaged), errors.As(err, &file) && errors.Is(err, fs.ErrNotExist):
		err = badInput(err)
	case errors.As(err, &file):
		err = badOutput(err)
	}
	return report, err
}
