package cmd_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// columns is how long a line of Go may be, with tabs of four columns: two stand side by side on a screen.
const columns = 110

// TestColumns wants lines within a number of columns in all Go files of all modules. A line with a raw string
// is as long as what the string quotes; the output that an example promises, and what follows a directive to
// a tool, cannot be broken either.
func TestColumns(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		files++
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		free := unbroken(src)
		for i, line := range strings.Split(string(src), "\n") {
			width := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
			if width > columns && !free[i+1] {
				t.Errorf("%s:%d: %d columns; allowed are %d", path, i+1, width, columns)
			}
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files were read: %v", files, err)
	}
}

// unbroken returns the lines, counted from 1, of raw strings and of comments that have to stay in one line.
func unbroken(src []byte) map[int]bool {
	lines := map[int]bool{}
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	output := 0 // the line of an example's output that was read last
	for {
		pos, tok, lit := s.Scan()
		first := file.Line(pos)
		last := first + strings.Count(lit, "\n")
		switch {
		case tok == token.EOF:
			return lines
		case tok == token.STRING && lit[0] == '`':
			for line := first; line <= last; line++ {
				lines[line] = true
			}
		case tok != token.COMMENT:
		case strings.HasPrefix(lit, "//nolint"):
			lines[first] = true
		case strings.HasPrefix(lit, "// Output:"), output > 0 && first == output+1:
			lines[first], output = true, first
		}
	}
}
