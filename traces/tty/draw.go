package tty

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
	"github.com/atmostk/atmostk/traces/printable"
)

var (
	plain  = color.New()
	wrong  = color.New(color.FgRed, color.Bold)
	goal   = color.New(color.FgGreen)
	soft   = color.New(color.Faint)
	strong = color.New(color.Bold)
)

// help names the commands, in 80 columns.
const help = "N take, u undo, < > step, aN open, f find, /TEXT search, ? all keys, q quit"

const keys = `N       take step N of what can happen     aN     open the run to target N
u       undo the last step                 b      the branch left last
< >     previous and next step             << >>  the first and the last one
/TEXT   the next step with TEXT            r      ten random steps
f X     shortest run to property X, or     v c    all variables, all choices
        to a condition: p1.State=CS        t s    save the trace, the scenario
q       quit                               an empty line searches on
`

// A line is a line of the screen. draw clips it to the width.
type line struct {
	style *color.Color // nil: the text has its colours already
	text  string
}

// draw returns the screen. It leaves the last line of the terminal to the input.
func (v *view) draw() string {
	d := v.data
	style := strong
	if d.Verdict == traces.Violated {
		style = wrong
	}
	lines := printable.Each(traces.Wrap(printable.Text(d.Sentence), v.width),
		func(text *string) line { return line{style, *text} })
	lines = lines[:min(2, len(lines))]
	if d.Says != "" {
		lines = append(lines, line{plain, d.Properties[max(0, d.Shown)].Name + ": " + d.Says})
	}
	model := strings.TrimSpace(d.Model + " " + strings.Join(d.Set, " "))
	if len(v.tried) > 0 {
		model += fmt.Sprintf(" · %d other tried", len(v.tried))
	}
	lines = append(lines, line{soft, model})
	room := v.height - 1 - len(lines) - 4 // three titles and the last line
	steps, changed, choices, targets := v.steps(), v.changed(), v.choices(), v.targets()
	ahead := min(len(targets), max(1, room/4))
	changes := min(len(changed), room/8)
	open := min(len(choices), max(1, room-ahead-changes-min(len(steps), room/4)))
	steps = steps[max(0, len(steps)-(room-ahead-changes-open)):]
	left := room - ahead - changes - open - len(steps)
	more := min(left, len(targets)-ahead)
	ahead, changes = ahead+more, changes+min(left-more, len(changed)-changes)
	lines = append(lines, line{strong, fmt.Sprintf("Step %d of %d", v.at, len(d.Steps)-1)})
	lines = append(append(lines, steps...), fold(changed, changes)...)
	lines = append(append(lines, line{strong, "Can happen"}), fold(choices, open)...)
	lines = append(append(lines, line{strong, "Ahead: " + v.outlook.Text}), fold(targets, ahead)...)
	if lines = append(lines, line{soft, help}); v.notice != "" {
		lines[len(lines)-1] = line{strong, v.notice}
	}
	var b strings.Builder
	for _, l := range lines {
		if l.style == nil {
			b.WriteString(l.text + "\n")
			continue
		}
		text := []rune(printable.Text(l.text))
		if len(text) > v.width {
			text = append(text[:v.width-1], '…')
		}
		b.WriteString(l.style.Sprint(string(text)) + "\n")
	}
	return b.String() + v.listed
}

// fold keeps at most most lines. If it drops lines, the last one is their number.
func fold(lines []line, most int) []line {
	if most >= len(lines) || most < 1 {
		return lines[:min(most, len(lines))]
	}
	rest := fmt.Sprintf("  … %d more", len(lines)-most+1)
	return append(slices.Clone(lines[:most-1]), line{soft, rest})
}

// steps is the chart of the run up to the current step, without its legend.
func (v *view) steps() []line {
	t := traces.Trace{Header: traces.Header{Capacity: v.data.Capacity},
		Steps: printable.Each(v.data.Steps[:v.at+1], func(s *page.Step) traces.Step { return s.Step })}
	colours := map[traces.Style]*color.Color{traces.Wrong: wrong, traces.Inside: strong, traces.Message: soft}
	paint := func(style traces.Style, text string) printable.Raw {
		return printable.Raw(cmp.Or(colours[style], plain).Sprint(printable.Text(text)))
	}
	var b strings.Builder
	t.Chart(&b, traces.Options{Width: v.width, Paint: paint}, 0, 0, v.data.Order)
	rows := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	return printable.Each(rows[1:], func(row *string) line { return line{nil, *row} })
}

// values returns the values of all variables after the current step, and the lines of its changes.
func (v *view) values() (now map[string]string, changed []string) {
	now = map[string]string{}
	for i := range v.data.Steps[:v.at+1] {
		changed = v.data.Steps[i].Changes(now)
	}
	return now, changed
}

// changed lists the changes of the current step; none in the initial state.
func (v *view) changed() []line {
	if v.at == 0 {
		return nil
	}
	_, changed := v.values()
	return printable.Each(changed, func(text *string) line { return line{plain, "     " + *text} })
}

func (v *view) variables() []line {
	now, _ := v.values()
	return printable.Each(slices.Sorted(maps.Keys(now)),
		func(name *string) line { return line{plain, cmp.Or(*name, "state") + " " + now[*name]} })
}

// choices lists the enabled steps, with the properties that they violate and the distances to others.
func (v *view) choices() (lines []line) {
	s := &v.data.Steps[v.at]
	for k := range s.Choices {
		c := &s.Choices[k]
		l := line{plain, fmt.Sprintf("%4d ", k+1)}
		if s.Taken == k {
			l.text = fmt.Sprintf("→%3d ", k+1)
		}
		if len(c.Breaks) > 0 {
			l = line{wrong, l.text + "‼ "} // at the front: the names at the end may be clipped
		}
		l.text += c.Text
		for _, p := range c.Breaks {
			l.text += " · breaks " + v.data.Properties[p].Name
		}
		for _, p := range c.Reaches {
			l = line{goal, l.text + " · reaches " + v.data.Properties[p].Name}
		}
		if k < len(v.outlook.Choices) {
			n := v.outlook.Choices[k]
			for _, near := range []string{n.Bad, n.Text} {
				if near != "" && len(c.Breaks) == 0 {
					l.text += " · " + near
				}
			}
		}
		lines = append(lines, l)
	}
	switch {
	case lines != nil:
		return lines
	case s.Outside:
		return []line{{plain, "     this state leaves the constraint: nothing that follows is looked at"}}
	case s.Choices == nil:
		return []line{{plain, "     too many steps are enabled in this run to list the ones of this state"}}
	}
	return []line{{plain, "     nothing: the run ends here"}}
}

// targets lists whether a run without a violation is still possible, and the distance to each property.
// Command aN opens the run to the Nth property, if one is known.
func (v *view) targets() (lines []line) {
	for i, t := range v.outlook.Targets {
		l := line{plain, "     "}
		if len(t.Path) > 0 {
			l.text = fmt.Sprintf("%4s ", fmt.Sprint("a", i+1))
		}
		if t.Bad {
			l.style = wrong
		}
		l.text += v.data.Properties[t.Property].Name + ": " + t.Text
		lines = append(lines, l)
	}
	return append([]line{{plain, "     " + v.outlook.Well}}, lines...)
}
