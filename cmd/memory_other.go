//go:build !linux

package cmd

import (
	"os"

	"github.com/atmostk/atmostk/explore"
)

// peakMemory returns what the search took by its own account.
func peakMemory(r *explore.Report) int64 { return r.Memory }

// peakMemoryOf returns 0: not known on this system.
func peakMemoryOf(*os.ProcessState) int64 { return 0 }

// availableMemory returns 0: not known on this system.
func availableMemory() int64 { return 0 }

// forgetStart does nothing: the system forgets by itself.
func forgetStart() {}
