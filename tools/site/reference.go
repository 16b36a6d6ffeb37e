package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// reference makes the pages of the reference from the program's own output.
func (s *site) reference() ([]*page, error) {
	verbs, err := verbPages()
	formats, failed := s.formatPage()
	models, wrong := modelPages()
	return slices.Concat(verbs, []*page{formats}, models), errors.Join(err, failed, wrong)
}

// verbPages are the pages of the command line, one for each verb.
func verbPages() (ps []*page, err error) {
	root := program.Command()
	root.DisableAutoGenTag = true
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
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

// modelPages are the pages of the models: the output of show.
func modelPages() (ps []*page, err error) {
	var all struct{ Models []struct{ Name string } }
	text, err := run("list", "--format", "json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	for _, m := range all.Models {
		if err != nil {
			break
		}
		text, err = run("show", m.Name)
		ps = append(ps, &page{Title: m.Name, Out: "reference/models/" + m.Name + ".html",
			text: fmt.Appendf(nil, "# %s\n\n```text\n%s```\n", m.Name, text)})
	}
	return ps, err
}

// schemas are the forms of files.
var schemas = []struct{ title, file, doc string }{
	{"Models", "cmd/internal/report/list.schema.json",
		"What `atmostk list --format json` and `atmostk show SPEC --format json` print."},
	{"Traces", "traces/schema.json",
		"Runs, as `--trace FILE` writes them and `replay` reads them: a header, then a line for each step."},
	{"Logs", "traces/logs/formats/schema.json",
		"A line of a log as `validate` reads it and `run --log` writes it."},
}

// formatPage is the page of the forms of files.
func (s *site) formatPage() (*page, error) {
	var b bytes.Buffer
	b.WriteString("# Formats\n\nJSON Schemas of the files that the program writes and reads.\n")
	for _, x := range schemas {
		text, err := os.ReadFile(filepath.Join(s.root, x.file))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n```json\n%s\n```\n", x.title, x.doc, bytes.TrimSpace(text))
	}
	return &page{Title: "Formats", Out: "reference/formats.html", text: b.Bytes()}, nil
}
