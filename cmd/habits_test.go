package cmd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// habits are turns of phrase that cost a reader a second pass, with the most that comments and hand-written
// pages may have of each: a tenth of the number in October 2026, when these texts were hard to read.
// CONTRIBUTING.md says what to write instead.
var habits = []struct {
	words string
	most  int
}{
	{`what (?:it|is|there|has|can)`, 82},
	{`those of`, 16},
	{`that of`, 12},
	{`so many`, 14},
	{`is none`, 9},
	{`of which`, 14},
	{`tells? (?:of|whether|who|what)`, 5},
	{`who (?:has|is|can|asks|waits)`, 5},
}

// TestHabits counts the habits in the comments of all Go files but tests, and in the pages written by hand.
func TestHabits(t *testing.T) {
	comment := regexp.MustCompile(`//.*`)
	var texts []string
	err := filepath.WalkDir("..", func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if strings.HasPrefix(entry.Name(), ".") && path != ".." || entry.Name() == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		isGo := strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
		if !isGo && !writtenByHand(filepath.ToSlash(path)) {
			return nil
		}
		text, err := os.ReadFile(path)
		if isGo {
			text = []byte(strings.Join(comment.FindAllString(string(text), -1), "\n"))
		}
		texts = append(texts, path, string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) < 2*450 {
		t.Fatalf("%d files", len(texts)/2)
	}
	for _, habit := range habits {
		written := regexp.MustCompile(`(?i)\b(?:` + habit.words + `)\b`)
		n, where := 0, ""
		for i := 0; i < len(texts); i += 2 {
			if found := len(written.FindAllString(texts[i+1], -1)); found > 0 {
				n, where = n+found, where+" "+texts[i]
			}
		}
		if n > habit.most {
			t.Errorf("%d times %q, at most %d are allowed; in%s", n, habit.words, habit.most, where)
		}
	}
}

// writtenByHand reports whether path is a page that no program writes.
func writtenByHand(path string) bool {
	return path == "../README.md" || path == "../CONTRIBUTING.md" ||
		strings.HasPrefix(path, "../docs/") && strings.HasSuffix(path, ".md")
}
