// Command paperdocs judges the claims of papers whose algorithms are models of this repository. It calls
// atmostk for the rows of claims, measures the figures of experiments, and keeps both as data in docs/claims
// and docs/experiments.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/tools/paperdocs/claims"
	"github.com/atmostk/atmostk/tools/paperdocs/experiment"
)

// errDiffers ends a command whose findings differ from the kept ones, with exit code 1.
var errDiffers = errors.New("some finding differs from the kept one, or some sentence is refuted")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run executes a command, and returns the exit code.
func run(ctx context.Context, args []string, out, diag io.Writer) int {
	root := &cobra.Command{Use: "paperdocs", Short: "Judge the claims of papers, and measure their figures",
		SilenceUsage: true, SilenceErrors: true}
	var where string
	root.PersistentFlags().StringVar(&where, "root", filepath.Join("..", ".."), "folder of the repository")
	root.AddCommand(claimsCommand(&where), experiments(&where))
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(diag)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	_, _ = fmt.Fprintln(diag, "paperdocs:", err) // no further output is possible
	var misuse *usage.Error
	switch {
	case errors.Is(err, errDiffers):
		return 1
	case errors.As(err, &misuse):
		return 64
	}
	return 3
}

// claimsFlags are the flags of claims, as given.
type claimsFlags struct {
	claim                          string
	row                            int
	quick, missing, tables, update bool
	refuting                       claims.Refuting
}

func claimsCommand(root *string) *cobra.Command {
	var f claimsFlags
	c := &cobra.Command{
		Use:   "claims PAPER",
		Short: "Judge the claims of a paper",
		Long: `Asks the rows that test the claims of a paper, each by the command in docs/claims, and
compares the answers with those that are kept there. Exit codes: 0 all is as kept, 1 some
finding differs or some sentence is refuted, 3 a file cannot be used, 64 wrong use.`,
		Example: `  paperdocs claims timerfree --claim lemma-2 --row 1
  paperdocs claims vcube --update --new        keep new findings and counterexamples
  paperdocs claims vcube --tables --update --new
  paperdocs claims cohorts --refute=200 --seed 7`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := claims.Open(*root, args[0])
			if errors.Is(err, os.ErrNotExist) {
				names := claims.Names(*root)
				return usage.Errorf("there is no paper %q%s; there are %s", args[0],
					usage.Nearest(args[0], names), strings.Join(names, ", "))
			}
			if err != nil {
				return err
			}
			return f.judge(c.Context(), p, *root, c.OutOrStdout())
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.claim, "claim", "", "only the claims whose key begins with this, such as lemma-2")
	flags.IntVar(&f.row, "row", 0, "only the row of this number, from 1; 0: all rows of the claim")
	flags.BoolVar(&f.quick, "quick", false, "leave out rows that are known to take more than 5,000 states")
	flags.BoolVar(&f.missing, "new", false, "only rows, or instances of tables, without a kept finding")
	flags.BoolVar(&f.tables, "tables", false, "the tables of verdicts in place of the claims: takes long")
	flags.BoolVar(&f.update, "update", false, "keep findings and counterexamples")
	flags.IntVar(&f.refuting.Tries, "refute", 0, "in place of the rows, test each sentence about the tables "+
		"and each row of a repair that holds, against this many small instances outside the tables")
	flags.Lookup("refute").NoOptDefVal = "20"
	flags.Uint64Var(&f.refuting.Seed, "seed", 1, "with --refute: the same seed draws the same instances")
	flags.Int64Var(&f.refuting.States, "max-states", 50_000, "with --refute: the most states of an instance")
	return c
}

// judge executes the command that the flags describe.
func (f *claimsFlags) judge(ctx context.Context, p *claims.Paper, root string, out io.Writer) error {
	if f.tables {
		if err := p.Tabulate(ctx, out, f.missing); err != nil || !f.update {
			return err
		}
		return p.WriteTables()
	}
	chosen, err := p.Choose(f.claim, f.row)
	if err != nil {
		return err
	}
	differs := 0
	if f.refuting.Tries > 0 {
		differs, err = p.Refute(ctx, out, chosen, f.refuting)
	} else {
		differs, err = f.ask(ctx, chosen, root, out)
	}
	switch {
	case err != nil:
		return err
	case f.update:
		return p.Write()
	case differs > 0:
		return errDiffers
	}
	return nil
}

// ask asks the rows of some claims and prints the answers. It returns the number that differ from the kept
// ones.
func (f *claimsFlags) ask(ctx context.Context, chosen []*claims.Claim, root string, out io.Writer) (
	differs int, err error) {
	for _, c := range chosen {
		_, _ = fmt.Fprintf(out, "\n%s: %s\n", c.Name, c.Verdict()) // a progress report
		for _, row := range c.Rows {
			if f.row > 0 && row.Number != f.row || f.quick && row.Long() || f.missing && row.Kept != nil {
				continue
			}
			if err := row.Ask(ctx, root); ctx.Err() != nil {
				return differs, nil // earlier answers are kept
			} else if err != nil {
				return differs, err
			}
			if _, err := io.WriteString(out, row.Text()); err != nil {
				return differs, err
			}
			if row.Now != nil && row.Kept != nil && !row.AsKept() {
				differs++
			}
		}
	}
	return differs, nil
}

func experiments(root *string) *cobra.Command {
	var runs int
	var points []string
	var write string
	c := &cobra.Command{
		Use:   "experiment [NAME|FILE.yaml]",
		Short: "Measure models under a load, as a paper or a file describes",
		Long: `Measures models under the same load at several points, by discrete-event simulation of the
same handlers that are checked, compares the figures with the claims of the source, and prints
both. NAME names an experiment or one of its figures; without it, all are listed.
Means are over several runs, with intervals of 95%.`,
		Example: `  paperdocs experiment vcube-12 --runs 2
  paperdocs experiment timerfree-rho --points 1,9,20 --write numbers`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				text, err := experiment.List(*root)
				_, _ = io.WriteString(c.OutOrStdout(), text) // no further output is possible
				return err
			}
			e, err := experiment.Find(*root, args[0])
			if err == nil {
				err = e.Only(points, runs)
			}
			if err != nil {
				return err
			}
			cells, err := e.Run(c.Context(), models(*root), c.ErrOrStderr())
			if err != nil {
				return err
			}
			if write == "" {
				return e.Print(c.OutOrStdout(), cells)
			}
			return e.Write(filepath.Join(write, e.Name+".ndjson"), cells)
		},
	}
	flags := c.Flags()
	flags.IntVar(&runs, "runs", 0, "runs at each point; 0: the number in the description")
	flags.StringSliceVar(&points, "points", nil, "only the points with these values on the x axis, with "+
		"commas between; claims are not judged then")
	flags.StringVar(&write, "write", "", "write all numbers as NAME.ndjson into this directory")
	return c
}

// models finds the models of experiments by name, or in files of the repository.
func models(root string) func(string) (*model.Spec, error) {
	return func(name string) (*model.Spec, error) {
		if strings.HasSuffix(name, starfile.Extension) {
			return starfile.Load(filepath.Join(root, name))
		}
		return claims.Spec(name)
	}
}
