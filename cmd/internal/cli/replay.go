package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
)

type replayFlags struct {
	As       string
	Minimise bool
	List     bool
}

func (a *app) replay() *cobra.Command {
	var forms, names []string
	for _, form := range a.Forms() {
		forms = append(forms, fmt.Sprintf("  %-8s  %s", form.Name, form.Doc))
		names = append(names, cobra.CompletionWithDesc(form.Name, form.Doc))
	}
	c := verb(a, "replay", &replayFlags{As: "text"}, cobra.MaximumNArgs(1), a.runReplay,
		"{forms}", strings.Join(forms, "\n"))
	offer(c, "as", names...)
	return c
}

func (a *app) runReplay(c *cobra.Command, args []string, f *replayFlags) error {
	switch is := func(form traces.Form) bool { return form.Name == f.As }; {
	case f.List && (len(args) > 0 || f.Minimise || c.Flags().Changed("as")):
		return usage.Errorf("--list lists all runs: it takes no file, and neither --as nor --minimise")
	case f.List:
		return a.listLast()
	case !slices.ContainsFunc(a.Forms(), is):
		return usage.Errorf("--as=%s: `%s help replay` lists the forms", f.As, a.Name)
	}
	run, err := a.loadRun(args)
	if err != nil {
		return err
	}
	if f.Minimise {
		run = traces.Tidy(traces.Minimise(c.Context(), run))
	}
	w := bufio.NewWriter(a.out)
	if err := traces.Render(w, f.As, run, traces.Options{Width: a.out.Columns()}, a.PageForm()); err != nil {
		return err
	}
	return w.Flush()
}

// loadRun reads the trace that the arguments name, or the last kept one, and replays it.
func (a *app) loadRun(args []string) (*traces.Run, error) {
	file, err := a.replayed(args)
	if err != nil {
		return nil, err
	}
	a.status.Store("executing " + file)
	read := traces.ReadFile
	if file == "-" {
		read = func(string) (*traces.Trace, error) { return traces.Read(a.in) }
	}
	t, err := read(file)
	if err != nil {
		return nil, badInput(err)
	}
	if here, err := os.Getwd(); err == nil && filepath.IsAbs(t.Spec) {
		if near, err := filepath.Rel(here, t.Spec); err == nil && filepath.IsLocal(near) {
			t.Spec = near
		}
	}
	of, err := a.Followed(t.Spec, t.Settings())
	if err != nil {
		return nil, badInput(fmt.Errorf("%s:1: %w", file, err))
	}
	run, err := traces.Replay(of.Instance, t)
	if _, is := errors.AsType[*traces.Mismatch](err); is {
		return nil, failure{fmt.Errorf("%s does not reproduce: %w", file, err), exitDeparts}
	}
	if err != nil {
		return nil, badInput(fmt.Errorf("%s: %w", file, err))
	}
	return run, nil
}
