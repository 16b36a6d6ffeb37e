//go:build !js

package report

import (
	"bufio"
	"cmp"
	"context"
	_ "embed" // for the style of the page
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/page"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// A Coverage is what the logs of several runs exercise of a model: see validate-coverage.schema.json.
type Coverage struct {
	subject     *models.Subject
	Verdict     explain.Verdict   `json:"verdict"`
	Spec        string            `json:"spec"`
	Parameters  map[string]string `json:"parameters"`
	Runs        int               `json:"runs"`
	Refused     []string          `json:"refused"`
	Open        int               `json:"open"`
	Unordered   int               `json:"unordered"`
	Complete    bool              `json:"complete"`
	Items       []coveredItem     `json:"items"`
	Transitions coveredItem       `json:"transitions"`
}

// A coveredItem is an item with the number of runs in which it happened.
type coveredItem struct {
	Kind     string `json:"kind,omitempty"`
	Name     string `json:"name,omitempty"`
	Certain  int    `json:"certain"`
	Possible int    `json:"possible"`
	Of       int    `json:"of,omitempty"`
	order    []int
}

// Cover compares the logs of runs with an instance. It visits at most most states of the instance.
func Cover(ctx context.Context, of *models.Subject, runs []*validate.Report, most int) *Coverage {
	c := &Coverage{subject: of, Spec: of.Spec.Name, Parameters: of.Parameters(), Runs: len(runs),
		Refused: []string{}, Verdict: explain.Accepted}
	certain, possible := map[any]int{}, map[any]int{}
	for _, r := range runs {
		v, x := r.Verdict(), r.Explanation
		if v == explain.Rejected || c.Verdict == explain.Accepted {
			c.Verdict = v
		}
		switch {
		case x == nil || x.Cover == nil:
			c.Refused = append(c.Refused, fmt.Sprintf("%s: %s", r.Log.Files[0], v))
			continue
		case x.Cover.Open:
			c.Open++
		case !x.Cover.Orders:
			c.Unordered++
		}
		for item := range x.Cover.Possible {
			possible[item]++
		}
		for item := range x.Cover.Certain {
			certain[item]++
		}
	}
	all, complete := explain.Everything(ctx, of.Instance, most)
	for item := range possible {
		if _, outside := item.(explain.Transition); !complete || !outside {
			all[item] = true
		}
	}
	effects := make([]int, len(of.Space.Actions()))
	for item := range all {
		switch i := item.(type) {
		case explain.Transition:
			c.Transitions.Certain += min(1, certain[item])
			c.Transitions.Possible += min(1, possible[item])
			c.Transitions.Of++
			continue
		case explain.Effect:
			effects[i.Action]++
		}
		c.Items = append(c.Items, c.item(item, certain[item], possible[item]+c.Open))
	}
	c.Items = slices.DeleteFunc(c.Items, func(x coveredItem) bool { // the row of the action says the same
		return x.Kind == "effect" && effects[x.order[1]] == 1
	})
	if c.Complete = complete; !complete {
		c.Transitions.Of = 0 // unknown
	}
	slices.SortFunc(c.Items, func(a, b coveredItem) int {
		return cmp.Or(slices.Compare(a.order, b.order), strings.Compare(a.Name, b.Name))
	})
	return c
}

func (c *Coverage) item(item any, certain, possible int) coveredItem {
	x := coveredItem{Kind: "action", Certain: certain, Possible: possible}
	actions, class := c.subject.Space.Actions(), c.subject.Interp.Class
	switch i := item.(type) {
	case int:
		x.Name, x.order = actions[i].Name, []int{0, i}
		if class(i) == interp.Receipt {
			x.Kind, x.order[0] = "message handler", 1
		}
	case explain.Effect:
		x.Kind, x.Name, x.order = "effect", actions[i.Action].Name+": "+i.Does, []int{2, i.Action}
	case explain.Pair:
		x.Name = actions[i.Then].Name + " as the first step"
		if i.Before >= 0 {
			x.Name = actions[i.Before].Name + ", then " + actions[i.Then].Name
		}
		x.Kind, x.order = "pair", []int{4, i.Before, i.Then}
		if is := class(i.Then); is == interp.CrashStep || is == interp.BrokenStep {
			x.Kind, x.order[0] = "crash point", 3
		}
	}
	return x
}

// Text writes a table with a row for each item.
func (c *Coverage) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	heading(w, c.subject, 0)
	lineEach(w, "%s", c.runs())
	kind := ""
	for _, x := range c.Items {
		if x.Kind != kind {
			kind = x.Kind
			line(w, "\ncertain possible   %ss", kind)
		}
		figures := fmt.Sprintf("%7d %8d   ", x.Certain, x.Possible)
		if x.Possible == 0 {
			figures = fmt.Sprintf("%16s   ", "never")
		}
		for _, part := range traces.Wrap(x.Name, columns-len(figures)) {
			line(w, "%s%s", figures, part)
			figures = strings.Repeat(" ", len(figures)+2)
		}
	}
	line(w, "")
	folded(w, 0, "", "", c.share(), nil)
	line(w, "%s", term.Verdict(c.Verdict, string(c.Verdict)))
	return w.Flush()
}

