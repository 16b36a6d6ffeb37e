package traces_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the heap grow, as the command does for searches: many small ones would pay more
// for its collection than for themselves.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
