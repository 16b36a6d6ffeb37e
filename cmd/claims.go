package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	files "github.com/google/renameio/v2/maybe"
	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// claimsFlags are the flags of claims, as given.
type claimsFlags struct {
	quick   bool
	tables  bool
	format  string
	write   string
	workers int
	memory  string
}

func (a *app) claims() *cobra.Command {
	var f claimsFlags
	c := &cobra.Command{
		Use:   "claims [PAPER ...]",
		Short: "Judge what the papers claim",
		Long: `Runs the instances that test the claims of a paper, or of all papers, and prints for
each claim what was found, with the command that shows it again.

The findings are recorded beside the models. Exit codes: 0 all are as recorded,
1 some finding differs, 2 a limit was reached before it was known, 64 wrong use,
65 a model itself is at fault.`,
		Example: `  atmostk claims timerfree --quick
  atmostk claims --format json
  atmostk claims vcube --write docs/claims       the page and its counterexamples
  atmostk claims timerfree --tables --write docs/claims`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var words []string
			for _, p := range a.papers() {
				words = append(words, cobra.CompletionWithDesc(p.Name, p.Title))
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error { return a.runClaims(c.Context(), args, &f) },
	}
	flags := c.Flags()
	flags.BoolVar(&f.quick, "quick", false, "leave out what takes long")
	flags.BoolVar(&f.tables, "tables", false, "run the paper's tables of verdicts in place of its claims; this takes long")
	flags.StringVar(&f.format, "format", "text", "form of the result: text, json or markdown")
	flags.StringVar(&f.write, "write", "", "write the page, and the counterexamples beside it, into this directory")
	flags.IntVar(&f.workers, "workers", 0, "number of workers; 0: one for each processor. The results are the same for any")
	flags.StringVar(&f.memory, "memory", "", "stop a search before taking more memory, such as 64M or 8G; default: four fifths of what is available")
	return c
}

// papers returns the papers of all models, each once.
func (a *app) papers() (ps []*model.Paper) {
	for i := range a.specs {
		if p := a.specs[i].Paper; p != nil && !slices.Contains(ps, p) {
			ps = append(ps, p)
		}
	}
	return ps
}

// paper returns the paper of the given name, or of the model of that name.
func (a *app) paper(name string) (*model.Paper, error) {
	var names []string
	for _, p := range a.papers() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	for i := range a.specs {
		if s := &a.specs[i]; s.Name == name && s.Paper != nil {
			return s.Paper, nil
		}
	}
	return nil, model.Usage("there is no paper %q%s; there are %s", name, model.Nearest(name, names), strings.Join(names, ", "))
}

func (a *app) runClaims(ctx context.Context, args []string, f *claimsFlags) error {
	papers := a.papers()
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
	if !slices.Contains([]string{"text", "json", "markdown"}, f.format) {
		return model.Usage("--format=%s: allowed are text, json and markdown", f.format)
	}
	opt := explore.Options{Workers: f.workers}
	var err error
	if opt.Memory, err = memoryLimit(f.memory); err != nil {
		return err
	}
	for _, p := range papers {
		if f.tables {
			err = a.tablesOf(ctx, p, f, opt)
		} else {
			err = a.claimsOf(ctx, p, f, opt)
		}
		if err != nil || interrupted(ctx) != 0 {
			return err
		}
	}
	return nil
}

// judged is a claim with the answers to its trials; those left out have none.
type judged struct {
	*model.Claim
	answers []*answer
}

// verdict sums up the answers of the trials of the claim itself.
func (j *judged) verdict() explore.Verdict {
	v := explore.Holds
	for i, ans := range j.answers {
		if ans == nil || aside(&j.Trials[i]) != "" {
			continue
		}
		if v := explore.Verdict(ans.Verdict); v == explore.Violated || v == explore.ModelError {
			return v
		}
		if ans.Verdict == string(explore.Unknown) {
			v = explore.Unknown
		}
	}
	return v
}

// claimsOf judges the claims of a paper and reports.
func (a *app) claimsOf(ctx context.Context, p *model.Paper, f *claimsFlags, opt explore.Options) error {
	var all []judged
	text := f.format == "text" && f.write == ""
	if text {
		printable.Fprintf(a.out, "%s: %s\n", bold(p.Name), p.Title)
	}
	for i := range p.Claims {
		j := judged{&p.Claims[i], make([]*answer, len(p.Claims[i].Trials))}
		if err := a.judge(ctx, &j, f, opt); err != nil {
			return err
		}
		all = append(all, j)
		if text {
			j.text(a.out)
		}
		if err := a.out.failed(); err != nil {
			a.verdict = j.Name + ": " + string(j.verdict())
			return err
		}
		if interrupted(ctx) != 0 {
			break
		}
	}
	switch {
	case f.write != "" && interrupted(ctx) != 0: // a part should not be taken for the whole
		return a.interrupt(ctx, fmt.Sprintf("after %d of %d claims; nothing is written to %s", len(all)-1, len(p.Claims), f.write))
	case f.write != "":
		return a.writeClaims(f.write, p, all)
	case f.format == "markdown":
		_, err := io.WriteString(a.out, string(printable.Lines(page(p, all))))
		return err
	case f.format == "json":
		return claimsJSON(a.out, p, all)
	}
	return nil
}

// judge runs the trials of a claim, and sets the exit code if a finding changed.
func (a *app) judge(ctx context.Context, j *judged, f *claimsFlags, opt explore.Options) error {
	progress := newProgress(a.diag)
	opt.Progress = progress.show
	defer progress.done()
	for i := range j.Trials {
		t := &j.Trials[i]
		if f.quick && t.Full {
			continue
		}
		ans, err := a.try(ctx, t, opt)
		if err != nil {
			return err
		}
		j.answers[i] = &ans
		switch {
		case interrupted(ctx) != 0:
			a.code = interrupted(ctx)
			return nil
		case ans.asRecorded:
		case ans.Verdict == string(explore.ModelError):
			a.code = exitModel
		case a.code == exitModel:
		case ans.Verdict == string(explore.Unknown):
			a.code = max(a.code, exitUnknown)
		default:
			a.code = exitViolated
		}
	}
	return nil
}

// text writes a claim and what was found of it for a person.
func (j *judged) text(w io.Writer) {
	printable.Fprintf(w, "\n%s %s %s\n  %s\n", paint(j.verdict(), fmt.Sprintf("%-8s", j.verdict())), bold(j.Name), faint("("+j.Place+")"), j.Text)
	for i, ans := range j.answers {
		t := &j.Trials[i]
		if ans == nil {
			continue
		}
		printable.Fprintf(w, "    %s %s: %s\n", paint(explore.Verdict(ans.Verdict), fmt.Sprintf("%-8s", ans.Verdict)), asked(t), figures(&ans.Finding))
		if line := command(t); line != "" {
			printable.Fprintf(w, "             %s\n", faint(line))
		}
		if !ans.asRecorded {
			printable.Fprintf(w, "             %s\n", bad(fmt.Sprintf("recorded: %s, %s", t.Found.Verdict, figures(&t.Found))))
		}
	}
}

// figures spells out the figures of a finding.
func figures(f *model.Finding) string {
	var parts []string
	if f.States > 0 {
		parts = append(parts, plural(f.States, "state"))
	}
	if f.Length > 0 {
		parts = append(parts, plural(int64(f.Length), "step"))
	}
	if f.Detail != "" {
		parts = append(parts, f.Detail)
	}
	return strings.Join(parts, ", ")
}

// jsonClaim is a claim and what was found of it in JSON.
type jsonClaim struct {
	Paper   string          `json:"paper"`
	Claim   string          `json:"claim"`
	Place   string          `json:"place"`
	Text    string          `json:"text"`
	Verdict explore.Verdict `json:"verdict"`
	Trials  []jsonTrial     `json:"trials"`
}

type jsonTrial struct {
	Spec       string  `json:"spec,omitempty"`
	Arguments  string  `json:"arguments,omitempty"`
	Property   string  `json:"property,omitempty"`
	Aside      string  `json:"aside,omitempty"`
	Verdict    string  `json:"verdict"`
	States     int64   `json:"states"`
	Length     int     `json:"length"`
	Detail     string  `json:"detail,omitempty"`
	AsRecorded bool    `json:"as-recorded"`
	Command    string  `json:"command,omitempty"`
	Seconds    float64 `json:"seconds"`
}

// claimsJSON writes an array of claims, in one line.
func claimsJSON(w io.Writer, p *model.Paper, all []judged) error {
	claims := []jsonClaim{}
	for _, j := range all {
		c := jsonClaim{Paper: p.Name, Claim: j.Name, Place: j.Place, Text: j.Text, Verdict: j.verdict(), Trials: []jsonTrial{}}
		for i, ans := range j.answers {
			if t := &j.Trials[i]; ans != nil {
				c.Trials = append(c.Trials, jsonTrial{
					t.Spec, t.Args, t.Property, aside(t), ans.Verdict, ans.States, ans.Length, ans.Detail,
					ans.asRecorded, command(t), ans.elapsed.Seconds(),
				})
			}
		}
		claims = append(claims, c)
	}
	return printable.EncodeJSON(w, claims, "")
}

// writeClaims writes the page of a paper, and the counterexamples that it shows into
// a directory of the paper's name beside it.
func (a *app) writeClaims(dir string, p *model.Paper, all []judged) error {
	kept := filepath.Join(dir, p.Name)
	if err := os.MkdirAll(kept, 0o755); err != nil {
		return writeError{fmt.Errorf("--write=%s: %w", dir, err)}
	}
	for _, j := range all {
		for i, ans := range j.answers {
			if t := &j.Trials[i]; ans != nil && ans.run != nil && t.Trace != "" {
				if err := traces.WriteFile(filepath.Join(kept, t.Trace), ans.run.Trace); err != nil {
					return writeError{fmt.Errorf("--write=%s: %w", dir, err)}
				}
			}
		}
	}
	return writeText(dir, p.Name+".md", page(p, all))
}

// writeText writes a file of documentation: all of it, or it stays as it was.
func writeText(dir, name, text string) error {
	if err := files.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		return writeError{fmt.Errorf("--write=%s: %w", dir, err)}
	}
	return nil
}
