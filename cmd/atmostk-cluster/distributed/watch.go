package distributed

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	enums "go.temporal.io/api/enums/v1"
)

// A watcher notices what holds a search up, and says each reason once: tasks wait without a word otherwise.
type watcher struct {
	*Cluster
	id   string // of the search
	said map[string]bool
	idle time.Time // since when nobody answers; the zero value: somebody does
}

const (
	// watchEvery is the time between two looks at a search.
	watchEvery = 2 * time.Second
	// idleFor is the time without an engine or a worker after which the user is told.
	idleFor = 5 * time.Second
	// pollFor is more than the time that a worker waits for a task before it asks again.
	pollFor = 90 * time.Second
)

// once prints a notice, unless it was printed.
func (w *watcher) once(key, format string, args ...any) {
	if !w.said[key] {
		w.said[key] = true
		w.notify(format, args...)
	}
}

// look asks the engine for failed tasks and for workers.
func (w *watcher) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, watchEvery)
	defer cancel()
	running, err := w.engine.DescribeWorkflowExecution(ctx, w.id, "")
	if err != nil {
		w.wait("the engine does not answer, and the search waits for it: " + err.Error())
		return
	}
	for _, task := range running.PendingActivities {
		if why := task.GetLastFailure().GetMessage(); why != "" {
			w.once(task.ActivityType.Name+why[strings.LastIndex(why, ": ")+1:],
				"the task %s failed on worker %s, and is tried again until it succeeds: %s",
				task.ActivityType.Name, strings.TrimSuffix(task.LastWorkerIdentity, "@"), why)
		}
	}
	queue := QueueOf(w.program)
	asked, err := w.engine.DescribeTaskQueue(ctx, queue, enums.TASK_QUEUE_TYPE_ACTIVITY)
	if err != nil {
		return
	}
	for _, p := range asked.Pollers {
		if time.Since(p.LastAccessTime.AsTime()) < pollFor {
			w.idle = time.Time{}
			return
		}
	}
	w.wait(fmt.Sprintf("no worker of %s takes tasks by %s, and the search waits for one", w.program, queue))
}

// wait says that nobody answers, if it has been so for some time.
func (w *watcher) wait(why string) {
	if w.idle.IsZero() {
		w.idle = time.Now()
	}
	if time.Since(w.idle) >= idleFor {
		w.once("idle", "%s", why)
	}
}

// alone reports whether all workers that this process started have ended.
func (c *Cluster) alone() bool {
	select {
	case <-c.gone:
		return true
	default:
		return false
	}
}

// follow reports the end of a worker that this process started. c.gone is closed after the last one.
func (c *Cluster) follow(ctx context.Context, p *exec.Cmd, output fmt.Stringer) {
	why := fmt.Sprint(p.Wait())
	if lines := strings.Split(strings.TrimSpace(output.String()), "\n"); p.ProcessState.ExitCode() > 0 {
		why += ", " + lines[len(lines)-1]
	}
	left := c.alive.Add(-1)
	if ctx.Err() == nil || late(ctx) { // a signal to this process may be one to the workers, too
		c.notify("worker %d ended (%s); %d of %d are left", p.Process.Pid, why, left, c.flags.dev)
	}
	if left == 0 {
		close(c.gone)
	}
}
