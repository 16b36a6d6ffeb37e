package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
)

// page writes what was found of a paper's claims as a page in Markdown.
func page(p *model.Paper, all []judged) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What holds of: %s\n\n", p.Title)
	fmt.Fprintf(&b, "<!-- Written by `atmostk claims %s --write docs/claims`; the texts are beside the models. -->\n\n", p.Name)
	fmt.Fprintf(&b, "%s\n\n", strings.TrimSpace(p.Intro))
	fmt.Fprint(&b, "| claim | place | verdict |\n|---|---|---|\n")
	for i := range all {
		j := &all[i]
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", cell(j.Name), anchor(j.Name), cell(j.Place), j.sum())
	}
	if len(p.Tables) > 0 {
		fmt.Fprintf(&b, "\nVerdicts over whole families of instances: [%s-tables.md](%s-tables.md).\n", p.Name, p.Name)
	}
	for i := range all {
		all[i].section(&b, p)
	}
	return b.String()
}

// sum is the verdict in one word, with how it was come by.
func (j *judged) sum() string {
	verdict := map[explore.Verdict]string{
		explore.Holds: "holds", explore.Violated: "**violated**", explore.Unknown: "undecided",
	}[j.verdict()]
	for i, ans := range j.answers {
		if ans != nil && aside(&j.Trials[i]) == "" {
			return verdict
		}
	}
	return "not tried"
}

func (j *judged) section(b *strings.Builder, p *model.Paper) {
	fmt.Fprintf(b, "\n## %s\n\n%s (%s)\n\n", j.Name, j.Text, j.Place)
	fmt.Fprint(b, "| what was asked | verdict | states | steps | to see it |\n|---|---|--:|--:|---|\n")
	for i, ans := range j.answers {
		if ans == nil {
			continue
		}
		t := &j.Trials[i]
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", cell(asked(t)), cell(told(&ans.Finding)),
			count(ans.States), count(int64(ans.Length)), code(command(t)))
	}
	for _, text := range []string{j.Account, j.Repair} {
		if text != "" {
			fmt.Fprintf(b, "\n%s\n", strings.TrimSpace(text))
		}
	}
	for i, ans := range j.answers {
		if t := &j.Trials[i]; ans != nil && ans.run != nil && t.Trace != "" {
			keep(b, p, t, ans.run)
		}
	}
}

// keep shows a counterexample, folded.
func keep(b *strings.Builder, p *model.Paper, t *model.Trial, run *traces.Run) {
	var steps strings.Builder
	if err := traces.Render(&steps, "columns", run, traces.Options{Width: 110}); err != nil {
		panic(err) // writing to memory does not fail, and there is this form
	}
	fmt.Fprintf(b, "\n<details><summary>%s %s: %s, step by step</summary>\n\n", t.Spec, t.Args, t.Property)
	fmt.Fprintf(b, "`atmostk replay docs/claims/%s/%s` shows it in other forms.\n\n```text\n%s\n```\n\n</details>\n",
		p.Name, t.Trace, strings.TrimRight(steps.String(), "\n"))
}

// asked names the question of a trial.
func asked(t *model.Trial) string {
	parts := []string{t.Property, aside(t), t.Remark}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, "; ")
}

// aside says why a trial does not count for the verdict on its claim; "" if it does.
func aside(t *model.Trial) string {
	switch {
	case t.Repair:
		return "repaired reading"
	case t.Contrast:
		return "for contrast"
	}
	return ""
}

// told is the verdict with the detail of a finding.
func told(f *model.Finding) string {
	v := f.Verdict
	if v == string(explore.Violated) {
		v = "**violated**"
	}
	if f.Detail != "" {
		v += ": " + f.Detail
	}
	return v
}

func count(n int64) string {
	if n == 0 {
		return ""
	}
	return number(n)
}

func code(line string) string {
	if line == "" {
		return ""
	}
	return "`" + cell(line) + "`"
}

// cell makes text fit a cell of a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "|", "\\|"), "\n", " ")
}

// anchor is the name under which a heading is linked to.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, strings.ToLower(heading))
}
