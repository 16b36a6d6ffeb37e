package cmd_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the output of the commands into docs/logs.md")

// block is a fenced block, with the name of the file that it is, if the line above it says so.
var block = regexp.MustCompile("(?ms)(?:^`([^`\n]+)`:\n\n)?^```(\\w+)\n(.*?)^```$")

// TestLogsPage carries out what docs/logs.md shows: it writes the files and runs the
// commands.
func TestLogsPage(t *testing.T) {
	page, err := filepath.Abs("../docs/logs.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	formats := map[string]bool{}
	now := block.ReplaceAllFunc(text, func(b []byte) []byte {
		m := block.FindSubmatch(b)
		name, kind, content := string(m[1]), string(m[2]), string(m[3])
		formats[kind] = true
		if kind != "console" {
			if name == "" {
				t.Errorf("a block of %s has no name of a file", kind)
			} else if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
			return b
		}
		return bytes.Replace(b, m[3], []byte(ran(t, content)), 1)
	})
	for _, kind := range []string{"ndjson", "locks", "shiviz", "jepsen", "yaml", "console"} {
		if !formats[kind] {
			t.Errorf("no example of %s", kind)
		}
	}
	if *rewrite {
		if err := os.WriteFile(page, now, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if string(now) != string(text) && !*rewrite {
		shown, is := strings.Split(string(text), "\n"), strings.Split(string(now), "\n")
		for i := range min(len(shown), len(is)) {
			if shown[i] != is[i] {
				t.Fatalf("docs/logs.md:%d shows\n%s\nbut it is\n%s", i+1, shown[i], is[i])
			}
		}
		t.Errorf("docs/logs.md has %d lines, and should have %d", len(shown), len(is))
	}
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
		code := atmostk.Run(context.Background(), strings.Fields(args), nil, &out, &diag)
		if code > 2 || diag.Len() > 0 {
			t.Errorf("%s: exit code %d, %s", line, code, diag.String())
		}
		if !quiet {
			b.Write(out.Bytes())
		}
	}
	return b.String()
}
