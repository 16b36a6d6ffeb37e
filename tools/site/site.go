package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/specs"
)

// program is the program that the site documents.
var program = cmd.Program{Name: "atmostk", Specs: specs.All}

// A site is the site that is written.
type site struct {
	root   string // of the repository
	menu   []section
	outs   map[string]string // the file of the site for each source
	copies map[string]string // files that are copied
	runs   map[string]string // counterexamples, and the pages that show them
	wanted []wanted
}

// A wanted place is one that a link names.
type wanted struct {
	on           *page
	out, heading string
}

//go:embed assets/page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// build reads a repository and writes its site.
func build(root, dir string) error {
	s := &site{root: root, outs: map[string]string{}, copies: map[string]string{}, runs: map[string]string{}}
	var err error
	if s.menu, err = layOut(root); err != nil {
		return err
	}
	if err := s.generate(); err != nil {
		return err
	}
	for p := range s.pages() {
		if p.Source != "" {
			s.outs[p.Source] = p.Out
		}
	}
	for p := range s.pages() {
		if p.Source != "" {
			if p.text, err = os.ReadFile(filepath.Join(root, p.Source)); err != nil {
				return err
			}
		}
		if err := s.render(p); err != nil {
			return err
		}
	}
	if err := s.checkHeadings(); err != nil {
		return err
	}
	return s.write(dir)
}

// pages goes through all pages, in the order of the menu.
func (s *site) pages() func(func(*page) bool) {
	return func(yield func(*page) bool) {
		for _, sec := range s.menu {
			for _, p := range sec.Pages {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// checkHeadings looks for the headings that links name.
func (s *site) checkHeadings() error {
	ids := map[string][]string{}
	for p := range s.pages() {
		ids[p.Out] = p.ids
	}
	var wrong []error
	for _, w := range s.wanted {
		if w.heading != "" && !slices.Contains(ids[w.out], w.heading) {
			wrong = append(wrong, fmt.Errorf("%s: %s has no heading #%s", w.on.Source, w.out, w.heading))
		}
	}
	return errors.Join(wrong...)
}

// write writes the whole site into a folder.
func (s *site) write(dir string) error {
	for p := range s.pages() {
		var b bytes.Buffer
		if err := pageTemplate.Execute(&b, s.view(p)); err != nil {
			return err
		}
		if err := put(dir, p.Out, b.Bytes()); err != nil {
			return err
		}
	}
	for _, source := range slices.Sorted(maps.Keys(s.copies)) {
		text, err := os.ReadFile(filepath.Join(s.root, source))
		if err != nil {
			return err
		}
		if err := put(dir, s.copies[source], text); err != nil {
			return err
		}
	}
	for _, source := range slices.Sorted(maps.Keys(s.runs)) {
		text, err := run("replay", filepath.Join(s.root, source), "--as", "html")
		if err != nil {
			return err
		}
		if err := put(dir, s.runs[source], text); err != nil {
			return err
		}
	}
	if err := s.writeIndex(dir); err != nil {
		return err
	}
	if err := s.writePlayground(dir); err != nil {
		return err
	}
	return writeAssets(dir)
}

// A view is the input of the template.
type view struct {
	*page
	Root string // the way to the top of the site
	Menu []menuSection
	Body template.HTML
	On   []part // this page: its headings, if there are many
}

type menuSection struct {
	Title string
	Open  bool
	Items []menuItem
}

type menuItem struct {
	Title, To string
	Here      bool
}

// manyHeadings is the number of headings from which on a page begins with a list of them.
const manyHeadings = 8

func (s *site) view(p *page) view {
	v := view{page: p, Root: from(p.Out, ".")}
	v.Body = template.HTML(p.body) //nolint:gosec // rendered from this repository
	for _, x := range p.parts {
		if x.Level == 2 {
			v.On = append(v.On, x)
		}
	}
	if len(v.On) < manyHeadings {
		v.On = nil
	}
	for _, sec := range s.menu {
		m := menuSection{Title: sec.Title}
		for _, q := range sec.Pages {
			m.Items = append(m.Items, menuItem{q.Title, from(p.Out, q.Out), q == p})
			m.Open = m.Open || q == p
		}
		v.Menu = append(v.Menu, m)
	}
	return v
}

// writeIndex writes the index of the search, as a script: a page that was opened from a disk may not fetch
// files.
func (s *site) writeIndex(dir string) error {
	type entry struct {
		Page  string `json:"p"`
		Title string `json:"t"`
		To    string `json:"u"`
		Text  string `json:"x"`
	}
	var all []entry
	for p := range s.pages() {
		for _, part := range p.parts {
			all = append(all, entry{p.Title, part.Title, p.Out + "#" + part.ID,
				strings.Join(strings.Fields(part.Text), " ")})
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return put(dir, "search-index.js", append([]byte("const searchIndex = "), append(text, ';', '\n')...))
}

// put writes a file of the site.
func put(dir, name string, text []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}

// writeAssets writes the style and the script.
func writeAssets(dir string) error {
	return fs.WalkDir(assets, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Base(name) == "page.html" {
			return err
		}
		text, err := assets.ReadFile(name)
		if err != nil {
			return err
		}
		return put(dir, path.Base(name), text)
	})
}

// run runs the program, and returns its output.
func run(args ...string) ([]byte, error) {
	var out, diag bytes.Buffer
	if code := program.Run(context.Background(), args, strings.NewReader(""), &out, &diag); code > 1 {
		return nil, fmt.Errorf("atmostk %s: exit code %d: %s", strings.Join(args, " "), code, &diag)
	}
	return out.Bytes(), nil
}
