package main

import (
	"bytes"
	"fmt"
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
func (s *site) render(p *page) error {
	if isData(p.Source) {
		return s.renderData(p)
	}
	doc := markdown.Parser().Parse(text.NewReader(p.text),
		parser.WithContext(parser.NewContext(parser.WithIDs(slugs{}))))
	var wrong []error
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			s.heading(p, n)
		case *ast.Image:
			n.Destination = []byte(s.link(p, string(n.Destination), &wrong))
		case *ast.Link:
			n.Destination = []byte(s.link(p, string(n.Destination), &wrong))
		case *ast.Paragraph, *ast.TextBlock, *east.TableCell:
			p.find(string(plain(n, p.text)))
		case *ast.FencedCodeBlock:
			if string(n.Language(p.text)) == "text" {
				p.find(string(n.Lines().Value(p.text)))
			}
		}
		return ast.WalkContinue, nil
	})
	if err == nil && len(wrong) > 0 {
		err = wrong[0]
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.Source, err)
	}
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, p.text, doc); err != nil {
		return fmt.Errorf("%s: %w", p.Source, err)
	}
	p.body = strings.NewReplacer("<table>", `<div class="wide"><table>`, "</table>", "</table></div>").
		Replace(b.String())
	return nil
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
func (s *site) heading(p *page, n *ast.Heading) {
	title := string(plain(n, p.text))
	if p.Title == "" {
		p.Title = title
	}
	id, _ := n.AttributeString("id")
	name, _ := id.([]byte)
	p.ids = append(p.ids, string(name))
	p.parts = append(p.parts, part{title, string(name), n.Level, ""})
}

// plain returns the words of a node.
func plain(n ast.Node, source []byte) []byte {
	var b bytes.Buffer
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.Bytes()
}

// link returns the target of a link on the site.
func (s *site) link(p *page, to string, wrong *[]error) string {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
		return to
	}
	file, fragment, _ := strings.Cut(to, "#")
	if file == "" {
		s.wanted = append(s.wanted, wanted{p, p.Out, fragment})
		return to
	}
	target := path.Join(path.Dir(p.Source), file)
	if fragment != "" {
		fragment = "#" + fragment
	}
	if out, ok := s.outs[target]; ok {
		s.wanted = append(s.wanted, wanted{p, out, strings.TrimPrefix(fragment, "#")})
		return from(p.Out, out) + fragment
	}
	info, err := os.Stat(filepath.Join(s.root, target))
	switch {
	case err != nil:
		*wrong = append(*wrong, fmt.Errorf("the link to %s leads nowhere", to))
	case strings.HasPrefix(target, "docs/claims/") && path.Ext(target) == ".ndjson":
		return from(p.Out, s.runPage(target)) + fragment
	case strings.HasPrefix(target, "docs/") && !info.IsDir() && path.Ext(target) != ".go":
		out := strings.TrimPrefix(target, "docs/")
		s.copies[target] = out
		return from(p.Out, out) + fragment
	}
	return repository + target + fragment
}

// runPage returns the page that shows a kept counterexample, which is written with the site.
func (s *site) runPage(trace string) string {
	out := strings.TrimSuffix(strings.TrimPrefix(trace, "docs/"), ".ndjson") + ".html"
	s.runs[trace] = out
	return out
}
