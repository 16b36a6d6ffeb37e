package editor

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/sourcegraph/go-lsp"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/docs"
	"github.com/atmostk/atmostk/explore"
	starfile "github.com/atmostk/atmostk/model/starlark"
)

// The lines of a file. The protocol counts lines and UTF-16 units from 0, models lines and runes from 1.
type lines []string

func split(text string) lines { return lineEnd.Split(text, -1) }

var lineEnd = regexp.MustCompile(`\r\n|\r|\n`)

// line is a line; a file has empty ones around it.
func (l lines) line(i int) []rune {
	if i < 0 || i >= len(l) {
		return nil
	}
	return []rune(l[i])
}

// place is a position of the protocol as one of models.
func (l lines) place(p lsp.Position) syntax.Position {
	units, col := p.Character, 0
	for _, r := range l.line(p.Line) {
		if units -= utf16.RuneLen(r); units < 0 {
			break
		}
		col++
	}
	return syntax.MakePosition(nil, int32(p.Line)+1, int32(col)+1)
}

// token is a name, a number or a string at the start of a text.
var token = regexp.MustCompile(`^("[^"]*"?|'[^']*'?|[\pL\d_]+|.)`)

// span is the range of some runes at a place; 0: of the token there.
func (l lines) span(at syntax.Position, runes int) lsp.Range {
	row := max(0, int(at.Line)-1)
	line := l.line(row)
	from := max(0, min(int(at.Col)-1, len(line)))
	if runes == 0 {
		runes = len([]rune(token.FindString(string(line[from:]))))
	}
	units := func(n int) lsp.Position {
		return lsp.Position{Line: row, Character: len(utf16.Encode(line[:min(n, len(line))]))}
	}
	return lsp.Range{Start: units(from), End: units(from + runes)}
}

// pathOf is the path of a file, or the name of a text that is in no file yet.
func pathOf(uri lsp.DocumentURI) string {
	u, err := url.Parse(string(uri))
	if err != nil || u.Scheme != "file" {
		return string(uri)
	}
	return filepath.FromSlash(drive.ReplaceAllString(u.Path, "$1"))
}

// drive is the slash before the drive of Windows in a URI.
var drive = regexp.MustCompile(`^/([A-Za-z]:)`)

// hover is what an editor shows at a place; nil: nothing.
func (f *file) hover(at syntax.Position) *lsp.Hover {
	text, ours := f.view.Hover(at)
	if text == "" {
		return nil
	}
	name, _, _ := strings.Cut(text, "(")
	more := ""
	if ours {
		more = describe(name)
	} else if quoted, is := strings.CutSuffix(text, ": str"); is && f.view.Spec != nil {
		more = verdict(f.view, strings.Trim(quoted, `"'`))
	}
	said := []lsp.MarkedString{{Language: "python", Value: text}, lsp.RawMarkedString(more)}
	return &lsp.Hover{Contents: said}
}

// searchTime bounds the search for the verdict on a property.
const searchTime = 200 * time.Millisecond

// verdict is the verdict on a property in the instance with all defaults; "": there is no such property, or
// the search takes too long.
func verdict(v *starfile.View, property string) string {
	in, _, err := v.Spec.Instantiate(nil)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), searchTime)
	defer cancel()
	found, err := explore.Run(ctx, in, explore.Options{KeepGoing: true, MaxStates: 100_000})
	if err != nil {
		return ""
	}
	for _, p := range found.Properties {
		if p.Name == property && (found.Complete || p.Verdict == explore.Violated) {
			return fmt.Sprintf("**%s**: %s (%d states, %s)", p.Verdict, property, found.States, in.Arguments)
		}
	}
	return ""
}

// describe is what the reference says about a function of the language: a row of a table, or a sentence.
func describe(name string) (said string) {
	name = "`" + name + "("
	for part := range strings.SplitSeq(docs.Files, "\n\n") {
		sep := "\n"
		if !strings.HasPrefix(part, "|") {
			part, sep = strings.ReplaceAll(part, "\n", " "), ". "
		}
		for text := range strings.SplitSeq(part, sep) {
			text = strings.ReplaceAll(strings.Trim(text, "| "), " | ", ": ")
			if first, _, row := strings.Cut(text, ": "); row && sep == "\n" && strings.Contains(first, name) {
				return text
			}
			if said == "" && strings.Contains(text, name) {
				said = text
			}
		}
	}
	return said
}
