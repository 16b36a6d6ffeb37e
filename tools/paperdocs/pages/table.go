package pages

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/tools/paperdocs/cond"
	"github.com/atmostk/atmostk/tools/paperdocs/paper"
)

// An Instance is a row of a paper's tables, as it is kept: a line of JSON each.
type Instance struct {
	Table    string      `json:"table"`    // its name
	Args     string      `json:"instance"` // of the model of the table
	States   int64       `json:"states"`
	Depth    int         `json:"depth"`
	Explored string      `json:"explored"` // complete, bounded or stopped
	Pruned   int64       `json:"pruned,omitempty"`
	Stuck    int64       `json:"stuck,omitempty"`
	Verdicts [][2]string `json:"verdicts"` // by property: its mark

	spec    string
	values  map[string]cond.Value // all parameters
	Columns []string              `json:"-"` // of its table
	trivial map[string]string     // of properties that no algorithm violates here: why
}

// The words of Instance.Explored, besides complete.
const (
	bounded = "bounded" // complete within bounds
	stopped = "stopped" // at a limit
)

// modelAtFault is the mark of what cannot be known because the model itself is at fault.
const modelAtFault = "error"

// Mark returns the mark of a property: + holds; - violated, with the length of the shortest counterexample;
// ? undecided; of a can-... property the length of the shortest run to the goal; a dot where there is
// nothing to ask; "" where there is no such property.
func (i *Instance) Mark(property string) string {
	for _, v := range i.Verdicts {
		if v[0] == property {
			return v[1]
		}
	}
	return ""
}

// violates reports whether a property is violated, and whether that is known.
func (i *Instance) violates(property string) (violated, known bool) {
	mark := i.Mark(property)
	return strings.HasPrefix(mark, "-"), !slices.Contains([]string{"", "?", ".", modelAtFault}, mark)
}

// readTables reads the rows that are kept, and knows of each its parameters.
func (r *Review) readTables() ([]*Instance, error) {
	all, err := lines[*Instance](r.path("-tables.ndjson"))
	if err != nil {
		return nil, err
	}
	for _, i := range all {
		t := slices.IndexFunc(r.Tables, func(t paper.Table) bool { return t.Name == i.Table })
		if t < 0 {
			return nil, fmt.Errorf("%s: there is no table %q", r.path("-tables.ndjson"), i.Table)
		}
		i.spec = r.Tables[t].Spec
		if i.values, i.trivial, err = instance(i.spec, i.Args); err != nil {
			return nil, fmt.Errorf("the table %q: %w", i.Table, err)
		}
	}
	for _, t := range r.Tables {
		rows := rowsOf(all, t.Name)
		columns := columnsOf(rows)
		for _, i := range rows {
			i.Columns = columns
		}
	}
	return all, nil
}

// RowsOf are the rows of a table.
func (r *Review) RowsOf(table string) []*Instance { return rowsOf(r.Rows, table) }

func rowsOf(all []*Instance, table string) (rows []*Instance) {
	for _, i := range all {
		if i.Table == table {
			rows = append(rows, i)
		}
	}
	return rows
}

// columnsOf are the properties of some rows, in their order.
func columnsOf(rows []*Instance) (columns []string) {
	for _, i := range rows {
		for _, v := range i.Verdicts {
			if !slices.Contains(columns, v[0]) {
				columns = append(columns, v[0])
			}
		}
	}
	return columns
}

// Tabulate explores the instances of all tables to the end, whatever is violated on the way, and prints
// each; or only those of which no row is kept. What was found stays if ctx ends.
func (r *Review) Tabulate(ctx context.Context, out io.Writer, missing bool) error {
	known := map[string]*Instance{}
	for _, i := range r.Rows {
		known[i.Table+" "+i.Args] = i
	}
	r.Rows = nil
	for k := range r.Tables {
		t := &r.Tables[k]
		for _, line := range t.Rows {
			for _, args := range combinations(strings.Fields(line)) {
				row := known[t.Name+" "+args]
				if ctx.Err() == nil && !(missing && row != nil) {
					found, err := tabulated(ctx, t, args)
					if err != nil && ctx.Err() == nil {
						return err
					} else if err == nil {
						row = found
						_, _ = fmt.Fprintf(out, "%s %s: %s, %v\n", t.Spec, args, plural(row.States, "state"),
							row.Verdicts) // a report on the way
					}
				}
				if row != nil {
					r.Rows = append(r.Rows, row)
				}
			}
		}
	}
	return nil
}

// tabulated asks for all properties of an instance.
func tabulated(ctx context.Context, t *paper.Table, args string) (*Instance, error) {
	words := append([]string{t.Spec}, strings.Fields(args)...)
	in, _, err := instantiate(t.Spec, words[1:])
	if err != nil {
		return nil, err
	}
	words = append(words, "--keep-going", "--max-states", fmt.Sprint(t.Limit))
	if t.Properties != nil {
		words = append(words, "--property", strings.Join(t.Properties, ","))
	}
	found, err := check(ctx, words...)
	if err != nil {
		return nil, err
	}
	i := &Instance{Table: t.Name, Args: args, States: found.States, Depth: found.Depth, Explored: stopped,
		Pruned: found.Pruned, Stuck: found.Stuck, Verdicts: [][2]string{}}
	switch text := found.explored(); {
	case strings.HasPrefix(text, "complete within"):
		i.Explored = bounded
	case text == complete:
		i.Explored = complete
	}
	for _, p := range in.Space.Properties() {
		if mark := found.mark(&p); mark != "" {
			i.Verdicts = append(i.Verdicts, [2]string{p.Name, mark})
		}
	}
	return i, nil
}

// mark is the verdict on a property in a cell.
func (r *report) mark(info *model.PropertyInfo) string {
	for _, p := range r.NotAsked {
		if p.Name == info.Name {
			return "."
		}
	}
	for _, p := range r.Properties {
		if p.Name != info.Name {
			continue
		}
		sign := map[string]string{holds: "+", violated: "-", unknown: "?"}[p.Verdict]
		if p.Verdict == unknown && r.Mistake != nil {
			return modelAtFault
		}
		if p.Length != nil && (info.Kind == model.Reachable) == (p.Verdict == holds) {
			sign += fmt.Sprint(*p.Length)
		}
		return sign
	}
	return ""
}

// combinations spells out arguments in which slashes separate alternatives, the last one varying fastest.
func combinations(args []string) []string {
	all := []string{""}
	for _, arg := range args {
		key, values, _ := strings.Cut(arg, "=")
		var longer []string
		for _, prefix := range all {
			for value := range strings.SplitSeq(values, "/") {
				longer = append(longer, strings.TrimSpace(prefix+" "+key+"="+value))
			}
		}
		all = longer
	}
	return all
}

// WriteTables keeps the rows of the tables, and writes their page.
func (r *Review) WriteTables() error {
	if err := writeLines(r.path("-tables.ndjson"), r.Rows); err != nil {
		return err
	}
	page, err := r.TablesPage()
	if err != nil {
		return err
	}
	return os.WriteFile(r.path("-tables.md"), []byte(page), 0o644)
}
