package explore

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// A property that nothing could violate is vacuous: an action never happened, or no state met a
// premise. The search counts the evidence anyway, or the tables have it afterwards. A pass over all
// states is needed only for a few properties: see cover and idle.

// cover adds to the report of a complete search the variables, states and steps that the search never met.
func (s *search) cover() {
	r := &s.report
	if !r.Complete {
		return
	}
	c, whole := &s.counts, true
	if s.disk == nil {
		s.addUnmet()
		found := s.coverageOf(s.eachState(&whole), s.states.Coverage(nil, lts.Coverage{}))
		c.Unchanged, c.Unused = found.Unchanged, found.Unused
	}
	if whole && !r.Reduce.Movers && !r.Reduce.Crashes { // the pass was not interrupted
		r.Unchanged = c.Unchanged
	}
	for i := range r.Properties {
		p := &r.Properties[i]
		switch {
		case p.Verdict != Holds:
			p.Vacuous = nil
		case p.Kind == model.StepInvariant && p.Steps[0] == property.AnyStep:
		case p.Kind == model.StepInvariant:
			p.Vacuous = r.never(p.Steps)
		case p.Kind == model.Quiet && r.Quiet == 0:
			p.Vacuous = []string{"no state was quiet"}
		case p.Idle != "" && !r.Reduce.Movers && s.idle(p.Name):
			p.Vacuous = []string{p.Idle}
		case p.Kind == model.Invariant && p.OfUse && c.Unused && whole:
			p.Vacuous = []string{"no unit was ever in use"}
			if r.Outside > 0 { // one may be in use outside
				p.Vacuous[0] += " within the constraint"
			}
		case p.Trivial != "":
			p.Vacuous, p.Excuse = []string{p.Trivial}, "no algorithm violates it then"
		}
		of := func(x string) bool { return strings.HasPrefix(x, p.Name+": ") }
		if k := slices.IndexFunc(c.Unmet, of); k >= 0 && p.Verdict == Holds && !r.Reduce.Movers {
			p.Vacuous = append(p.Vacuous, strings.TrimPrefix(c.Unmet[k], p.Name+": "))
		}
	}
}

// addUnmet counts the premises that this process has not met.
func (s *search) addUnmet() {
	for _, p := range s.in.Space.Properties() {
		if p.Unmet != nil {
			for _, why := range p.Unmet() {
				s.counts.Unmet = append(s.counts.Unmet, p.Name+": "+why)
			}
		}
	}
}

// idle reports whether a Quiet property holds in all visited states, quiet or not.
func (s *search) idle(name string) bool {
	i := slices.IndexFunc(s.in.Space.Properties(), func(p model.PropertyInfo) bool { return p.Name == name })
	if s.counts.Covered {
		return s.counts.Broken>>i&1 == 0
	}
	whole := true
	return s.breaks(1<<i, s.eachState(&whole)) == 0 && whole
}

// eachState yields the visited states. If it has to stop before the last one, it sets whole to false.
func (s *search) eachState(whole *bool) iter.Seq[[]uint32] {
	return func(yield func([]uint32) bool) {
		k := 0
		for _, v := range s.tables.Nodes {
			k++
			*whole = k&(1<<13-1) != 0 || s.interruption(atPass) == ""
			if !*whole || !yield(v) {
				return
			}
		}
	}
}

// breaks returns the Quiet properties among which that fail in some of the states, quiet or not. It returns
// all of them if the model cannot judge one of the states.
func (s *search) breaks(which uint64, states iter.Seq[[]uint32]) (found uint64) {
	c := s.cursors[0]
	mistake := check.Caught(func() {
		for v := range states {
			if found |= c.judge.JudgeQuiet(c.see(v), which&^found); found == which {
				return
			}
		}
	})
	if mistake != nil { // properties are written for quiet states only
		return which
	}
	return found
}

// coverageOf returns the parts of the model that were not in use in some states: see Coverage of States.
func (s *search) coverageOf(states iter.Seq[[]uint32], least lts.Coverage) lts.Coverage {
	return s.states.Coverage(func(yield func(*protocol.Parts) bool) {
		parts := protocol.Parts{Slots: s.space.Slots()}
		for parts.Words = range states {
			if !yield(&parts) {
				return
			}
		}
	}, least)
}

// never returns a phrase for each action in names that never happened. Names without an
// action in this instance do not count, unless none has one.
func (r *Report) never(names []string) (phrases []string) {
	here := 0
	for a, action := range r.Actions {
		if !slices.Contains(names, action.Name) {
			continue
		}
		here++
		if r.Fired[a] == 0 {
			phrases = append(phrases, action.Name+" never happened")
		}
	}
	if here == 0 {
		return []string{"nobody can " + strings.Join(names, ", ")}
	}
	return phrases
}

// uncounted returns the reasons that no run was counted for a bound.
func (s *search) uncounted(b *model.Bound) []string {
	if b.Whole() {
		return []string{"no run came to an end that is counted"}
	}
	why := slices.Compact(append(s.report.never(b.Opens), s.report.never(b.Closes)...))
	if len(why) == 0 {
		why = []string{fmt.Sprintf("no %s was followed by %s",
			strings.Join(b.Opens, ", "), strings.Join(b.Closes, ", "))}
	}
	return why
}

// A vacuity collects the missing states or steps, as phrases, of the parts of a property.
type vacuity struct {
	all   []string            // phrases, in the order of their first use
	parts map[string][]string // per phrase: the parts
}

// add notes a phrase for a part; "": nothing is missing.
func (v *vacuity) add(part, phrase string) {
	if phrase == "" {
		return
	}
	if v.parts[phrase] == nil {
		v.all = append(v.all, phrase)
	}
	v.parts[phrase] = append(v.parts[phrase], part)
}

// phrases returns the phrases, each with its parts unless it applies to all of them.
func (v *vacuity) phrases(parts int) (phrases []string) {
	for _, phrase := range v.all {
		of := v.parts[phrase]
		switch {
		case len(of) == parts:
		case of[0] == "":
			phrase += fmt.Sprintf(" for %d of the %d kinds of runs that would violate it", len(of), parts)
		default:
			phrase += " for " + strings.Join(slices.Compact(of), ", ")
		}
		phrases = append(phrases, phrase)
	}
	return phrases
}
