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
)

// Options say what to run.
type Options struct {
	Nodes *interp.Interp // of Nodes
	// Spec and Args are for the headers of the logs.
	Spec, Args string
	// Command returns the command that calls Process for the same Nodes, with its
	// standard input and output. It must end when the context does.
	Command func(ctx context.Context) *exec.Cmd
	// Dir is an existing directory for the logs: the first run writes Dir/run1/p1.ndjson and so on.
	Dir string
	// Entries of the critical section after which it is enough, in all runs together.
	Entries int
	// Duration of all runs together after which it is enough.
	Duration time.Duration
	Seed     uint64
	Pace     Pace
	// Kills is the plan of crashes of every run; RandomKills is the number of further ones, of random
	// processes at random moments.
	Kills       []Kill
	RandomKills int
	// CrashInside lets processes die inside the sending of several messages.
	CrashInside bool
}

// A Kill is a planned crash.
type Kill struct {
	Process model.Proc
	After   time.Duration // since the start of the run
}

// An End says why a run ended.
type End string

// The ends of a run.
const (
	Quiet       End = "quiet"                     // no process had a step left, no envelope was on its way
	Enough      End = "enough entries"            // those asked for
	Outside     End = "at the model's constraint" // only states that are not explored come next
	TimeOver    End = "time over"
	Interrupted End = "interrupted" // the context ended
	AtFault     End = "model error" // a handler failed
)

// A Run is what came of one run.
type Run struct {
	Logs    []string // files, by process; of the dead from the start there are none
	Killed  []string // processes, in the order of their crashes
	Entries int
	Steps   int // of killed processes as far as they were reported
	End     End
	Elapsed time.Duration
	States  []*os.ProcessState // of the processes that ended
}

// Start runs the composition again and again until there were enough entries, the time is
// over, or a run was quiet without any entry. The runs so far are valid also with an error.
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
		runs = append(runs, r)
		if err != nil || r.Entries == 0 || r.End == TimeOver || r.End == Interrupted {
			return runs, err
		}
		entries += r.Entries
	}
	return runs, nil
}

// check reports kills that the model does not allow.
func (o *Options) check() error {
	if o.CrashInside && !o.Nodes.Parts {
		return usage.Errorf("with crash-sends=none no process crashes while it sends; allowed are " +
			"crash-sends=prefix and crash-sends=subset")
	}
	dead := o.Nodes.Dead
	for _, k := range o.Kills {
		switch {
		case dead.Has(k.Process):
			return usage.Errorf("%s cannot be killed: it is dead by then", o.Nodes.Names[k.Process])
		case !slices.Contains(crashable(o.Nodes, dead), k.Process):
			return usage.Errorf("%s may not crash as the parameters are; see crashes= and crashable=",
				o.Nodes.Names[k.Process])
		}
		dead = dead.With(k.Process)
	}
	left := 0 // processes that may crash one after the other
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
		return nil, fmt.Errorf("%w: logs of an earlier time are not overwritten", err)
	}
	files := make([]string, o.Nodes.N())
	for p := range model.Proc(o.Nodes.N()) {
		files[p] = filepath.Join(dir, o.Nodes.Names[p]+".ndjson")
	}
	return files, nil
}
