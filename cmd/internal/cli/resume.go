package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// keptSearch is what is kept with a search for --resume.
type keptSearch struct {
	Program string              `json:"program"` // name and version
	Args    []string            `json:"args"`    // the model and its parameters
	Flags   map[string][]string `json:"flags"`   // those that were given, but for those that may change
}

// leastOnDisk is the smallest budget of memory that a search on disk keeps: the program, the table of
// candidates and what is read and written of each shard take so much.
const leastOnDisk = 64 << 20

// keep fills in where the visited states are kept, and where a search in memory is written down.
func (a *app) keep(f *checkFlags, args []string, opt *explore.Options) error {
	kept := keptSearch{a.Tool(), args, map[string][]string{}}
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
	*s = explore.Store{Dir: f.Checkpoint, About: about, Every: f.CheckpointEvery, Resume: f.Resume != "",
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
	case f.Checkpoint != "" && s.Kind == explore.Disk:
		return usage.Errorf("--checkpoint is for searches in memory; what --store disk=DIR has finished " +
			"it keeps anyway")
	case f.Checkpoint != "" && f.CheckpointEvery <= 0:
		return usage.Errorf("--checkpoint-every=%v: allowed is more than 0", f.CheckpointEvery)
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
func (a *app) takeUp(f *checkFlags) (args []string, err error) {
	k, _, err := a.loadKept(f.Resume)
	if err != nil {
		return nil, err
	}
	if k.Program != a.Tool() {
		return nil, usage.Errorf("the search in %s was begun by %s; this is %s, which may count otherwise",
			f.Resume, k.Program, a.Tool())
	}
	f.set.Visit(func(flag *pflag.Flag) {
		if !slices.Contains(changeable, flag.Name) {
			err = usage.Errorf("--%s: a search is resumed with the options that it began with; allowed "+
				"are %s", flag.Name, strings.Join(changeable, ", "))
		}
	})
	for name, values := range k.Flags {
		if err == nil && f.set.Lookup(name) != nil &&
			!f.set.Changed(name) { // workers have flags of their own
			err = f.set.Set(name, strings.Join(values, ","))
		}
	}
	if strings.HasPrefix(f.Store, "disk=") {
		f.Store = "disk=" + f.Resume // which may have been moved
	} else {
		f.Checkpoint = f.Resume
	}
	return k.Args, err
}

// loadKept reads what is kept with the search in a directory, and its status.
func (a *app) loadKept(dir string) (*keptSearch, *explore.Status, error) {
	s, err := explore.StatusOf(dir)
	if os.IsNotExist(err) && !store.Dir(dir).Begun() {
		return nil, nil, usage.Errorf("there is no search in %s", dir)
	}
	if os.IsNotExist(err) {
		err = fmt.Errorf("the search in %s ended before anything of it was written down: begin it again", dir)
	}
	if err != nil {
		return nil, nil, badInput(err)
	}
	k := &keptSearch{}
	if err := json.Unmarshal(s.About, k); err != nil || len(k.Args) == 0 {
		return nil, nil, usage.Errorf("the search in %s was not begun by this program", dir)
	}
	return k, s, nil
}

// showStatus reports how far the search in a directory is, as of the last level that was finished.
func (a *app) showStatus(dir, format string) error {
	k, s, err := a.loadKept(dir)
	if err == nil {
		err = allowed("format", format, "text", "json")
	}
	if err != nil {
		return err
	}
	return a.write(format, status{k, s})
}

// status is how far a search is.
type status struct {
	kept *keptSearch
	*explore.Status
}

// Text writes the status for a person.
func (s status) Text(w io.Writer) error {
	state := "not finished; --resume goes on with it unless it is running"
	if s.Finished {
		state = "finished"
	} else if s.Violated {
		state = "not finished, and something is violated"
	}
	last := int64(0)
	if n := len(s.Levels); n > 0 {
		last = s.Levels[n-1]
	}
	printable.Fprintf(w, "%s\n", term.Bold(strings.Join(s.kept.Args, " ")))
	printable.Fprintf(w, "%s in %d levels, the last of %s; %s\n", printable.Plural(s.States, "state"),
		len(s.Levels), printable.Plural(last, "state"), state)
	printable.Fprintf(w, "%s, %s states/s, %s of files, %d bytes/state; saved %s ago\n",
		s.Elapsed.Round(100*time.Millisecond), printable.Number(s.Rate()), explore.Bytes(s.Disk),
		s.Disk/max(1, s.States), time.Since(s.Saved).Round(time.Second))
	shot := explore.Snapshot{States: s.States, Levels: s.Levels, Elapsed: s.Elapsed}
	if part, left := term.Remaining(&shot); left != "" && !s.Finished {
		printable.Fprintf(w, "some %.0f%% of the states; %s at this rate\n", 100*part, left)
	}
	return nil
}

// JSON writes the status for a program.
func (s status) JSON(w io.Writer) error {
	var estimate []int64
	if e, ok := explore.EstimateOf(s.Levels); ok && !s.Finished {
		estimate = []int64{e.States, e.Low, e.High}
	}
	return printable.EncodeJSON(w, struct {
		Args     []string `json:"args"`
		Program  string   `json:"program"`
		Store    string   `json:"store"`
		Finished bool     `json:"finished"`
		Violated bool     `json:"violated"`
		States   int64    `json:"states"`
		Levels   []int64  `json:"levels"`
		Seconds  float64  `json:"seconds"`
		Disk     int64    `json:"disk"`
		Saved    string   `json:"saved"`
		// Of a search that is not finished, how many states it will have, as far as the levels show.
		Estimate []int64 `json:"estimate,omitempty"` // likely, low, high
	}{s.kept.Args, s.kept.Program, fmt.Sprint(s.Store), s.Finished, s.Violated, s.States, s.Levels,
		s.Elapsed.Seconds(), s.Disk, s.Saved.Format(time.RFC3339), estimate}, "")
}
