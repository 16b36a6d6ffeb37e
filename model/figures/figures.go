// Package figures is about runs that papers show: a [Figure] is followed step by step, in the words of a
// model. Tests of the papers' models (specs/ring, specs/vcube) use it.
package figures

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/papers"
)

// A Figure is a run that a paper shows, told step by step in the words of a model. What the paper
// leaves out is filled in where the text needs it.
type Figure struct {
	Spec  model.Spec // without what a page needs, which may refer to the figure
	Args  string
	Steps []string // as lts.Transition.Text has them, without what Places matches
	// Places matches where a step is in the paper, as its text tells; nil: nothing is left out.
	Places *regexp.Regexp
}

// Follow takes the steps one after the other. The finding holds if each is one of the model.
func (f *Figure) Follow() papers.Finding {
	in, _, err := f.Spec.Instantiate(strings.Fields(f.Args))
	if err != nil {
		return papers.Finding{Verdict: "violated", Detail: err.Error()}
	}
	at := in.Plain.Init()[0].Next
	for n, want := range f.Steps {
		next := lts.State(nil)
		var texts []string
		for _, t := range in.Plain.Steps(at) {
			text := t.Text()
			if f.Places != nil {
				text = f.Places.ReplaceAllString(text, "")
			}
			if texts = append(texts, text); text == want {
				next = t.Next
			}
		}
		if next == nil {
			return papers.Finding{
				Verdict: "violated", Length: n,
				Detail: fmt.Sprintf("step %d cannot be %q: %s", n+1, want, strings.Join(texts, "; ")),
			}
		}
		at = next
	}
	return papers.Finding{Verdict: "holds", Length: len(f.Steps), Detail: "every step is one of the model"}
}
