// Package tty is the explorer of runs in a terminal: the run as a chart, the state, what can happen, and what
// the search behind it finds, in four panels. It shows what package page serves to a browser.
package tty

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/atmostk/atmostk/traces/page"
	"github.com/atmostk/atmostk/traces/printable"
)

// The panels.
const (
	theRun = iota
	theState
	theChoices
	theAhead
	panels
)

// view is what a person sees and where they are.
type view struct {
	source *page.Server
	data   *page.Data
	ahead  *page.Outlook
	from   string // the path of that
	path   page.Path
	at     int // the step that is looked at
	focus  int // the panel that the keys are for
	cursor [panels]int
	tried  []page.Path // that were left, the latest last
	notice string
	width  int
	height int
	save   func(name, text string) error
	random *rand.Rand
}

// news is an outlook from the end of a path.
type news struct {
	of      string // the path
	outlook *page.Outlook
}

// rest is between two questions to the search.
const rest = 50 * time.Millisecond

// Run lets a person explore in a terminal until they leave, or ctx is done. It begins with the path of the
// server, at its end.
func Run(ctx context.Context, s *page.Server, in io.Reader, out io.Writer) error {
	v, err := begin(s)
	if err != nil {
		return err
	}
	_, err = tea.NewProgram(v, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out),
		tea.WithAltScreen(),
		tea.WithoutSignalHandler()).Run()
	if ctx.Err() != nil {
		return nil // whoever ended it knows
	}
	return err
}

func begin(s *page.Server) (*view, error) {
	v := &view{
		source: s, path: s.Start, focus: theChoices, width: 80, height: 24, save: write,
		random: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
	}
	return v, v.open(s.Start)
}

// write writes a file that is not there yet.
func write(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// open goes to the end of a path.
func (v *view) open(p page.Path) error {
	d, err := v.source.Open(p)
	if err != nil {
		return err
	}
	v.data, v.path = d, p
	v.move(len(d.Steps) - 1)
	return nil
}

// move looks at a step.
func (v *view) move(i int) {
	v.at = max(0, min(len(v.data.Steps)-1, i))
	v.cursor = [panels]int{theRun: v.at}
	v.look()
}

// here is the path to the step that is looked at.
func (v *view) here() page.Path {
	return page.Path{Initial: v.path.Initial, Choices: slices.Clone(v.path.Choices[:v.at])}
}

// look asks the search from the state that is looked at.
func (v *view) look() {
	if v.ahead != nil && v.from == fmt.Sprint(v.here()) {
		return
	}
	found, err := v.source.Ahead(context.Background(), v.here())
	if err != nil {
		v.notice = err.Error()
		return
	}
	v.ahead, v.from = found, fmt.Sprint(v.here())
}

// Init begins to ask the search.
func (v *view) Init() tea.Cmd { return v.ask() }

// ask asks the search for news, as long as it goes on.
func (v *view) ask() tea.Cmd {
	here, ended := v.here(), v.ahead == nil || v.ahead.Ended
	return func() tea.Msg {
		time.Sleep(rest)
		if ended {
			return news{}
		}
		found, _ := v.source.Ahead(context.Background(), here) // an error was shown by look
		return news{fmt.Sprint(here), found}
	}
}

// Update takes what a person does.
func (v *view) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case news:
		if m.outlook != nil && m.of == v.from {
			v.ahead = m.outlook
		}
		return v, v.ask()
	case tea.WindowSizeMsg:
		v.width, v.height = max(m.Width, 40), max(m.Height, 12)
	case tea.KeyMsg:
		v.notice = ""
		if k := m.String(); k == "q" || k == "ctrl+c" {
			return v, tea.Quit
		}
		v.key(m.String())
	}
	return v, nil
}

// key carries out what a key stands for.
func (v *view) key(k string) {
	switch k {
	case "tab":
		v.focus = (v.focus + 1) % panels
	case "shift+tab":
		v.focus = (v.focus + panels - 1) % panels
	case "up", "k":
		v.step(-1)
	case "down", "j":
		v.step(1)
	case "pgup":
		v.step(-10)
	case "pgdown":
		v.step(10)
	case "left", "h":
		v.move(v.at - 1)
	case "right", "l":
		v.move(v.at + 1)
	case "home":
		v.move(0)
	case "end":
		v.move(len(v.data.Steps) - 1)
	case "enter":
		v.enter()
	case "u", "backspace":
		v.undo()
	case "b":
		v.back()
	case "r":
		v.wander()
	case "t":
		v.keep(".ndjson", false)
	case "s":
		v.keep(".scenario", true)
	}
}

// step moves the cursor of the panel that has the focus.
func (v *view) step(by int) {
	if v.focus == theRun {
		v.move(v.at + by)
		return
	}
	v.cursor[v.focus] = max(0, min(v.lines(v.focus)-1, v.cursor[v.focus]+by))
}

// lines is how many lines a cursor can be in.
func (v *view) lines(panel int) int {
	switch panel {
	case theChoices:
		return len(v.data.Steps[v.at].Choices)
	case theAhead:
		return len(v.ahead.Targets)
	}
	return len(v.body(panel))
}

// enter takes the choice, or opens the run, that the cursor is at.
func (v *view) enter() {
	i := v.cursor[v.focus]
	switch {
	case v.focus == theChoices && i < len(v.data.Steps[v.at].Choices):
		if v.at < len(v.path.Choices) && v.path.Choices[v.at] == i {
			v.move(v.at + 1)
			return
		}
		v.take(i)
	case v.focus == theAhead && i < len(v.ahead.Targets) && len(v.ahead.Targets[i].Path) > 0:
		v.take(v.ahead.Targets[i].Path...)
	}
}

// take goes on from the step that is looked at, and remembers what followed it so far.
func (v *view) take(choices ...int) {
	old, next := v.path, v.here()
	next.Choices = append(next.Choices, choices...)
	if err := v.open(next); err != nil {
		v.notice = err.Error()
		return
	}
	if v.at-len(choices) < len(old.Choices) {
		v.tried = append(v.tried, old)
	}
}

// undo takes the last step back.
func (v *view) undo() {
	if n := len(v.path.Choices); n > 0 {
		v.move(n - 1)
		v.take()
	}
}

// back opens what was left last, and leaves what is open for it.
func (v *view) back() {
	n := len(v.tried)
	if n == 0 {
		v.notice = "no other branch was left yet"
		return
	}
	old := v.path
	if err := v.open(v.tried[n-1]); err != nil {
		v.notice = err.Error()
		return
	}
	v.tried = append([]page.Path{old}, v.tried[:n-1]...)
}

// wander takes ten random steps.
func (v *view) wander() {
	for range 10 {
		n := len(v.data.Steps[v.at].Choices)
		if n == 0 {
			return
		}
		v.take(v.random.IntN(n))
	}
}

// keep writes what is open to a file.
func (v *view) keep(ending string, scenario bool) {
	name := v.data.Model + ending
	text, err := v.source.Text(v.path, scenario)
	if err == nil {
		err = v.save(name, text)
	}
	if v.notice = "written to " + name; err != nil {
		v.notice = err.Error()
	}
	v.notice = printable.Text(v.notice)
}
