package claims

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/tools/paperdocs/cond"
)

// A Statement is a sentence about all instances of a paper's tables that meet some conditions: it is compared
// with every one.
type Statement struct {
	Says  string // "With repair=full every property holds."
	Spec  string // the model
	Where string // conditions on the parameters, all to be met, separated by blanks; see package cond
	// Properties are columns, separated by commas; "" all of the tables, except those after a minus sign:
	// "-no-lost-request".
	Properties string
	Verdict    Extent
}

// An Extent is the share of instances to which a statement applies.
type Extent string

// The extents.
const (
	Everywhere Extent = "holds"            // in each instance explored to the end, and it is violated in none
	Nowhere    Extent = "violated"         // in each instance
	Somewhere  Extent = "violated in some" // instance, and not in all
	// NotSeen, less than Everywhere, may be said of instances that were explored within bounds only.
	NotSeen Extent = "not seen to be violated"
)

// A Tally is a statement with the rows of the tables that it covers.
type Tally struct {
	*Statement
	properties []string
	complete   int // instances explored to the end
	bounded    int // explored within bounds
	undecided  int // and not
	largest    *Instance
	violated   map[string]int // by property: instances in which it is violated
	moot       map[string]int // by property: instances in which no algorithm violates it
	refuted    []string       // why it is wrong, a sentence each
}

// columns are the properties of a statement, of the columns of a table.
func (s *Statement) columns(all []string) []string {
	if s.Properties != "" && !strings.HasPrefix(s.Properties, "-") {
		return strings.Split(s.Properties, ",")
	}
	less := strings.Split(strings.TrimPrefix(s.Properties, "-"), ",")
	return slices.DeleteFunc(slices.Clone(all), func(c string) bool { return slices.Contains(less, c) })
}

// covered are the instances of the tables that a statement covers.
func (p *Paper) covered(s *Statement) (rows []*Instance, err error) {
	for _, i := range p.Instances {
		if i.spec != s.Spec {
			continue
		}
		meant, err := cond.All(i.values, s.Where)
		if err != nil {
			return nil, err
		}
		if meant {
			rows = append(rows, i)
		}
	}
	return rows, nil
}

// Tally compares a statement with the tables.
func (p *Paper) Tally(s *Statement) *Tally {
	t := &Tally{Statement: s, violated: map[string]int{}, moot: map[string]int{}}
	rows, err := p.covered(s)
	if err != nil {
		t.refuted = []string{err.Error()}
		return t
	}
	for _, i := range rows {
		t.add(i)
	}
	if t.complete == 0 && (t.bounded == 0 || s.Verdict != NotSeen && len(t.violated) == 0) {
		t.refuted = append(t.refuted, "no instance of the tables that was explored to the end is meant")
	}
	all := t.complete + t.bounded + t.undecided
	for _, p := range t.properties {
		if s.Verdict != Nowhere && t.moot[p] == t.complete+t.bounded && t.moot[p] > 0 {
			t.refuted = append(t.refuted, fmt.Sprintf("no algorithm violates %s in any of the instances", p))
		}
		if n := t.violated[p]; s.Verdict == Somewhere && (n == 0 || n == all) {
			t.refuted = append(t.refuted, fmt.Sprintf("%s is violated in %d of %d instances", p, n, all))
		}
	}
	return t
}

// add counts an instance.
func (t *Tally) add(i *Instance) {
	if t.properties == nil {
		t.properties = t.columns(i.columns)
	}
	asked := false
	for _, p := range t.properties {
		mark := i.Mark(p)
		asked = asked || mark != ""
		is, known := i.violates(p)
		if is {
			t.violated[p]++
		}
		never := t.Verdict == Everywhere || t.Verdict == NotSeen
		if known && (is && never || !is && t.Verdict == Nowhere) {
			t.refuted = append(t.refuted, fmt.Sprintf("%s %s: %s is %s", i.spec, i.Args, p, mark))
		}
	}
	switch {
	case !asked:
		return
	case i.Explored == complete:
		t.complete++
	case i.Explored == bounded:
		t.bounded++
	default:
		t.undecided++
		return
	}
	for _, p := range t.properties {
		if i.moot[p] != "" {
			t.moot[p]++
		}
	}
	if t.largest == nil || i.States > t.largest.States {
		t.largest = i
	}
}

// line is the statement as a row, with its figures.
func (t *Tally) line(id string) Line {
	text := plural(int64(t.complete+t.bounded), "instance")
	if t.bounded > 0 {
		text += fmt.Sprintf(", %d of them within bounds", t.bounded)
	}
	if t.undecided > 0 {
		text += fmt.Sprintf("; %d more not explored to the end", t.undecided)
	}
	l := Line{ID: id, About: t.Says, Command: "tables: " + t.Spec + " " + t.Where,
		Finding: Finding{Verdict: string(t.Verdict), Explored: text}}
	var parts []string
	for _, p := range t.properties {
		if n := t.moot[p]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s can fail in %d of them", p, t.complete+t.bounded-n))
		}
	}
	if t.largest != nil {
		l.States = t.largest.States
		parts = append(parts, "the largest: "+t.largest.Args)
	}
	l.Detail = strings.Join(parts, "; ")
	return l
}
