//go:build !js

package page

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
)

// A link to a run names its steps, not the numbers of the choices: so it also fits a model that has changed,
// up to the first step that the model no longer has.

// labels names steps that are enabled in one state: by their texts, without lines of a paper and messages
// sent. Equal names are numbered from the second one on.
func labels(in model.Instance, steps []lts.Transition) []string {
	actions, names, times := in.Space.Actions(), make([]string, len(steps)), map[string]int{}
	for k := range steps {
		name, _, _ := strings.Cut(steps[k].Text(), ", sends ")
		if source := actions[steps[k].Action].Source; source != "" {
			name = strings.Replace(name, " ("+source+")", "", 1)
		}
		if times[name]++; times[name] > 1 {
			name = fmt.Sprintf("%s ~%d", name, times[name])
		}
		names[k] = name
	}
	return names
}

// labels names the steps of a path, which exists.
func (p Path) labels(in model.Instance) (names []string) {
	at := in.Plain.Init()[p.Initial]
	for _, k := range p.Choices {
		steps := traces.Enabled(in, at.Next)
		names, at = append(names, labels(in, steps)[k]), steps[k]
	}
	return names
}

// askLink answers with the path of the steps that a link names, as far as the model has them.
func (s *Server) askLink(_ context.Context, q *question) (any, error) {
	inits := s.In.Plain.Init()
	if q.Initial < 0 || q.Initial >= len(inits) {
		return answer{Path: []int{}, Text: fmt.Sprintf("The link names initial state %d, and the model "+
			"has %d, counted from 0.", q.Initial, len(inits))}, nil
	}
	path, at := []int{}, inits[q.Initial]
	for i, name := range q.Labels {
		k := -1
		var steps []lts.Transition
		if !at.Outside {
			steps = traces.Enabled(s.In, at.Next)
			k = slices.Index(labels(s.In, steps), name)
		}
		if k < 0 {
			return answer{Path: path, Text: fmt.Sprintf(
				"The link fits the model up to step %d of %d: step %d, %s, is not enabled there.",
				i, len(q.Labels), i+1, name)}, nil
		}
		path, at = append(path, k), steps[k]
	}
	return answer{Path: path}, nil
}
