package cmd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// storeUsage explains --store.
const storeUsage = "where visited states are kept: exact, in memory; compact, as codes of 64 bits, or " +
	"compact=128, which finds violations and proves nothing; disk=DIR, in files of this directory, within " +
	"the memory of --memory, as codes of 96 bits, or disk=DIR,bits=128, or 80 or 64, which prove nothing"

// keptSearch is what is kept with a search for whoever resumes it.
type keptSearch struct {
	Program    string   `json:"program"` // name and version
	Args       []string `json:"args"`    // the model and its parameters
	Properties []string `json:"properties,omitempty"`
	KeepGoing  bool     `json:"keep-going,omitempty"`
	OutOfReach bool     `json:"out-of-reach,omitempty"`
	Costs      bool     `json:"costs,omitempty"`
	Witness    bool     `json:"witness,omitempty"`
	Strict     bool     `json:"strict,omitempty"`
	Raw        bool     `json:"raw,omitempty"`
	MaxDepth   int      `json:"max-depth,omitempty"`
	MaxStates  int64    `json:"max-states,omitempty"`
	Reduce     []string `json:"reduce,omitempty"`
	Store      string   `json:"store"`
	Memory     string   `json:"memory,omitempty"`
}

// leastOnDisk is the smallest budget of memory that a search on disk keeps: the program, the table of
// candidates and what is read and written of each shard take so much.
const leastOnDisk = 64 << 20

// keep fills in where the visited states are kept, and where a search in memory is written down.
func (a *app) keep(f *checkFlags, args []string, opt *explore.Options) error {
	about, err := json.Marshal(keptSearch{
		Program: a.tool(), Args: args, Properties: f.properties, KeepGoing: f.keepGoing,
		OutOfReach: f.outOfReach, Costs: f.costs,
		Witness: f.witness, Strict: f.strict, Raw: f.raw, MaxDepth: f.maxDepth, MaxStates: f.maxStates,
		Store: f.store, Reduce: f.reduce, Memory: f.memory,
	})
	if err != nil {
		return err
	}
	s := &opt.Store
	s.About = about
	kind, what, _ := strings.Cut(f.store, "=")
	switch {
	case f.store == "exact", f.store == "": // a program that calls check need not say
	case f.store == "compact" || f.store == "compact=64":
		s.Kind = explore.Compact
	case f.store == "compact=128":
		s.Kind, s.Bits = explore.Compact, 128
	case kind == "disk" && what != "":
		s.Kind, s.Resume = explore.Disk, f.resumed != nil
		if s.Dir, s.Bits, err = onDisk(what); err != nil {
			return err
		}
		if f.memory != "" && opt.Memory < leastOnDisk {
			return usage.Errorf("--memory=%s: with --store disk allowed are 64M and more", f.memory)
		}
	default:
		return usage.Errorf("--store=%s: allowed are exact, compact, compact=128, disk=DIR and "+
			"disk=DIR,bits=N", f.store)
	}
	switch {
	case f.checkpoint != "" && s.Kind == explore.Disk:
		return usage.Errorf("--checkpoint is for searches in memory; what --store disk=DIR has finished " +
			"it keeps anyway")
	case f.checkpoint != "" && f.every <= 0:
		return usage.Errorf("--checkpoint-every=%v: allowed is more than 0", f.every)
	case f.checkpoint != "":
		opt.Checkpoint = explore.Checkpoint{Dir: f.checkpoint, Every: f.every, Resume: f.resumed != nil,
			About: about, Warn: func(why string) {
				printable.Fprintf(a.diag, "%s\n", maybe(why+"; the search goes on, and tries again"))
			}}
	}
	a.unhurried.Store(f.checkpoint != "" || s.Kind == explore.Disk)
	return nil
}

