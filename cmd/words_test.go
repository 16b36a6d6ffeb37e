package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWords wants one word for each thing: those that docs/glossary.md says are not used stand
// neither in the documentation nor in what the command prints.
func TestWords(t *testing.T) {
	unused := regexp.MustCompile(`(?i)\b(` + strings.Join(unusedInText, "|") + `)s?\b`)
	pages := []string{"../README.md", "../CONTRIBUTING.md"}
	for _, some := range []string{"../docs/*.md", "../docs/*/*.md", "internal/cli/help/*.txt"} {
		found, _ := filepath.Glob(some)
		pages = append(pages, found...)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if word := unused.FindString(line); word != "" && filepath.Base(page) != "glossary.md" {
				t.Errorf("%s:%d: %q: docs/glossary.md has another word", page, i+1, word)
			}
		}
	}
	files, _ := filepath.Glob("internal/*/*.go")
	for _, file := range append(files, "program.go") {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if text, is := n.(*ast.BasicLit); is && text.Kind == token.STRING &&
				unused.MatchString(text.Value) {
				t.Errorf("%s: %q: docs/glossary.md has another word", fset.Position(text.Pos()),
					unused.FindString(text.Value))
			}
			return true
		})
	}
}

// Words that pages and output do not use: docs/glossary.md has another one for each.
var unusedInText = strings.Fields(`letter mail parcel packet bundle outcome situation trail seat
	gears errand quest`)

// Words that names do not begin or hold.
var unusedInNames = strings.Fields(`mail letter bundle trail situation seat gears alarms bury
	errand recent office account streett stretch cast quest script loose crowd vigil hunt befall befell meddle
	surround seamster badness strangers emptiness told lone patience`)

// Words that the kernel's names do not have as a part.
var unusedInKernel = strings.Fields(`learner learnt learned miss missed spoilt raise round rounds
	post posts letters`)

// TestWordsOfTheSearch: no name that the search declares holds a word for which docs/glossary.md has another.
func TestWordsOfTheSearch(t *testing.T) {
	unused := regexp.MustCompile(`(?i)^(` + strings.Join(unusedInNames, "|") + `)`)
	var files []string
	for room, least := range map[string]int{"explore": 20, "explore/kernel": 15, "explore/store": 4,
		"explore/graph": 3, "explore/simulate": 6, "traces/explain": 5, "traces/cluster": 5,
		"traces": 20, "traces/logs": 3, "traces/logs/formats": 20, "traces/logs/order": 8,
		"traces/logs/occupancy": 12, "traces/validate": 3,
		"model": 20, "model/lts": 2, "model/interp": 4} {
		more, _ := filepath.Glob("../" + room + "/*.go")
		if len(more) < least {
			t.Fatalf("%s has %d files", room, len(more))
		}
		files = append(files, more...)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, name := range declared(t, file) {
			for _, word := range regexp.MustCompile(`[A-Z]?[a-z]+`).FindAllString(name, -1) {
				if unused.MatchString(word) && !strings.HasPrefix(word, "Trailing") {
					t.Errorf("%s: %s: docs/glossary.md has another word", file, name)
				}
			}
		}
	}
}

// TestWordsOfTheKernel: the same for the kernel and the search; a few of their words belong to logs or
// models.
func TestWordsOfTheKernel(t *testing.T) {
	unused := regexp.MustCompile(`(?i)^(` + strings.Join(unusedInKernel, "|") + `)$`)
	files, _ := filepath.Glob("../explore/*.go")
	kernel, _ := filepath.Glob("../explore/kernel/*.go")
	if len(files) < 20 || len(kernel) < 15 {
		t.Fatalf("%d and %d files", len(files), len(kernel))
	}
	for _, file := range append(files, kernel...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, name := range declared(t, file) {
			for _, word := range regexp.MustCompile(`[A-Z]?[a-z]+`).FindAllString(name, -1) {
				if unused.MatchString(word) {
					t.Errorf("%s: %s: docs/glossary.md has another word", file, name)
				}
			}
		}
	}
}
