//go:build !js

package cli

import (
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/papers"
)

// page writes what was found of a paper's claims as a page in Markdown. Steps returns
// the kept counterexample of the given name, step by step; "" if there is none.
func (j *review) page(steps func(trace string) (string, error)) string {
	var b strings.Builder
	p := j.paper
	fmt.Fprintf(&b, "# What holds of: %s\n\n", p.Source)
	fmt.Fprintf(&b, "<!-- Written by `%s claims %s --update`; ", j.program.Name, p.Name)
	fmt.Fprint(&b, "the texts are beside the models. -->\n\n")
	source(&b, &p.Source)
	fmt.Fprintf(&b, "%s\n\n", strings.TrimSpace(p.Intro))
	if p.Inventory != nil {
		fmt.Fprintf(&b, "%s\n\n", p.Inventory.Markdown())
	}
	fmt.Fprintf(&b, "%s\n\n", j.census())
	fmt.Fprint(&b, "| claim | place | verdict |\n|---|---|---|\n")
	for i := range j.claims {
		c := &j.claims[i]
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", cell(c.Name), c.Key(), cell(where(c.Claim)),
			cell(c.sum()))
	}
	if len(p.Tables) > 0 {
		file := p.Name + "-tables.md"
		fmt.Fprintf(&b, "\nVerdicts over whole families of instances: [%s](%s).\n", file, file)
	}
	for i := range j.claims {
		j.section(&b, &j.claims[i], steps)
	}
	if p.Doc != "" {
		fmt.Fprintf(&b, "\n## The models, and how the paper is read\n\n%s", markdown(p.Doc))
	}
	return b.String()
}

