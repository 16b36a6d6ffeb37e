//go:build !js

package report

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/explain"
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
	for item := range all {
		if _, is := item.(explain.Transition); is {
			c.Transitions.Certain += min(1, certain[item])
			c.Transitions.Possible += min(1, possible[item])
			c.Transitions.Of++
		} else {
			c.Items = append(c.Items, c.item(item, certain[item], possible[item]+c.Open))
		}
	}
	if c.Complete = complete; !complete {
		c.Transitions.Of = 0 // unknown
	}
	slices.SortFunc(c.Items, func(a, b coveredItem) int { return slices.Compare(a.order, b.order) })
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
	case explain.Pair:
		x.Name = actions[i.Then].Name + " as the first step"
		if i.Before >= 0 {
			x.Name = actions[i.Before].Name + ", then " + actions[i.Then].Name
		}
		x.Kind, x.order = "pair", []int{3, i.Before, i.Then}
		if is := class(i.Then); is == interp.CrashStep || is == interp.BrokenStep {
			x.Kind, x.order[0] = "crash point", 2
		}
	}
	return x
}

// Text writes a table with a row for each item.
func (c *Coverage) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	heading(w, c.subject, 0)
	line(w, "%s, %d explained by runs of the model", printable.Plural(c.Runs, "log"), c.Runs-len(c.Refused))
	for _, log := range c.Refused {
		line(w, "covers nothing: %s", log)
	}
	if c.Open > 0 {
		line(w, "Too many runs explain %d of them: there anything is possible.", c.Open)
	}
	kind := ""
	for _, x := range c.Items {
		if x.Kind != kind {
			kind = x.Kind
			line(w, "\ncertain possible   %ss", kind)
		}
		if x.Possible == 0 {
			line(w, "%16s   %s", "never", x.Name)
			continue
		}
		line(w, "%7d %8d   %s", x.Certain, x.Possible, x.Name)
	}
	t := c.Transitions
	least := map[bool]string{true: "at least "}[c.Open+c.Unordered > 0]
	share := fmt.Sprintf("transitions: %scertainly %s, %spossibly %s", least, printable.Number(t.Certain),
		least, printable.Number(t.Possible))
	if c.Complete {
		share += fmt.Sprintf(" of the %s between reachable states (%.3g%%, %.3g%%)", printable.Number(t.Of),
			100*float64(t.Certain)/float64(max(1, t.Of)), 100*float64(t.Possible)/float64(max(1, t.Of)))
	} else {
		share += ". A limit ended the visit of the model's states: more pairs may exist, and the share of " +
			"its transitions is unknown."
	}
	line(w, "")
	for _, part := range traces.Wrap(share, columns) {
		line(w, "%s", part)
	}
	line(w, "%s", term.Verdict(c.Verdict, string(c.Verdict)))
	return w.Flush()
}

// JSON writes the coverage for a program.
func (c *Coverage) JSON(w io.Writer) error { return printable.EncodeJSON(w, c, "") }
