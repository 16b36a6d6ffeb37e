package validate

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
	"github.com/atmostk/atmostk/traces/printable"
)

// explained returns the findings of the search for a run of the model.
func (r *Report) explained() (fs []Finding) {
	x := r.Explanation
	switch x.Verdict {
	case explain.Rejected:
		if x.Repair != nil && x.Repair.Found {
			fs = append(fs, r.repaired(x.Repair.Missing))
		}
		fs = append(fs, r.stuck(Error, fmt.Sprintf("no run of %s explains the log", r.Model.Name)))
	case explain.Undecided:
		fs = append(fs, r.stuck(Warning, fmt.Sprintf("no run of %s was found that explains the log: %s",
			r.Model.Name, x.Reason)))
	}
	for i := range x.Properties {
		if p := &x.Properties[i]; violates(p) {
			fs = append(fs, r.violated(p))
		}
	}
	if len(x.Broken) > 0 {
		f := Finding{Kind: "assumption-broken", Severity: Warning,
			Message: plain("the run that explains the log breaks an assumption of the model")}
		f.steps(x.Broken)
		fs = append(fs, f)
	}
	return fs
}

func (r *Report) violated(p *explain.Property) Finding {
	f := Finding{Kind: "property-violated", Severity: Note,
		Message: plain(p.Name + " is violated in the run that explains the log")}
	switch {
	case r.Explanation.Verdict != explain.Accepted:
		f.Message = plain(p.Name + " is violated in a run that explains part of the log")
	case r.required(p.Name):
		f.Severity = Error
	}
	if p.At != nil {
		f.steps([]explain.Step{*p.At})
	}
	return f
}

// stuck returns the finding about the cuts of the log beyond which no explanation leads.
func (r *Report) stuck(severity Severity, text string) Finding {
	x := r.Explanation
	f := Finding{Kind: "not-explained", Severity: severity, Message: usage.Textf(
		"%s; at most %s of %s lines are explained", text, printable.Number(x.Explained),
		printable.Number(x.Lines))}
	for i := range x.Furthest {
		cut := &x.Furthest[i]
		if len(x.Furthest) > 1 {
			f.Details = append(f.Details, fmt.Sprintf("way %d of %d:", i+1, len(x.Furthest)))
		}
		if cut.Last != nil {
			f.Details = append(f.Details, "the last line explained is "+cut.Last.String())
		}
		for k := range cut.Blocked {
			b := &cut.Blocked[k]
			f.Details = append(f.Details,
				fmt.Sprintf("%s: %s %q: %s", b.Event.Place, b.Node, b.Event.Name, b.Why))
			if !b.Waits {
				f.Places = append(f.Places, b.Event.Place)
				f.Details = append(f.Details, "    what it could do instead: "+
					cmp.Or(strings.Join(b.Enabled, "; "), "nothing"))
			}
		}
	}
	repair := x.Repair
	switch {
	case repair == nil || repair.Found || repair.Tried == 0:
	case repair.Exhausted:
		f.Details = append(f.Details, fmt.Sprintf("up to %s would not explain it: the implementation did "+
			"something else", printable.Plural(repair.Tried, "missing line")))
	default:
		f.Details = append(f.Details, fmt.Sprintf("whether up to %s would explain it was not decided",
			printable.Plural(repair.Tried, "missing line")))
	}
	return f
}

func (r *Report) repaired(missing []explain.Step) Finding {
	are := map[bool]string{true: " is", false: " are"}[len(missing) == 1]
	f := Finding{Kind: "line-missing", Severity: Error, Message: usage.Textf(
		"%s missing: with these steps a run of %s explains the log",
		printable.Plural(len(missing), "line")+are, r.Model.Name)}
	f.steps(missing)
	return f
}

func (f *Finding) steps(steps []explain.Step) {
	for i := range steps {
		f.Details = append(f.Details, steps[i].String())
		f.Places = append(f.Places, StepPlaces(&steps[i])...)
	}
}

// StepPlaces returns the line of a step in the log, or the lines around it.
func StepPlaces(s *explain.Step) (places []formats.Place) {
	for _, e := range []*order.Event{s.Event, s.After, s.Before} {
		if e != nil {
			places = append(places, e.Place)
		}
	}
	return places
}

// Coverage describes what the run that explains the log exercises.
func (r *Report) Coverage() string {
	x := r.Explanation
	v := &x.Vacuity
	s := fmt.Sprintf("a run of %s explains %s of %s: the resource is used %s, at most %s at once, "+
		"%s, %s received", r.Model.Name, printable.Number(x.Explained), printable.Plural(x.Lines, "line"),
		printable.Plural(v.Entries, "time"), printable.Plural(v.Inside, "unit"),
		printable.Plural(v.Crashes, "crash"), printable.Plural(v.Switches, "message"))
	if v.Hidden > 0 {
		s += fmt.Sprintf("; %s without a line", printable.Plural(v.Hidden, "step"))
	}
	return s + fmt.Sprintf(" (%s searched)", printable.Plural(x.States, "state"))
}
