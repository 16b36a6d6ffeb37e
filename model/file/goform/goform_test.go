package goform

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model/file"
)

// comparison is a program that searches each reference of models in files, and of their Go forms, and tells
// where they differ.
const comparison = `package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/file"
IMPORTS
)

func main() {
	for _, m := range []struct { path string; form *model.Spec }{
MODELS
	} {
		spec, err := file.Load(m.path)
		if err != nil {
			panic(err)
		}
		if a, b := told(spec), told(m.form); a != b {
			fmt.Printf("%s: parameters and references are\n%s\nand in Go\n%s\n", m.path, a, b)
		}
		for _, r := range spec.References {
			if r.Large && os.Getenv("ATMOSTK_SWEEP") == "" {
				continue
			}
			a, b := found(spec, r.Args), found(m.form, r.Args)
			if a != b {
				fmt.Printf("%s %s: %s\nand in Go                  %s\n", m.path, r.Args, a, b)
			}
			fmt.Fprintln(os.Stderr, m.path, r.Args, b)
		}
	}
}

func told(s *model.Spec) (all string) {
	for _, p := range s.Params {
		all += fmt.Sprintln(p.Name, p.Default, p.Doc, p.Type.Allowed)
	}
	return all + fmt.Sprint(s.Title, s.Source, s.Doc, s.References)
}

func found(s *model.Spec, args string) string {
	in, _, err := s.Instantiate(strings.Fields(args))
	if err != nil {
		return err.Error()
	}
	var asked []int
	for i, p := range in.Space.Properties() {
		if p.Kind != model.Costs || !strings.Contains(args, "n=5") {
			asked = append(asked, i)
		}
	}
	r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true, Properties: asked, Workers: 1})
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, p := range r.Properties {
		all = append(all, fmt.Sprint(p.Name, " ", p.Verdict, " ", p.Length, " ", p.Count))
	}
	all = append(all, fmt.Sprint(r.Actions))
	slices.Sort(all[:len(all)-1])
	return fmt.Sprint(r.States, r.Generated, r.Depth, r.Complete, r.Mistake, all)
}
`

// TestForms makes the Go form of each model in specs/files, and wants from it the same counts, verdicts and
// lengths as from the file; in the ordinary run of three of them, as they have to be compiled, and of those
// in testdata, which have what the others do without.
func TestForms(t *testing.T) {
	paths, err := filepath.Glob("../../../specs/files/*" + file.Extension)
	if err != nil || len(paths) == 0 {
		t.Fatal(err, "no models")
	}
	more, err := filepath.Glob("testdata/*" + file.Extension)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		few := slices.Contains([]string{"2pc.star", "die-hard.star", "raymond.star"}, filepath.Base(path))
		if few || os.Getenv("ATMOSTK_SWEEP") != "" {
			more = append(more, path)
		} else if _, err := Export(path); err != nil {
			t.Error(err)
		}
	}
	compare(t, more)
}

// TestRefused wants what has no Go form named, with its place.
func TestRefused(t *testing.T) {
	for body, want := range map[string]string{
		"f = [lambda y: y]": "m.star:2:10: a lambda here has no Go form",
		"x = s.l\n    x.append(1)": "m.star:2:9: a second name for a list, a set, " +
			"a dictionary or an array, which may change: list(...), set(...) has no Go form",
		"x = None": "m.star:2:5: x, of which no kind of value is known when " +
			"it begins, has no Go form",
		"x = [1, s.l]": "m.star:2:13: a list of values of different " +
			"kinds has no Go form",
		"x = (1, 2, 3, 4, 5)": "m.star:2:10: a tuple of 5 values " +
			"has no Go form",
		"s.x = {k: k for k in range(3)}.get(1)": "m.star:2:11: the method get of a value of " +
			"Go's type map[int]int here has no Go form",
		"s.x = 1 if s.x < 1 else 'a'": "m.star:2:11: a value of Go's type any in " +
			"place of a value of Go's type int has no Go form",
		"for a, b in enumerate(range(3), 1):\n        pass": "m.star:2:17: this call has no Go form",
	} {
		path := filepath.Join(t.TempDir(), "m.star")
		text := "def go(s):\n    " + body +
			"\nsystem(state = record(x = range(3), l = list_of(range(9), max = 4)), actions = [go])\n"
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Export(path)
		if got := fmt.Sprint(err); !strings.HasSuffix(got, want) {
			t.Errorf("%s\n  tells %s\n  want  %s", body, got, want)
		}
	}
}

// compare builds the Go forms of some files, and runs the comparison.
func compare(t *testing.T, paths []string) {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	// The packages are a module in a workspace with this one, so that the compiler has all else at hand.
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module forms\n\ngo 1.26\n")
	write("go.work", "go 1.26\n\nuse (\n\t.\n\t"+root+"\n)\n")
	var imports, models strings.Builder
	for i, path := range paths {
		code, err := Export(path)
		if err != nil {
			t.Error(err)
			continue
		}
		name := fmt.Sprintf("form%d", i)
		text := strings.Replace(string(code), "\npackage main\n", "\npackage "+name+"\n", 1)
		text = regexp.MustCompile(`(?m)^func main\(\).*\n|^\t".*/atmostk/cmd"\n`).ReplaceAllString(text, "")
		write(name+"/form.go", text)
		write(name+"/spec.go", "package "+name+"\n\nvar Spec = &spec\n")
		fmt.Fprintf(&imports, "%q\n", "forms/"+name)
		absolute, _ := filepath.Abs(path)
		fmt.Fprintf(&models, "{%q, %s.Spec},\n", absolute, name)
	}
	write("main.go", strings.NewReplacer("IMPORTS", imports.String(), "MODELS", models.String()).
		Replace(comparison))
	program := filepath.Join(dir, "program")
	steps := [][]string{{"go", "build", "-o", program, "."}, {program}}
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		steps = append(steps, []string{"go", "vet", "./..."})
	}
	for _, args := range steps {
		c := exec.Command(args[0], args[1:]...)
		c.Dir, c.Env = dir, append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"))
		out, err := c.Output()
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			t.Fatalf("%s: %v\n%s%s", args, err, out, failed.Stderr)
		}
		if err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", args, err, out)
		}
	}
}
