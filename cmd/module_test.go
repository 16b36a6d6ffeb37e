package cmd_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/model"
)

// buildsModules skips a test that compiles and links modules of their own, unless that is asked for: it takes
// ten seconds of processor time, even if all is compiled already.
func buildsModules(t *testing.T) {
	if os.Getenv("ATMOSTK_MODULES") == "" {
		t.Skip("links whole programs; ATMOSTK_MODULES=1 runs it, as .ci/run does")
	}
}

// TestTutorial carries out docs/go-models.md, in a module of its own.
func TestTutorial(t *testing.T) {
	buildsModules(t)
	m := ownModule(t, "go-models.md")
	m.write = func(t *testing.T, name, content string) {
		if n := linesOfGo(content); name == "main.go" && n > 40 {
			t.Errorf("main.go has %d lines of Go, and 40 are enough", n)
		}
		m.file(t, name, content)
	}
	m.carryOut(t)
}

// TestTutorialOfSystems carries out docs/go-systems.md likewise.
func TestTutorialOfSystems(t *testing.T) {
	buildsModules(t)
	ownModule(t, "go-systems.md").carryOut(t)
}

// A modulePage is a page that builds a module of its own, with this one at hand.
type modulePage struct {
	walkthrough
	root string // of this module
}

func ownModule(t *testing.T, page string) *modulePage {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	m := &modulePage{root: root}
	m.walkthrough = walkthrough{
		page: page, write: m.file, kinds: []string{"mod", "go", "console"},
		run: func(t *testing.T, content string) string {
			return inShell(t, content,
				(*exec.Cmd).CombinedOutput)
		},
	}
	return m
}

// file writes a file of the page. The page has the clone beside the folder; its sums are known,
// so that nobody has to be asked for them.
func (m *modulePage) file(t *testing.T, name, content string) {
	if name == "go.mod" {
		content = beside(t, content, m.root)
	}
	write(t, name, content)
}

// beside returns the go.mod of a module whose folder is the current one, with the clone at its place, and
// writes what goes with it. A workspace has both modules, so the clone is compiled as it is for this test:
// with -trimpath and without a workspace all of it would be compiled once more.
func beside(t *testing.T, mod, root string) string {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, "go.sum", string(sums))
	write(t, "go.work", "go 1.26\n\nuse (\n\t.\n\t"+strconv.Quote(root)+"\n)\n")
	return strings.Replace(mod, "=> ../atmostk\n", "=> "+root+"\n", 1)
}

// linesOfGo counts the lines that are neither empty nor a comment.
func linesOfGo(text string) (n int) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}

// TestInterrupt checks the report of a search that the user ends: one that would go on
// for longer than anybody waits, after it has come some way.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	type state struct{ N uint64 }
	counting := model.Spec{Name: "counting", Build: func(*model.Args) (model.Instance, error) {
		return model.NewSystem(model.System[state]{
			Init: []state{{}},
			Actions: []model.SystemAction[state]{{Name: "count", Do: func(s *state, _ int,
				_ *model.Choice) bool {
				if s.N++; s.N == 1000 {
					cancel()
				}
				return true
			}}},
		}), nil
	}}
	var out, diag bytes.Buffer
	code := cmd.Program{Name: "atmostk", Specs: []model.Spec{counting}}.Run(ctx,
		[]string{"check", "counting"}, strings.NewReader(""), &out, &diag)
	if code != 130 || !strings.Contains(out.String(), "interrupted") || !strings.HasSuffix(out.String(),
		"unknown\n") {
		t.Errorf("exit code %d:\n%s%s", code, out.String(), diag.String())
	}
	if !regexp.MustCompile(`(?m)^1,0\d\d states`).MatchString(out.String()) {
		t.Errorf("it has not come as far as that:\n%s", out.String())
	}
}

// TestTimeoutOfBlockedInput gives up reading a log that goes on for ever.
func TestTimeoutOfBlockedInput(t *testing.T) {
	in, out := io.Pipe()
	defer func() { _ = out.Close() }()
	var said, diag bytes.Buffer
	code := cmd.Program{Name: "atmostk"}.Run(t.Context(), []string{"validate", "-", "--timeout", "10ms"}, in,
		&said, &diag)
	if code != 2 || !strings.Contains(diag.String(), "gave up while reading 1 log") {
		t.Errorf("exit code %d: %s%s", code, &said, &diag)
	}
	diag.Reset()
	code = cmd.Program{Name: "atmostk"}.Run(t.Context(), []string{"validate", "-", "--timeout", "0"},
		strings.NewReader("1 a acquire\n2 a release\n"), &said, &diag)
	if code != 0 {
		t.Errorf("without a limit: exit code %d: %s%s", code, &said, &diag)
	}
}
