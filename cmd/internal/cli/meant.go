package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// verbMeant returns an error for arguments that begin with no verb, with the command that was probably
// meant; nil if they begin with a verb or a flag.
func (a *app) verbMeant(root *cobra.Command, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], "__") {
		return nil
	}
	called := func(c **cobra.Command) string { return (*c).Name() }
	verbs := append(printable.Each(root.Commands(), called), "help", "completion", "--version")
	name := args[0]
	if slices.Contains(verbs, name) {
		return nil
	}
	named := func(s model.Spec) bool { return s.Name == name }
	if strings.HasSuffix(name, starfile.Extension) || slices.ContainsFunc(a.Specs, named) {
		return usage.Errorf("%q is a model, not a verb: write `%s check %s`", name, a.Name,
			strings.Join(args, " "))
	}
	return usage.Errorf("there is no verb %q%s; `%s help` lists all", name, usage.Nearest(name, verbs),
		a.Name)
}

// flagMeant returns the error for a flag that cannot be read; a parameter as a flag gets the right form.
func (a *app) flagMeant(c *cobra.Command, args []string, err error) error {
	if bad, is := errors.AsType[*pflag.InvalidValueError](err); is {
		return usage.Errorf("--%s=%s: allowed are %s", bad.GetFlag().Name, bad.GetValue(), map[string]string{
			"int": "whole numbers below 2^63", "int64": "whole numbers below 2^63",
			"uint64": "whole numbers from 0 to 2^64 - 1", "duration": "times such as 500ms, 30s or 2m",
			"bool": "true and false", "stringSlice": "words with commas between them",
		}[bad.GetFlag().Value.Type()])
	}
	unknown, is := errors.AsType[*pflag.NotExistError](err)
	if !is {
		return usage.Errorf("%v", err)
	}
	name, typed := unknown.GetSpecifiedName(), "--"
	if unknown.GetSpecifiedShortnames() != "" {
		typed = "-"
	}
	named := func(p param.Param) bool { return p.Name == name }
	if slices.ContainsFunc(args, func(arg string) bool {
		spec, err := a.Spec(arg)
		return err == nil && slices.ContainsFunc(spec.Params, named)
	}) {
		return usage.Errorf("there is no flag %s%s; %[2]s is a parameter of the model: write %[2]s=%s",
			typed, name, valueAfter(args, name))
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return usage.Errorf("there is no flag %s%s%s; `%s --help` lists all", typed, name,
		usage.Nearest("--"+name, names), c.CommandPath())
}

// valueAfter returns the value that the arguments give to a parameter written as a flag.
func valueAfter(args []string, name string) string {
	for i, arg := range args {
		given, value, valued := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch {
		case given == arg || given != name:
		case valued:
			return value
		case i+1 < len(args):
			return args[i+1]
		}
	}
	return "VALUE"
}

// countMeant returns the error for a wrong number of arguments, with the form of the verb and an example.
func (a *app) countMeant(c *cobra.Command, words []string) error {
	what := "an argument is missing"
	if len(words) > 0 {
		what = "it takes another number of arguments"
	}
	example := a.Name + " " + c.Name()
	for line := range strings.Lines(a.examples(c.Example)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, example) {
			example, _, _ = strings.Cut(line, "  ")
			break
		}
	}
	return usage.Errorf("%s: write `%s %s`, for example `%s`", what, a.Name, c.Use, example)
}

// examples returns the examples of a verb, one command per line: % stands for the program, and @NAME for a
// model. If the program lacks the model, its first model takes its place, without arguments. Equal
// commands appear once.
func (p *Program) examples(commands string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	met := map[string]bool{}
	for line := range strings.SplitSeq(commands, "\n") {
		command, remark, _ := strings.Cut(line, "  ")
		if verb, end, about := strings.Cut(command, " @"); about {
			name, _, _ := strings.Cut(end, " ")
			switch has := func(s model.Spec) bool { return s.Name == name }; {
			case slices.ContainsFunc(p.Specs, has):
			case len(p.Specs) > 0:
				end = p.Specs[0].Name
			default:
				end = "SPEC"
			}
			command = verb + " " + end
		}
		if command = strings.ReplaceAll(command, "%", p.Name); met[command] {
			continue
		}
		met[command] = true
		if remark = strings.TrimSpace(remark); remark != "" {
			remark = "\t" + remark
		}
		_, _ = fmt.Fprintf(w, "  %s%s\n", command, remark) // a write to memory does not fail
	}
	_ = w.Flush() // neither does this
	return strings.TrimRight(b.String(), "\n")
}

func (a *app) help(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [VERB]", Short: "Help about any command", ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.verbMeant(root, args); err != nil {
				return err
			}
			of, _, err := root.Find(args)
			if err != nil {
				return err
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
	}
}
