// Package cluster executes a composition with operating-system processes, one for each process of the
// algorithm. Each process runs the explored handlers and logs its steps with package capture. Processes
// request the critical section at random times, use it for a random time, and are killed with SIGKILL at
// random or planned times.
//
// Start runs a supervisor, which starts the processes. Each is the same program with arguments that make it
// call Process. Its standard input and output are pipes to the supervisor. When the supervisor's
// end of the pipes closes, for whatever reason, the process ends: no process outlives the supervisor.
//
// Channels: the supervisor keeps the state of the model's channels, with an envelope for each message. Each
// envelope waits a random time before it can be received. Under channel=bag this changes the order of the
// envelopes of one sender, under channel=fifo it does not. A process takes one step per turn: a turn has the
// local state, and the process reports the new one. Several processes have turns at the same time. In models
// with links only one process has a turn at a time: a crash breaks links at once, with their envelopes. A
// dead process that recovers is a new operating-system process with the local state that the crash left.
//
// Crashes: the supervisor kills a process at any moment; with Options.CrashInside, the process kills itself
// while it sends the messages of one step, after it has logged the step. The supervisor appends the event
// crash to the log of the dead process. In models with a failure detector it notifies the survivors, each
// after a random time.
//
// A run ends when it is quiet (no process has an enabled step and no envelope is on its way), when there were
// enough entries, when the next step of a process would leave the model's constraint, or when the time is
// over. Runs follow one another, each from the initial state and with its own logs, until there were
// enough entries in all: most models bound the number of requests of a process.
//
// A seed fixes the random choices of every process and of the supervisor. It does not fix the run, which also
// depends on the scheduling of the operating system.
package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// Options of Start.
type Options struct {
	Nodes *interp.Interp // Runnable
	// Spec and Args are for the headers of the logs.
	Spec, Args string
	// Command returns a command that calls Process for the same Nodes with its standard input
	// and output. The command has to end when the context does.
	Command func(ctx context.Context) *exec.Cmd
	// Dir is an existing directory for the logs: the first run writes Dir/run1/p1.ndjson and so on.
	Dir string
	// Entries into the critical section, in all runs together, after which Start ends.
	Entries int
	// Duration of all runs together after which Start ends.
	Duration time.Duration
	Seed     uint64
	Pace     Pace
	// Kills are the planned crashes of every run. RandomKills is the number of further crashes per run,
	// of random processes after random numbers of entries.
	Kills       []Kill
	RandomKills int
	// CrashInside makes processes crash while they send several messages.
	CrashInside bool
}

// A Kill is a planned crash.
type Kill struct {
	Process model.Proc
	After   time.Duration // since the start of the run
}

// An End is the reason why a run ended.
type End string

// The ends of a run.
const (
	Quiet       End = "quiet"                     // no enabled step, and no envelope on its way
	Enough      End = "enough entries"            // Options.Entries is reached
	Outside     End = "at the model's constraint" // the next step of a process would leave the constraint
	TimeOver    End = "time over"
	Interrupted End = "interrupted" // the context ended
	AtFault     End = "model error" // the model failed
)

// A Run is the result of one run.
type Run struct {
	Logs    []string // files, by process; a process that is dead from the start has none
	Killed  []string // processes, in the order of their crashes
	Entries int
	Steps   int // steps that the processes reported
	End     End
	Elapsed time.Duration
	States  []*os.ProcessState // exit states of the processes
}

// Start runs the composition repeatedly until there were enough entries, the time is
// over, or a run had no entry. A later run without any event does not count. With an error it returns the
// runs so far.
func Start(ctx context.Context, opt Options) (runs []Run, err error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	deadline := time.Now().Add(opt.Duration)
	for entries := 0; entries < opt.Entries; {
		s, err := newSupervisor(opt, len(runs)+1, opt.Entries-entries, deadline)
		if err != nil {
			return runs, err
		}
		r, err := s.run(ctx)
		if err == nil && len(runs) > 0 && r.End == TimeOver && r.Steps+len(r.Killed) == 0 { // without events
			return runs, os.RemoveAll(filepath.Dir(r.Logs[0]))
		}
		runs = append(runs, r)
		if err != nil || r.Entries == 0 || r.End == TimeOver || r.End == Interrupted {
			return runs, err
		}
		entries += r.Entries
	}
	return runs, nil
}

// check returns an error if the model does not allow the crashes.
func (o *Options) check() error {
	if o.CrashInside && !o.Nodes.Parts {
		return usage.Errorf("with crash-sends=none no process crashes while it sends; set " +
			"crash-sends=prefix or crash-sends=subset")
	}
	dead := o.Nodes.Dead
	for _, k := range o.Kills {
		switch {
		case dead.Has(k.Process):
			return usage.Errorf("%s cannot be killed: it is already dead then", o.Nodes.Names[k.Process])
		case !slices.Contains(crashable(o.Nodes, dead), k.Process):
			return usage.Errorf("the parameters do not allow %s to crash; see crashes= and crashable=",
				o.Nodes.Names[k.Process])
		}
		dead = dead.With(k.Process)
	}
	left := 0 // further crashes that are possible after the planned ones
	for may := crashable(o.Nodes, dead); len(may) > 0; may = crashable(o.Nodes, dead) {
		dead = dead.With(may[0])
		left++
	}
	if o.RandomKills > left {
		return usage.Errorf("%d random kills: the parameters allow %d; see crashes= and crashable=",
			o.RandomKills, left)
	}
	return nil
}

// logs creates the directory of a run and returns the names of its logs, by process.
func (o *Options) logs(run int) ([]string, error) {
	dir := filepath.Join(o.Dir, "run"+strconv.Itoa(run))
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, fmt.Errorf("%w: logs of an earlier run are not overwritten", err)
	}
	file := func(name *string) string { return filepath.Join(dir, *name+".ndjson") }
	return printable.Each(o.Nodes.Names, file), nil
}
