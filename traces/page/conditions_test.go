package page_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces/page"
)

// where asks for a run to a condition, and returns the status, the run and what is said.
func (l *live) where(condition string) (status int, run []int, text string) {
	l.t.Helper()
	q, err := json.Marshal(condition)
	if err != nil {
		l.t.Fatal(err)
	}
	status, got := l.ask("shortest", `{"path":[],"where":`+string(q)+`}`, nil)
	var a struct {
		Path []int
		Text string
	}
	if status != http.StatusOK {
		return status, nil, got
	}
	if err := json.Unmarshal([]byte(got), &a); err != nil {
		l.t.Fatal(err)
	}
	return status, a.Path, a.Text
}

// TestMistypedConditionNamesTheValues: what no state can meet is an error that says what there is. Numbers
// that no state has, and values that are out of reach, are answers.
func TestMistypedConditionNamesTheValues(t *testing.T) {
	l, _ := serve(t, "raymond", "n=3 k=2 rounds=1,1,0")
	const states = "p1.State is CS, not requesting or requesting"
	for _, c := range []struct {
		where, want string // want of an error; "": a run is found
		steps       int
	}{
		{"p1.State=CS", "", 4},
		{`p1.State="CS"`, "", 4},
		{`p1.State == 'CS'; p1.H >= 1;`, "", 4},
		{"p1.State=not requesting; p2.H>=1", "", 1},
		{"p1.State=cs", "p1.State=cs: in all 1,019 states that follow " + states +
			`, never cs (did you mean "CS"?)`, 0},
		{"p1.State=inside", states + ", never inside", 0},
		{"p1.State!=inside", states + ", never inside", 0},
		{"p1.State>=3", states + ", never >=3", 0},
		{"p1.State<CS", `p1.State<CS: < compares numbers, and "CS" is not one`, 0},
		{"p1.H=abc", "p1.H is 0 to 4, never abc", 0},
		{`p1.H="x"`, "p1.H is 0 to 4, never x", 0},
		{"p1.state=CS", `there is no variable "p1.state" (did you mean "p1.State"?); there are `, 0},
		{"p1.State", `"p1.State" is not a condition such as variable=value`, 0},
		{"p1.H>=1; p1.State=", `"p1.State=" is not a condition`, 0},
	} {
		status, run, text := l.where(c.where)
		switch {
		case c.want == "" && (status != http.StatusOK || len(run) != c.steps):
			t.Errorf("%s: %d, %d steps, %s", c.where, status, len(run), text)
		case c.want != "" && (status != http.StatusUnprocessableEntity || !strings.Contains(text, c.want)):
			t.Errorf("%s: %d %s; want %s", c.where, status, text, c.want)
		}
	}
	if status, run, text := l.where("p1.H=7"); status != http.StatusOK || run != nil ||
		text != "No run leads there: in all 1,019 states that follow p1.H is 0 to 4." {
		t.Errorf("a number that no state has: %d %v %s", status, run, text)
	}
	for _, rounds := range []string{"inf last=forgotten", "9"} { // the first: 155 states up to a shift
		l, _ := serve(t, "raymond", "n=2 k=1 rounds="+rounds)
		for where, steps := range map[string]int{"p1.H=8": 14, "p1.H=8; p1.State=CS": 16, "p1.State=CS": 4} {
			if status, run, text := l.where(where); len(run) != steps {
				t.Errorf("rounds=%s: %s: %d %d %s", rounds, where, status, len(run), text)
			}
		}
	}
	mortal, _ := serve(t, "raymond", "n=2 k=1 crashes=1")
	for where, steps := range map[string]int{"p1.crashed=true": 1, "p1.crashed!=true; p2.crashed=true": 1} {
		if status, run, text := mortal.where(where); len(run) != steps {
			t.Errorf("%s: %d %v %s", where, status, run, text)
		}
	}
	ended, _ := serve(t, "die-hard", "")
	if _, _, text := ended.where("Small=3; Big=5; Small=2"); !strings.Contains(text,
		"No run leads there: all 16 states that follow were visited.") {
		t.Errorf("values that are not together: %s", text)
	}
}

// TestSpontaneousStepsAreNoFaults: only what the adversary does is shown as a fault.
func TestSpontaneousStepsAreNoFaults(t *testing.T) {
	for _, spec := range []string{"vcube-stack", "vcube-kmutex", "ring-recovery"} {
		l, in := serve(t, spec, "")
		d, err := l.server.Open(page.Path{Choices: []int{}})
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]protocol.ActionKind{}
		for i, a := range in.Space.Actions() {
			kinds[a.Name] = a.Kind
			if d.Actions[i].Fault != (a.Kind == protocol.Fault) {
				t.Errorf("%s: the action %s of kind %d is a fault: %t", spec, a.Name, a.Kind,
					d.Actions[i].Fault)
			}
		}
		ordinary := 0
		for _, c := range d.Steps[0].Choices {
			if c.Fault != (kinds[c.Event] == protocol.Fault) {
				t.Errorf("%s: %s is a fault: %t", spec, c.Text, c.Fault)
			}
			if !c.Fault {
				ordinary++
			}
		}
		if ordinary == 0 {
			t.Errorf("%s: nothing but faults can happen", spec)
		}
	}
}
