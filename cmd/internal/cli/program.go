package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/file"
	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/model/usage"
)

// A Program is cmd.Program.
type Program struct {
	models.Set
	Docs        string
	Kept        fs.FS
	Elsewhere   Elsewhere
	Experiments fs.FS
}

// complete fills in what the program does not say.
func (p Program) complete() Program {
	if p.Name == "" {
		p.Name = strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	}
	if p.Docs == "" {
		p.Docs = "docs/claims"
	}
	if p.Kept == nil {
		p.Kept = os.DirFS(p.Docs)
	}
	return p
}

// demoModels are the models that the demo is about.
var demoModels = []string{"raymond", "timerfree"}

// demoLacks names a model of the demo that the program does not have; "": it has all.
func (p *Program) demoLacks() string {
	for _, name := range demoModels {
		if _, err := p.Spec(name); err != nil {
			return name
		}
	}
	return ""
}

// papers returns the papers of all models, each once.
func (p *Program) papers() (ps []*papers.Paper) {
	for i := range p.Specs {
		if paper := p.Specs[i].Paper; paper != nil && !slices.Contains(ps, paper) {
			ps = append(ps, paper)
		}
	}
	return ps
}

// paper returns the paper of the given name, or of the model of that name.
func (p *Program) paper(name string) (*papers.Paper, error) {
	if strings.HasSuffix(name, file.Extension) {
		spec, err := p.Spec(name)
		if err == nil && spec.Paper == nil {
			err = usage.Errorf("%s judges no claims: paper(...) and claim(...) declare them", name)
		}
		if err != nil {
			return nil, err
		}
		return spec.Paper, nil
	}
	var names []string
	for _, paper := range p.papers() {
		if paper.Name == name {
			return paper, nil
		}
		names = append(names, paper.Name)
	}
	for i := range p.Specs {
		if s := &p.Specs[i]; s.Name == name && s.Paper != nil {
			return s.Paper, nil
		}
	}
	if names == nil {
		return nil, p.noClaims()
	}
	return nil, usage.Errorf("there is no paper %q%s; there are %s",
		name, usage.Nearest(name, names), strings.Join(names, ", "))
}

// noClaims is the error for claims where no model comes from a paper.
func (p *Program) noClaims() error {
	return usage.Errorf("no model of %s has claims to be judged: Spec.Paper of package model declares them",
		p.Name)
}

// expression returns what compiles a regular expression when it is first used. Start-up is part of
// every search: that of packages' variables was 2 ms.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// examples writes the examples of a verb, commands in a line each: % is the program, and
// @NAME a model or paper. A command about one that the program does not have becomes one about its
// first model, without arguments, once.
func (p *Program) examples(commands string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	met := map[string]bool{}
	for line := range strings.SplitSeq(commands, "\n") {
		command, remark, _ := strings.Cut(line, "  ")
		if verb, of, found := strings.Cut(command, " @"); found {
			command = verb + p.ofOwn(of)
		}
		command = strings.ReplaceAll(command, "%", p.Name)
		if met[command] {
			continue
		}
		met[command] = true
		if remark = strings.TrimSpace(remark); remark != "" {
			remark = "\t" + remark
		}
		_, _ = fmt.Fprintf(w, "  %s%s\n", command, remark) // to memory
	}
	_ = w.Flush() // likewise
	return strings.TrimRight(b.String(), "\n")
}

// ofOwn returns the end of an example, that begins with the name of a model or paper, as one about
// what the program has.
func (p *Program) ofOwn(end string) string {
	name, rest, _ := strings.Cut(end, " ")
	has := func(s model.Spec) bool { return s.Name == name || s.Paper != nil && s.Paper.Name == name }
	switch {
	case slices.ContainsFunc(p.Specs, has):
		return strings.TrimRight(" "+name+" "+rest, " ")
	case len(p.Specs) > 0:
		return " " + p.Specs[0].Name
	}
	return " SPEC"
}
