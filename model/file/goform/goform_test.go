package goform

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model/file"
)

// comparison is a program that searches each reference of models in files, and of their Go forms, and tells where they differ.
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
		all = append(all, fmt.Sprint(p.Name, " ", p.Verdict, " ", p.Depth))
	}
	all = append(all, fmt.Sprint(r.Actions))
	slices.Sort(all[:len(all)-1])
	return fmt.Sprint(r.States, r.Generated, r.Depth, r.Complete, r.Mistake, all)
}
`

// TestForms makes the Go form of each model in specs/files, builds them all in one module, and wants from each the
// same counts, verdicts and lengths as from the file.
func TestForms(t *testing.T) {
	paths, err := filepath.Glob("../../../specs/files/*" + file.Extension)
	if err != nil || len(paths) == 0 {
		t.Fatal(err, "no models")
	}
	more, err := filepath.Glob("testdata/*" + file.Extension)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, append(paths, more...))
}

// compare builds the Go forms of some files, and runs the comparison.
func compare(t *testing.T, paths []string) {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
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
		fmt.Fprintf(&imports, "%q\n", "example.org/forms/"+name)
		absolute, _ := filepath.Abs(path)
		fmt.Fprintf(&models, "{%q, %s.Spec},\n", absolute, name)
	}
	write("main.go", strings.NewReplacer("IMPORTS", imports.String(), "MODELS", models.String()).Replace(comparison))
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, requires, _ := strings.Cut(string(own), "\nrequire ")
	write("go.mod", "module example.org/forms\n\ngo 1.26\n\nrequire github.com/atmostk/atmostk v0.0.0\n\nreplace github.com/atmostk/atmostk => "+
		root+"\n\nrequire "+requires)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", string(sums))
	for _, args := range [][]string{{"vet", "./..."}, {"run", "."}} {
		if args[0] == "vet" && os.Getenv("ATMOSTK_SWEEP") == "" {
			continue
		}
		c := exec.Command("go", args...)
		c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod -trimpath -buildvcs=false")
		out, err := c.Output()
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			t.Fatalf("go %s: %v\n%s%s", args[0], err, out, failed.Stderr)
		}
		if err != nil || len(out) > 0 {
			t.Errorf("go %s: %v\n%s", args[0], err, out)
		}
	}
}
