package pages

import (
	"fmt"

	"github.com/atmostk/atmostk/tools/paperdocs/cond"
	"github.com/atmostk/atmostk/tools/paperdocs/paper"
)

// A Tally is a statement with what the rows of the tables say to it.
type Tally struct {
	*paper.Statement
	properties []string
	complete   int // instances that it is about, explored to the end
	bounded    int // explored within bounds
	undecided  int // and not
	largest    *Instance
	violated   map[string]int // by property: instances in which it is violated
	vacuous    map[string]int // by property: instances in which no algorithm violates it
	refuted    []string       // why it is wrong, a sentence each
}

// about are the instances of the tables that a statement is about.
func (r *Review) about(s *paper.Statement) (rows []*Instance, err error) {
	for _, i := range r.Rows {
		if i.spec != s.Spec {
			continue
		}
		if meant, err := cond.All(i.values, s.Where); err != nil {
			return nil, err
		} else if meant {
			rows = append(rows, i)
		}
	}
	return rows, nil
}

// Tally holds a statement against the tables.
func (r *Review) Tally(s *paper.Statement) *Tally {
	t := &Tally{Statement: s, violated: map[string]int{}, vacuous: map[string]int{}}
	rows, err := r.about(s)
	if err != nil {
		t.refuted = []string{err.Error()}
		return t
	}
	for _, i := range rows {
		t.add(i)
	}
	if t.complete == 0 && (t.bounded == 0 || s.Verdict != paper.NotSeen && len(t.violated) == 0) {
		t.refuted = append(t.refuted, "no instance of the tables that was explored to the end is meant")
	}
	all := t.complete + t.bounded + t.undecided
	for _, p := range t.properties {
		if s.Verdict != paper.Nowhere && t.vacuous[p] == t.complete+t.bounded && t.vacuous[p] > 0 {
			t.refuted = append(t.refuted, fmt.Sprintf("no algorithm violates %s in any of the instances", p))
		}
		if n := t.violated[p]; s.Verdict == paper.Somewhere && (n == 0 || n == all) {
			t.refuted = append(t.refuted, fmt.Sprintf("%s is violated in %d of %d instances", p, n, all))
		}
	}
	return t
}

// add counts an instance.
func (t *Tally) add(i *Instance) {
	if t.properties == nil {
		t.properties = t.Columns(i.Columns)
	}
	asked := false
	for _, p := range t.properties {
		mark := i.Mark(p)
		asked = asked || mark != ""
		is, known := i.violates(p)
		if is {
			t.violated[p]++
		}
		never := t.Verdict == paper.Everywhere || t.Verdict == paper.NotSeen
		if known && (is && never || !is && t.Verdict == paper.Nowhere) {
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
		t.vacuous[p] += one(i.trivial[p] != "")
	}
	if t.largest == nil || i.States > t.largest.States {
		t.largest = i
	}
}

// String is the statement with its figures.
func (t *Tally) String() string {
	text := fmt.Sprintf("%s (`%s %s`: %s", t.Says, t.Spec, t.Where, plural(t.complete+t.bounded, "instance"))
	if t.bounded > 0 {
		text += fmt.Sprintf(", %d of them explored within bounds", t.bounded)
	}
	for _, p := range t.properties {
		if n := t.vacuous[p]; n > 0 {
			text += fmt.Sprintf("; %s can fail in %d of them", p, t.complete+t.bounded-n)
		}
	}
	if t.largest != nil {
		text += fmt.Sprintf(", the largest %s with %s", t.largest.Args, plural(t.largest.States, "state"))
	}
	if t.undecided > 0 {
		text += fmt.Sprintf("; %d more were not explored to the end", t.undecided)
	}
	return text + ")"
}
