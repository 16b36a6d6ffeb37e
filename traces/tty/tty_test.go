package tty

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
)

// opened is the explorer of a model.
func opened(t *testing.T, spec string, args ...string) *view {
	t.Helper()
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == spec })
	in, _, err := specs.All[i].Instantiate(args)
	if err != nil {
		t.Fatal(err)
	}
	about := func(*traces.Trace, page.Path) page.About { return page.About{Set: args} }
	v, err := begin(&page.Server{In: in, Header: traces.Header{Spec: spec, Parameters: map[string]string{}},
		About: about, Start: page.Path{Choices: []int{}}})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// press carries out commands, and returns what is shown then.
func (v *view) press(t *testing.T, commands ...string) string {
	t.Helper()
	for _, c := range commands {
		v.do(c)
		v.look(t.Context())
	}
	return v.draw()
}

// TestCommandsExploreAndSave takes a choice, goes back, opens the run that the search found, and keeps it as
// a scenario that is met.
func TestCommandsExploreAndSave(t *testing.T) {
	v := opened(t, "die-hard")
	if s := v.press(t, ""); !strings.Contains(s, "Can happen") || !strings.Contains(s, "FillBig") {
		t.Fatalf("%s", s)
	}
	if s := v.press(t, "2"); !strings.Contains(s, "Step 1 of 1") {
		t.Errorf("taking a step: %s", s)
	}
	if s := v.press(t, "<"); !strings.Contains(s, "Step 0 of 1") || !strings.Contains(s, "→  2 ") {
		t.Errorf("looking back: %s", s)
	}
	if s := v.press(t, "u"); !strings.Contains(s, "Step 0 of 0") || !strings.Contains(s, "1 other tried") {
		t.Errorf("taking it back: %s", s)
	}
	if s := v.press(t, "b"); !strings.Contains(s, "Step 1 of 1") {
		t.Errorf("the other branch: %s", s)
	}
	if s := v.press(t, "9"); !strings.Contains(s, "choices are 1 to 6") {
		t.Errorf("a choice that is none: %s", s)
	}
	v.press(t, "u")
	for deadline := time.Now().Add(20 * time.Second); !v.outlook.Ended && time.Now().Before(deadline); {
		v.look(t.Context())
	}
	if s := v.press(t, "c"); !strings.Contains(s, "big-not-4: violated in 6 steps") {
		t.Errorf("ahead: %s", s)
	}
	target := slices.IndexFunc(v.outlook.Targets, func(to page.Target) bool { return len(to.Path) == 6 })
	if s := v.press(t, fmt.Sprint("a", target+1)); !strings.Contains(s, "violated after step 6") {
		t.Errorf("the run to it: %s", s)
	}
	kept := map[string]string{}
	v.save = func(name, text string) error { kept[name] = text; return nil }
	if s := v.press(t, "s"); !strings.Contains(s, "written to die-hard.scenario") {
		t.Errorf("%s", s)
	}
	scenario, err := traces.ReadScenario(strings.NewReader(kept["die-hard.scenario"]))
	if err != nil {
		t.Fatal(err)
	}
	if trial, err := scenario.Try(t.Context(), v.source.In, traces.Header{Spec: "die-hard"},
		1000); err != nil || !trial.Expected {
		t.Errorf("the scenario: %+v, %v", trial, err)
	}
	v.press(t, "t")
	if _, err := traces.Read(strings.NewReader(kept["die-hard.ndjson"])); err != nil {
		t.Error(err)
	}
}

// TestSearchAndFind opens the shortest run to a condition, searches its steps, and names the check of a
// property that no single state shows.
func TestSearchAndFind(t *testing.T) {
	v := opened(t, "raymond", "n=3", "k=2")
	v.press(t, "")
	after := func(command string) string {
		v.do(command)
		return v.draw()
	}
	if s := after("f p1.State=CS"); !strings.Contains(s, "run from there has 4 steps") || v.at != 4 {
		t.Errorf("find leads to step %d: %s", v.at, s)
	}
	v.do("<<")
	if after("/ENTER"); v.at != 4 {
		t.Errorf("search leads to step %d", v.at)
	}
	if s := after("/nothing"); !strings.Contains(s, "no step of this run contains nothing") {
		t.Errorf("search in vain: %s", s)
	}
	if s := after("f requests-served"); !strings.Contains(s, "--property requests-served") {
		t.Errorf("find a liveness property: %s", s)
	}
	for row := range strings.Lines(after("?")) {
		if n := utf8.RuneCountInString(strings.TrimRight(row, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, row)
		}
	}
}

// TestScreenFits wants every line as wide as the terminal at most, and no more than it has, whatever is done.
func TestScreenFits(t *testing.T) {
	v := opened(t, "raymond", "n=3", "k=2", "crashes=1")
	for _, size := range [][2]int{{80, 24}, {40, 12}, {200, 60}} {
		v.width, v.height = size[0], size[1]
		for _, command := range []string{"1", "r", "<", "<<", ">>", "u", "b", "r", "a1", "x", "99", ""} {
			lines := strings.Split(v.press(t, command), "\n")
			if len(lines) > size[1] || size[1] == 24 && len(lines) < 20 {
				t.Errorf("after %s: %d lines in a terminal of %d", command, len(lines), size[1])
			}
			for _, l := range lines {
				if w := utf8.RuneCountInString(l); w > size[0] {
					t.Errorf("after %s: a line of %d columns in %d: %q", command, w, size[0], l)
				}
			}
		}
	}
}

// TestEndOfInputEnds: commands come from the input, and its end ends the explorer.
func TestEndOfInputEnds(t *testing.T) {
	v, out := opened(t, "die-hard"), &strings.Builder{}
	if err := Run(t.Context(), v.source, strings.NewReader("1\nv\n"), out); err != nil {
		t.Fatal(err)
	}
	n := strings.Count(out.String(), clearScreen)
	if n != 3 || !strings.Contains(out.String(), "Step 1 of 1") {
		t.Errorf("%d screens: %s", n, out)
	}
	out.Reset()
	if err := Run(t.Context(), v.source, strings.NewReader(" q \n2\n"), out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), clearScreen); n != 1 {
		t.Errorf("after q with blanks: %d screens: %s", n, out)
	}
}

// TestRecoveredProcessIsDrawnAlive follows a process that crashes and recovers.
func TestRecoveredProcessIsDrawnAlive(t *testing.T) {
	v := opened(t, "ring-recovery", "n=2", "scheme=1", "f=1")
	for _, text := range []string{"p2 crash", "p1 detect", "p2 recover", "p1 "} {
		k := slices.IndexFunc(v.data.Steps[v.at].Choices, func(c page.Choice) bool {
			return strings.HasPrefix(c.Text, text)
		})
		if k < 0 {
			t.Fatalf("%q is not enabled", text)
		}
		v.take(k)
	}
	const lane = 6 + 12
	for i, want := range []string{"│", "✗", " ", "●", "│"} {
		if line := []rune(v.steps()[1+i].text); string(line[lane]) != want {
			t.Errorf("step %d: %s; want %q for p2", i, string(line), want)
		}
	}
}
