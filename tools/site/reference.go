package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// generate makes the pages of the reference from what the program says of itself.
func (s *site) generate() error {
	models, err := modelPages()
	if err != nil {
		return err
	}
	verbs, err := verbPages()
	if err != nil {
		return err
	}
	formats, err := s.formatPage()
	if err != nil {
		return err
	}
	for i := range s.menu {
		if s.menu[i].Title == "Reference" {
			s.menu[i].Pages = append(append(append(s.menu[i].Pages, verbs...), formats), models...)
		}
	}
	return nil
}

// verbPages are the pages of the command line, one for each verb.
func verbPages() (ps []*page, err error) {
	root := program.Command()
	root.DisableAutoGenTag = true
	verbs := append([]*cobra.Command{root}, root.Commands()...)
	for _, c := range verbs {
		if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		var b bytes.Buffer
		link := func(file string) string { return strings.TrimSuffix(file, ".md") + ".html" }
		if err := doc.GenMarkdownCustom(c, &b, link); err != nil {
			return nil, err
		}
		text, _, _ := strings.Cut(b.String(), "### SEE ALSO")
		name := strings.ReplaceAll(c.CommandPath(), " ", "_")
		ps = append(ps, &page{
			Title: c.CommandPath(), Out: "reference/" + name + ".html",
			text: []byte(strings.NewReplacer("\n### ", "\n## ", "## "+c.CommandPath()+"\n",
				"# "+c.CommandPath()+"\n").Replace(text)),
		})
	}
	return ps, nil
}

// A model is one as `show --format json` tells of it, as far as the site shows that.
type model struct {
	Name, Title, Source, Doc string
	Parameters               []struct{ Name, Doc, Default, About, Allowed string }
	References               []struct {
		Arguments     string
		States, Depth int
		From          string
	}
	Instance struct {
		Actions    []struct{ Name string }
		Properties []struct{ Name, Kind, Doc string }
	}
}

// modelPages are the pages of the models.
func modelPages() (ps []*page, err error) {
	var all struct{ Models []struct{ Name string } }
	text, err := run("list", "--format", "json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	for _, named := range all.Models {
		text, err := run("show", named.Name, "--format", "json")
		if err != nil {
			return nil, err
		}
		var m model
		if err := json.Unmarshal(text, &m); err != nil {
			return nil, fmt.Errorf("show %s: %w", named.Name, err)
		}
		ps = append(ps, &page{Title: m.Name, Out: "reference/models/" + m.Name + ".html", text: m.markdown()})
	}
	return ps, nil
}

// markdown is the page of a model.
func (m *model) markdown() []byte {
	var b bytes.Buffer
	f := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	f("# %s\n\n**%s**\n\n%s\n\nSource: %s\n\n    atmostk check %s\n\n", m.Name, cell(m.Title), cell(m.Doc),
		cell(m.Source), m.Name)
	f("## Parameters\n\n| parameter | default | allowed | what it is |\n|---|---|---|---|\n")
	for _, p := range m.Parameters {
		f("| `%s` | %s | %s | %s |\n", p.Name, cell(p.Default), cell(p.Allowed), cell(p.Doc))
	}
	f("\n## Properties\n\nOf the instance with all defaults.\n\n| property | kind | what it says " +
		"|\n|---|---|---|\n")
	for _, p := range m.Instance.Properties {
		f("| `%s` | %s | %s |\n", p.Name, p.Kind, cell(p.Doc))
	}
	f("\n## Actions\n\n")
	for _, a := range m.Instance.Actions {
		f("- %s\n", cell(a.Name))
	}
	if len(m.References) == 0 {
		return b.Bytes()
	}
	f("\n## References\n\nWhat `atmostk lint %s` compares.\n\n| arguments | states | depth | from "+
		"|\n|---|---:|---:|---|\n", m.Name)
	for _, r := range m.References {
		f("| `%s` | %d | %d | %s |\n", strings.ReplaceAll(r.Arguments, "|", `\|`), r.States, r.Depth,
			cell(r.From))
	}
	return b.Bytes()
}

// cell is text within a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`, "\n", " ", "[",
		`\[`).Replace(text)
}

// schemas are the forms of files.
var schemas = []struct{ title, file, doc string }{
	{"Models", "cmd/internal/report/catalogue.schema.json",
		"What `atmostk list --format json` and `atmostk show SPEC --format json` print."},
	{"Traces", "traces/schema.json",
		"Runs, as `--trace FILE` writes them and `replay` reads them: a header, then a line for each step."},
	{"Logs", "traces/logs/formats/schema.json",
		"A line of a log as `validate` reads it and `run --log` writes it."},
}

// formatPage is the page of the forms of files.
func (s *site) formatPage() (*page, error) {
	var b bytes.Buffer
	b.WriteString("# Formats\n\nJSON Schemas of what the program writes and reads.\n")
	for _, x := range schemas {
		text, err := os.ReadFile(filepath.Join(s.root, x.file))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n```json\n%s\n```\n", x.title, x.doc, bytes.TrimSpace(text))
	}
	return &page{Title: "Formats", Out: "reference/formats.html", text: b.Bytes()}, nil
}
