// Command film writes the moving picture of the README, docs/demo.svg:
//
//	go run ./film FILE    # in tools/site
//
// What it shows is what the program prints, in its colours: commands are typed, and their lines come one
// after another. The picture needs no script, follows the reader's choice of light or dark, and stands still,
// at its end, where the reader wants no motion.
package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/specs"
)

// A scene is a command with what is shown of its output.
type scene struct {
	args  string
	shows func(line string) bool
	pace  float64 // seconds from one line to the next
	rest  float64 // seconds that the last line stays
}

// scenes are shown in a circle. What depends on the machine, such as times, is left out.
var scenes = []scene{
	{"check raymond n=3 k=2", not(`^(raymond|largest|never| +[\d,]+ |\d.* s, )|shortest run`), 0.25, 2.5},
	{"check timerfree order=footnote n=2 k=1 f=0 --property at-most-k",
		upTo("‼", `^(timerfree|timer-free|Sens,|Again:)`), 0.45, 5},
}

const (
	columns, rows = 94, 19
	wide, high    = 8.4, 19.0 // of a character, in pixels
	margin        = 16.0
	typing        = 1.2 // seconds for a command
)

func not(pattern string) func(string) bool {
	r := regexp.MustCompile(pattern)
	return func(line string) bool { return !r.MatchString(line) }
}

// upTo shows what stands before the first line that fits last, and that line, but for lines to be left out.
func upTo(last, without string) func(string) bool {
	end, shows, met := regexp.MustCompile(last), not(without), false
	return func(line string) bool {
		shown := !met && shows(line)
		met = met || end.MatchString(line)
		return shown
	}
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr,
			"usage: go run ./film FILE, in tools/site: writes the moving picture of the README")
		os.Exit(64)
	}
	picture, err := film()
	if err == nil {
		err = os.WriteFile(os.Args[1], picture, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "film:", err)
		os.Exit(1)
	}
}

// A line is one on the screen, from a second to another.
type line struct {
	text     string // with its colours as the terminal has them
	row      int
	from, to float64
	typed    bool
}

// film carries the scenes out, and draws them.
func film() ([]byte, error) {
	var all []line
	now := 0.0
	for _, s := range scenes {
		out, err := s.carryOut()
		if err != nil {
			return nil, err
		}
		shot := []line{{text: "$ atmostk " + s.args, from: now, typed: true}}
		now += typing + 0.4
		for _, text := range out {
			shot = append(shot, line{text: text, row: len(shot), from: now})
			now += s.pace
		}
		if len(shot) > rows {
			return nil, fmt.Errorf("atmostk %s: %d lines, and %d fit", s.args, len(shot), rows)
		}
		now += s.rest
		for i := range shot {
			shot[i].to = now
		}
		all = append(all, shot...)
	}
	return draw(all, now), nil
}

