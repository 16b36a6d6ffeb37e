package explore_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A mutant is the kernel with a mistake: what a mistake in writing it would leave behind. Each
// has to be told by the ordinary run of a test, mostly one that compares the search with the
// naive explorer.
type mutant struct {
	what     string // the mistake
	file     string // from the folder of the module
	old, new string // new stands in place of old, which occurs once in the file
	by       string // the test that tells
}

// TestMutantsApply: each mutant can be made of the kernel as it is, and no two are the same.
func TestMutantsApply(t *testing.T) {
	names := map[string]bool{}
	for _, m := range mutants {
		if names[m.what] {
			t.Errorf("two mutants are called %q", m.what)
		}
		names[m.what] = true
		if n := strings.Count(kernel(t, m.file), m.old); n != 1 || m.old == m.new {
			t.Errorf("%s: %s has the following %d times, want once:\n%s", m.what, m.file, n, m.old)
		}
	}
}

// TestMutants builds each mutant, and wants its test to fail. ATMOSTK_MUTANT is a regular
// expression for those to be built; ATMOSTK_SWEEP=1 go test ./explore builds all.
func TestMutants(t *testing.T) {
	which, some := os.LookupEnv("ATMOSTK_MUTANT")
	if !sweep && !some {
		t.Skip("part of the sweep")
	}
	for _, m := range mutants {
		if !regexp.MustCompile(which).MatchString(m.what) {
			continue
		}
		t.Run(m.what, func(t *testing.T) {
			out, err := m.test(t, t.TempDir())
			switch {
			case err == nil:
				t.Errorf("survives %s:\n%s", m.by, out)
			case strings.Contains(out, "[build failed]"), strings.Contains(out, "[setup failed]"), !strings.Contains(out, "FAIL"):
				t.Errorf("%v\n%s", err, out)
			default:
				t.Logf("told by %s:\n%s", m.by, firstLines(out, 4))
			}
		})
	}
}

// test runs the test that is to tell a mutant. Tests of whole specs are left out, as they
// would have to be built anew.
func (m *mutant) test(t *testing.T, dir string) (out string, err error) {
	path := filepath.Join(dir, filepath.Base(m.file))
	write(t, path, strings.Replace(kernel(t, m.file), m.old, m.new, 1))
	replace := map[string]string{absolute(t, filepath.Join("..", m.file)): path}
	for _, name := range []string{"bench_test.go", "endless_test.go", "stop_test.go"} {
		replace[absolute(t, name)] = "" // as if it were not there
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), string(overlay))
	c := exec.Command("go", "test", "-overlay", filepath.Join(dir, "overlay.json"), "-vet=off", "-count=1", "-failfast",
		"-timeout=10m", "-run=^"+m.by+"$", ".")
	c.Env = append(os.Environ(), "ATMOSTK_SWEEP=") // the ordinary run has to tell
	b, err := c.CombinedOutput()
	return string(b), err
}

// kernel returns a file of the kernel.
func kernel(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func absolute(t *testing.T, file string) string {
	t.Helper()
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}
