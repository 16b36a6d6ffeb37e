//go:build !js

package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/file"
	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// claimsFlags are the flags of claims, as given.
type claimsFlags struct {
	quick   bool
	claim   string
	row     int
	unknown bool
	tables  bool
	format  string
	update  bool
	docs    string
	write   string // the directory to write into; "": nothing is written
	workers int
	memory  string
	refuting
	timeout time.Duration

	measurements measurements
}

func (a *app) claims() *cobra.Command {
	var f claimsFlags
	c := &cobra.Command{
		Use:   "claims [PAPER ...]",
		Short: "Judge what the papers claim",
		Long: `Runs the instances that test the claims of a paper, or of all papers, and prints for
each claim what was found, with the command that shows it again. A row of a page is
asked again by its paper, its claim and its number.

The findings are kept beside the pages, and what the pages say is held against the
tables of verdicts. Beside a file nothing is kept: its rulings are held against the
findings. Exit codes: 0 all is as kept, 1 some finding differs or some
sentence is contradicted, 2 a limit was reached before it was known, 64 wrong use,
65 a model itself is at fault.`,
		Example: a.examples(`% claims @timerfree --quick
% claims @timerfree --claim lemma-2 --row 1
% claims --format json
% claims @vcube --update         the page, the findings and the counterexamples
% claims @vcube --update --new   the same, asking new rows only
% claims @timerfree --update --tables
% claims @cohorts --refute=200 --seed 7   search for instances that refute its sentences`),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var words []string
			for _, p := range a.papers() {
				words = append(words, cobra.CompletionWithDesc(p.Name, p.Source.String()))
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error { return a.runClaims(c.Context(), args, &f) },
	}
	flags := c.Flags()
	flags.BoolVar(&f.quick, "quick", false, fmt.Sprintf(
		"leave out rows of which it is known that they take more than %s states, and those of experiments",
		number(quickStates)))
	flags.StringVar(&f.claim, "claim", "", "only the claim whose name begins so, such as lemma-2")
	flags.IntVar(&f.row, "row", 0, "only the row of this number, from 1; 0: all rows of the claim")
	flags.BoolVar(&f.unknown, "new", false, "only rows of which no finding is kept")
	flags.BoolVar(&f.tables, "tables", false,
		"run the paper's tables of verdicts in place of its claims; this takes long")
	flags.StringVar(&f.format, "format", "text", "form of the result: text, json or markdown")
	flags.BoolVar(&f.update, "update", false,
		"write the page, the findings and the counterexamples anew where they are kept; "+
			"of rows left out what is there stays")
	flags.StringVar(&f.docs, "docs", a.Docs, "where --update writes them, and what is there is compared")
	flags.IntVar(&f.workers, "workers", 0,
		"number of workers; 0: one for each processor. The results are the same for any")
	flags.StringVar(&f.measurements.dir, "measured", "", measuredFlag)
	flags.IntVar(&f.tries, "refute", 0, "in place of the rows, test each sentence about the tables, "+
		"and each row of a repair that holds, against so many small instances that are not in the tables")
	flags.Lookup("refute").NoOptDefVal = "20"
	flags.Uint64Var(&f.seed, "seed", 1, "with --refute: the same seed draws the same instances")
	flags.Int64Var(&f.states, "max-states", 50_000, "with --refute: give up an instance after so many states")
	flags.DurationVar(&f.timeout, "timeout", 0, "with --refute: end the list after this time; 0: no limit")
	flags.StringVar(&f.memory, "memory", "",
		"stop a search before taking more memory, such as 64M or 8G; default: four fifths of "+
			"what is available")
	return c
}

// check refuses flags that make no sense.
func (f *claimsFlags) check(papers int) error {
	switch {
	case !slices.Contains([]string{"text", "json", "markdown"}, f.format):
		return usage.Errorf("--format=%s: allowed are text, json and markdown", f.format)
	case f.row < 0:
		return usage.Errorf("--row=%d: allowed are 1 and more, and 0 for all", f.row)
	case f.row > 0 && f.claim == "":
		return usage.Errorf("--row=%d needs --claim", f.row)
	case f.tries < 0 || f.states < 0 || f.timeout < 0:
		return usage.Errorf("--refute=%d --max-states=%d --timeout=%v: allowed are 0 and more", f.tries,
			f.states, f.timeout)
	case f.tries > 0 && (f.update || f.tables || f.row > 0 || f.format != "text"):
		return usage.Errorf("--refute prints text and keeps nothing: --update, --tables, --row and " +
			"--format have no meaning with it")
	case f.claim != "" && papers != 1:
		return usage.Errorf("--claim=%s needs the name of one paper before it", f.claim)
	case f.tables && (f.claim != "" || f.unknown || f.quick):
		return usage.Errorf("--tables runs all tables: --claim, --new and --quick are of rows of pages")
	}
	return nil
}

func (a *app) runClaims(ctx context.Context, args []string, f *claimsFlags) error {
	papers := a.papers()
	if papers == nil {
		return a.noClaims()
	}
	if len(args) > 0 {
		papers = papers[:0]
		for _, name := range args {
			p, err := a.paper(name)
			if err != nil {
				return err
			}
			papers = append(papers, p)
		}
	}
	if err := f.check(len(papers)); err != nil {
		return err
	}
	if f.update {
		f.write = f.docs
	}
	opt := explore.Options{Workers: f.workers}
	var err error
	if opt.Memory, err = memoryLimit(f.memory); err != nil {
		return err
	}
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	for _, p := range papers {
		if f.tables {
			err = a.tablesOf(ctx, p, f, opt)
		} else {
			err = a.claimsOf(ctx, p, f, opt)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keptFiles is where findings and tables are kept: where they are to be written or were said to be, or else
// in the program.
func (a *app) keptFiles(f *claimsFlags) fs.FS {
	if f.update || f.docs != a.Docs {
		return os.DirFS(f.docs)
	}
	return a.Kept
}

// claimsOf judges the claims of a paper and reports.
func (a *app) claimsOf(ctx context.Context, p *papers.Paper, f *claimsFlags, opt explore.Options) error {
	j, err := a.review(p, a.keptFiles(f))
	if err != nil {
		return err
	}
	chosen, err := j.choose(f)
	if err != nil {
		return err
	}
	if f.tries > 0 {
		return a.refute(ctx, j, chosen, opt, f.refuting)
	}
	text := f.format == "text" && f.write == ""
	if text {
		printable.Fprintf(a.out, "%s: %s\n", bold(p.Name), p.Source)
	}
	answers, stop := a.answers(ctx, chosen, f, opt)
	defer stop()
	for _, c := range chosen {
		if err := a.judge(ctx, c, f, answers); err != nil {
			return err
		}
		if text {
			c.text(a.out)
		}
		if err := a.out.Failed(); err != nil {
			a.verdict = c.Name + ": " + c.verdict()
			return err
		}
		if interrupted(ctx) != 0 {
			break
		}
	}
	if f.claim == "" && !f.quick && interrupted(ctx) == 0 { // otherwise not all was asked
		for _, wrong := range j.contradictions() {
			a.code = max(a.code, exitViolated)
			printable.Fprintf(a.diag, "%s: %s\n", p.Name, bad(wrong))
		}
	}
	switch {
	case f.write != "":
		if err := a.writeClaims(f.write, j); err != nil || interrupted(ctx) == 0 {
			return err
		}
		return a.interrupt(ctx, fmt.Sprintf("after %s; what was found of them is written to %s, "+
			"which keeps what was found of the others", plural(j.asked(), "row"), f.write))
	case f.format == "markdown":
		_, err := io.WriteString(a.out,
			string(printable.Lines(j.page(func(string) (string, error) { return "", nil }))))
		return err
	case f.format == "json":
		return j.json(a.out)
	}
	return nil
}

// choose returns the claims that the flags ask for.
func (j *review) choose(f *claimsFlags) (chosen []*judged, err error) {
	for i := range j.claims {
		c := &j.claims[i]
		if c.Name == f.claim || c.Key() == f.claim {
			chosen = []*judged{c}
			break
		}
		if strings.HasPrefix(c.Key(), f.claim) {
			chosen = append(chosen, c)
		}
	}
	if f.claim == "" {
		return chosen, nil
	}
	var keys []string
	for i := range j.claims {
		keys = append(keys, j.claims[i].Key())
	}
	all := strings.Join(keys, ", ")
	switch {
	case len(chosen) == 0:
		return nil, usage.Errorf("--claim=%s: %s has no such claim%s; it has %s",
			f.claim, j.paper.Name, usage.Nearest(f.claim, keys), all)
	case len(chosen) > 1:
		return nil, usage.Errorf("--claim=%s: %d claims of %s begin so; it has %s",
			f.claim, len(chosen), j.paper.Name, all)
	case f.row > len(chosen[0].rows):
		return nil, usage.Errorf("--row=%d: the claim has %s", f.row, plural(int64(len(chosen[0].rows)),
			"row"))
	}
	return chosen, nil
}

// asked is the number of rows that this run has asked.
func (j *review) asked() (n int64) {
	for i := range j.claims {
		for k := range j.claims[i].rows {
			if j.claims[i].rows[k].now != nil {
				n++
			}
		}
	}
	return n
}

// asks reports whether the flags ask for a row.
func (f *claimsFlags) asks(r *claimRow) bool {
	return (!f.quick || !r.long()) && (f.row == 0 || r.number == f.row) && (!f.unknown || r.kept == nil)
}

// answers returns what runs the next row of those of some claims that are asked for.
func (a *app) answers(ctx context.Context, chosen []*judged, f *claimsFlags, opt explore.Options) (
	next func() (answer, error, bool), stop func(),
) {
	var rows []*claimRow
	for _, c := range chosen {
		for i := range c.rows {
			if f.asks(&c.rows[i]) {
				rows = append(rows, &c.rows[i])
			}
		}
	}
	rest, cancel := context.WithCancel(ctx)
	next, end := iter.Pull2(inTurn(a, len(rows), func(i int) (answer, error) {
		if rows[i].Experiment != "" {
			return a.measure(rest, rows[i].Trial, &f.measurements)
		}
		progress, opt := a.newProgress(), opt
		opt.Progress = progress.Show
		defer progress.Done()
		return a.try(rest, rows[i].Trial, opt)
	}))
	return next, func() { cancel(); end() }
}

// fits reports whether an answer agrees with what a file rules of a claim: beside files no findings are kept.
func (c *judged) fits(ans *answer) bool {
	return strings.HasSuffix(c.Trials[0].Spec, file.Extension) && ans.Verdict != string(explore.Unknown) &&
		(c.Ruling != papers.Stands || ans.Verdict == string(explore.Holds))
}

// judge takes in the answers to the rows of a claim that are asked for, and sets the exit code if a finding
// changed.
func (a *app) judge(ctx context.Context, c *judged, f *claimsFlags, next func() (answer, error, bool)) error {
	for i := range c.rows {
		r := &c.rows[i]
		if !f.asks(r) {
			continue
		}
		ans, err, _ := next()
		if err != nil {
			return err
		}
		if code := interrupted(ctx); code != 0 {
			a.code = code
			return nil
		}
		r.now = &ans
		switch {
		case ans.Verdict == string(explore.ModelError):
			a.code = exitModel
		case r.asKept() || r.kept == nil && (f.write != "" || c.fits(&ans)) || a.code == exitModel:
		case ans.Verdict == string(explore.Unknown):
			a.code = max(a.code, exitUnknown)
		default:
			a.code = exitViolated
		}
	}
	return nil
}
