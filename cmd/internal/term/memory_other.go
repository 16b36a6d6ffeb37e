//go:build !linux

package term

import "os"

// Peak returns the memory that the caller counted.
func Peak(counted int64) int64 { return counted }

// PeakOf returns 0: not known on this system.
func PeakOf(*os.ProcessState) int64 { return 0 }

// available returns 0: not known on this system.
func available() int64 { return 0 }
