package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// lookEvery is how often files are looked at, to see whether they were saved.
const lookEvery = 25 * time.Millisecond

// checkOnSaving checks a model in a file again whenever it is saved, or another one that it may
// load, and reports what changed. It ends when it is interrupted.
func (a *app) checkOnSaving(ctx context.Context, args []string, f *checkFlags) error {
	if !strings.HasSuffix(args[0], starfile.Extension) {
		return usage.Errorf(
			"--watch is about models in files, NAME%s; %s is built into this program",
			starfile.Extension,
			args[0],
		)
	}
	if f.format != "text" {
		return usage.Errorf("--watch writes text; --format=%s is for a single check", f.format)
	}
	var before *explore.Report
	for {
		saved := savedAt(args[0])
		report, err := a.checkOnce(ctx, args, f)
		if err != nil {
			a.explain(err)
		} else {
			if before != nil {
				a.reportChanges(before, report)
			}
			before = report
		}
		printable.Fprintf(a.diag, "watching %s\n", args[0])
		for savedAt(args[0]) == saved {
			select {
			case <-ctx.Done():
				a.code = term.Interrupted(ctx)
				return nil
			case <-time.After(lookEvery):
			}
		}
		printable.Fprintf(a.out, "\n%s\n", term.Faint("--- saved, checked again"))
	}
}

// savedAt says when the files of a model were saved: those in its folder and in the folders in it.
func savedAt(path string) string {
	var b strings.Builder
	for _, pattern := range []string{"*", filepath.Join("*", "*")} {
		files := filepath.Join(filepath.Dir(path), pattern+starfile.Extension)
		names, _ := filepath.Glob(files) // the pattern is well-formed
		for _, name := range names {
			if info, err := os.Stat(name); err == nil {
				_, _ = fmt.Fprintf(
					&b,
					"%s %d %d\n",
					name,
					info.Size(),
					info.ModTime().UnixNano(),
				) // to memory
			}
		}
	}
	return b.String()
}

// reportChanges writes how a report differs from the one before.
func (a *app) reportChanges(before, now *explore.Report) {
	changed := false
	change := func(what string, was, is any) {
		if was != is {
			changed = true
			printable.Fprintf(a.out, "changed: %s: %v -> %v\n", what, was, is)
		}
	}
	change("states", printable.Number(before.States), printable.Number(now.States))
	change("depth", before.Depth, now.Depth)
	verdicts := map[string]explore.Verdict{}
	for i := range before.Properties {
		verdicts[before.Properties[i].Name] = before.Properties[i].Verdict
	}
	for i := range now.Properties {
		p := &now.Properties[i]
		if was, known := verdicts[p.Name]; known {
			change(p.Name, was, p.Verdict)
		} else {
			change(p.Name, "not there", p.Verdict)
		}
		delete(verdicts, p.Name)
	}
	for i := range before.Properties {
		if _, gone := verdicts[before.Properties[i].Name]; gone {
			change(before.Properties[i].Name, before.Properties[i].Verdict, "not there")
		}
	}
	if !changed {
		printable.Fprintln(a.out, "nothing changed: the same states, the same verdicts")
	}
}
