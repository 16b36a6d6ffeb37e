package cmd_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false,
	"write the output of the commands into the pages of docs that show it")

// block is a fenced block, with the name of the file that it is, if the line above it says so.
var block = regexp.MustCompile("(?ms)(?:^`([^`\n]+)`:\n\n)?^```(\\w+)\n(.*?)^```$")

// A walkthrough carries out a page of docs in an empty folder: it writes its files and runs its commands.
type walkthrough struct {
	page  string                                         // its file, as seen from docs
	write func(t *testing.T, name, content string)       // a file
	run   func(t *testing.T, content string) (is string) // a block of commands, with their output
	kinds []string                                       // of blocks; the page has all of them
}

// TestLogsPage carries out the commands of docs/logs.md.
func TestLogsPage(t *testing.T) {
	w := walkthrough{
		page: "logs.md", write: write,
		run: func(t *testing.T, content string) string {
			return inShell(t, content, (*exec.Cmd).CombinedOutput)
		},
		kinds: []string{"ndjson", "locks", "logfmt", "shiviz", "jepsen", "json", "text", "yaml", "console"},
	}
	w.carryOut(t)
}

// TestFilesPage carries out what docs/files.md shows.
func TestFilesPage(t *testing.T) {
	w := walkthrough{page: "files.md", write: write, run: ran, kinds: []string{"python", "console"}}
	w.carryOut(t)
}

// otherwise are the pages of docs that tests of their own carry out.
var otherwise = []string{"logs.md", "files.md", "go-models.md", "go-systems.md"}

// realLog is a row of the table of real programs in docs/logs.md: a log, the flags that judge it, and how
// many units are in use when the program is broken.
var realLog = regexp.MustCompile(
	"(?m)^\\| `([\\w-]+)(\\.\\w+)`: .* \\| `(--[^`|]+)` \\| (\\d+) of (\\d+) \\|$")

// TestRealLogs judges the kept logs of real programs as the table in tools/realruns/README.md says: each log
// is accepted, each log of a broken program is rejected with the units of the table. The table has all kept
// logs.
func TestRealLogs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "tools", "realruns", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join("..", "traces", "logs", "testdata", "real")
	kept, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	rows := realLog.FindAllSubmatch(page, -1)
	if len(kept) == 0 || 2*len(rows) != len(kept) {
		t.Errorf("%d logs are kept, and the table has %d rows", len(kept), len(rows))
	}
	if folder, err = filepath.Abs(folder); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, m := range block.FindAllSubmatch(page, -1) {
		if string(m[2]) == "yaml" {
			write(t, string(m[1]), string(m[3]))
		}
	}
	for _, m := range rows {
		name, ext, flags := string(m[1]), string(m[2]), string(m[3])
		right, broken := filepath.Join(folder, name+ext), filepath.Join(folder, name+"-broken"+ext)
		if strings.Contains(flags, "learned.yaml") {
			inShell(t, "$ atmostk validate --learn "+right+" > learned.yaml\n", (*exec.Cmd).CombinedOutput)
		}
		is := inShell(t, "$ atmostk validate "+right+" "+flags+"\n", (*exec.Cmd).CombinedOutput)
		if !strings.HasSuffix(is, "\naccepted\n") {
			t.Errorf("%s is not accepted:\n%s", right, is)
		}
		is = inShell(t, "$ atmostk validate "+broken+" "+flags+"\n", (*exec.Cmd).CombinedOutput)
		want := fmt.Sprintf("in use at once: certainly %s, possibly %[1]s of %s unit", m[4], m[5])
		if !strings.HasSuffix(is, "\nrejected\n") || !strings.Contains(is, want) {
			t.Errorf("%s is not rejected with %q:\n%s", broken, want, is)
		}
	}
}

