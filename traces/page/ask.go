//go:build !js

package page

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// end returns the last step of a path. For an empty path its Next is the initial state.
func (s *Server) end(p Path) (lts.Transition, error) {
	taken, err := p.follow(s.In)
	if err != nil {
		return lts.Transition{}, err
	}
	return taken[len(taken)-1], nil
}

// askShortest answers with the shortest run from the end of a path to a property or to values of variables.
func (s *Server) askShortest(ctx context.Context, q *question) (any, error) {
	at, err := s.end(q.Path)
	if err != nil {
		return nil, err
	}
	if q.Property == nil {
		return s.askWhere(ctx, q, &at)
	}
	to, err := ofProperty(s.In, *q.Property)
	if err != nil {
		return nil, err
	}
	f := shortest(ctx, s.In, &at, to, "", mostStates)
	return f.answer(q, f.seen()+" were visited")
}

// Find returns the path with the shortest run from the end of a path to a property, given by its name, or to
// values of variables, and a sentence about the search. Without such a run the path is the same.
func (s *Server) Find(p Path, wanted string) (Path, string, error) {
	q := &question{Path: p, Where: wanted}
	for i, info := range s.In.Space.Properties() {
		if info.Name == wanted {
			q.Where, q.Property = "", &i
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	found, err := locked(s, func() (any, error) { return s.askShortest(ctx, q) })
	if err != nil {
		return p, "", err
	}
	a := found.(answer)
	if a.Path != nil {
		p.Choices = a.Path
	}
	return p, a.Text, nil
}

// askWhere answers with the shortest run from the end of a path to values of variables.
func (s *Server) askWhere(ctx context.Context, q *question, at *lts.Transition) (any, error) {
	all, err := conditionsOf(q.Where)
	if err != nil {
		return nil, err
	}
	words := s.words()
	for i := range all {
		c := &all[i]
		if why := words.wrong(c, words.seen); why != "" && (c.sign == "!=" || words.values[c.name] == nil) {
			return nil, errors.New(why)
		}
	}
	seen := values{}
	seen.noteAll(at.Next)
	f := shortest(ctx, s.In, at, ofConditions(all, seen), q.Where, mostStates)
	why := f.seen() + " were visited"
	for i := range all {
		c := &all[i]
		if f.choices != nil || c.sign == "!=" || seen.any(c) {
			continue
		}
		if wrong := seen.wrong(c, "in "+f.seen()); wrong != "" && seen[c.name] != nil && !words.any(c) {
			return nil, errors.New(wrong)
		}
		why = fmt.Sprintf("in %s %s is %s", f.seen(), c.name, cmp.Or(seen.list(c.name), "not there"))
	}
	return f.answer(q, why)
}

// seen names the states that the search visited.
func (f *finding) seen() string {
	states := printable.Plural(len(f.numbers), "state")
	if f.done {
		return fmt.Sprintf("all %s that follow", states)
	}
	return fmt.Sprintf("the first %s", states)
}

// answer returns the run that was found, or the reason why none was found.
func (f *finding) answer(q *question, why string) (any, error) {
	switch {
	case f.fails != "":
		return nil, errors.New(f.fails)
	case f.choices != nil:
		return answer{Path: append(slices.Clone(q.Choices), f.choices...), Text: fmt.Sprintf(
			"The shortest run from there has %s (%s visited).", printable.Plural(len(f.choices), "step"),
			printable.Plural(len(f.numbers), "state"))}, nil
	case f.done:
		return answer{Text: "No run leads there: " + why + "."}, nil
	}
	return answer{Text: fmt.Sprintf("Not found: no run of up to %s leads there; %s, and there are more.",
		printable.Plural(len(f.levels)-1, "step"), why)}, nil
}

// An answer is a path to open (none if empty) and a sentence.
type answer struct {
	Path []int  `json:"path,omitempty"`
	Text string `json:"text,omitempty"`
}

// maxRandom is the most steps of a random run.
const maxRandom = 1000

// askRandom answers with a random run from the end of a path, a shorter one if nothing more is enabled.
func (s *Server) askRandom(_ context.Context, q *question) (any, error) {
	at, err := s.end(q.Path)
	if err != nil {
		return nil, err
	}
	if q.Steps < 1 || q.Steps > maxRandom {
		return nil, fmt.Errorf("a random run of %d steps; allowed are 1 to %d", q.Steps, maxRandom)
	}
	path := slices.Clone(q.Choices)
	for range q.Steps {
		steps := traces.Enabled(s.In, at.Next)
		if len(steps) == 0 || at.Outside {
			break
		}
		k := rand.IntN(len(steps))
		path, at = append(path, k), steps[k]
	}
	return answer{Path: path}, nil
}

// askUndo removes a crash from the path, and takes the later steps again as far as possible.
func (s *Server) askUndo(_ context.Context, q *question) (any, error) {
	taken, err := q.follow(s.In)
	if err != nil {
		return nil, err
	}
	if q.Step < 1 || q.Step >= len(taken) || !taken[q.Step].Crashed {
		return nil, fmt.Errorf("step %d is no crash", q.Step)
	}
	path := slices.Clone(q.Choices[:q.Step-1])
	at := taken[q.Step-1]
	for i := q.Step + 1; i < len(taken); i++ {
		steps := traces.Enabled(s.In, at.Next)
		k := traces.MostSimilar(steps, &taken[i])
		if k < 0 || at.Outside {
			return answer{Path: path, Text: fmt.Sprintf(
				"Without the crash step %d cannot be taken: %s", i, taken[i].Text())}, nil
		}
		path, at = append(path, k), steps[k]
	}
	return answer{Path: path, Text: "All later steps can be taken without the crash, too."}, nil
}

// Text returns a path as the text of a trace, or of a scenario.
func (s *Server) Text(p Path, scenario bool) (string, error) {
	return locked(s, func() (string, error) {
		r, err := s.run(p)
		if err != nil {
			return "", err
		}
		if r = s.judged(r); scenario {
			return traces.WriteScenario(r), nil
		}
		var b bytes.Buffer
		err = traces.Write(&b, r.Trace)
		return b.String(), err
	})
}

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
