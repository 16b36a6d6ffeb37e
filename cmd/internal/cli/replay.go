package cli

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
)

// replayFlags are the flags of replay, as given.
type replayFlags struct {
	as       string
	minimise bool
	list     bool
}

func (a *app) replay() *cobra.Command {
	var f replayFlags
	var forms, names []string
	for _, form := range a.Forms() {
		forms = append(forms, fmt.Sprintf("  %-8s  %s", form.Name, form.Doc))
		names = append(names, cobra.CompletionWithDesc(form.Name, form.Doc))
	}
	c := &cobra.Command{
		Use:   "replay [FILE]",
		Short: "Execute a trace once more and show it",
		Long: `Executes a trace that check has written, or somebody else, from the initial state
through the handlers of its model, and shows it. Where the trace departs from what
the model does, or does not show what it is said to show, that is the result.

The last counterexamples that check has found are kept in the user's cache folder: --list shows
them, and last/NAME names one. Without a file it takes the last one found in this folder, else the
last one of a model that the program has, and says which.
The verb explore opens a run on a live page, on which one can go another way.

Forms:
` + strings.Join(forms, "\n") + `

Exit codes: 0 the trace reproduces, 3 the file cannot be used, 4 it does not reproduce.`,
		Example: a.examples(`% check @die-hard --trace jugs.ndjson
% replay jugs.ndjson
% replay jugs.ndjson --as html > jugs.html`),
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if f.list {
				return a.listLast()
			}
			return a.runReplay(args, &f)
		},
	}
	c.Flags().StringVar(&f.as, "as", "text",
		"form: text, columns, chart, html, svg, shiviz, itf or json")
	c.Flags().BoolVar(&f.minimise, "minimise", false,
		"leave out the steps that the trace does not need, and put the others in order")
	c.Flags().BoolVar(&f.list, "list", false,
		"list the counterexamples that are kept: file, model, property, time and folder")
	offer(c, "as", names...)
	return c
}

func (a *app) runReplay(args []string, f *replayFlags) error {
	if !slices.ContainsFunc(a.Forms(), func(form traces.Form) bool { return form.Name == f.as }) {
		return usage.Errorf("--as=%s: `%s help replay` lists the forms", f.as, a.Name)
	}
	run, err := a.loadRun(args)
	if err != nil {
		return err
	}
	if f.minimise {
		run = traces.Tidy(traces.Minimise(run))
	}
	out := bufio.NewWriter(a.out)
	if err := traces.Render(out, f.as, run, traces.Options{}, a.PageForm()); err != nil {
		return err
	}
	return out.Flush()
}

// loadRun reads the trace that the arguments name, or the last one that is kept, and executes it.
func (a *app) loadRun(args []string) (*traces.Run, error) {
	file, err := a.replayed(args)
	if err != nil {
		return nil, err
	}
	a.status.Store("executing " + file)
	t, err := traces.ReadFile(file)
	if err != nil {
		return nil, badInput(err)
	}
	if here, err := os.Getwd(); err == nil && filepath.IsAbs(t.Spec) {
		if near, err := filepath.Rel(here, t.Spec); err == nil && filepath.IsLocal(near) {
			t.Spec = near
		}
	}
	var settings []string
	for _, key := range slices.Sorted(maps.Keys(t.Parameters)) {
		if t.Parameters[key] != "" {
			settings = append(settings, key+"="+t.Parameters[key])
		}
	}
	of, err := a.Followed(t.Spec, settings)
	if err != nil {
		return nil, badInput(fmt.Errorf("%s:1: %w", file, err))
	}
	run, err := traces.Replay(of.Instance, t)
	var mismatch *traces.Mismatch
	if errors.As(err, &mismatch) {
		return nil, failure{fmt.Errorf("%s does not reproduce: %w", file, err), exitDeparts}
	}
	if err != nil {
		return nil, badInput(fmt.Errorf("%s: %w", file, err))
	}
	return run, nil
}
