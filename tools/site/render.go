package main

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// repository shows files that the site does not have.
const repository = "https://github.com/atmostk/atmostk/blob/main/"

// markdown renders the pages.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// render makes the body of a page.
func (s *site) render(p *page) (err error) {
	if p.text == nil {
		if p.text, err = os.ReadFile(filepath.Join(s.root, p.Source)); err != nil {
			return err
		}
	}
	if isData(p.Source) {
		return s.renderData(p)
	}
	doc := markdown.Parser().Parse(text.NewReader(p.text),
		parser.WithContext(parser.NewContext(parser.WithIDs(slugs{}))))
	var wrong []error
	err = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			p.heading(n)
		case *ast.Image:
			n.Destination = s.link(p, n.Destination, &wrong)
		case *ast.Link:
			n.Destination = s.link(p, n.Destination, &wrong)
		case *ast.Paragraph, *ast.TextBlock, *east.TableCell:
			p.find(plain(n, p.text))
		case *ast.FencedCodeBlock:
			if string(n.Language(p.text)) == "text" {
				p.find(string(n.Lines().Value(p.text)))
			}
		}
		return ast.WalkContinue, nil
	})
	var b bytes.Buffer
	err = errors.Join(append(wrong, err, markdown.Renderer().Render(&b, p.text, doc))...)
	p.Body = template.HTML(strings.NewReplacer( //nolint:gosec // rendered from this repository
		"<table>", `<div class="wide"><table>`, "</table>", "</table></div>").Replace(b.String()))
	return err
}

// find adds words to those by which the search finds the present part.
func (p *page) find(words string) {
	if k := len(p.parts); k > 0 && len(p.parts[k-1].Text) < longPart {
		p.parts[k-1].Text += words + " "
	}
}

// longPart is the number of bytes of a part that the search knows: longer parts end with rows of figures.
const longPart = 4000

// slugs gives headings the names that they have where the repository is shown: letters, digits, - and _ are
// kept, blanks become -, and repeated names get a number.
type slugs map[string]int

// Generate returns the name of a heading.
func (s slugs) Generate(heading []byte, _ ast.NodeKind) []byte {
	name := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, strings.TrimSpace(string(heading)))
	n, again := s[name]
	s[name] = n + 1
	if again {
		name += "-" + strconv.Itoa(n)
	}
	return []byte(name)
}

// Put is for names that pages declare; they declare none.
func (s slugs) Put([]byte) {}

// heading notes a heading: the first one is the title of the page, if the plan gives none.
func (p *page) heading(n *ast.Heading) {
	title := plain(n, p.text)
	if p.Title == "" {
		p.Title = title
	}
	id, _ := n.AttributeString("id")
	name, _ := id.([]byte)
	p.parts = append(p.parts, part{title, string(name), n.Level, ""})
}

// plain returns the words of a node.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// link returns the target of a link on the site.
func (s *site) link(p *page, destination []byte, wrong *[]error) []byte {
	to := string(destination)
	file, fragment, some := strings.Cut(to, "#")
	if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") || file == "" {
		return destination
	}
	if some {
		fragment = "#" + fragment
	}
	target := path.Join(path.Dir(p.Source), file)
	if out, ok := s.outs[target]; ok {
		return []byte(from(p.Out, out) + fragment)
	}
	info, err := os.Stat(filepath.Join(s.root, target))
	switch {
	case err != nil:
		*wrong = append(*wrong, fmt.Errorf("the link to %s leads nowhere", to))
	case strings.HasPrefix(target, "docs/") && !info.IsDir() && path.Ext(target) != ".go":
		return []byte(from(p.Out, s.takeAlong(target)) + fragment)
	}
	return []byte(repository + target + fragment)
}

// isRun reports whether a file is a kept counterexample.
func isRun(file string) bool {
	return strings.HasPrefix(file, "docs/claims/") && path.Ext(file) == ".ndjson"
}

// takeAlong returns where the site has a file below docs that is no page of the menu.
func (s *site) takeAlong(source string) string {
	out := strings.TrimPrefix(source, "docs/")
	if isRun(source) {
		out = strings.TrimSuffix(out, ".ndjson") + ".html"
	}
	s.further[source] = out
	return out
}
