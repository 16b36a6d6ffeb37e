package cohorts

import (
	"context"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// The heap of these tests may grow as the command lets it for searches: many small ones would
// pay more for its collection than for themselves.
var _ = debug.SetGCPercent(1000)

// instance builds an instance.
func instance(t *testing.T, spec model.Spec, args string) model.Instance {
	t.Helper()
	in, _, err := spec.Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// explored explores an instance to the end, with all its properties but those about
// costs, or with the property of the given name.
func explored(t *testing.T, in model.Instance, only ...string) *explore.Report {
	t.Helper()
	opt := explore.Options{KeepGoing: true}
	for i, p := range in.Space.Properties() {
		if len(only) == 0 && p.Kind != model.Costs || slices.Contains(only, p.Name) {
			opt.Properties = append(opt.Properties, i)
		}
	}
	r, err := explore.Run(context.Background(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete {
		t.Fatalf("not complete: %s", r.Stopped)
	}
	return r
}
