package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
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
	root, dir string // of the repository, of the site
	menu      []section
	pages     []*page           // of all sections
	outs      map[string]string // the file of the site for each source
	// further are files that pages link to, by source: copied, or a counterexample shown as a page.
	further map[string]string
}

//go:embed assets playground/*.js playground/*.html playground/*.css
var embedded embed.FS

// shipped are the embedded files of the site, by where they are in it.
var shipped = map[string]string{
	"style.css": "assets/style.css", "search.js": "assets/search.js",
	"playground/index.html":     "playground/playground.html",
	"playground/playground.css": "playground/playground.css",
	"playground/playground.js":  "playground/playground.js",
	"playground/codemirror.js":  "playground/codemirror.js",
}

// build reads a repository and writes its site.
func build(root, dir string) error {
	s := &site{root: root, dir: dir, outs: map[string]string{}, further: map[string]string{}}
	if err := s.layOut(); err != nil {
		return err
	}
	for _, sec := range s.menu {
		s.pages = append(s.pages, sec.Pages...)
	}
	for _, p := range s.pages {
		s.outs[p.Source] = p.Out
	}
	for _, p := range s.pages {
		if err := s.render(p); err != nil {
			return fmt.Errorf("%s: %w", p.Source, err)
		}
	}
	return s.write()
}

// write writes the whole site.
func (s *site) write() error {
	words := template.FuncMap{"from": from, "contains": slices.Contains[[]*page]}
	t, err := template.New("page.html").Funcs(words).ParseFS(embedded, "assets/page.html")
	if err != nil {
		return err
	}
	for _, p := range s.pages {
		var b bytes.Buffer
		p.Menu = s.menu
		if err := t.Execute(&b, p); err != nil {
			return err
		}
		if err := s.put(p.Out, b.Bytes()); err != nil {
			return err
		}
	}
	for _, source := range slices.Sorted(maps.Keys(s.further)) {
		file := filepath.Join(s.root, source)
		read := os.ReadFile
		if isRun(source) {
			read = func(file string) ([]byte, error) { return run("replay", file, "--as", "html") }
		}
		if err := s.putFrom(s.further[source], func() ([]byte, error) { return read(file) }); err != nil {
			return err
		}
	}
	for name, file := range shipped {
		if err := s.putFrom(name, func() ([]byte, error) { return embedded.ReadFile(file) }); err != nil {
			return err
		}
	}
	for name, make := range map[string]func() ([]byte, error){"search-index.js": s.index,
		"playground/program.js": compiled, "playground/examples.js": s.examples} {
		if err := s.putFrom(name, make); err != nil {
			return err
		}
	}
	return nil
}

// Headings are the headings of the second level, if there are many: the page begins with a list of them.
func (p *page) Headings() []part {
	const many = 8
	on := slices.DeleteFunc(slices.Clone(p.parts), func(x part) bool { return x.Level != 2 })
	if len(on) < many {
		return nil
	}
	return on
}

// index is the index of the search, as a script: a page that was opened from a disk may not fetch files.
func (s *site) index() ([]byte, error) {
	type entry struct {
		Page  string `json:"p"`
		Title string `json:"t"`
		To    string `json:"u"`
		Text  string `json:"x"`
	}
	var all []entry
	for _, p := range s.pages {
		for _, part := range p.parts {
			all = append(all, entry{p.Title, part.Title, p.Out + "#" + part.ID,
				strings.Join(strings.Fields(part.Text), " ")})
		}
	}
	text, err := json.Marshal(all)
	return fmt.Appendf(nil, "const searchIndex = %s;\n", text), err
}

// put writes a file of the site.
func (s *site) put(name string, text []byte) error {
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}

// putFrom writes what make returns.
func (s *site) putFrom(name string, make func() ([]byte, error)) error {
	text, err := make()
	if err != nil {
		return err
	}
	return s.put(name, text)
}

// run runs the program, and returns its output.
func run(args ...string) ([]byte, error) {
	var out, diag bytes.Buffer
	if code := program.Run(context.Background(), args, strings.NewReader(""), &out, &diag); code > 1 {
		return nil, fmt.Errorf("atmostk %s: exit code %d: %s", strings.Join(args, " "), code, &diag)
	}
	return out.Bytes(), nil
}

// from returns the relative path from one file of the site to another.
func from(file, to string) string {
	rel, err := filepath.Rel(path.Dir(file), to)
	if err != nil {
		panic(fmt.Sprintf("site: %s from %s: %v", to, file, err)) // both are relative
	}
	return filepath.ToSlash(rel)
}
