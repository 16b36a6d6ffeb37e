package claims

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/tools/paperdocs/cond"
	"github.com/atmostk/atmostk/tools/paperdocs/rows"
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
	columns []string              // of its table
	moot    map[string]string     // by property that no algorithm violates here: why
}

// The words of Instance.Explored, besides complete.
const (
	bounded = "bounded" // complete within bounds
	stopped = "stopped" // at a limit
)

// modelAtFault is the mark of a property that is unknown because the model is at fault.
const modelAtFault = "error"

// Mark returns the mark of a property: + holds, of a can-... property with the length of the shortest run
// to the goal;
// - violated, with the length of the shortest counterexample; ? undecided; a dot: not asked; "": no such
// property.
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

// readTables reads the rows of the tables that are kept.
func (p *Paper) readTables() (err error) {
	file := p.path("-tables.ndjson")
	if p.Instances, err = rows.Read[*Instance](file); err != nil {
		return err
	}
	columns := map[string][]string{} // by table, in the order of the rows
	for _, i := range p.Instances {
		t := slices.IndexFunc(p.Tables, func(t Table) bool { return t.Name == i.Table })
		if t < 0 {
			return fmt.Errorf("%s: there is no table %q", file, i.Table)
		}
		i.spec = p.Tables[t].Spec
		if i.values, i.moot, err = instance(i.spec, i.Args); err != nil {
			return fmt.Errorf("the table %q: %w", i.Table, err)
		}
		for _, v := range i.Verdicts {
			if !slices.Contains(columns[i.Table], v[0]) {
				columns[i.Table] = append(columns[i.Table], v[0])
			}
		}
	}
	for _, i := range p.Instances {
		i.columns = columns[i.Table]
	}
	return nil
}

// Tabulate explores the instances of all tables to the end, also after violations, and prints each; or only
// the instances without a kept row. Finished rows remain if ctx ends.
func (p *Paper) Tabulate(ctx context.Context, out io.Writer, missing bool) error {
	known := map[string]*Instance{}
	for _, i := range p.Instances {
		known[i.Table+" "+i.Args] = i
	}
	p.Instances = nil
	for k := range p.Tables {
		t := &p.Tables[k]
		for args := range t.instances() {
			row := known[t.Name+" "+args]
			if ctx.Err() == nil && (!missing || row == nil) {
				found, err := t.ask(ctx, args)
				if err != nil && ctx.Err() == nil {
					return err
				}
				if err == nil {
					row = found
					_, _ = fmt.Fprintf(out, "%s %s: %s, %v\n", t.Spec, args, plural(row.States, "state"),
						row.Verdicts) // a progress report
				}
			}
			if row != nil {
				p.Instances = append(p.Instances, row)
			}
		}
	}
	return nil
}

// ask asks for all properties of an instance.
func (t *Table) ask(ctx context.Context, args string) (*Instance, error) {
	words := append([]string{t.Spec}, strings.Fields(args)...)
	spec, err := Spec(t.Spec)
	if err != nil {
		return nil, err
	}
	in, _, err := spec.Instantiate(words[1:])
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

// instances are the arguments of the table's rows, in which slashes separate alternatives; the last one
// varies fastest.
func (t *Table) instances() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range t.Rows {
			all := []string{""}
			for arg := range strings.FieldsSeq(line) {
				key, values, _ := strings.Cut(arg, "=")
				var longer []string
				for _, prefix := range all {
					for value := range strings.SplitSeq(values, "/") {
						longer = append(longer, strings.TrimSpace(prefix+" "+key+"="+value))
					}
				}
				all = longer
			}
			for _, args := range all {
				if !yield(args) {
					return
				}
			}
		}
	}
}
