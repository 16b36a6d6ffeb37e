package distributed

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	common "go.temporal.io/api/common/v1"
	failure "go.temporal.io/api/failure/v1"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/mocks"
)

// TestWatcher: a task that is tried again, and a lack of workers, are said once.
func TestWatcher(t *testing.T) {
	engine, diag := &mocks.Client{}, &bytes.Buffer{}
	task := &workflow.PendingActivityInfo{ActivityType: &common.ActivityType{Name: "Expand"},
		LastWorkerIdentity: "7@node@"}
	running := &workflowservice.DescribeWorkflowExecutionResponse{
		PendingActivities: []*workflow.PendingActivityInfo{task}}
	engine.On("DescribeWorkflowExecution", mock.Anything, "one", "").Return(running, nil)
	engine.On("DescribeTaskQueue", mock.Anything, mock.Anything, mock.Anything).Return(
		&workflowservice.DescribeTaskQueueResponse{}, nil)
	w := &watcher{Cluster: &Cluster{engine: engine, program: program, Diag: diag}, id: "one",
		said: map[string]bool{}}
	for i, part := range []string{"", "a.part", "b.part"} {
		if part != "" {
			task.LastFailure = &failure.Failure{Message: "write " + part + ": no space left on device"}
		}
		w.look(t.Context())
		if want := min(i, 1); strings.Count(diag.String(), "\n") != want ||
			want > 0 && !strings.Contains(diag.String(), "Expand failed on worker 7@node, ") {
			t.Errorf("%d: %s", i, diag)
		}
	}
	diag.Reset()
	w.idle = time.Now().Add(-idleFor)
	w.look(t.Context())
	w.look(t.Context())
	if s := diag.String(); strings.Count(s, "\n") != 1 || !strings.Contains(s, "no worker of "+program) {
		t.Error(s)
	}
}

// TestLastWorkerEnds: the end of each worker of --dev is said, with its last line, and the end of the last
// one ends the search.
func TestLastWorkerEnds(t *testing.T) {
	diag := &bytes.Buffer{}
	c := &Cluster{Diag: diag, gone: make(chan struct{})}
	c.flags.dev = 2
	c.alive.Store(2)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if c.alone() {
			t.Errorf("%d workers have ended", i)
		}
		var output bytes.Buffer
		p := exec.Command(self, "-no-such-flag")
		p.Stderr = &output
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		c.follow(t.Context(), p, &output)
	}
	if s := diag.String(); !c.alone() || !strings.Contains(s, "(exit status 2, ") ||
		!strings.Contains(s, "0 of 2 are left") {
		t.Error(s)
	}
}
