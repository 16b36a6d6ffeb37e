package vcube

import (
	"context"
	"runtime/debug"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// Many small searches would pay more for the collection of their heap than for themselves.
var _ = debug.SetGCPercent(1000)

// search explores an instance to the end, with all its properties.
func search(t *testing.T, spec model.Spec, args []string, workers int) *explore.Report {
	t.Helper()
	in, _, err := spec.Instantiate(args)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Run(context.Background(), in, explore.Options{Workers: workers, KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete {
		t.Fatalf("not complete: %s", r.Stopped)
	}
	return r
}
