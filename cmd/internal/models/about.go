package models

import (
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
)

// Forms is all forms of a run: the page, and the forms of package traces.
func (s *Set) Forms() []traces.Form {
	return append([]traces.Form{s.PageForm()}, traces.Forms...)
}

// PageForm is the form of a run that a browser shows.
func (s *Set) PageForm() traces.Form {
	return page.Form(func(r *traces.Run) page.About { return s.About(r.Trace) })
}

// About describes the model of a run for a page; of a model that the program does not have only what the
// run says.
func (s *Set) About(t *traces.Trace) page.About {
	about := page.About{Set: []string{}, Default: []string{}}
	spec, err := s.Spec(t.Spec)
	if err != nil {
		return about
	}
	about.Title, about.Source = spec.Title, spec.Source
	if spec.Paper != "" {
		about.Source = spec.Paper
	}
	for _, param := range spec.Params {
		switch value := t.Parameters[param.Name]; {
		case value == param.Default && !always[param.Name]:
			if value != "" {
				about.Default = append(about.Default, param.Name+"="+value)
			}
		case value != "":
			about.Set = append(about.Set, param.Name+"="+value)
		}
	}
	fold(spec, &about)
	about.Args = strings.Join(append([]string{t.Spec}, about.Set...), " ")
	about.Command = s.Again(t, about.Args)
	return about
}

// always are the parameters that are named even if they have their default values.
var always = map[string]bool{"n": true, "k": true}

// fold moves what the model sets by itself, if it is left out, to the default values: all parameters stay
// what they are.
func fold(spec *model.Spec, about *page.About) {
	_, all, err := spec.Instantiate(about.Set)
	if err != nil {
		return
	}
	for i := len(about.Set) - 1; i >= 0; i-- {
		name, _, _ := strings.Cut(about.Set[i], "=")
		without := slices.Delete(slices.Clone(about.Set), i, i+1)
		if _, values, err := spec.Instantiate(without); !always[name] && err == nil &&
			slices.Equal(values.List(), all.List()) {
			about.Default, about.Set = append(about.Default, about.Set[i]), without
		}
	}
}

// Again is the command that finds what a run shows once more.
func (s *Set) Again(t *traces.Trace, args string) string {
	switch {
	case t.Property == "":
		return s.Name + " explore " + args
	case t.Mistake != nil:
		return s.Name + " check " + args
	case t.Verdict == traces.Reached:
		return s.Name + " check " + args + " --witness --property " + t.Property
	case t.Kind == model.Costs.String():
		return s.Name + " check " + args + " --costs --property " + t.Property
	}
	return s.Name + " check " + args + " --property " + t.Property
}
