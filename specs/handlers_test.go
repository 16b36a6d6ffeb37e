package specs_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the listing of the handlers anew")

// listing is the file that shows the handlers line by line, to be read beside the papers.
const listing = "testdata/handlers.md"

// A printedText is an algorithm that a paper prints, in the file that holds it and nothing else.
type printedText struct {
	title, file string
	lines       int // the last one
	// The fields of the receiver that the paper's own conditions read, and no reading or repair adds.
	reads string
	// Where the text in the file departs from the order of the paper: the line, and why it stands twice.
	twice map[int]string
}

var printedTexts = []printedText{
	{title: "Algorithm 1 of the report on the timer-free algorithm", file: "timerfree/timerfree.go",
		lines: 41, reads: "n f"},
	{title: "Quotations of Raymond's algorithm", file: "raymond/raymond.go", lines: 4, reads: "n k"},
	{title: "Algorithm 5.1 of the paper on VCube", file: "vcube/tree.go", lines: 12},
	{title: "Algorithm 6.1 of the paper on VCube", file: "vcube/broadcast.go", lines: 43},
	{title: "Algorithm 7.1 of the paper on VCube", file: "vcube/kmutex.go", lines: 38, reads: "k"},
	{title: "Figure 1, Get_Quorum, of the paper on cohorts", file: "cohorts/requester.go", lines: 16,
		reads: "rounds"},
	{title: "Algorithm 1.2, CEH.GD, of the paper on the ring", file: "ring/ceh.go", lines: 40,
		reads: "maxErr minK"},
	{title: "Algorithm 2.2, RUP.GD, of the paper on the ring", file: "ring/rup.go", lines: 40},
	{title: "MrkME::OnRelease of the paper on the ring", file: "ring/mx1me.go", lines: 10},
}

// TestHandlersBesidePapers: each line of a printed algorithm has its place in the file of the algorithm,
// once, and within a handler in the order of the paper; and the listing agrees with the files.
//
// A line is told by a comment behind the code, or on a line of its own where the code has nothing for it:
// "line 7", "lines 36-38", and a reason after a colon.
func TestHandlersBesidePapers(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# The handlers beside the papers\n\n" +
		"The numbers are those of the lines in the papers. Written by\n" +
		"`go test ./specs -run Handlers -update`. The papers on the ring and on cohorts have no\n" +
		"numbers. Here they count the lines of an algorithm of the ring from OnInit on, titles and\n" +
		"End If included, and of Figure 1 the heading, the two declarations, and then each For, If,\n" +
		"Else If, EndFor, assignment and Return that is not behind an If.\n")
	for _, text := range printedTexts {
		t.Run(text.file, func(t *testing.T) { text.list(t, &b) })
	}
	if *update {
		if err := os.WriteFile(listing, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(listing); err != nil || !bytes.Equal(kept, b.Bytes()) {
		t.Errorf("%s is not what the files say (%v); go test ./specs -run Handlers -update writes it",
			listing, err)
	}
}

// list appends the text to the listing and checks its lines.
func (text *printedText) list(t *testing.T, b *bytes.Buffer) {
	source, err := os.ReadFile(text.file)
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, text.file, source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	code := strings.Split(string(source), "\n")
	fmt.Fprintf(b, "\n## %s: %s\n", text.title, text.file)
	seen, first := make([]string, text.lines+1), 0
	for _, d := range parsed.Decls {
		f, is := d.(*ast.FuncDecl)
		if !is {
			continue
		}
		last := 0
		for _, c := range commentsOf(files, parsed, f) {
			at := files.Position(c.Pos()).Line
			lines := linesTold(c.Text)
			if lines == nil {
				continue
			}
			if last == 0 {
				if lines[0] < first {
					t.Errorf("%s begins with line %d, and stands behind line %d", f.Name.Name, lines[0],
						first)
				}
				first = lines[0]
				text.switches(t, files, f)
				fmt.Fprintf(b, "\n%s\n\n", f.Name.Name)
			}
			for _, n := range lines {
				switch {
				case n > text.lines:
					t.Errorf("%s:%d: there is no line %d", text.file, at, n)
					continue
				case n <= last:
					t.Errorf("%s:%d: line %d stands behind line %d", text.file, at, n, last)
				case seen[n] != "" && text.twice[n] == "":
					t.Errorf("%s:%d: line %d stands in %s already", text.file, at, n, seen[n])
				}
				seen[n], last = f.Name.Name, n
			}
			fmt.Fprintf(b, "    %7s  %s\n", numbersOf(lines), strings.TrimRight(codeBefore(code[at-1]),
				"\t "))
		}
	}
	for n := 1; n <= text.lines; n++ {
		if seen[n] == "" {
			t.Errorf("%s: line %d is missing", text.file, n)
		}
	}
}

// switches finds conditions that read a field of the algorithm that the paper does not have.
func (text *printedText) switches(t *testing.T, files *token.FileSet, f *ast.FuncDecl) {
	if f.Recv == nil || len(f.Recv.List[0].Names) == 0 {
		return
	}
	receiver := f.Recv.List[0].Names[0].Name
	called := map[ast.Expr]bool{}
	asks := func(condition ast.Node) {
		ast.Inspect(condition, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.CallExpr:
				called[x.Fun] = true
			case *ast.SelectorExpr:
				of, is := x.X.(*ast.Ident)
				if is && of.Name == receiver && !called[x] &&
					!slices.Contains(strings.Fields(text.reads), x.Sel.Name) {
					t.Errorf("%s: a condition of the printed text asks for %s.%s", files.Position(x.Pos()),
						receiver, x.Sel.Name)
				}
			}
			return true
		})
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.IfStmt:
			asks(x.Cond)
		case *ast.CaseClause:
			for _, e := range x.List {
				asks(e)
			}
		}
		return true
	})
}

// commentsOf returns the comments in a function and behind it, each line by itself.
func commentsOf(files *token.FileSet, file *ast.File, f *ast.FuncDecl) (cs []*ast.Comment) {
	for _, g := range file.Comments {
		if g.Pos() > f.Pos() && files.Position(g.Pos()).Line <= files.Position(f.End()).Line {
			cs = append(cs, g.List...)
		}
	}
	return cs
}

var told = regexp.MustCompile(`^// lines? (\d+)(?:-(\d+))?(?:, (\d+)(?:-(\d+))?)?`)

// linesTold returns the lines that a comment names at its beginning, in order.
func linesTold(comment string) (lines []int) {
	m := told.FindStringSubmatch(comment)
	for i := 1; i < len(m); i += 2 {
		if m[i] == "" {
			continue
		}
		from, _ := strconv.Atoi(m[i]) // digits, says the expression
		to := from
		if m[i+1] != "" {
			to, _ = strconv.Atoi(m[i+1])
		}
		for n := from; n <= to; n++ {
			lines = append(lines, n)
		}
	}
	return lines
}

// numbersOf is 7, or 36-38.
func numbersOf(lines []int) string {
	first, last := lines[0], lines[len(lines)-1]
	if first == last {
		return strconv.Itoa(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

// codeBefore returns a line of code without the comment with the lines; where there is nothing else,
// the reason that the comment gives.
func codeBefore(line string) string {
	code, comment, _ := strings.Cut(strings.ReplaceAll(line, "\t", "    "), "// line")
	if strings.TrimSpace(code) != "" {
		return code
	}
	_, reason, _ := strings.Cut(comment, ": ")
	return code + "(" + reason + ")"
}