// carryOut returns the lines that a scene shows.
func (s *scene) carryOut() (lines []string, err error) {
	args := strings.Fields(s.args)
	var out, diag bytes.Buffer
	program := cmd.Program{Name: "atmostk", Specs: specs.All}
	if code := program.Run(context.Background(), append(args, "--color", "always"), strings.NewReader(""),
		&out, &diag); code > 1 {
		return nil, fmt.Errorf("atmostk %s: exit code %d: %s", s.args, code, &diag)
	}
	for text := range strings.Lines(out.String()) {
		text = strings.TrimRight(text, "\n")
		if plain := escapes.ReplaceAllString(text, ""); s.shows(plain) && (plain != "" || len(lines) > 0 &&
			lines[len(lines)-1] != "") {
			lines = append(lines, text)
		}
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines, nil
}

// escapes are what colours a text on a terminal.
var escapes = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// draw writes the picture: each line has its time in a circle of so many seconds.
func draw(all []line, circle float64) []byte {
	var b bytes.Buffer
	f := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	width, height := 2*margin+columns*wide, 2*margin+rows*high
	f(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img">`+"\n", width, height, width, height)
	f("<title>atmostk checks two models, and draws the counterexample of the second</title>\n<style>\n%s",
		looks)
	last := 0 // where the last scene begins, which is what stands still
	for i, l := range all {
		if l.row == 0 {
			last = i
		}
	}
	for i, l := range all {
		f("@keyframes k%d{0%%,%.2f%%{opacity:0}%.2f%%,%.2f%%{opacity:1}%.2f%%,100%%{opacity:0}}\n", i,
			max(0, 100*l.from/circle-0.01), 100*l.from/circle, 100*l.to/circle-0.02,
			min(100, 100*l.to/circle-0.01))
		f("#l%d{opacity:%d;animation:k%d %.1fs linear infinite}\n", i, min(1, (i+1)/(last+1)), i, circle)
		if l.typed {
			begin, end := 100*l.from/circle, 100*(l.from+typing)/circle
			f("@keyframes t%d{0%%,%.2f%%{opacity:0}%.2f%%{opacity:1;transform:translateX(0)}"+
				"%.2f%%{opacity:1;transform:translateX(%.1fpx)}%.2f%%,100%%{opacity:0}}\n", i,
				max(0, begin-0.01), begin, end, wide*float64(utf8.RuneCountInString(l.text)+1), end+0.01)
			f("#t%d{opacity:0;animation:t%d %.1fs steps(40) infinite}\n", i, i, circle)
		}
	}
	f("@media (prefers-reduced-motion:reduce){text,rect{animation:none!important}}\n</style>\n<rect " +
		"class=\"screen\" width=\"100%%\" height=\"100%%\" rx=\"8\"/>\n")
	for i, l := range all {
		y := margin + high*float64(l.row) + 14
		f(`<text id="l%d" x="%.0f" y="%.0f">%s</text>`+"\n", i, margin, y, spans(l.text))
		if l.typed { // what is not typed yet is covered
			f(`<rect class="screen" id="t%d" x="%.1f" y="%.0f" width="%.0f" height="%.0f"/>`+"\n",
				i, margin+2*wide, y-15, width-2*margin, high)
		}
	}
	f("</svg>\n")
	return b.Bytes()
}

// looks are the colours of the screen, in light and dark.
const looks = `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:#1f2328}
.screen{fill:#f6f8fa}.c1{font-weight:bold}.c2{fill:#59636e}.c31{fill:#b3261e}.c32{fill:#1a7f37}.c33{fill:#7d4e00}.c36{fill:#0a6a75}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.screen{fill:#161b22}.c2{fill:#9198a1}.c31{fill:#ff7b72}.c32{fill:#56d364}
.c33{fill:#e3b341}.c36{fill:#76e3ea}}
`

// spans writes a line that the terminal colours with the classes of the picture. Every part has its place by
// itself, so that a font with other widths does not shift what comes after it.
func spans(text string) string {
	var b strings.Builder
	var classes string
	column := 0
	put := func(part string) {
		n := utf8.RuneCountInString(part)
		if cut := columns - column; n > cut {
			part = string([]rune(part)[:max(0, cut-1)]) + "…"
		}
		if strings.TrimSpace(part) != "" && column < columns {
			fmt.Fprintf(&b, `<tspan x="%.1f" textLength="%.1f"%s>%s</tspan>`, margin+wide*float64(column),
				wide*float64(utf8.RuneCountInString(part)), classes, html.EscapeString(part))
		}
		column += n
	}
	at := 0
	for _, m := range escapes.FindAllStringSubmatchIndex(text, -1) {
		put(text[at:m[0]])
		at = m[1]
		var names []string
		for code := range strings.SplitSeq(text[m[2]:m[3]], ";") {
			if code == "0" || code == "22" || code == "39" || code == "" {
				names = nil
			} else {
				names = append(names, "c"+code)
			}
		}
		classes = ""
		if names != nil {
			classes = fmt.Sprintf(` class="%s"`, strings.Join(names, " "))
		}
	}
	put(text[at:])
	return b.String()
}
