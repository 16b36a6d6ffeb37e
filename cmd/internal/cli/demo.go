//go:build !js

package cli

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

//go:embed demo/lock.ndjson
var demoLog string

// A demoStep is one command of the demo.
type demoStep struct {
	says string // the reason for it
	args string // the command, with files in the folder of the demo
	code int    // its exit code
	to   string // file that takes standard output; "": it is shown
}

const demoLogName = "lock.ndjson"

var demoSteps = []demoStep{
	{
		says: "Raymond's algorithm of 1989: three processes share two units of a resource.\n" +
			"It explores all orders in which messages can arrive: \"holds\" is no sample.",
		args: "check raymond n=3 k=2",
	},
	{
		says: "A paper of 2009 leaves requests of equal time unordered, in a footnote: with\n" +
			"two processes and one unit and no failure, both enter. The run is kept.",
		args: "check timerfree order=footnote n=2 k=1 f=0 --property at-most-k --trace run.ndjson",
		code: exitViolated,
	},
	{
		says: "The same run as a page: step through it, and see the other enabled steps.",
		args: "replay run.ndjson --as html",
		to:   "run.html",
	},
	{
		says: "It also judges logs of any lock or semaphore. Time stamps decide nothing\n" +
			"until --skew says how far they can be trusted. This is " + demoLogName + ":\n\n" +
			strings.TrimSpace(demoLog),
		args: "validate " + demoLogName + " --skew 5ms",
		code: exitViolated,
	},
}

// demoFlags are the flags of demo, as given.
type demoFlags struct{ Dir string }

func (a *app) demo() *cobra.Command {
	return verb(a, "demo", &demoFlags{}, cobra.NoArgs, a.runDemo)
}

// runDemo carries out the steps in --dir; "": in a folder that is removed.
func (a *app) runDemo(c *cobra.Command, _ []string, f *demoFlags) (err error) {
	if missing := a.missingDemoModel(); missing != "" {
		return usage.Errorf("the demo is about the models %s, and %s has no %s; `%[2]s list` shows its "+
			"models", strings.Join(demoModels, " and "), a.Name, missing)
	}
	dir := f.Dir
	remark, next := "", "\nThe page for a browser is "+filepath.Join(dir, "run.html")+"."
	if dir == "" {
		remark, next = "\n(removed at the end; --dir keeps them)", ""
		dir, err = os.MkdirTemp("", a.Name+"-demo-")
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	} else if err = os.MkdirAll(dir, 0o777); err == nil {
		if files, _ := os.ReadDir(dir); len(files) > 0 {
			return usage.Errorf("--dir=%s: it holds files; a new or empty folder is wanted", dir)
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, demoLogName), []byte(demoLog), 0o666)
	}
	if err != nil {
		return badOutput(fmt.Errorf("--dir=%s: %w", dir, err))
	}
	printable.Fprintf(a.out, "The files of this demo are in %s%s\n", dir, printable.Raw(remark))
	for i, s := range demoSteps {
		printable.Fprintf(a.out, "\n%d. %s\n\n", i+1, printable.Lines(s.says))
		if err := a.demoStep(c.Context(), dir, s); err != nil {
			return err
		}
	}
	printable.Fprintf(a.out, "\nNext: `%s list`, `%[1]s show raymond`, `%[1]s help check`.%s\n", a.Name,
		printable.Lines(next))
	return nil
}

// demoStep carries out a command as a user would in the folder, and shows it with its output.
func (a *app) demoStep(ctx context.Context, dir string, s demoStep) error {
	shown := "$ " + a.Name + " " + s.args
	if s.to != "" {
		shown += " > " + s.to
	}
	printable.Fprintln(a.out, shown)
	args := strings.Fields(s.args)
	for i, arg := range args {
		if strings.HasSuffix(arg, ".ndjson") {
			args[i] = filepath.Join(dir, arg)
		}
	}
	var out, diag bytes.Buffer
	args = append(args, "--progress", "0", "--color", "never")
	code := a.Run(ctx, args, strings.NewReader(""), &out, &diag)
	switch {
	case ctx.Err() != nil:
		return a.interrupt(ctx, "")
	case code != s.code:
		return fmt.Errorf("%w: %s %s: exit code %d, and %d was expected\n%s",
			explore.ErrInternal, a.Name, s.args, code, s.code, diag.String())
	case s.to != "":
		if err := os.WriteFile(filepath.Join(dir, s.to), out.Bytes(), 0o666); err != nil {
			return badOutput(err)
		}
		return nil
	}
	text := strings.ReplaceAll(out.String(), dir+string(filepath.Separator), "")
	for line := range strings.Lines(text) {
		runes := []rune(strings.TrimSuffix(line, "\n"))
		if len(runes) > demoWidth {
			runes = append(runes[:demoWidth-1], '…')
		}
		printable.Fprintln(a.out, string(runes))
	}
	return nil
}

// demoWidth is the number of characters of a line that are shown.
const demoWidth = 79
