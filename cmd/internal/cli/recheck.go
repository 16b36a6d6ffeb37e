package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// pollEvery is the interval at which the files of a model are compared with the checked ones.
const pollEvery = 25 * time.Millisecond

// checkWhenSaved checks a model in a file again whenever the file, or one that it may load, is saved, and
// reports the changes. It ends when it is interrupted.
func (a *app) checkWhenSaved(ctx context.Context, args []string, f *checkFlags) error {
	if !strings.HasSuffix(args[0], starfile.Extension) {
		return usage.Errorf("--watch is about models in files, NAME%s; %s is built into this program",
			starfile.Extension, args[0])
	}
	if f.Format != "text" {
		return usage.Errorf("--watch writes text; --format=%s is for a single check", f.Format)
	}
	var before map[string]string
	for {
		saved := stampOf(args[0])
		found, err := a.checkOnce(ctx, args, f)
		if err != nil {
			a.explain(err)
		} else {
			now := results(found)
			if before != nil {
				a.reportChanges(before, now)
			}
			before = now
		}
		printable.Fprintf(a.diag, "watching %s\n", args[0])
		for stampOf(args[0]) == saved {
			select {
			case <-ctx.Done():
				a.code = term.Interrupted(ctx)
				return nil
			case <-time.After(pollEvery):
			}
		}
		printable.Fprintf(a.out, "\n%s\n", term.Faint("--- saved, checked again"))
	}
}

// stampOf returns the sizes and times of the files of a model: all in its folder and in the folders in it.
func stampOf(path string) (times string) {
	for _, pattern := range []string{"*", filepath.Join("*", "*")} {
		files := filepath.Join(filepath.Dir(path), pattern+starfile.Extension)
		names, _ := filepath.Glob(files) // the pattern is well-formed
		for _, name := range names {
			if info, err := os.Stat(name); err == nil {
				times += fmt.Sprintln(name, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return times
}

// results returns the results that checks are compared by: states, depth, and a verdict for each property.
func results(r *explore.Report) map[string]string {
	all := map[string]string{"states": printable.Number(r.States), "depth": fmt.Sprint(r.Depth)}
	for i := range r.Properties {
		all[r.Properties[i].Name] = string(r.Properties[i].Verdict)
	}
	return all
}

// reportChanges writes how results differ from those before.
func (a *app) reportChanges(before, now map[string]string) {
	if maps.Equal(before, now) {
		printable.Fprintln(a.out, "nothing changed: the same states, the same verdicts")
	}
	names := maps.Clone(before)
	maps.Copy(names, now)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if before[name] != now[name] {
			printable.Fprintf(a.out, "changed: %s: %s -> %s\n", name, cmp.Or(before[name], "not there"),
				cmp.Or(now[name], "not there"))
		}
	}
}
