package tty

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

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

// press presses keys, and returns what is shown then.
func (v *view) press(t *testing.T, keys ...string) string {
	t.Helper()
	for _, k := range keys {
		m := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		for name, kind := range map[string]tea.KeyType{
			"tab": tea.KeyTab, "enter": tea.KeyEnter, "up": tea.KeyUp, "down": tea.KeyDown,
			"left":  tea.KeyLeft,
			"right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp,
			"pgdown":    tea.KeyPgDown,
			"shift+tab": tea.KeyShiftTab, "backspace": tea.KeyBackspace,
		} {
			if k == name {
				m = tea.KeyMsg{Type: kind}
			}
		}
		v.Update(m)
	}
	return ansi.Strip(v.View())
}

// TestExplore takes a choice, goes back, opens the run that the search found, and keeps it as a scenario that
// is met.
func TestExplore(t *testing.T) {
	v := opened(t, "die-hard")
	if s := v.press(t); !strings.Contains(s, "Can happen") || !strings.Contains(s, "FillBig") {
		t.Fatalf("%s", s)
	}
	if s := v.press(t, "down", "enter"); !strings.Contains(s, "step 1 of 1") {
		t.Errorf("taking a step: %s", s)
	}
	if s := v.press(t, "u"); !strings.Contains(s, "step 0 of 0") || !strings.Contains(s, "1 other tried") {
		t.Errorf("taking it back: %s", s)
	}
	if s := v.press(t, "b"); !strings.Contains(s, "step 1 of 1") {
		t.Errorf("the other branch: %s", s)
	}
	v.press(t, "u")
	for deadline := time.Now().Add(20 * time.Second); !v.ahead.Ended && time.Now().Before(deadline); {
		v.Update(v.ask()())
	}
	if s := v.press(t, "tab"); !strings.Contains(s, "big-not-4: violated in 6 steps (en") {
		t.Errorf("ahead: %s", s)
	}
	if s := v.press(t, "enter"); !strings.Contains(s, "big-not-4 is violated after step 6") {
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

// TestFits wants every line as wide as the terminal at most, and as many as it has, whatever is done.
func TestFits(t *testing.T) {
	v := opened(t, "raymond", "n=3", "k=2", "crashes=1")
	keys := []string{"enter", "r", "tab", "down", "pgdown", "left", "tab", "up", "home", "end", "enter",
		"shift+tab", "backspace", "right", "pgup", "b", "r"}
	for _, size := range [][2]int{{80, 24}, {40, 12}, {200, 60}} {
		v.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, k := range keys {
			lines := strings.Split(v.press(t, k), "\n")
			if len(lines) != size[1] {
				t.Errorf("after %s: %d lines in a terminal of %d", k, len(lines), size[1])
			}
			for _, l := range lines {
				if w := ansi.StringWidth(l); w > size[0] {
					t.Errorf("after %s: a line of %d columns in %d: %q", k, w, size[0], l)
				}
			}
		}
	}
	if _, end := v.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q")}); end == nil {
		t.Error("q does not end it")
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
	const lane = 5 + 4
	for i, want := range []string{"│", "✗", " ", "●", "│"} {
		if line := []rune(ansi.Strip(v.run()[1+i])); string(line[lane]) != want {
			t.Errorf("step %d: %s; want %q for p2", i, string(line), want)
		}
	}
}