// TestShellPages carries out the shell commands of all other pages.
func TestShellPages(t *testing.T) {
	pages := []string{"../README.md"}
	for _, folder := range []string{"", "claims"} {
		found, err := filepath.Glob(filepath.Join("..", "docs", folder, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			pages = append(pages, filepath.Join(folder, filepath.Base(f)))
		}
	}
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join("..", "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(otherwise, page) || !bytes.Contains(text, []byte("\n```console\n")) {
			continue
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			_, err := exec.LookPath("z3")
			if page == "proofs.md" && (err != nil || os.Getenv("ATMOSTK_MODULES") == "") {
				t.Skip("it needs z3, and ten seconds: ATMOSTK_MODULES=1")
			}
			w := walkthrough{
				page: page, write: write, kinds: []string{"console"},
				run: func(t *testing.T, content string) string {
					return inShell(t, content,
						(*exec.Cmd).Output)
				},
			}
			w.carryOut(t)
		})
	}
}

// quickly is flags that compile a program in another module soon: it shares the compiled packages with this
// test. The other flags are those of this test, because with different ones everything would be compiled
// again.
const quickly = " -ldflags=-w '-gcflags=-N -l -dwarf=false'"

// inShell runs the commands of a block in a shell, and returns them with their output.
func inShell(t *testing.T, content string, output func(*exec.Cmd) ([]byte, error)) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(content) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		b.WriteString(line)
		c := exec.Command("sh", "-c", command)
		c.Env = append(os.Environ(), "GOWORK=", "GOFLAGS="+os.Getenv("GOFLAGS")+quickly+" -vet=off")
		out, err := output(c)
		if err != nil && (c.ProcessState == nil || c.ProcessState.ExitCode() > 2 &&
			c.ProcessState.ExitCode() != 65) {
			t.Fatalf("%s%s%v", line, out, err)
		}
		b.Write(download.ReplaceAll(out, nil))
	}
	return b.String()
}

// download is what go says of a module that this machine lacks.
var download = regexp.MustCompile("(?m)^go: downloading .*\n")

func (w *walkthrough) carryOut(t *testing.T) {
	page, err := filepath.Abs(filepath.Join("..", "docs", w.page))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	met := map[string]bool{}
	now := block.ReplaceAllFunc(text, func(b []byte) []byte {
		m := block.FindSubmatch(b)
		name, kind, content := string(m[1]), string(m[2]), string(m[3])
		met[kind] = true
		switch {
		case kind == "console":
			if is := w.run(t, content); mask(is) != mask(content) {
				return bytes.Replace(b, m[3], []byte(is), 1)
			}
		case name == "":
			t.Errorf("a block of %s has no name of a file", kind)
		case kind == "diff":
			patch(t, name, content)
		default:
			w.write(t, name, content)
		}
		return b
	})
	for _, kind := range w.kinds {
		if !met[kind] {
			t.Errorf("docs/%s has no example of %s", w.page, kind)
		}
	}
	switch {
	case bytes.Equal(now, text):
	case *rewrite:
		write(t, page, string(now))
	default:
		t.Error(difference(w.page, string(text), string(now)))
	}
}

// difference shows the first line in which a page differs from the wanted one.
func difference(page, text, now string) string {
	shown, is := strings.SplitAfter(text, "\n"), strings.SplitAfter(now, "\n")
	for i := range min(len(shown), len(is)) {
		if mask(shown[i]) != mask(is[i]) {
			return "docs/" + page + " shows\n" + shown[i] + "but it is\n" + is[i]
		}
	}
	return "docs/" + page + " has more lines than there are, or fewer"
}

// What differs from run to run: the numbers in lines that tell a time, and when a run was found.
var (
	timed   = regexp.MustCompile(`(?m)^.*\d\.\d+ ?s[;,:\s].*$`)
	found   = regexp.MustCompile(`last/\d{8}-\d{6}-(.*?)(-\d+)?\.ndjson`)
	numbers = regexp.MustCompile(`\d[\d.,]*( [KMG]iB)?|entr(y|ies)\b|steps?\b`)
)

// mask takes out of a text what differs from run to run.
func mask(text string) string {
	return timed.ReplaceAllStringFunc(found.ReplaceAllString(text, "last/$1"), func(line string) string {
		return numbers.ReplaceAllString(line,
			"_")
	})
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// patch changes a file as a diff without line numbers says, which has to fit in one place.
func patch(t *testing.T, file, diff string) {
	t.Helper()
	var from, to strings.Builder
	for line := range strings.Lines(diff) {
		if line[0] != '+' {
			from.WriteString(line[1:])
		}
		if line[0] != '-' {
			to.WriteString(line[1:])
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), from.String()); n != 1 {
		t.Fatalf("%d places of %s are\n%s", n, file, from.String())
	}
	write(t, file, strings.Replace(string(text), from.String(), to.String(), 1))
}

// words divides a command like a shell: text in single quotes is one word.
func words(command string) (words []string) {
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// ran runs the commands of a block and returns them with their output.
func ran(t *testing.T, content string) string {
	var b bytes.Buffer
	for line := range strings.Lines(content) {
		args, ok := strings.CutPrefix(strings.TrimSpace(line), "$ atmostk ")
		if !ok {
			continue
		}
		b.WriteString(line)
		args, quiet := strings.CutSuffix(args, " > /dev/null")
		var out, diag bytes.Buffer
		code := atmostk.Run(context.Background(), words(args), nil, &out, &diag)
		if code > 2 && code != 65 || code != 65 && diag.Len() > 0 {
			t.Errorf("%s: exit code %d, %s", line, code, diag.String())
		}
		if !quiet {
			b.Write(out.Bytes())
			b.Write(diag.Bytes())
		}
	}
	return b.String()
}

// TestWatchPage runs holder.py of docs/logs.md and watches the lines that it writes: with as many units as
// it has, and with one less.
func TestWatchPage(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	text, err := os.ReadFile(filepath.Join("..", "docs", "logs.md"))
	if err != nil {
		t.Fatal(err)
	}
	m := block.FindSubmatch(text)
	if string(m[1]) != "holder.py" {
		t.Fatalf("the first block of the page is %s", m[1])
	}
	log, err := exec.Command(python, "-c", string(m[3])).Output()
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range map[string]int{"2": 0, "1": 1} {
		var out, diag bytes.Buffer
		args := []string{"validate", "--watch", "-", "--k", k, "--order", "lines"}
		if code := atmostk.Run(context.Background(), args, bytes.NewReader(log), &out, &diag); code != want {
			t.Errorf("k=%s: exit code %d\n%s%s%s", k, code, log, out.String(), diag.String())
		}
	}
}
