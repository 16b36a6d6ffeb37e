package report_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/specs"
)

// atmostk is the command as it is installed. Its reports are tested here rather than in package cmd, whose
// test binary is the command in hundreds of processes: preparing jsonschema doubles the time to start one.
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

// writeLogs writes reportLogs into a new folder and makes it the current one.
func writeLogs(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range reportLogs {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAfterLimit: a report of a search that ended at a limit names no other search, and no runs, for
// properties that only the graph of all states decides.
func TestAfterLimit(t *testing.T) {
	for asked, says := range map[string]bool{
		"messages-total": false, "requests-served": false, "at-most-k": true,
	} {
		args := strings.Fields("check raymond n=2 k=1 --max-states 9 --property " + asked)
		var out bytes.Buffer
		code := atmostk.Run(t.Context(), args, nil, &out, &out)
		if code != 2 || strings.Contains(out.String(), "To decide more") != says {
			t.Errorf("%v: exit code %d\n%s", args, code, out.String())
		}
	}
}
