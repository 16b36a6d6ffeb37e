//go:build !js

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/model/usage"
)

// tabled is an instance of a paper's tables, as it is kept.
type tabled struct {
	spec, args string
	values     map[string]string // all parameters
	states     int64
	explored   string // complete, bounded or stopped
	columns    []string
	marks      map[string]string // by property, as sweep writes them
	trivial    map[string]string // of properties that no algorithm violates here: why
}

// violates reports whether a property is violated, and whether that is known.
func (t *tabled) violates(property string) (violated, known bool) {
	mark := t.marks[property]
	return strings.HasPrefix(mark, "-"), !slices.Contains([]string{"", "?", ".", modelAtFault}, mark)
}

// readTables reads the tables of a paper; none if there is no file yet.
func (a *app) readTables(files fs.FS, p *papers.Paper) (rows []tabled, err error) {
	name := p.Name + "-tables.md"
	b, err := fs.ReadFile(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, usage.Errorf("--docs: %v", err)
	}
	spec, head := "", []string(nil)
	for n, line := range strings.Split(string(b), "\n") {
		if _, after, ok := strings.Cut(line, " Model `"); ok {
			spec, _, _ = strings.Cut(after, "`")
		}
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), " | ")
		switch {
		case !strings.HasPrefix(line, "| "):
		case cells[0] == "instance":
			head = cells
		case len(cells) != len(head):
			return nil, inputError{fmt.Errorf("%s:%d: %d cells, where the head of the table has %d",
				name, n+1, len(cells), len(head))}
		default:
			row, err := a.tabledRow(spec, cells, head)
			if err != nil {
				return nil, inputError{fmt.Errorf("%s:%d: %w", name, n+1, err)}
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// tabledRow reads a row under the given head. Tables written by earlier versions do not say
// what was explored: those of them that were not explored to the end stopped at a limit.
func (a *app) tabledRow(name string, cells, head []string) (tabled, error) {
	row := tabled{spec: name, args: cells[0], explored: complete, marks: map[string]string{}}
	size, more := strings.CutPrefix(cells[1], "> ")
	if more {
		row.explored = atLimit
	}
	var err error
	if row.states, err = strconv.ParseInt(strings.ReplaceAll(size, ",", ""), 10, 64); err != nil {
		return row, err
	}
	for i, c := range head {
		switch {
		case c == "explored":
			row.explored = cells[i]
		case !slices.Contains(rowColumns, c):
			row.columns = append(row.columns, c)
			row.marks[c] = cells[i]
		}
	}
	row.values, row.trivial, err = a.values(name, row.args)
	return row, err
}

// values are all parameters of an instance; trivial says why no algorithm violates some properties in it.
func (a *app) values(name, arguments string) (values, trivial map[string]string, err error) {
	_, in, args, err := a.instance(name, strings.Fields(arguments))
	if err != nil {
		return nil, nil, err
	}
	values, trivial = map[string]string{}, map[string]string{}
	for _, kv := range args.List() {
		values[kv[0]] = kv[1]
	}
	for _, p := range in.Space.Properties() {
		if p.Trivial != "" {
			trivial[p.Name] = p.Trivial
		}
	}
	return values, trivial, nil
}

// condition is one of Statement.Where: a parameter, a comparison, and what is compared with.
var condition = expression(`^([a-z0-9-]+?)(!=|<=|>=|=|<|>)(.*)$`)

// meets reports whether the parameters of an instance meet all conditions.
func meets(values map[string]string, where string) (bool, error) {
	for _, c := range strings.Fields(where) {
		m := condition().FindStringSubmatch(c)
		if m == nil {
			return false, fmt.Errorf("%q is no condition such as n=3, list!=auto or f<k", c)
		}
		value, known := values[m[1]]
		if !known {
			return false, fmt.Errorf("%q: there is no parameter %q", c, m[1])
		}
		if m[2] == "=" || m[2] == "!=" {
			if slices.Contains(strings.Split(m[3], "/"), value) != (m[2] == "=") {
				return false, nil
			}
			continue
		}
		left, err := sum(values, m[1])
		if err != nil {
			return false, fmt.Errorf("%q: %w", c, err)
		}
		right, err := sum(values, m[3])
		if err != nil {
			return false, fmt.Errorf("%q: %w", c, err)
		}
		if !map[string]bool{"<": left < right, "<=": left <= right, ">": left > right,
			">=": left >= right}[m[2]] {
			return false, nil
		}
	}
	return true, nil
}

// sum is the value of a sum of numbers and parameters, such as n-min-k. Names of
// parameters have hyphens, too: the longest name is meant.
func sum(values map[string]string, expression string) (total int, err error) {
	sign, rest := 1, expression
	for rest != "" {
		name := ""
		for key := range values {
			if strings.HasPrefix(rest, key) && len(key) > len(name) {
				name = key
			}
		}
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		text := values[name]
		if name == "" {
			if name, text = rest[:digits], rest[:digits]; digits == 0 {
				return 0, fmt.Errorf("%q is neither a number nor a parameter", rest)
			}
		}
		x, err := strconv.Atoi(text)
		if err != nil {
			return 0, fmt.Errorf("%s=%s is no number", name, text)
		}
		total += sign * x
		if rest = rest[len(name):]; rest == "" {
			return total, nil
		}
		switch rest[0] {
		case '+':
			sign = 1
		case '-':
			sign = -1
		default:
			return 0, fmt.Errorf("%q goes on with neither + nor -", expression)
		}
		rest = rest[1:]
	}
	return 0, fmt.Errorf("%q ends too early", expression)
}

// A tally is a statement with what the tables say to it.
type tally struct {
	says       *papers.Statement
	properties []string
	complete   int // instances that it is about, explored to the end
	bounded    int // those explored within bounds
	undecided  int // and not
	largest    *tabled
	vacuous    map[string]int // by property: instances in which no algorithm violates it
	refuted    []string       // why it is wrong, a sentence each
}

// tally holds a statement against the tables.
func (j *review) tally(s *papers.Statement) *tally {
	t := &tally{says: s, vacuous: map[string]int{}}
	violated := map[string]int{}
	for i := range j.tabled {
		row := &j.tabled[i]
		if row.spec != s.Spec {
			continue
		}
		if ok, err := meets(row.values, s.Where); err != nil {
			t.refuted = []string{err.Error()}
			return t
		} else if !ok {
			continue
		}
		t.add(row, violated)
	}
	if t.complete == 0 && (t.bounded == 0 || s.Verdict != papers.NotSeen && len(violated) == 0) {
		t.refuted = append(t.refuted, "no instance of the tables that was explored to the end is meant")
	}
	all := t.complete + t.bounded + t.undecided
	for _, p := range t.properties {
		if s.Verdict != papers.Nowhere && t.vacuous[p] == t.complete+t.bounded && t.vacuous[p] > 0 {
			t.refuted = append(t.refuted, fmt.Sprintf("no algorithm violates %s in any of the instances", p))
		}
		if s.Verdict == papers.Somewhere && (violated[p] == 0 || violated[p] == all) {
			t.refuted = append(t.refuted, fmt.Sprintf("%s is violated in %d of %d instances", p, violated[p],
				all))
		}
	}
	return t
}

// add counts an instance.
func (t *tally) add(row *tabled, violated map[string]int) {
	if t.properties == nil {
		t.properties = t.says.Columns(row.columns)
	}
	asked := false
	for _, p := range t.properties {
		if _, column := row.marks[p]; !column {
			continue
		}
		asked = true
		is, known := row.violates(p)
		if is {
			violated[p]++
		}
		never := t.says.Verdict == papers.Everywhere || t.says.Verdict == papers.NotSeen
		if known && (is && never || !is && t.says.Verdict == papers.Nowhere) {
			t.refuted = append(t.refuted, fmt.Sprintf("%s %s: %s is %s", row.spec, row.args, p, row.marks[p]))
		}
	}
	switch {
	case !asked:
		return
	case row.explored == complete:
		t.complete++
	case row.explored == withinBounds:
		t.bounded++
	default:
		t.undecided++
		return
	}
	for _, p := range t.properties {
		if row.trivial[p] != "" {
			t.vacuous[p]++
		}
	}
	if t.largest == nil || row.states > t.largest.states {
		t.largest = row
	}
}

// String is the statement with its figures.
func (t *tally) String() string {
	text := fmt.Sprintf("%s (`%s %s`: %s", t.says.Says, t.says.Spec, t.says.Where,
		plural(int64(t.complete+t.bounded), "instance"))
	if t.bounded > 0 {
		text += fmt.Sprintf(", %d of them explored within bounds", t.bounded)
	}
	for _, p := range t.properties {
		if n := t.vacuous[p]; n > 0 {
			text += fmt.Sprintf("; %s can fail in %d of them", p, t.complete+t.bounded-n)
		}
	}
	if t.largest != nil {
		text += fmt.Sprintf(", the largest %s with %s", t.largest.args, plural(t.largest.states, "state"))
	}
	if t.undecided > 0 {
		text += fmt.Sprintf("; %d more were not explored to the end", t.undecided)
	}
	return text + ")"
}
