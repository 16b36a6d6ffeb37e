package tty

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
	"github.com/atmostk/atmostk/traces/printable"
)

var (
	wrong  = lipgloss.NewStyle().Foreground(lipgloss.Color("1")).Bold(true)
	goal   = lipgloss.NewStyle().Foreground(lipgloss.Color("2"))
	soft   = lipgloss.NewStyle().Faint(true)
	marked = lipgloss.NewStyle().Reverse(true)
	strong = lipgloss.NewStyle().Bold(true)
)

// help names the keys, in 80 columns.
const help = "tab panel ↑↓ choose ←→ step enter take u undo b back r random t,s save q quit"

// A panel is a part of the screen.
type panel struct {
	title  string
	lines  []string
	row    int // the line of the cursor
	places int // lines that a cursor can be in
}

// panels returns all panels.
func (v *view) panels() [panels]panel {
	d, state, choices := v.data, v.state(), v.choices()
	return [panels]panel{
		// the cursor is below the names
		theRun:     {fmt.Sprintf("Run, step %d of %d", v.at, len(d.Steps)-1), v.run(), v.at + 1, 0},
		theState:   {"State", state, v.cursor[theState], len(state)},
		theChoices: {"Can happen", choices, v.cursor[theChoices], len(d.Steps[v.at].Choices)},
		theAhead:   {"Ahead: " + v.ahead.Text, v.targets(), v.cursor[theAhead], len(v.ahead.Targets)},
	}
}

// View draws all.
func (v *view) View() string {
	d := v.data
	head := v.sentence()
	model := strings.TrimSpace(d.Model + " " + strings.Join(d.Set, " "))
	if len(v.tried) > 0 {
		model += fmt.Sprintf(" · %d other tried", len(v.tried))
	}
	head = append(head, soft.Render(cut(model, v.width)))
	foot := soft.Render(cut(help, v.width))
	if v.notice != "" {
		foot = strong.Render(cut(v.notice, v.width))
	}
	left := max(30, v.width*55/100)
	tall := v.height - len(head) - 1
	upper := max(4, tall*3/5)
	all := v.panels()
	column := func(first, second, width int) []string {
		return append(all[first].draw(width, upper, first == v.focus, first != theRun),
			all[second].draw(width, tall-upper, second == v.focus, true)...)
	}
	a, b := column(theRun, theChoices, left), column(theState, theAhead, v.width-left-1)
	for i := range a {
		head = append(head, a[i]+soft.Render("│")+b[i])
	}
	return strings.Join(append(head, foot), "\n")
}

// sentence is what the run shows, in as many lines as it takes, but two at most.
func (v *view) sentence() []string {
	style := strong
	if v.data.Verdict == traces.Violated {
		style = wrong
	}
	text := printable.Text(v.data.Sentence)
	first, rest, long := strings.Cut(ansi.Wrap(text, v.width, ""), "\n")
	if !long {
		return []string{style.Render(first)}
	}
	return []string{style.Render(first), style.Render(cut(strings.ReplaceAll(rest, "\n", " "), v.width))}
}

// draw draws a panel: its title, as much of it as fits around the cursor, and all of the line with the cursor
// if that does not fit and is asked for.
func (p *panel) draw(width, height int, focus, whole bool) []string {
	style, at := strong, ""
	if focus {
		style = marked
	}
	if p.row < len(p.lines) {
		at = p.lines[p.row]
	}
	var details []string
	if whole && ansi.StringWidth(at) > width {
		for _, line := range strings.Split(ansi.Wrap(strings.TrimSpace(at), width-2, ""), "\n") {
			details = append(details, fit("  "+line, width))
		}
		details = details[:min(len(details), 3)]
	}
	out := []string{style.Render(fit(" "+p.title, width))}
	room := height - 1 - len(details)
	from := max(0, min(p.row-room/2, len(p.lines)-room))
	for i := from; i < from+room; i++ {
		line := ""
		if i < len(p.lines) {
			line = fit(p.lines[i], width)
		}
		if i == p.row && focus && line != "" {
			line = marked.Render(ansi.Strip(line))
		}
		out = append(out, fit(line, width))
	}
	return append(out, details...)
}

// run draws a line for each step, and a column for each process.
func (v *view) run() []string {
	d := v.data
	const wide = 4
	names := "     "
	for _, l := range d.Lanes {
		names += fit(cut(l, wide-1), wide)
	}
	lines := []string{soft.Render(names)}
	dead := map[string]bool{} // before the step
	for i := range d.Steps {
		s := &d.Steps[i]
		line := fmt.Sprintf("%4d ", i)
		for _, l := range d.Lanes {
			line += sign(s, i, l, dead[l]) + strings.Repeat(" ", wide-1)
			dead[l] = !s.Alive(l, !dead[l])
		}
		text := printable.Text(s.Text)
		switch {
		case strings.Contains(s.Verdicts, "v"):
			text = wrong.Render(text)
		case i == v.at:
			text = strong.Render(text)
		}
		if i == v.at {
			line = "▸" + line[1:]
		}
		lines = append(lines, line+text)
	}
	return lines
}

