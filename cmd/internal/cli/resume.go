package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// storeUsage explains --store.
const storeUsage = "where visited states are kept: exact, in memory; compact, as codes of 64 bits, which " +
	"finds violations and proves nothing; disk=DIR, in files of this directory, within the memory of --memory"

// keptSearch is what is kept with a search for --resume.
type keptSearch struct {
	Program string   `json:"program"` // name and version
	Args    []string `json:"args"`    // the model and its parameters
	searchFlags
}

// leastOnDisk is the smallest budget of memory that a search on disk keeps: the program, the table of
// candidates and what is read and written of each shard take so much.
const leastOnDisk = 64 << 20

// keep fills in where the visited states are kept, and where a search in memory is written down.
func (a *app) keep(f *checkFlags, args []string, opt *explore.Options) error {
	about, err := json.Marshal(keptSearch{a.Tool(), args, f.searchFlags})
	if err != nil {
		return err
	}
	s := &opt.Store
	*s = explore.Store{Dir: f.checkpoint, About: about, Every: f.every, Resume: f.resume != "",
		Warn: func(why string) {
			printable.Fprintf(a.diag, "%s\n", term.Maybe(why+"; the search goes on, and tries again"))
		}}
	kind, dir, _ := strings.Cut(f.Store, "=")
	switch {
	case f.Store == "exact", f.Store == "": // a program that calls check need not say
	case f.Store == "compact":
		s.Kind = explore.Compact
	case kind == "disk" && dir != "":
		s.Kind, s.Dir = explore.Disk, dir
		if f.Memory != "" && opt.Memory < leastOnDisk {
			return usage.Errorf("--memory=%s: with --store disk allowed are 64M and more", f.Memory)
		}
	default:
		return usage.Errorf("--store=%s: allowed are exact, compact and disk=DIR", f.Store)
	}
	switch {
	case f.checkpoint != "" && s.Kind == explore.Disk:
		return usage.Errorf("--checkpoint is for searches in memory; what --store disk=DIR has finished " +
			"it keeps anyway")
	case f.checkpoint != "" && f.every <= 0:
		return usage.Errorf("--checkpoint-every=%v: allowed is more than 0", f.every)
	}
	a.mustFinish.Store(s.Dir != "")
	return nil
}

// checkpointEvery is how often a search in memory is written down by default.
const checkpointEvery = 10 * time.Minute

// changeable are the flags that a search may be resumed with.
var changeable = []string{"resume", "workers", "timeout", "checkpoint-every", "memory", "trace", "format",
	"color", "progress"}

// takeUp sets the flags of the search that is resumed, and returns its model and parameters.
func (a *app) takeUp(c *cobra.Command, f *checkFlags) (args []string, err error) {
	k, err := a.loadKept(f.resume)
	if err != nil {
		return nil, err
	}
	if k.Program != a.Tool() {
		return nil, usage.Errorf("the search in %s was begun by %s; this is %s, which may count otherwise",
			f.resume, k.Program, a.Tool())
	}
	c.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(changeable, flag.Name) {
			err = usage.Errorf("--%s: a search is resumed with the options that it began with; allowed "+
				"are %s",
				flag.Name, strings.Join(changeable, ", "))
		}
	})
	k.Memory = cmp.Or(f.Memory, k.Memory)
	f.searchFlags = k.searchFlags
	if strings.HasPrefix(k.Store, "disk=") {
		f.Store = "disk=" + f.resume // which may have been moved
	} else {
		f.checkpoint = f.resume
	}
	return k.Args, err
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
