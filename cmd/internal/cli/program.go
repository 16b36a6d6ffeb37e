package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/model"
)

// A Program is cmd.Program.
type Program struct {
	models.Set
	Remote RemoteSearcher
}

// complete fills in what the program does not say.
func (p Program) complete() Program {
	if p.Name == "" {
		p.Name = strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
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

// examples writes the examples of a verb, commands in a line each: % is the program, and
// @NAME a model. A command about one that the program does not have becomes one about its
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

// ofOwn returns the end of an example, that begins with the name of a model, as one about
// what the program has.
func (p *Program) ofOwn(end string) string {
	name, rest, _ := strings.Cut(end, " ")
	has := func(s model.Spec) bool { return s.Name == name }
	switch {
	case slices.ContainsFunc(p.Specs, has):
		return strings.TrimRight(" "+name+" "+rest, " ")
	case len(p.Specs) > 0:
		return " " + p.Specs[0].Name
	}
	return " SPEC"
}
