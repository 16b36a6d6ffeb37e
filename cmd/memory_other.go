//go:build !linux

package cmd

import "github.com/atmostk/atmostk/explore"

// peakMemory returns what the search took by its own account.
func peakMemory(r *explore.Report) int64 { return r.Memory }

// availableMemory returns 0: not known on this system.
func availableMemory() int64 { return 0 }
