package cmd_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
)

// sweep is set for the larger sweep, which takes hours: CONTRIBUTING.md.
var sweep = os.Getenv("ATMOSTK_SWEEP") != ""

// atmostk is the command as it is installed.
var atmostk = cmd.Program{Name: "atmostk", Specs: specs.All}

// run runs the command, which has to succeed, and returns its output.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, diag bytes.Buffer
	if code := atmostk.Run(context.Background(), args, nil, &out, &diag); code != 0 {
		t.Errorf("atmostk %v: exit code %d\n%s%s", args, code, out.String(), diag.String())
	}
	return out.String()
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"atmostk": atmostk.Main,
		"faulty": func() {
			cmd.Program{Name: "atmostk", Specs: []model.Spec{faulty, leaving, hanging}}.Main()
		},
		"twoways": func() { cmd.Program{Name: "twoways", Specs: []model.Spec{ofSlices, ofArrays}}.Main() },
	})
}

// TestScripts runs the command as a user does; the expected output is in the scripts.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"save":  save,
			"drop":  drop,
			"zeros": zeros,
			"chop":  chop,
		},
	})
}

// exits CODE COMMAND...: runs the command and compares its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// save FILE: writes the standard output of the latest command to a file, without
// the timings and the line that names the file of a kept run.
func save(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: save FILE")
	}
	var kept []string
	for line := range strings.Lines(timing.ReplaceAllString(ts.ReadFile("stdout"), "")) {
		if !strings.Contains(line, " last/") {
			kept = append(kept, line)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(kept, "")), 0o666))
}

// drop N FROM TO: copies a file without its line N.
func drop(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: drop N FROM TO")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	lines := strings.SplitAfter(ts.ReadFile(args[1]), "\n")
	lines = append(lines[:n-1], lines[n:]...)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Join(lines, "")), 0o666))
}

// zeros FILE: writes a file of zero bytes.
func zeros(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: zeros FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), make([]byte, 100), 0o666))
}

// chop FILE: takes away the end of its last line.
func chop(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: chop FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.TrimSuffix(ts.ReadFile(args[0]), "\n")), 0o666))
}
