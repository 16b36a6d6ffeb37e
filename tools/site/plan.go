package main

import (
	"html/template"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A section is a heading of the menu, with the pages below it.
type section struct {
	Title string
	Pages []*page
}

// A page is one of the site.
type page struct {
	Title  string
	Out    string // its file, as seen from the site
	Source string // the Markdown or data, as seen from the repository; "": it is generated
	Body   template.HTML
	Menu   []section
	text   []byte // of the source
	parts  []part // for the search
}

// A part of a page is the text under one heading.
type part struct {
	Title, ID string
	Level     int // of the heading, from 1
	Text      string
}

// plan is the menu: the files of each section in order, with their titles where these are not the first
// headings. A name that ends in /* stands for all other Markdown and data in a folder.
var plan = []struct {
	title string
	files []string
}{
	{"Start", []string{"README.md: What it is", "docs/tutorial.md", "docs/coming-from.md"}},
	{"Guides", []string{"docs/files.md", "docs/go-models.md", "docs/go-systems.md", "docs/properties.md",
		"docs/logs.md", "docs/seeing.md", "docs/large.md", "docs/simulation.md", "docs/proofs.md",
		"docs/ci.md"}},
	{"Reference", nil}, // generated: see reference.go
	{"Papers", []string{
		"docs/claims/timerfree.md: Timer-free, 2009", "docs/claims/vcube.md: Spanning trees (VCube), 2018",
		"docs/claims/ring.md: Ring with degradation, 2021", "docs/claims/cohorts.md: Cohorts coteries, 2004",
		"docs/experiments/README.md: Experiments", "docs/claims/*", "docs/experiments/*",
	}},
	{"Project", []string{
		"docs/glossary.md", "docs/*", "docs/benchmarks.md", "docs/decisions/*",
		"tools/paperdocs/README.md", "tools/realruns/README.md", "CONTRIBUTING.md",
		"SECURITY.md", "CHANGELOG.md",
	}},
}

// layOut finds the pages of the plan in the repository.
func (s *site) layOut() error {
	named := map[string]bool{}
	for _, x := range plan {
		for _, file := range x.files {
			name, _, _ := strings.Cut(file, ": ")
			named[name] = true
		}
	}
	for _, x := range plan {
		sec := section{Title: x.title}
		for _, file := range x.files {
			name, title, _ := strings.Cut(file, ": ")
			folder, all := strings.CutSuffix(name, "/*")
			if !all {
				sec.Pages = append(sec.Pages, newPage(name, title))
				continue
			}
			found, err := os.ReadDir(filepath.Join(s.root, folder))
			if err != nil {
				return err
			}
			for _, f := range found {
				name := path.Join(folder, f.Name())
				switch {
				case named[name]:
				case isData(name):
					sec.Pages = append(sec.Pages, newPage(name, f.Name()))
				case path.Ext(name) == ".md":
					sec.Pages = append(sec.Pages, newPage(name, ""))
				}
			}
		}
		if x.files == nil {
			var err error
			if sec.Pages, err = s.reference(); err != nil {
				return err
			}
		}
		s.menu = append(s.menu, sec)
	}
	return nil
}

// newPage returns the page of a file.
func newPage(source, title string) *page {
	out := strings.TrimPrefix(source, "docs/")
	switch {
	case source == "README.md":
		out = "index.md"
	case path.Base(source) == "README.md":
		out = path.Join(path.Dir(out), "index.md")
	}
	out = strings.TrimSuffix(strings.ToLower(out), path.Ext(out))
	return &page{Title: title, Source: source, Out: out + ".html"}
}