// sign is what a step is in the column of a process.
func sign(s *page.Step, i int, lane string, dead bool) string {
	inside := slices.ContainsFunc(s.Inside, func(u traces.Use) bool { return u.Owner == lane })
	switch {
	case s.Node == lane && i > 0 && s.Crashed:
		return wrong.Render("✗")
	case s.Node == lane && i > 0:
		return "●"
	case inside:
		return goal.Render("█")
	case dead:
		return " "
	}
	return soft.Render("│")
}

// state lists what the step changed, then all variables.
func (v *view) state() (lines []string) {
	var order []traces.Var // without values
	was, now := map[traces.Var]string{}, map[traces.Var]string{}
	for i := range v.at + 1 {
		s := &v.data.Steps[i]
		if i == v.at {
			maps.Copy(was, now)
		}
		for _, x := range s.Changed {
			key := traces.Var{Owner: x.Owner, Name: x.Name}
			if !slices.Contains(order, key) {
				order = append(order, key)
			}
			now[key] = x.Value
		}
		for _, x := range s.Gone {
			delete(now, traces.Var{Owner: x.Owner, Name: x.Name})
		}
	}
	owner := ""
	var all []string
	for _, key := range order {
		if _, is := now[key]; !is {
			continue
		}
		if key.Owner != owner {
			owner = key.Owner
			all = append(all, strong.Render(printable.Text(owner)))
		}
		name, value := printable.Text(cmp.Or(key.Name, "state")), printable.Text(now[key])
		all = append(all, "  "+name+" "+value)
		if old, known := was[key]; v.at > 0 && (!known || old != now[key]) {
			label := strings.Trim(printable.Text(key.Owner)+"."+name, ".")
			lines = append(lines, strong.Render(label+" "+value)+soft.Render(
				" was "+cmp.Or(printable.Text(old), "nothing")))
		}
	}
	return append(lines, all...)
}

// choices lists what is enabled, with what it breaks and how near it is to what.
func (v *view) choices() (lines []string) {
	s := &v.data.Steps[v.at]
	for k := range s.Choices {
		c := &s.Choices[k]
		line := "  "
		if s.Taken == k {
			line = "→ "
		}
		if len(c.Breaks) > 0 {
			line += wrong.Render("‼ ") // what it breaks stands at the end, where there may be no room for it
		}
		line += printable.Text(c.Text)
		for _, p := range c.Breaks {
			line += wrong.Render(" · breaks " + v.data.Properties[p].Name)
		}
		for _, p := range c.Reaches {
			line += goal.Render(" · reaches " + v.data.Properties[p].Name)
		}
		if v.ahead != nil && k < len(v.ahead.Choices) {
			n := v.ahead.Choices[k]
			if n.Bad != "" {
				line += wrong.Render(" · " + n.Bad)
			}
			if n.Text != "" && len(c.Breaks) == 0 {
				line += soft.Render(" · " + n.Text)
			}
		}
		lines = append(lines, line)
	}
	if lines == nil {
		lines = []string{"nothing: the run ends here"}
	}
	return lines
}

// targets lists how far it is from here to each property, whether it can still go well, and the levels of the
// search.
func (v *view) targets() (lines []string) {
	for _, t := range v.ahead.Targets {
		line := v.data.Properties[t.Property].Name + ": " + t.Text
		if t.Bad {
			line = wrong.Render(line)
		}
		if len(t.Path) > 0 {
			line += soft.Render(" (enter)")
		}
		lines = append(lines, line)
	}
	return append(lines, v.ahead.Well, "levels "+bars(v.ahead.Levels))
}

// bars draws numbers as a line of bars.
func bars(levels []int) string {
	signs := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	most := slices.Max(levels)
	for _, n := range levels {
		b.WriteRune(signs[n*(len(signs)-1)/max(1, most)])
	}
	return b.String()
}

// cut spells a text so that it can be seen, and shortens it to a width.
func cut(s string, width int) string { return ansi.Truncate(printable.Text(s), width, "…") }

// fit makes a text exactly so wide.
func fit(s string, width int) string {
	s = ansi.Truncate(s, width, "…")
	return s + strings.Repeat(" ", max(0, width-ansi.StringWidth(s)))
}
