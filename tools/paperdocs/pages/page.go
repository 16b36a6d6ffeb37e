package pages

import (
	_ "embed"
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/atmostk/atmostk/tools/paperdocs/paper"
)

//go:embed page.tmpl
var pageText string

// templates are the two pages of a paper.
var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"cell": cell, "trim": strings.TrimSpace, "number": number, "plural": plural,
}).Parse(pageText))

// Page writes what was found of a paper's claims as a page in Markdown.
func (r *Review) Page() (string, error) { return r.rendered("page") }

// TablesPage writes the tables as a page in Markdown.
func (r *Review) TablesPage() (string, error) { return r.rendered("tables") }

func (r *Review) rendered(page string) (string, error) {
	var b strings.Builder
	err := templates.ExecuteTemplate(&b, page, r)
	return b.String(), err
}

// cell makes text fit a cell of a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "|", "\\|"), "\n", "<br>")
}

// joined joins the parts that are not empty.
func joined(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), separator)
}

// Called returns the name of the claim that has a key.
func (r *Review) Called(key string) string {
	i := slices.IndexFunc(r.Claims, func(c *Claim) bool { return c.Key() == key })
	return r.Claims[i].Name
}

// Reading is the documentation of the models in Markdown, with headings of the third level.
func (r *Review) Reading() (string, error) {
	mode := parser.ParseComments | parser.PackageClauseOnly
	parsed, err := parser.ParseFile(token.NewFileSet(), "doc.go", r.Doc, mode)
	if err != nil {
		return "", err
	}
	var p comment.Parser
	printer := comment.Printer{HeadingLevel: 3, HeadingID: func(*comment.Heading) string { return "" }}
	return string(printer.Markdown(p.Parse(parsed.Doc.Text()))), nil
}

// A Census counts the rows of a page by how they were answered.
type Census struct {
	All, Whole, Within, Found, Limited, Computed, Simulated, Pruned, Vacuous int
}

// Census says how much was visited for the rows of the page.
func (r *Review) Census() (n Census) {
	for _, c := range r.Claims {
		for _, row := range c.Rows {
			f := row.Finding()
			if f == nil {
				continue
			}
			n.All += one(row.Experiment == "")
			switch {
			case row.Computed != "":
				n.Computed++
			case row.Experiment != "":
				n.Simulated++
			case strings.HasPrefix(f.Explored, "complete within"):
				n.Within++
			case f.Explored == complete:
				n.Whole++
			case f.Verdict == violated:
				n.Found++
			default:
				n.Limited++
			}
			n.Pruned += one(f.Pruned > 0)
			n.Vacuous += one(row.Vacuous() != "")
		}
	}
	return n
}

// Ruled spells out the ruling of a claim; "" if it has none.
func (c *Claim) Ruled() string {
	text := string(c.Ruling)
	switch c.Ruling {
	case paper.Stands:
		text += c.bounds()
	case paper.ErroneousUnder:
		text += " " + strings.Join(c.Readings, " or ")
	case paper.Slip, paper.Outside, paper.Quoted:
		text += " (" + c.Because + ")"
	case paper.NotJudged:
		return text + ", because " + c.Because
	}
	if c.Ruling == paper.Quoted || c.Ruling == paper.Simulated {
		text += ": " + c.Verdict()
	}
	return text
}

// bounds says in how many instances of which size a claim that stands could have failed and did not; "" if
// none was searched.
func (c *Claim) bounds() string {
	instances, n := map[string]bool{}, 0
	for _, r := range c.Rows {
		if r.Searches() && r.is(holds) && r.Vacuous() == "" {
			instances[r.Spec+" "+r.Args] = true
			n = max(n, r.size())
		}
	}
	switch {
	case len(instances) == 0:
		return ""
	case n == 0:
		return ": not violated in " + plural(len(instances), "instance")
	}
	return fmt.Sprintf(": not violated in %s, n<=%d", plural(len(instances), "instance"), n)
}

// size is the number of processes; 0 where the model has no such parameter.
func (r *Row) size() int {
	n, _ := strconv.Atoi(r.Values["n"].Text)
	return n
}

// Sum is the ruling, or the bare verdict where there is none yet, for the index.
func (c *Claim) Sum() string {
	text := c.Ruled()
	if text == "" {
		text = c.Verdict()
	}
	if paper.Rows[c.Ruling] == violated {
		return "**" + text + "**"
	}
	return text
}

// Shown are the rows of the counterexamples that the page shows, from the smallest instance on.
func (c *Claim) Shown() []*Row {
	rows := slices.DeleteFunc(slices.Clone(c.Rows), func(r *Row) bool {
		return !r.is(violated) || r.Kept == nil || r.Kept.Trace == ""
	})
	slices.SortStableFunc(rows, func(x, y *Row) int {
		return x.size()<<16 + x.Finding().Length - y.size()<<16 - y.Finding().Length
	})
	return rows
}

// Asked names the question of a row.
func (r *Row) Asked() string { return joined("; ", r.Says, r.Property, string(r.Aside), r.Remark) }

// Told is the verdict with the detail of a finding.
func (r *Row) Told(f *Finding) string {
	v := f.Verdict
	if v == violated {
		v = "**violated**"
	}
	if r.Experiment != "" {
		return "**" + v + "** " + f.Detail
	}
	if f.Detail != "" {
		v += ": " + f.Detail
	}
	if why := r.Vacuous(); why != "" {
		v += " (vacuous: " + why + ")"
	}
	return v
}

// Extent says how much was visited, and what an assumption took away.
func (f *Finding) Extent() string {
	text := f.Explored
	if f.Pruned > 0 {
		text += fmt.Sprintf("; %s pruned, %s stuck", plural(f.Pruned, "step"), plural(f.Stuck, "state"))
	}
	return text
}

// Figures spells out the figures of a finding, in a line.
func (f *Finding) Figures() string {
	states, length := "", ""
	if f.States > 0 {
		states = plural(f.States, "state")
	}
	if f.Length > 0 {
		length = plural(f.Length, "step")
	}
	return joined(", ", states, length, f.Extent(), f.Detail)
}

// Text is what was found of a row, for a person; "": nothing.
func (r *Row) Text() string {
	f := r.Finding()
	if f == nil {
		return ""
	}
	text := fmt.Sprintf("%4d  %-8s %s\n      %s\n      %s\n", r.Number, f.Verdict, r.Asked(), f.Figures(),
		r.Commands()[0])
	if r.Now != nil && r.Kept != nil && !r.AsKept() {
		text += fmt.Sprintf("      kept: %s, %s\n", r.Kept.Verdict, r.Kept.Figures())
	}
	return text
}
