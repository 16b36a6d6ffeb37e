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
	glossary, err := os.ReadFile("../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(glossary), "\n## Words that are not used\n")
	_, list, listed := strings.Cut(section, ": ")
	if !ok || !listed {
		t.Fatal("docs/glossary.md does not say which words are not used")
	}
	list = regexp.MustCompile(`\([^)]*\)`).ReplaceAllString(list, "") // what stands in their place
	words := regexp.MustCompile(`[a-z]+`).FindAllString(list, -1)
	if len(words) < 10 {
		t.Fatalf("only %d words are not used: %v", len(words), words)
	}
	unused := regexp.MustCompile(`(?i)\b(` + strings.Join(words, "|") + `)s?\b`)
	pages, _ := filepath.Glob("../docs/*.md")
	for _, page := range append(pages, "../README.md") {
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
	files, _ := filepath.Glob("*.go")
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if text, is := n.(*ast.BasicLit); is && text.Kind == token.STRING && unused.MatchString(text.Value) {
				t.Errorf("%s: %q: docs/glossary.md has another word", fset.Position(text.Pos()), unused.FindString(text.Value))
			}
			return true
		})
	}
}