// onDisk reads what stands behind disk=: a directory, and, if that is said, the bits of codes; 0: it is not.
func onDisk(what string) (dir string, bits int, err error) {
	at := strings.LastIndex(what, ",bits=")
	if at < 0 {
		return what, 0, nil
	}
	dir, said := what[:at], what[at+len(",bits="):]
	bits, err = strconv.Atoi(said)
	if dir == "" || err != nil || !slices.Contains(store.Widths, bits) {
		return "", 0, usage.Errorf("--store=disk=%s: allowed are disk=DIR, and disk=DIR,bits=N with N of %s",
			what, strings.Trim(fmt.Sprint(store.Widths), "[]"))
	}
	return dir, bits, nil
}

// checkpointEvery is how often a search in memory is written down by default.
const checkpointEvery = 10 * time.Minute

func (a *app) resume() *cobra.Command {
	var f checkFlags
	var status bool
	c := &cobra.Command{
		Use:   "resume DIR",
		Short: "Go on with a search that was stopped",
		Long: `Goes on with the search whose files are in a directory, with the model, the parameters
and the options that it was begun with: one of check --store disk=DIR from the last level
that was finished, one of check --checkpoint DIR from where it was last written down. The
report is that of a search that was never stopped. A model or a program that changed since
is refused. With --status it only reports how far the search is, also while it runs.

Exit codes are those of check.`,
		Example: a.examples("% check @2pc n=11 --store disk=/var/tmp/2pc --timeout 2h\n% " +
			"resume /var/tmp/2pc --status\n% resume /var/tmp/2pc"),
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if status {
				return a.showStatus(args[0], f.format)
			}
			k, err := a.loadKept(args[0])
			if err != nil {
				return err
			}
			if k.Program != a.tool() {
				return usage.Errorf("the search in %s was begun by %s; this is %s, which may count otherwise",
					args[0], k.Program, a.tool())
			}
			f.properties, f.keepGoing, f.witness, f.strict, f.raw = k.Properties, k.KeepGoing, k.Witness,
				k.Strict, k.Raw
			f.outOfReach, f.costs, f.maxDepth, f.maxStates = k.OutOfReach, k.Costs, k.MaxDepth, k.MaxStates
			f.resumed, f.store, f.reduce, f.memory = k, k.Store, k.Reduce, cmp.Or(f.memory, k.Memory)
			if strings.HasPrefix(k.Store, "disk=") {
				f.store = "disk=" + args[0] // which may have been moved
			} else {
				f.checkpoint = args[0]
			}
			return a.runCheck(c.Context(), k.Args, &f)
		},
	}
	flags := c.Flags()
	flags.BoolVar(&status, "status", false,
		"report levels, states, rate, bytes and an estimate of how much is left, and search nothing")
	flags.IntVar(&f.workers, "workers", 0,
		"number of workers; 0: one for each processor. The results are the same for any")
	flags.DurationVar(&f.timeout, "timeout", 0, "stop after this time, such as 90s or 10m; 0: no limit")
	flags.DurationVar(&f.every, "checkpoint-every", checkpointEvery,
		"write a search in memory down so often, and when it is interrupted")
	flags.StringVar(&f.memory, "memory", "",
		"the budget of memory, such as 64M or 8G, or the limit; default: that with which the search began")
	flags.StringVar(&f.trace, "trace", "", "write the counterexample to this file, for replay and other "+
		"tools; those of further properties beside it")
	flags.StringVar(&f.format, "format", "text", "form of the report: text, json or sarif")
	return c
}

// loadKept reads what is kept with the search in a directory.
func (a *app) loadKept(dir string) (*keptSearch, error) {
	status, err := explore.StatusOf(dir)
	if os.IsNotExist(err) && store.Dir(dir).Begun() {
		return nil, inputError{fmt.Errorf("the search in %s ended before anything of it was written down: "+
			"begin it again", dir)}
	}
	if os.IsNotExist(err) {
		return nil, usage.Errorf("there is no search in %s", dir)
	}
	if err != nil {
		return nil, inputError{err}
	}
	k := &keptSearch{}
	if err := json.Unmarshal(status.About, k); err != nil || len(k.Args) == 0 {
		return nil, usage.Errorf("the search in %s was not begun by this program", dir)
	}
	return k, nil
}
