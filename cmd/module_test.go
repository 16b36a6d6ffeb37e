package cmd_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/model"
)

// TestOwnModule builds the module in testdata/mine, an algorithm of its own with
// the whole command over it, and checks the algorithm.
func TestOwnModule(t *testing.T) {
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS("testdata/mine")); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	_, requires, _ := strings.Cut(string(mod), "\n")
	write(t, filepath.Join(dir, "go.mod"), "module example.org/mine\n"+requires+
		"\nrequire github.com/atmostk/atmostk v0.0.0\nreplace github.com/atmostk/atmostk => "+root+"\n")
	sum, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	run := func(name string, args ...string) (string, int) {
		c := exec.Command(name, args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil && c.ProcessState == nil {
			t.Fatal(err)
		}
		return string(out), c.ProcessState.ExitCode()
	}
	if out, code := run("go", "build", "-mod=mod", "-o", "mine.exe", "."); code != 0 {
		t.Fatalf("building: %s", out)
	}
	if out, code := run("./mine.exe", "check", "token-ring", "n=4", "crashes=0"); code != 0 || !strings.Contains(out, "holds     at-most-k") {
		t.Errorf("exit code %d: %s", code, out)
	}
	if out, code := run("./mine.exe", "check", "token-ring", "n=3", "crashes=1"); code != 1 || !strings.Contains(out, "no-starvation is violated by this run") {
		t.Errorf("exit code %d: %s", code, out)
	}
	if out, code := run("./mine.exe", "check", "raymond", "n=2", "k=1"); code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestInterrupt checks what is left of a search when the user ends it: one that would go on
// for longer than anybody waits, after it has come some way.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	type state struct{ N uint64 }
	counting := model.Spec{Name: "counting", Build: func(*model.Args) (model.Instance, error) {
		return model.NewSystem(model.System[state]{
			Init: []state{{}},
			Actions: []model.SystemAction[state]{{Name: "count", Do: func(s *state, _ int, _ *model.Choice) bool {
				if s.N++; s.N == 1000 {
					cancel()
				}
				return true
			}}},
		}), nil
	}}
	var out, diag bytes.Buffer
	code := cmd.Program{Name: "atmostk", Specs: []model.Spec{counting}}.Run(ctx, []string{"check", "counting"}, strings.NewReader(""), &out, &diag)
	if code != 130 || !strings.Contains(out.String(), "interrupted") || !strings.HasSuffix(out.String(), "unknown\n") {
		t.Errorf("exit code %d:\n%s%s", code, out.String(), diag.String())
	}
	if !regexp.MustCompile(`(?m)^1,0\d\d states`).MatchString(out.String()) {
		t.Errorf("it has not come as far as that:\n%s", out.String())
	}
}
