// Package tty is the explorer of runs in a terminal. It shows, from top to bottom, the run as a chart, the
// changes of the last step, the enabled steps, and the outlook. A line of input is a command. It shows the
// same data as the live page of package page.
package tty

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
	"github.com/atmostk/atmostk/traces/printable"
)

type view struct {
	source  *page.Server
	data    *page.Data
	outlook *page.Outlook
	path    page.Path
	at      int         // index of the current step
	tried   []page.Path // branches that the user left, the latest last
	notice  string      // shown once, in place of the help
	listed  string      // output of the last command, shown once, below the screen
	width   int
	height  int
	save    func(name, text string) error
}

// Run is the explorer. It ends at the command q, at the end of the input, or when ctx is done. It
// begins at the end of the server's path.
func Run(ctx context.Context, s *page.Server, in io.Reader, out io.Writer) error {
	v, err := begin(s)
	if err != nil {
		return err
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		for sc := bufio.NewScanner(in); sc.Scan(); {
			select {
			case lines <- sc.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		if f, is := out.(*os.File); is {
			if w, h, err := term.GetSize(int(f.Fd())); err == nil {
				v.width, v.height = max(w, 40), max(h, 12)
			}
		}
		v.look(ctx)
		if _, err := io.WriteString(out, clearScreen+v.draw()+"> "); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case line, more := <-lines:
			if line = strings.TrimSpace(line); !more || line == "q" {
				return nil
			}
			v.do(line)
		}
	}
}

// clearScreen is the control sequence that clears a terminal.
const clearScreen = "\x1b[H\x1b[2J"

func begin(s *page.Server) (*view, error) {
	v := &view{source: s, width: 80, height: 24, save: write}
	return v, v.open(s.Start)
}

// write writes a new file. It is an error if the file exists.
func write(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	return cmp.Or(err, f.Close())
}

// open opens a path and makes its last step the current one.
func (v *view) open(p page.Path) error {
	d, err := v.source.Open(p)
	if err != nil {
		return err
	}
	v.data, v.path = d, p
	v.move(len(d.Steps) - 1)
	return nil
}

// move makes step i the current one, or the nearest step if there is no step i.
func (v *view) move(i int) { v.at = max(0, min(len(v.data.Steps)-1, i)) }

func (v *view) here() page.Path {
	return page.Path{Initial: v.path.Initial, Choices: slices.Clone(v.path.Choices[:v.at])}
}

// look continues the search from the current state for a short time and gets its outlook.
func (v *view) look(ctx context.Context) {
	for range 2 { // the first answer for a new state comes at once, before the search has found much
		found, err := v.source.Ahead(ctx, v.here())
		if err != nil {
			v.notice = err.Error()
			return
		}
		v.outlook = found
	}
}

func (v *view) do(command string) {
	v.notice, v.listed = "", ""
	text, isText := strings.CutPrefix(command, "/")
	where, isWhere := strings.CutPrefix(command, "f ")
	target, isTarget := strings.CutPrefix(command, "a")
	n, err := strconv.Atoi(target)
	switch choices := v.data.Steps[v.at].Choices; {
	case command == "":
	case isText:
		v.search(strings.ToLower(text))
	case isWhere:
		v.find(where)
	case err == nil && isTarget:
		if n < 1 || n > len(v.outlook.Targets) || len(v.outlook.Targets[n-1].Path) == 0 {
			v.notice = "no run to this property is known"
			return
		}
		v.take(v.outlook.Targets[n-1].Path...)
	case err == nil && len(choices) == 0:
		v.notice = "there is no choice here"
	case err == nil && (n < 1 || n > len(choices)):
		v.notice = fmt.Sprintf("choices are 1 to %d", len(choices))
	case err == nil && v.at < len(v.path.Choices) && v.path.Choices[v.at] == n-1:
		v.move(v.at + 1)
	case err == nil:
		v.take(n - 1)
	case commands[command] != nil:
		commands[command](v)
	default:
		v.notice = "unknown command " + command + "; " + help
	}
}

// commands are all commands except numbers.
var commands = map[string]func(v *view){
	"<":  func(v *view) { v.move(v.at - 1) },
	">":  func(v *view) { v.move(v.at + 1) },
	"<<": func(v *view) { v.move(0) },
	">>": func(v *view) { v.move(len(v.data.Steps) - 1) },
	"u":  (*view).undo,
	"b":  (*view).back,
	"r":  (*view).randomSteps,
	"v":  func(v *view) { v.list(v.variables()) },
	"?":  func(v *view) { v.listed = keys },
	"c":  func(v *view) { v.list(append(v.choices(), v.targets()...)) },
	"t":  func(v *view) { v.saveRun(".ndjson", false) },
	"s":  func(v *view) { v.saveRun(".scenario", true) },
}

// search makes the next step whose text contains a text the current one; after the last step it begins again.
func (v *view) search(text string) {
	n := len(v.data.Steps)
	for i := range n {
		to := (v.at + 1 + i) % n
		if strings.Contains(strings.ToLower(v.data.Steps[to].Text), text) {
			v.move(to)
			return
		}
	}
	v.notice = "no step of this run contains " + text
}

// find opens the shortest run from the current step to values of variables, or to a property.
func (v *view) find(wanted string) {
	path, text, err := v.source.Find(v.here(), strings.TrimSpace(wanted))
	if err != nil {
		text = err.Error()
	}
	for _, row := range traces.Wrap(text, v.width) { // it may be longer than a line
		v.list([]line{{strong, row}})
	}
	if len(path.Choices) > v.at {
		v.take(path.Choices[v.at:]...)
	}
}

// list shows lines below the screen, without clipping them.
func (v *view) list(lines []line) {
	for _, l := range lines {
		v.listed += l.style.Sprint(printable.Text(l.text)) + "\n"
	}
}

// take takes further steps after the current one. It keeps the path that it leaves in tried.
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

func (v *view) undo() {
	if n := len(v.path.Choices); n > 0 {
		v.move(n - 1)
		v.take()
	}
}

// back opens the branch that was left last. The current branch becomes the first of tried.
func (v *view) back() {
	n := len(v.tried)
	if n == 0 {
		v.notice = "there is no other branch yet"
		return
	}
	old := v.path
	if err := v.open(v.tried[n-1]); err != nil {
		v.notice = err.Error()
		return
	}
	v.tried = append([]page.Path{old}, v.tried[:n-1]...)
}

func (v *view) randomSteps() {
	for range 10 {
		if n := len(v.data.Steps[v.at].Choices); n > 0 {
			v.take(rand.IntN(n))
		}
	}
}

func (v *view) saveRun(ending string, scenario bool) {
	name := v.data.Model + ending
	text, err := v.source.Text(v.path, scenario)
	if err == nil {
		err = v.save(name, text)
	}
	if v.notice = "written to " + name; err != nil {
		v.notice = err.Error()
	}
}