// source writes where a paper was published.
func source(b *strings.Builder, s *papers.Source) {
	parts := []string{s.Authors, "*" + s.Title + "*", s.Venue, s.Year, s.ID}
	if s.URL != "" {
		parts = append(parts, "<https://"+s.URL+">")
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	fmt.Fprintf(b, "%s.\n\n", strings.Join(parts, ", "))
	for _, further := range s.Further {
		fmt.Fprintf(b, "Also read: %s.\n\n", further)
	}
}

// markdown turns the documentation of a package into Markdown, under a heading of the
// second level. A file that cannot be read is a mistake in this program.
func markdown(file string) string {
	mode := parser.ParseComments | parser.PackageClauseOnly
	parsed, err := parser.ParseFile(token.NewFileSet(), "doc.go", file, mode)
	if err != nil {
		panic(err)
	}
	var p comment.Parser
	printer := comment.Printer{HeadingLevel: 3, HeadingID: func(*comment.Heading) string { return "" }}
	return string(printer.Markdown(p.Parse(parsed.Doc.Text())))
}

// census says how much was looked at for the rows of the page.
func (j *review) census() string {
	var all, whole, bounded, stopped, found, computed, simulated, pruned, vacuous int
	for i := range j.claims {
		for k := range j.claims[i].rows {
			r := &j.claims[i].rows[k]
			f := r.finding()
			if f == nil {
				continue
			}
			if r.Experiment == "" {
				all++
			}
			switch {
			case r.Compute != nil:
				computed++
			case r.Experiment != "":
				simulated++
			case strings.HasPrefix(f.Explored, "complete within"):
				bounded++
			case f.Explored == complete:
				whole++
			case f.Verdict == string(explore.Violated):
				found++
			default:
				stopped++
			}
			pruned += one(f.Pruned > 0)
			vacuous += one(r.vacuous() != "")
		}
	}
	text := fmt.Sprintf("Of the %s below %d are of instances explored to the end, over all interleavings\n"+
		"and crashes; %d were explored within bounds, %d stopped at a counterexample, %d at a "+
		"limit, and %d are\n"+
		"computed without a search. \"holds\" is said of what was explored to the end and proves "+
		"nothing of larger\n"+
		"instances.", plural(int64(all), "row"), whole, bounded, found, stopped, computed)
	if pruned > 0 {
		text += fmt.Sprintf(" In %s an assumption on runs prunes steps: the row says how many, "+
			"and how many\n"+
			"states it leaves without any step; a property holds there of the runs that keep the assumption.",
			plural(int64(pruned), "row"))
	}
	if vacuous > 0 {
		text += fmt.Sprintf(" In %s the property is one that no algorithm violates\nthere: that it holds is "+
			"vacuous, and no evidence.", plural(int64(vacuous), "row"))
	}
	if simulated > 0 {
		text += fmt.Sprintf("\n\n%s more are judged by simulation, with means of several runs and "+
			"intervals of 95%%; no number of runs is a\n"+
			"proof. A sentence is reproduced if it is borne out in each reading of what the paper leaves "+
			"open, not reproduced\n"+
			"if it is in none, and depends on the reading if one bears it out and another refutes it.",
			number(int64(simulated)))
	}
	return text +
		fmt.Sprintf("\n\nA row is asked again by its command, or by `%s claims %s --claim KEY --row N`, "+
			"where KEY is\nwhat the claim's link in the index ends with.", j.program.Name, j.paper.Name)
}

// sum is the ruling, or the bare verdict where there is none yet, for the index.
func (c *judged) sum() string {
	text := c.ruling()
	if text == "" {
		text = c.verdict()
	}
	if c.Ruling == papers.Erroneous || c.Ruling == papers.ErroneousUnder || c.Ruling == papers.Slip {
		return "**" + text + "**"
	}
	return text
}

func (j *review) section(b *strings.Builder, c *judged, steps func(string) (string, error)) {
	fmt.Fprintf(b, "\n## %s\n\n", c.Name)
	if c.Text != "" {
		fmt.Fprintf(b, "%s (%s)\n\n", c.Text, where(c.Claim))
	}
	if c.Ruling != "" {
		fmt.Fprintf(b, "Verdict: **%s**.\n\n", c.ruling())
	}
	if len(c.rows) > 0 {
		fmt.Fprint(b, "| row | what was asked | verdict | explored | states | steps | to see it |\n")
		fmt.Fprint(b, "|--:|---|---|---|--:|--:|---|\n")
	}
	for i := range c.rows {
		r := &c.rows[i]
		f := r.finding()
		if f == nil {
			continue
		}
		lines := c.commands(r)
		if r.Searches() {
			lines = lines[:1]
		}
		for k := range lines {
			lines[k] = "`" + cell(lines[k]) + "`"
		}
		fmt.Fprintf(b, "| %d | %s | %s | %s | %s | %s | %s |\n", r.number, cell(r.asked()), cell(r.told(f)),
			cell(extent(f)), count(f.States), count(int64(f.Length)), strings.Join(lines, "; "+r.also()+": "))
	}
	for _, text := range []string{c.Account, c.Repair} {
		if text != "" {
			fmt.Fprintf(b, "\n%s\n", strings.TrimSpace(text))
		}
	}
	if len(c.Statements) > 0 {
		fmt.Fprint(b, "\nIn the tables:\n\n")
	}
	for i := range c.Statements {
		fmt.Fprintf(b, "- %s\n", j.tally(&c.Statements[i]))
	}
	c.shown(b, steps)
}

// shown shows the counterexamples of a claim, folded, those of the smallest instances
// first: pictures, and of the first one the steps too.
func (c *judged) shown(b *strings.Builder, steps func(string) (string, error)) {
	var rows []*claimRow
	for i := range c.rows {
		if r := &c.rows[i]; r.violated() && r.hasTrace() {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(x, y *claimRow) int { return x.size() - y.size() })
	for i, r := range rows {
		file := c.paper.Name + "/" + r.trace()
		fmt.Fprintf(b, "\n<details><summary>Row %d, %s %s: %s, %s</summary>\n\n",
			r.number, r.Spec, r.Args, r.Property, plural(int64(r.finding().Length), "step"))
		fmt.Fprintf(b, "<img src=\"%s.svg\" alt=\"The run as a space-time diagram\">\n\n", file)
		fmt.Fprintf(b, "`%s replay %s/%s.ndjson` shows it step by step and in other forms.\n", c.program.Name,
			c.program.Docs, file)
		if i == 0 {
			if text, err := steps(r.trace()); err == nil && text != "" {
				fmt.Fprintf(b, "\n```text\n%s\n```\n", strings.TrimRight(text, "\n"))
			}
		}
		fmt.Fprint(b, "\n</details>\n")
	}
}

// hasTrace reports whether there is a counterexample to show.
func (r *claimRow) hasTrace() bool {
	if r.now != nil {
		return r.now.run != nil
	}
	return r.kept.Trace != ""
}

// size orders instances: by the number of processes, then by the length of what they show.
func (r *claimRow) size() int {
	n, err := strconv.Atoi(r.values["n"])
	if err != nil {
		n = 0
	}
	return n<<16 + r.finding().Length
}

// asked names the question of a row.
func (r *claimRow) asked() string {
	parts := []string{r.says, r.Property, string(r.Aside), r.Remark}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, "; ")
}

// also says what the second command of a row is for.
func (r *claimRow) also() string {
	if r.Experiment != "" {
		return "all of it"
	}
	return "an example"
}

// told is the verdict with the detail of a finding.
func (r *claimRow) told(f *papers.Finding) string {
	v := f.Verdict
	if v == string(explore.Violated) {
		v = "**violated**"
	}
	if r.Experiment != "" {
		return "**" + v + "** " + f.Detail
	}
	if f.Detail != "" {
		v += ": " + f.Detail
	}
	if why := r.vacuous(); why != "" {
		v += " (vacuous: " + why + ")"
	}
	return v
}

func count(n int64) string {
	if n == 0 {
		return ""
	}
	return number(n)
}

// cell makes text fit a cell of a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "|", "\\|"), "\n", "<br>")
}
