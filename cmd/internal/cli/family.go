//go:build !js

package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// singleOnly is the flags of check that apply to a single search.
var singleOnly = []string{"out-of-reach", "costs", "witness", "reduce", "max-depth", "timeout", "store",
	"trace", "strict", "watch"}

// checkFamily explores a family of instances, each to the end also after a violation, and writes a table.
func (a *app) checkFamily(c *cobra.Command, args []string, f *checkFlags) error {
	if a.Remote != nil {
		return usage.Errorf("several instances are named, and a cluster searches one: write a loop in the shell")
	}
	for _, name := range singleOnly {
		if c.Flags().Changed(name) {
			return usage.Errorf("--%s is about one search, and several instances are named", name)
		}
	}
	if err := allowed("format", f.Format, "text", "json", "junit"); err != nil {
		return err
	}
	rows := combinations(args[1:])
	table := &report.Table{Tool: a.Name, Model: args[0], Form: f.Format}
	for _, row := range rows { // find a wrong one now and not after hours
		of, err := a.Instance(args[0], strings.Fields(row))
		if err != nil {
			return err
		}
		for _, p := range of.Space.Properties() {
			wanted := !p.OnRequest
			if f.Property != nil {
				wanted = slices.Contains(f.Property, p.Name)
			}
			if wanted && !slices.Contains(table.Columns, p.Name) {
				table.Columns = append(table.Columns, p.Name)
			}
		}
	}
	one := *f
	one.KeepGoing, one.Format = true, "text"
	for n, row := range rows {
		found, err := a.member(c.Context(), append([]string{args[0]}, strings.Fields(row)...), &one)
		if err != nil {
			return err
		}
		a.verdict = fmt.Sprintf("%d of %d instances explored; the last one: %s: %s", n+1, len(rows), row,
			found.Verdict)
		if err := cmp.Or(table.Row(a.out, row, found), a.out.Failed()); err != nil {
			return err
		}
		if code := term.Interrupted(c.Context()); code != 0 {
			a.code = code
			return nil
		}
		switch m := found.Mistake; {
		case m != nil:
			a.code = exitModel
			printable.Fprintf(a.diag, "%s: %s %s: %v\n", a.Name, args[0], row, m.Error)
		case a.code == exitModel:
		case found.Verdict == explore.Violated:
			a.code = exitViolated
		case !found.Complete && a.code == exitHolds:
			a.code = exitUnknown
		}
	}
	return table.End(a.out)
}

// member explores one instance of a family.
func (a *app) member(ctx context.Context, args []string, f *checkFlags) (*explore.Report, error) {
	of, opt, err := a.question(args, f)
	if err != nil {
		return nil, err
	}
	return a.search(ctx, of, args, opt)
}

// combinations spells out arguments in which slashes separate alternatives, the
// last one varying fastest.
func combinations(args []string) []string {
	all := []string{""}
	for _, arg := range args {
		key, values, _ := strings.Cut(arg, "=")
		var longer []string
		for _, prefix := range all {
			for _, value := range strings.Split(values, "/") {
				longer = append(longer, strings.TrimSpace(prefix+" "+key+"="+value))
			}
		}
		all = longer
	}
	return all
}
