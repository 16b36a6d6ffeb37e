package explore_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
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
	by       string // the test that tells, with its package where that is another than this
}

// TestMutantsApply: each mutant can be made of the kernel as it is, and no two are the same.
func TestMutantsApply(t *testing.T) {
	names, changed := map[string]bool{}, map[string]string{}
	for i, m := range mutants {
		if names[m.what] {
			t.Errorf("two mutants are called %q", m.what)
		}
		names[m.what] = true
		if n := strings.Count(source(t, m.file), m.old); n != 1 || m.old == m.new {
			t.Errorf("%s: %s has the following %d times, want once:\n%s", m.what, m.file, n, m.old)
		}
		if changed[m.file] == "" {
			changed[m.file] = mutated(t, m.file)
		}
		if !strings.Contains(changed[m.file], onlyIf(i)) {
			t.Errorf("%s: what it changes in %s is not within a function", m.what, m.file)
		}
	}
}

// TestMutants builds a test binary with all mutants, of which an environment variable chooses
// one, and wants the test of each to fail, in the form that the ordinary run has.
// ATMOSTK_MUTANT is a regular expression for those to be tried; in the sweep all are:
// ATMOSTK_SWEEP=1 go test -run Mutants -v ./explore.
func TestMutants(t *testing.T) {
	which, some := os.LookupEnv("ATMOSTK_MUTANT")
	if !sweep && !some {
		t.Skip("part of the sweep")
	}
	binaries := withMutants(t)
	sound := map[string]bool{}
	for i, m := range mutants {
		if !regexp.MustCompile(which).MatchString(m.what) {
			continue
		}
		t.Run(m.what, func(t *testing.T) {
			if !sound[m.by] {
				if out, err := try(binaries, m.by, -1); err != nil {
					t.Fatalf("%s fails without any mistake: %v\n%s", m.by, err, out)
				}
				sound[m.by] = true
			}
			out, err := try(binaries, m.by, i)
			if err == nil {
				t.Fatalf("survives %s:\n%s", m.by, out)
			}
			if strings.Contains(out, "test timed out") != (m.what == hangs) {
				t.Fatalf("%s: whether it ends is not what is known of it:\n%s", m.by, firstLines(out, 3))
			}
			t.Logf("told by %s: %v\n%s", m.by, err, firstLines(out, 3))
		})
	}
}

// hangs is the only mutant that makes its test wait for ever. Of the others a test that is cut off says
// nothing.
const hangs = "who sleeps does not wait for the last task"

// try runs a test with a mutant. One that makes it hang is told after three
// minutes: "cycles cost nothing" ends after one, on a busy machine.
func try(binaries, test string, i int) (out string, err error) {
	pkg, test, of := strings.Cut(test, ".")
	if !of { // of this package
		pkg, test = "explore", pkg
	}
	binary := filepath.Join(binaries, pkg+".test")
	c := exec.Command(binary, "-test.run=^"+test+"$", "-test.v", "-test.failfast", "-test.timeout=3m")
	c.Env = append(os.Environ(), "ATMOSTK_SWEEP=", chooses+"="+strconv.Itoa(i))
	b, err := c.CombinedOutput()
	if err == nil && !strings.Contains(string(b), "--- PASS: "+test) {
		return string(b), errors.New("there is no such test")
	}
	return string(b), err
}

// chooses is the environment variable that chooses a mutant by its index.
const chooses = "ATMOSTK_CHOSEN_MUTANT"

// withMutants builds the tests of this package, of the kernel and of the visited set in memory, with all
// mutants in them. Tests of whole specs are left out, as they would have to be built anew.
func withMutants(t *testing.T) (dir string) {
	dir = t.TempDir()
	replace := map[string]string{}
	lay := func(file, text string) {
		path := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		replace[absolute(t, filepath.Join("..", file))] = path
	}
	for _, m := range mutants {
		lay(m.file, mutated(t, m.file))
		pkg := filepath.Dir(m.file)
		lay(pkg+"/chosen_mutant.go", "package "+filepath.Base(pkg)+`
import ("os"; "strconv")
var chosenMutant, _ = strconv.Atoi(os.Getenv("`+chooses+`"))
`)
	}
	for _, name := range []string{"bench_test.go", "endless_test.go", "stop_test.go"} {
		replace[absolute(t, name)] = "" // as if it were not there
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(config, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "test", "-c", "-o", dir+string(filepath.Separator), "-overlay", config,
		".", "./kernel", "./store/memory").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// mutated returns a file in which each function with mutants does what the one says that is
// chosen: before its own body it has theirs.
func mutated(t *testing.T, file string) string {
	text := source(t, file)
	f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	done := 0
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		begin, end := int(fn.Body.Lbrace-f.FileStart)+1, int(fn.Body.Rbrace-f.FileStart)
		b.WriteString(text[done:begin])
		done = begin
		for i, m := range mutants {
			if m.file != file || !strings.Contains(text[begin:end], m.old) {
				continue
			}
			body := strings.Replace(text[begin:end], m.old, m.new, 1)
			if fn.Type.Results == nil {
				body += "\nreturn\n"
			}
			b.WriteString("\n" + onlyIf(i) + body + "}\n")
		}
	}
	return b.String() + text[done:]
}

// onlyIf begins what is done if a mutant is chosen.
func onlyIf(i int) string { return fmt.Sprintf("if chosenMutant == %d {", i) }

// source returns a file of the kernel.
func source(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
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
