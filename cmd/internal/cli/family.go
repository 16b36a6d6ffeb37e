//go:build !js

package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// singleOnly are the flags of check that apply only to a single search.
var singleOnly = []string{"out-of-reach", "costs", "witness", "reduce", "max-depth", "timeout", "store",
	"trace", "strict", "watch", "format"}

// checkFamily explores each instance of a family completely, also after a violation, and writes a table.
func (a *app) checkFamily(c *cobra.Command, args []string, f *checkFlags) error {
	if a.Remote != nil {
		return usage.Errorf("the arguments name several instances, and a cluster searches one: loop over " +
			"them in the shell")
	}
	if i := slices.IndexFunc(singleOnly, c.Flags().Changed); i >= 0 {
		return usage.Errorf("--%s applies to one search, and the arguments name several instances",
			singleOnly[i])
	}
	one := *f
	one.KeepGoing = true
	rows := combinations(args[1:])
	var columns []string // the properties of all instances
	ofRows, options := make([]*models.Subject, len(rows)), make([]explore.Options, len(rows))
	for i, row := range rows { // build all instances first: an error comes now, not after hours
		var err error
		if ofRows[i], options[i], err = a.question(rowArgs(args, row), &one); err != nil {
			return err
		}
		for _, p := range ofRows[i].Space.Properties() {
			wanted := f.Property == nil && !p.OnRequest || slices.Contains(f.Property, p.Name)
			if wanted && !slices.Contains(columns, p.Name) {
				columns = append(columns, p.Name)
			}
		}
	}
	report.TableHead(a.out, columns)
	for i, row := range rows {
		found, err := a.search(c.Context(), ofRows[i], rowArgs(args, row), options[i])
		ofRows[i] = nil // frees the memory of the instance
		if err != nil {
			return err
		}
		a.verdict = fmt.Sprintf("%d of %d instances explored; the last one: %s: %s, %d states", i+1,
			len(rows), row, found.Verdict, found.States)
		if report.TableRow(a.out, columns, row, found); a.out.Failed() != nil {
			return a.out.Failed()
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
		case found.Verdict == explore.Unknown && a.code == exitHolds:
			a.code = exitUnknown
		}
	}
	return nil
}

// rowArgs is the arguments of one instance of a family.
func rowArgs(args []string, row string) []string { return append(args[:1:1], strings.Fields(row)...) }

// combinations lists the instances of arguments in which slashes separate alternatives. The last argument
// varies fastest.
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
