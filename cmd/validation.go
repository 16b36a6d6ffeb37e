package cmd

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/logs"
)

// The verdicts on a log.
const (
	accepted  = "accepted"
	rejected  = "rejected"
	undecided = "undecided"
)

// validation is the judgement of a log.
type validation struct {
	flags *validateFlags
	log   *logs.Log
	k     int // units that may be in use at once; 0: not known
	use   *logs.Occupancy

	// The model that the log is a run of; nil: none is known.
	spec *model.Spec
	in   model.Instance
	args *model.Args
}

// run makes the passes.
func (v *validation) run() {
	if v.log.Contradictory() {
		return
	}
	k := v.k
	if k == 0 {
		k = math.MaxInt
	}
	v.use = v.log.Occupancy(k, logs.Ending(slices.Index(logs.Endings, v.flags.ending)), v.flags.nested)
}

// verdict sums it up.
func (v *validation) verdict() string {
	switch {
	case v.use == nil || v.use.Count > 0:
		return rejected
	case v.use.Possible != nil || !v.use.Exact || v.use.Stays == 0:
		return undecided
	}
	return accepted
}

func (v *validation) code() int {
	return map[string]int{accepted: exitHolds, rejected: exitViolated, undecided: exitUnknown}[v.verdict()]
}

// A point is one thing that the judgement says, in all forms of the report.
type point struct {
	rule   string // its kind, for programs
	level  string // error, warning or note
	text   string
	places []logs.Place
	crowd  *logs.Crowd // nil: none
}

// points lists what there is to say, the worst first.
func (v *validation) points() (ps []point) {
	for i := range v.log.Findings {
		if f := &v.log.Findings[i]; f.Contradiction() {
			ps = append(ps, v.finding(f, "error"))
		}
	}
	if v.use != nil {
		ps = append(ps, v.crowds()...)
	}
	for i := range v.log.Findings {
		if f := &v.log.Findings[i]; !f.Contradiction() {
			level := "warning"
			if f.Kind == logs.TimeBack {
				level = "note"
			}
			ps = append(ps, v.finding(f, level))
		}
	}
	for _, text := range v.emptiness() {
		ps = append(ps, point{rule: "proves-little", level: "note", text: text})
	}
	return ps
}

func (v *validation) finding(f *logs.Finding, level string) point {
	text := f.Text
	if f.More > 0 {
		text += fmt.Sprintf("; and %d more like this", f.More)
	}
	return point{rule: string(f.Kind), level: level, text: text, places: f.Places}
}

// crowds are the points about too many units in use at once.
func (v *validation) crowds() (ps []point) {
	units := plural(int64(v.use.K), "unit")
	for i := range v.use.Definite {
		c := &v.use.Definite[i]
		text := fmt.Sprintf("%d of %s in use at once, in every order of events that fits the log", c.Units, units)
		if c.Passing {
			text = fmt.Sprintf("at least %s, in every order of events that fits the log: whenever the last of these stays was, others were inside", text)
		}
		if more := v.use.Count - len(v.use.Definite); more > 0 && i == len(v.use.Definite)-1 {
			text += fmt.Sprintf("; and %s more such moments", number(int64(more)))
		}
		ps = append(ps, point{"more-than-k", "error", text, entries(c), c})
	}
	if c := v.use.Possible; c != nil {
		text := fmt.Sprintf("%d of %s in use at once in some order of events that fits the log, and not in every one", c.Units, units)
		ps = append(ps, point{"possibly-more-than-k", "warning", text, entries(c), c})
	}
	return ps
}

// entries are the lines at which the stays of a crowd begin.
func entries(c *logs.Crowd) (places []logs.Place) {
	for i := range c.Stays {
		places = append(places, c.Stays[i].Enter)
	}
	return places
}

// emptiness says what the log does not show.
func (v *validation) emptiness() (notes []string) {
	u := v.use
	switch {
	case u == nil:
		return []string{"the log contradicts itself, so nothing else was asked"}
	case u.Stays == 0:
		return []string{"nobody enters the critical section (events enter or acquire, and release; --mapping says how they are called): the log proves nothing"}
	}
	if !u.Exact {
		notes = append(notes, "the search was given up: there may be more units in use at once than were found")
	}
	if !u.Related && len(v.log.Nodes) > 1 {
		note := "nothing says which events of different nodes came first: no vector clocks, no message ids, no intervals"
		if !v.flags.skewSet {
			note += "; --skew takes time stamps for an order"
		}
		notes = append(notes, note)
	}
	switch {
	case v.k == 0:
		notes = append(notes, fmt.Sprintf("%s has no k, so that nothing was asked about units; --k says how many there are", v.spec.Name))
	case u.Possibly < v.k && u.Exact:
		notes = append(notes, fmt.Sprintf("no more than %d of %s can have been in use at once: the log hardly puts the bound to the test", u.Possibly, plural(int64(v.k), "unit")))
	case u.Surely < v.k:
		notes = append(notes, fmt.Sprintf("it is not certain that all of %s were ever in use at once (%d are): the log may not put the bound to the test", plural(int64(v.k), "unit"), u.Surely))
	}
	return notes
}

// order says what the events of different nodes are ordered by.
func (v *validation) order() string {
	if by := v.log.Order(); len(by) > 0 {
		return "ordered by " + strings.Join(by, " and ")
	}
	return "each node in its own order"
}