// runs describes the logs.
func (c *Coverage) runs() []string {
	texts := []string{fmt.Sprintf("%s, %d explained by runs of the model", printable.Plural(c.Runs, "log"),
		c.Runs-len(c.Refused))}
	for _, log := range c.Refused {
		texts = append(texts, "covers nothing: "+log)
	}
	if c.Open > 0 {
		texts = append(texts, fmt.Sprintf("Too many runs explain %d of them: there anything is possible.",
			c.Open))
	}
	return texts
}

// share describes how many of the model's transitions happened.
func (c *Coverage) share() string {
	t := c.Transitions
	least := map[bool]string{true: "at least "}[c.Open+c.Unordered > 0]
	share := fmt.Sprintf("transitions: %scertainly %s, %spossibly %s", least, printable.Number(t.Certain),
		least, printable.Number(t.Possible))
	if c.Complete {
		share += fmt.Sprintf(" of the %s between reachable states (%.3g%%, %.3g%%)", printable.Number(t.Of),
			100*float64(t.Certain)/float64(max(1, t.Of)), 100*float64(t.Possible)/float64(max(1, t.Of)))
	} else {
		share += ". A limit ended the visit of the model's states: more effects and pairs may exist, and " +
			"the share of its transitions is unknown."
	}
	return share
}

// JSON writes the coverage for a program.
func (c *Coverage) JSON(w io.Writer) error { return printable.EncodeJSON(w, c, "") }

//go:embed coverage.css
var coverageStyle string

// HTML writes the coverage as a page in one file: how many items of each kind never happened, and all items.
func (c *Coverage) HTML(w io.Writer) error {
	var head, body strings.Builder
	never, texts := 0, ""
	for rest := c.Items; len(rest) > 0; {
		kind := rest[0].Kind
		rows, neverOfKind, n := "", 0, 0
		for ; len(rest) > 0 && rest[0].Kind == kind; rest = rest[1:] {
			figures := fmt.Sprintf("<td>%d</td><td>%d</td>", rest[0].Certain, rest[0].Possible)
			if n++; rest[0].Possible == 0 {
				figures = `<td colspan="2"><strong>never</strong></td>`
				neverOfKind++
			}
			rows += fmt.Sprintf("<tr>%s<th scope=\"row\">%s</th></tr>\n", figures, page.Escape(rest[0].Name))
		}
		id := strings.ReplaceAll(kind, " ", "-") + "s"
		fmt.Fprintf(&head, `<tr><th scope="row"><a href="#%s">%ss</a></th><td>%d</td><td>%d</td></tr>
`, id, kind, n-neverOfKind, neverOfKind)
		fmt.Fprintf(&body, `<details open id="%s"><summary><h2>%ss</h2></summary><table>
<thead><tr><th scope="col">certain</th><th scope="col">possible</th><th scope="col">%s</th></tr></thead>
<tbody>%s</tbody></table></details>
`, id, kind, kind, rows)
		never += neverOfKind
	}
	for _, text := range append(c.runs(), c.share()) {
		texts += "<p>" + page.Escape(text) + "</p>\n"
	}
	title := fmt.Sprintf("%s: %d of %d items never happened", c.Spec, never, len(c.Items))
	return page.WriteDocument(w, title, "", coverageStyle, fmt.Sprintf(`<main><h1>%s</h1>
<p class="soft">%s</p>
%s<table><caption>Verdict on the logs: %s</caption>
<thead><tr><th scope="col">kind</th><th scope="col">exercised</th><th scope="col">never</th></tr></thead>
<tbody>%s</tbody></table>
%s</main>`, page.Escape(title), page.Escape(c.subject.String()), texts, c.Verdict,
		head.String(), body.String()))
}
