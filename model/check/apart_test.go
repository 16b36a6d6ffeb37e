package check_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/atmostk/atmostk/model/check"
)

// TestApart: a function that panics, ends its goroutine, or never returns, does not end or keep its caller.
func TestApart(t *testing.T) {
	if e := check.Apart(nil, func() {}); e != nil {
		t.Error(e)
	}
	if e := check.Apart(nil, runtime.Goexit); e == nil || !e.Ended {
		t.Errorf("runtime.Goexit: %v", e)
	}
	late := make(chan time.Time, 1)
	late <- time.Now()
	if e := check.Apart(late, func() { select {} }); e == nil || !e.Stopped || e.Error() != check.Unreturned {
		t.Errorf("no return: %v", e)
	}
	if e := check.Apart(nil, func() { panic("gone") }); e == nil || e.What != "gone" {
		t.Errorf("a panic: %v", e)
	}
}
