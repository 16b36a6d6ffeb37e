package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/file"
	"github.com/atmostk/atmostk/model/usage"
)

// A Program is the command over some models, under a name of its own. The whole of a main
// package is
//
//	func main() { cmd.Program{Name: "ringcheck", Specs: []model.Spec{ring.Spec}}.Main() }
//
// Its verbs are those of atmostk, whose models it has only if Specs lists them.
type Program struct {
	// Name is what users type. Every message begins with it, and it stands in usage lines, in
	// completions, in commands to repeat and in what is written of the tool into traces, pages and
	// reports. "": the name of the executable file.
	Name string
	// Specs are the models, in the order in which they are listed. Two of one name are a mistake.
	Specs []model.Spec
	// Elsewhere has other processes explore the instances; nil: this one does.
	Elsewhere Elsewhere
}

// Main runs the program with the arguments of the process, and exits.
func (p Program) Main() {
	// What nobody can recover ends the process by a signal: Go's exit code for it is 2,
	// which here means that something is undecided.
	debug.SetTraceback("crash")
	os.Exit(p.Run(signals(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Run is Main without the process: it returns the exit code. When ctx ends, the verb has
// less than a second to report what it has, and is left behind then, unless it has to write a search down.
func (p Program) Run(ctx context.Context, args []string, in io.Reader, out, diag io.Writer) int {
	a := &app{Program: p.complete(), in: in, out: &output{w: out}, diag: &output{w: diag}}
	a.busy.Store("starting")
	ended := make(chan error, 1)
	go func() {
		var err error
		defer func() { ended <- err }() // also where a function of the model ends the goroutine
		a.execute(ctx, args, &err)
	}()
	select {
	case err := <-ended:
		return a.conclude(err, nil)
	case <-ctx.Done():
	}
	if a.unhurried.Load() { // what it has it writes down; a second signal ends it at once
		return a.conclude(<-ended, nil)
	}
	var err error
	select {
	case err = <-ended:
	case <-time.After(grace):
		err = a.interrupt(ctx, "")
	}
	return a.conclude(err, time.After(lastWords))
}

// Command returns the program as cobra has it, with all its verbs, for who makes documentation of
// them; see package manual. Its Version is the name and version as Program signs what it writes.
func (p Program) Command() *cobra.Command {
	a := &app{Program: p.complete(), in: strings.NewReader(""), out: &output{w: io.Discard},
		diag: &output{w: io.Discard}}
	root := a.root()
	root.Version = a.tool()
	root.InitDefaultCompletionCmd() // as when it runs
	return root
}

// complete fills in what the program does not say.
func (p Program) complete() Program {
	if p.Name == "" {
		p.Name = strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	}
	return p
}

// check returns the first mistake in what the program declares, a *model.Error, or nil.
func (p *Program) check() error {
	if strings.ContainsFunc(p.Name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return &model.Error{What: "Program.Name holds a blank or a control character, so nobody can type it"}
	}
	return model.CheckNames(p.Specs)
}

// tool is the name and version of the program, as it signs what it writes.
func (p *Program) tool() string { return p.Name + " " + toolVersion() }

// instance returns the model of the given name, or the one in the file of that name, and what its arguments
// make of it.
func (p *Program) instance(name string, args []string) (*model.Spec, model.Instance, *model.Args, error) {
	spec, err := p.spec(name)
	if err != nil {
		return nil, model.Instance{}, nil, err
	}
	in, values, err := spec.Instantiate(args)
	return spec, in, values, err
}

// spec returns the model of the given name, or the one in the file of that name.
func (p *Program) spec(name string) (*model.Spec, error) {
	if strings.HasSuffix(name, file.Extension) {
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return nil, usage.Errorf("%s: there is no such file", name)
		}
		return file.Load(name)
	}
	names := make([]string, len(p.Specs))
	for i, s := range p.Specs {
		names[i] = s.Name
	}
	if i := slices.Index(names, name); i >= 0 {
		return &p.Specs[i], nil
	}
	if len(names) == 0 {
		return nil, usage.Errorf("there is no model %q: Program.Specs of %s is empty", name, p.Name)
	}
	return nil, usage.Errorf("there is no model %q%s; `%s list` shows all", name, usage.Nearest(name, names),
		p.Name)
}

// demoModels are the models that the demo is about.
var demoModels = []string{"raymond", "timerfree"}

// demoLacks names a model of the demo that the program does not have; "": it has all.
func (p *Program) demoLacks() string {
	for _, name := range demoModels {
		if _, err := p.spec(name); err != nil {
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
