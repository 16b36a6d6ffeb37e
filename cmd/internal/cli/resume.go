package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model/usage"
)

// A savedSearch is stored with the files of a search, for --resume.
type savedSearch struct {
	Program string              `json:"program"` // name and version
	Args    []string            `json:"args"`    // the model and its parameters
	Flags   map[string][]string `json:"flags"`   // the given flags, without the changeable ones
}

// leastOnDisk is the smallest memory budget of a search on disk, in bytes: the program, the table
// of candidates and the buffers of the shards need this much.
const leastOnDisk = 64 << 20

// keep sets the options of the store of visited states from the flags.
func (a *app) keep(f *checkFlags, args []string, opt *explore.Options) error {
	kept := savedSearch{a.Tool(), args, map[string][]string{}}
	f.set.Visit(func(flag *pflag.Flag) {
		if list, is := flag.Value.(pflag.SliceValue); is {
			kept.Flags[flag.Name] = list.GetSlice()
		} else if !slices.Contains(changeable, flag.Name) || flag.Name == "memory" {
			kept.Flags[flag.Name] = []string{flag.Value.String()}
		}
	})
	about, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	s := &opt.Store
	*s = explore.Store{About: about, Resume: f.Resume != ""}
	kind, dir, _ := strings.Cut(f.Store, "=")
	switch {
	case f.Store == "exact", f.Store == "":
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
	a.mustFinish.Store(s.Dir != "")
	return nil
}

// changeable are the flags that may change when a search is resumed.
var changeable = []string{"resume", "workers", "timeout", "memory", "trace", "format", "color", "progress"}

// resumeFlags sets the flags of the search to resume, and returns its model and parameters.
func (a *app) resumeFlags(f *checkFlags) (args []string, err error) {
	k, _, err := a.loadSearch(f.Resume)
	if err != nil {
		return nil, err
	}
	if k.Program != a.Tool() {
		return nil, usage.Errorf("%s began the search in %s; this is %s, which may count differently",
			k.Program, f.Resume, a.Tool())
	}
	f.set.Visit(func(flag *pflag.Flag) {
		if !slices.Contains(changeable, flag.Name) {
			err = usage.Errorf("--%s: a resumed search keeps the options that it began with; only these "+
				"may change: %s", flag.Name, strings.Join(changeable, ", "))
		}
	})
	for name, values := range k.Flags {
		if err == nil && f.set.Lookup(name) != nil &&
			!f.set.Changed(name) { // this command may lack the flag
			err = f.set.Set(name, strings.Join(values, ","))
		}
	}
	f.Store = "disk=" + f.Resume // the directory may have moved
	return k.Args, err
}

// loadSearch reads the savedSearch in a directory and the status of its search.
func (a *app) loadSearch(dir string) (*savedSearch, *explore.Status, error) {
	s, err := explore.StatusOf(dir)
	switch {
	case os.IsNotExist(err) && !store.Dir(dir).Begun():
		return nil, nil, usage.Errorf("there is no search in %s", dir)
	case os.IsNotExist(err):
		return nil, nil, badInput(fmt.Errorf("the search in %s ended before it wrote a checkpoint: start it "+
			"again", dir))
	case err != nil:
		return nil, nil, badInput(err)
	}
	k := &savedSearch{}
	if err := json.Unmarshal(s.About, k); err != nil || len(k.Args) == 0 {
		return nil, nil, usage.Errorf("the search in %s was not started by this program", dir)
	}
	return k, s, nil
}
