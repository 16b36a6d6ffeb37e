package traces_test

import (
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces"
)

// tried tries a scenario of raymond in which p3 may crash.
func tried(t *testing.T, rest string, limit int) traces.Trial {
	t.Helper()
	s, err := traces.ReadScenario(
		strings.NewReader("# of a test\nmodel raymond n=3 k=2 rounds=1,1,0 crashes=1\n\n" + rest))
	if err != nil {
		t.Fatal(err)
	}
	in, h := source{spec: s.Spec, args: strings.Join(s.Args, " ")}.instance(t)
	h.Property = ""
	trial, err := s.Try(t.Context(), in, h, limit)
	if err != nil {
		t.Fatal(err)
	}
	return trial
}

// TestScenarioIsDecidedAsBySearch wants of scenarios what a search of all runs knows.
func TestScenarioIsDecidedAsBySearch(t *testing.T) {
	for text, want := range map[string]struct {
		decided, expected bool
		steps             int // of the run that is found; -1: none
	}{
		"expect violated capacity-naive\n...":                            {true, true, 9},
		"expect violated capacity-naive\np1 request\n...\np3 crash\n...": {true, true, 9},
		"expect violated at-most-k\n...": {true, false,
			-1},
		"expect holds at-most-k\n...\np2 crash\n...":                                        {true, true, -1},
		"expect holds capacity-naive\n...":                                                  {true, false, 9},
		"expect reached can-reach-k\n...\np1 enter\n...":                                    {true, true, 8},
		"expect possible\np1 request\np2 receives REQUEST(1) from p1, sends REPLY(1) to p1": {true, true, 2},
		"expect possible\np1 request\np1 enter": {true, false,
			-1},
		"expect impossible\np1 request\np1 enter": {true, true, -1},
		"expect possible":                         {true, true, 0},
	} {
		got := tried(t, text, 500_000)
		steps := -1
		if got.Run != nil {
			steps = len(got.Run.Taken)
		}
		if got.Decided != want.decided || got.Expected != want.expected || steps != want.steps {
			t.Errorf("%s\n: %+v, %d steps, want %+v", text, got, steps, want)
		}
	}
	if got := tried(t, "expect holds at-most-k\n...", 100); got.Decided || got.Expected {
		t.Errorf("a hundred places decide: %+v", got)
	}
	if got := tried(t, "expect possible\np1 request\np1 enter", 1000); !strings.Contains(got.Why,
		`no run that was tried gets beyond "p1 enter"`) {
		t.Errorf("%s", got.Why)
	}
}

// TestScenarioNamesTimes: states that differ by a shift of all times are different to a line with a time.
func TestScenarioNamesTimes(t *testing.T) {
	for text, want := range map[string]traces.Trial{
		"expect possible\n...\np2 receives REQUEST(8) from p1":   {Decided: true, Expected: true},
		"expect impossible\n...\np2 receives REQUEST(8) from p1": {Decided: true},
		"expect impossible\n...\np2 receives REPLY(8) from p1":   {},
		"expect impossible\np1 request\n...\np2 enter\np1 enter": {Decided: true, Expected: true},
		"expect holds at-most-k\n...\np2 enter\n...":             {Decided: true, Expected: true},
	} {
		s, err := traces.ReadScenario(strings.NewReader("model raymond\n" + text))
		if err != nil {
			t.Fatal(err)
		}
		in, h := source{spec: "raymond", args: "n=2 k=1 rounds=inf last=forgotten"}.instance(t)
		h.Property = ""
		got, err := s.Try(t.Context(), in, h, 5000)
		if err != nil || got.Decided != want.Decided || got.Expected != want.Expected {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		for _, wrong := range []string{"holds can-reach-k", "violated can-reach-k", "reached at-most-k"} {
			s.Expect, s.Property, _ = strings.Cut(wrong, " ")
			if got, err := s.Try(t.Context(), in, h, 5000); err == nil {
				t.Errorf("%s: %+v", wrong, got)
			}
		}
	}
}

// TestScenarioOfAFailingModelIsAnError: where a property fails in a state, nothing is as expected.
func TestScenarioOfAFailingModelIsAnError(t *testing.T) {
	in, h := source{spec: "die-hard"}.instance(t)
	h.Property = ""
	in.Plain = unjudged{in.Plain}
	for _, expect := range []string{"holds", "violated"} {
		s := &traces.Scenario{Spec: "die-hard", Expect: expect, Property: "big-not-4", Lines: []string{"..."}}
		var e *model.Error
		func() {
			defer model.Catch(&e)
			got, err := s.Try(t.Context(), in, h, 1000)
			t.Errorf("%s: %+v, %v", expect, got, err)
		}()
		if e == nil {
			t.Errorf("%s: no model error", expect)
		}
	}
}

// unjudged is a model of which no state can be judged.
type unjudged struct{ lts.Plain }

func (unjudged) Judge(lts.State, int) bool { panic(&model.Error{What: "fails"}) }

// TestScenarioOfARunIsMet writes runs as scenarios, which are met by runs of the same length.
func TestScenarioOfARunIsMet(t *testing.T) {
	for _, s := range examples {
		for _, n := range s.runs(t) {
			text := traces.WriteScenario(n.run)
			sc, err := traces.ReadScenario(strings.NewReader(text))
			if err != nil {
				t.Fatalf("%s: %v", n.name, err)
			}
			_, h := s.instance(t)
			h.Property = ""
			if got, err := sc.Try(t.Context(), n.in, h, 100_000); err != nil || !got.Expected ||
				len(got.Run.Taken) != len(n.run.Taken) {
				t.Errorf("%s: %+v, %v:\n%s", n.name, got, err, text)
			}
		}
	}
}

// TestBadScenarioNamesTheLine names the line of what is wrong.
func TestBadScenarioNamesTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "begins with two lines",
		"spec raymond":                     "line 1: the first line is",
		"model raymond\n\nexpect so":       "line 3: the second line is",
		"model raymond\nexpect violated":   "line 2",
		"model raymond\nexpect possible x": "line 2",
		"model raymond":                    "begins with two lines",
	} {
		if _, err := traces.ReadScenario(strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestRunWithoutPropertyIsPossible keeps a run that shows nothing: written, read, and executed again.
func TestRunWithoutPropertyIsPossible(t *testing.T) {
	in, h := source{spec: "die-hard"}.instance(t)
	h.Property = ""
	at := in.Plain.Init()[0]
	next := in.Plain.Steps(at.Next)[1]
	r, err := traces.FromRun(in, h, at.Next, append(in.Plain.Steps(at.Next)[1:2:2],
		in.Plain.Steps(next.Next)[0]))
	if err != nil {
		t.Fatal(err)
	}
	again, err := reading(t, written(t, r.Trace))
	if err != nil || again.Trace.Kind != "run" || again.Trace.Verdict != "possible" || len(again.Taken) != 2 {
		t.Fatalf("%+v, %v", again, err)
	}
	file := written(t, r.Trace)
	for old, wrong := range map[string]string{`"possible"`: `"violated"`, `"kind":"run"`: `"kind":"steps"`,
		`"property":""`: `"property":"big-not-4"`} {
		if _, err := reading(t, strings.Replace(strings.Replace(file, old, wrong, 1), `"digest"`, `"x"`,
			1)); err == nil {
			t.Errorf("%s in place of %s is taken", wrong, old)
		}
	}
}
