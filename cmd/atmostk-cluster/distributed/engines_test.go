package distributed

// Searches in one folder that several engines, or workers with other files, want to go on with.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/mock"
	"gocloud.dev/blob/memblob"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model/usage"
)

// TestSecondEngine: of two engines with one folder the later one goes on, with the shards of the earlier one,
// which ends with one sentence: it neither saves nor takes a removed file for a damaged one.
func TestSecondEngine(t *testing.T) {
	dir, err := OpenFiles(context.Background(), "file://"+t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in, err := instance("2pc n=3")
	if err != nil {
		t.Fatal(err)
	}
	opt := explore.Options{KeepGoing: true}
	first := Job{Folder: "one", Program: program, Model: explore.Digest(in, opt),
		Args: []string{"2pc", "n=3"}, Shards: 4, Limits: store.Limits{KeepGoing: true}, Owner: "first"}
	second := first
	second.Shards, second.Owner = 2, "second"
	r := newTrial(t, dir)
	w, env := r.inEngine(first.Folder)
	var begun atomic.Int32 // expansions: several begin at once
	var end *End
	env.OnActivity("Expand", mock.Anything, mock.Anything, mock.Anything).Return(
		func(ctx context.Context, j Job, x store.Expansion) (Outcome, error) {
			if begun.Add(1) == 6 {
				if end, err = r.run(second); err != nil {
					t.Error(err)
				}
			}
			return w.Expand(ctx, j, x)
		})
	env.ExecuteWorkflow(Search, first, (*store.Search)(nil))
	wrong := explained(env.GetWorkflowError())
	if !errors.As(wrong, new(*usage.Error)) || !strings.Contains(fmt.Sprint(wrong), "another engine") {
		t.Error(wrong)
	}
	if end == nil || !end.Search.Exhausted() || end.Search.States() != 288 || end.Search.Shards != 4 {
		t.Errorf("%+v", end)
	}
	if again, err := r.run(first); err != nil || again.Search.States() != 288 { // it takes it over in turn
		t.Errorf("%v: %+v", err, again)
	}
}

// TestWorkerWithOtherFiles: a worker that sees another place than check does not begin the search there.
func TestWorkerWithOtherFiles(t *testing.T) {
	files := &Files{bucket: memblob.OpenBucket(nil)}
	defer func() { _ = files.Close() }()
	suite := quiet()
	env := suite.NewTestWorkflowEnvironment()
	newTrial(t, files).workers[0].Register(env)
	env.ExecuteWorkflow(Search, Job{Folder: "one", Program: program}, (*store.Search)(nil))
	err := explained(env.GetWorkflowError())
	if !errors.As(err, new(*usage.Error)) || !strings.Contains(fmt.Sprint(err), "--files") {
		t.Error(err)
	}
}
