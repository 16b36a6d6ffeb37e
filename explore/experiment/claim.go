package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model/usage"
)

// A Claim is a sentence of the source that the measurements can bear out. It is reproduced if all its
// conditions are met in every reading.
type Claim struct {
	Name     string      `yaml:"name"`     // a word, by which pages refer to it
	Sentence string      `yaml:"sentence"` // in our words
	Source   string      `yaml:"source"`
	When     []Condition `yaml:"when"`
	// Remark says what the numbers do not: why they are so.
	Remark string `yaml:"remark"`
}

// A Condition compares a metric of two series, or of one in two panels, or with a number.
type Condition struct {
	Panel  string    `yaml:"panel"`
	Metric string    `yaml:"metric"`
	Series string    `yaml:"series"`
	At     []float64 `yaml:"at"` // points; default all
	// Is is one of the keys of relations.
	Is        string  `yaml:"is"`
	Than      string  `yaml:"than"`       // another series
	ThanPanel string  `yaml:"than-panel"` // another panel
	Number    float64 `yaml:"number"`
	Within    float64 `yaml:"within"`
}

func (c *Claim) check(e *Experiment) error {
	if c.Name == "" || strings.ContainsAny(c.Name, " /") {
		return fmt.Errorf("name: %q: a word is wanted", c.Name)
	}
	if len(c.When) == 0 {
		return fmt.Errorf("when: there is no condition")
	}
	for i := range c.When {
		if err := c.When[i].check(e); err != nil {
			return err
		}
	}
	return nil
}

func (w *Condition) check(e *Experiment) error {
	if _, known := relations[w.Is]; !known {
		return fmt.Errorf("is: %q: allowed are %s", w.Is, strings.Join(sortedKeys(relations), ", "))
	}
	if _, known := simulate.Metrics[w.Metric]; !known {
		return fmt.Errorf("there is no metric %q%s", w.Metric, usage.Nearest(w.Metric,
			sortedKeys(simulate.Metrics)))
	}
	for _, s := range []string{w.Series, w.Than} {
		if s != "" && !named(e.Series, s) || w.Series == "" {
			return fmt.Errorf("there is no series %q", s)
		}
	}
	for _, p := range []string{w.Panel, w.ThanPanel} {
		if p != "" && !named(e.Panels, p) || w.Panel == "" && e.Panels[0].Name != "" {
			return fmt.Errorf("there is no panel %q", p)
		}
	}
	return nil
}

func named(panels []Panel, name string) bool {
	return slices.ContainsFunc(panels, func(p Panel) bool { return p.Name == name })
}

// A Verdict is what measurements say of a claim, in each reading.
type Verdict struct {
	Claim    *Claim
	Readings []Reading
	// What is what the readings differ in, as Experiment.Varies has it.
	What string
}

// A Reading is what they say of it under the assumptions of one reading.
type Reading struct {
	Name    string   // "" if there is only one
	Answer  Answer   // whether all conditions are met
	Figures []string // of each condition, the numbers, with an interval each
}

// An Answer says whether a condition is met. Undecided: the intervals are too wide to tell.
type Answer int

// The answers, the worse the smaller.
const (
	refuted Answer = iota
	undecided
	met
)

// The words for verdicts.
const (
	Reproduced    = "reproduced"
	NotReproduced = "not reproduced"
	Depends       = "depends"
	Undecided     = "undecided"
)

// Word is the verdict in a word or two: Depends if one reading bears the claim out, and another refutes it.
func (v *Verdict) Word() string {
	switch {
	case v.are(met) && v.are(refuted):
		return Depends
	case v.are(undecided):
		return Undecided
	case v.are(met):
		return Reproduced
	}
	return NotReproduced
}

// are reports whether the answer is one of those in the readings.
func (v *Verdict) are(a Answer) bool {
	return slices.ContainsFunc(v.Readings, func(r Reading) bool { return r.Answer == a })
}

// On says what the verdict depends on, and what it is in each reading; "" if it depends on nothing.
func (v *Verdict) On() string {
	if v.Word() != Depends {
		return ""
	}
	text := "on " + v.What
	for i, word := range []string{NotReproduced, Undecided, Reproduced} {
		var names []string
		for _, r := range v.Readings {
			if r.Answer == Answer(i) {
				names = append(names, r.Name)
			}
		}
		if names != nil {
			text += "; " + word + " if " + strings.Join(names, ", or ")
		}
	}
	return text
}

// Numbers are the figures of all readings, a line each.
func (v *Verdict) Numbers() (lines []string) {
	for _, r := range v.Readings {
		for _, f := range r.Figures {
			if r.Name != "" {
				f = r.Name + ": " + f
			}
			lines = append(lines, f)
		}
	}
	return lines
}

// Judge holds the claims against the cells.
func (e *Experiment) Judge(cells []Cell) (vs []Verdict) {
	for i := range e.Claims {
		v := Verdict{Claim: &e.Claims[i], What: e.Varies}
		for _, reading := range e.Readings {
			r := Reading{Name: reading.Name, Answer: met}
			for k := range v.Claim.When {
				answer, figures := e.meets(&v.Claim.When[k], reading.Name, cells)
				r.Answer = min(r.Answer, answer)
				r.Figures = append(r.Figures, figures)
			}
			v.Readings = append(v.Readings, r)
		}
		vs = append(vs, v)
	}
	return vs
}

// Of returns the experiment with nothing but what a claim needs: its series, panels and points. It returns
// false if there is no such claim.
func (e *Experiment) Of(claim string) (only Experiment, ok bool) {
	i := slices.IndexFunc(e.Claims, func(c Claim) bool { return c.Name == claim })
	if i < 0 {
		return only, false
	}
	only = *e
	only.Claims = e.Claims[i : i+1]
	when := only.Claims[0].When
	only.Series = slices.DeleteFunc(slices.Clone(e.Series), func(s Panel) bool {
		return !slices.ContainsFunc(when, func(w Condition) bool {
			return s.Name == w.Series ||
				s.Name == w.Than
		})
	})
	only.Panels = slices.DeleteFunc(slices.Clone(e.Panels), func(p Panel) bool {
		return !slices.ContainsFunc(when, func(w Condition) bool {
			return p.Name == w.Panel ||
				p.Name == w.ThanPanel
		})
	})
	only.Points = slices.DeleteFunc(slices.Clone(e.Points), func(p map[string]string) bool {
		x, _ := number(p[e.X])
		return !slices.ContainsFunc(when, func(w Condition) bool {
			return w.At == nil || relations[w.Is].ofAll || slices.Contains(w.At, x)
		})
	})
	return only, true
}
