package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// choices are the values of flags that allow a few words, by verb and flag; machineChoices has more. For
// some, completion offers words to which a value is added.
var choices = map[string][]string{
	"check format": {"text", "json", "sarif", "junit", schemaForm},
	"list format":  {"text", "json", schemaForm}, "simulate format": {"text", "json", schemaForm},
	"check reduce": {"none", "dead", "crashes", "movers", "symmetry"},
	"check store":  {"exact", "compact", "disk="},
}

// ofModels are the verbs whose first argument is a model.
var ofModels = []string{"check", "explore", "lint", "list", "run", "show", "simulate"}

// verb returns a verb: its flags are the exported fields of F, its texts are in help/NAME.txt. words are
// pairs of a placeholder in these texts and its value.
func verb[F any](a *app, name string, f *F, args cobra.PositionalArgs,
	run func(c *cobra.Command, args []string, f *F) error, words ...string) *cobra.Command {
	c := &cobra.Command{}
	declare(c.Flags(), f)
	a.describe(c, name, words...)
	form, forms := c.Flag("format"), slices.Concat(choices[name+" format"], machineChoices[name+" format"])
	text, missing := report.Schemas.ReadFile(name + ".schema.json")
	schema := func() bool { return missing == nil && form.Value.String() == schemaForm }
	c.Args = func(c *cobra.Command, words []string) error {
		if args != nil && !schema() && args(c, words) != nil {
			return a.countMeant(c, words)
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, words []string) error {
		if schema() {
			if other, err := report.Schemas.ReadFile(name + "-coverage.schema.json"); err == nil &&
				c.Flag("coverage").Changed {
				text = other
			}
			_, err := a.out.Write(text)
			return err
		}
		if form != nil {
			if err := allowed("format", form.Value.String(), forms...); err != nil {
				return err
			}
		}
		return run(c, words, f)
	}
	for _, some := range []map[string][]string{choices, machineChoices} {
		for key, words := range some {
			if of, flag, _ := strings.Cut(key, " "); of == name {
				offer(c, flag, words...)
			}
		}
	}
	if slices.Contains(ofModels, name) {
		c.ValidArgsFunction = a.completeSpecs
	}
	if c.Flag("property") != nil && c.ValidArgsFunction != nil {
		if err := c.RegisterFlagCompletionFunc("property", a.completeProperties); err != nil {
			panic(err) // there is such a flag
		}
	}
	return c
}

// describe sets the texts of a verb from help/FILE.txt: the usage line, a short and a long
// description, the meaning of each flag, and examples. {program} stands for the name of the program; words
// are pairs of a further placeholder and its value.
func (a *app) describe(c *cobra.Command, file string, words ...string) {
	b, err := a.texts.ReadFile("help/" + file + ".txt")
	if err != nil {
		panic(err) // the verb has no texts
	}
	text := strings.NewReplacer(append(words, "{program}", a.Name)...).Replace(string(b))
	text, examples, _ := strings.Cut(text, "\nExamples:\n")
	text, flags, _ := strings.Cut(text, "\nFlags:\n")
	head, long, _ := strings.Cut(text, "\n\n")
	c.Use, c.Short, _ = strings.Cut(strings.TrimSpace(head), "\n")
	c.Long, c.Example = strings.TrimSpace(long), strings.TrimSpace(examples)
	meanings := map[string]string{}
	name := ""
	for line := range strings.Lines(flags) {
		meaning := line
		if !strings.HasPrefix(line, " ") {
			name, meaning, _ = strings.Cut(line, " ")
		}
		meanings[name] = strings.TrimSpace(meanings[name] + " " + strings.TrimSpace(meaning))
	}
	explain := func(f *pflag.Flag) {
		if f.Usage = meanings[f.Name]; f.Usage == "" {
			panic("help/" + file + ".txt has no flag " + f.Name)
		}
	}
	c.Flags().VisitAll(explain)
	c.PersistentFlags().VisitAll(explain)
}

// allowed returns an error if the value of a flag is not one of the words.
func allowed(flag, value string, words ...string) error {
	if slices.Contains(words, value) {
		return nil
	}
	last := len(words) - 1
	return usage.Errorf("--%s=%s: allowed are %s and %s", flag, value, strings.Join(words[:last], ", "),
		words[last])
}

// within returns an error unless least <= value <= most.
func within(flag string, value, least, most int) error {
	if least <= value && value <= most {
		return nil
	}
	return usage.Errorf("--%s=%d: allowed are %d to %d", flag, value, least, most)
}

// endless replaces a timeout of 0, which means no limit.
const endless time.Duration = math.MaxInt64

// mostWorkers is the most workers of a search or a simulation.
const mostWorkers = 256

// A document is the report of a verb, as text for people and as JSON for programs.
type document interface {
	Text(io.Writer) error
	JSON(io.Writer) error
}

// write writes a report in the form that --format names.
func (a *app) write(form string, d document) error {
	switch form {
	case "json":
		return d.JSON(a.out)
	case "sarif":
		return d.(interface{ Doc() *report.Doc }).Doc().SARIF(a.out)
	case "junit":
		return d.(interface{ Doc() *report.Doc }).Doc().JUnit(a.out)
	case "html":
		return d.(interface{ HTML(io.Writer) error }).HTML(a.out)
	}
	return d.Text(a.out)
}

// schemaForm is the value of --format that prints the JSON Schema of a report.
const schemaForm = "schema"

// named returns the indices of the properties with the wanted names; nil if wanted is empty.
func named(wanted []string, properties []model.PropertyInfo) (indices []int, err error) {
	names := printable.Each(properties, func(p *model.PropertyInfo) string { return p.Name })
	if wanted != nil && len(wanted) == 0 {
		wanted = []string{""} // --property= names none
	}
	for _, name := range wanted {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, usage.Errorf("there is no property %q%s; the model has %s", name,
				usage.Nearest(name, names), strings.Join(names, ", "))
		}
		indices = append(indices, i)
	}
	return indices, nil
}

// verbatim are the values of a flag that may be given several times. Commas do not separate values.
type verbatim []string

// declare declares a flag for each exported field of a struct: MaxStates is --max-states. The value of the
// field is the default.
func declare(flags *pflag.FlagSet, given any) {
	v := reflect.ValueOf(given).Elem()
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		name := ""
		for k, r := range v.Type().Field(i).Name {
			if unicode.IsUpper(r) && k > 0 {
				name += "-"
			}
			name += string(unicode.ToLower(r))
		}
		switch p := v.Field(i).Addr().Interface().(type) {
		case *bool:
			flags.BoolVar(p, name, *p, "")
		case *int:
			flags.IntVar(p, name, *p, "")
		case *int64:
			flags.Int64Var(p, name, *p, "")
		case *uint64:
			flags.Uint64Var(p, name, *p, "")
		case *string:
			flags.StringVar(p, name, *p, "")
		case *[]string:
			flags.StringSliceVar(p, name, *p, "")
		case *verbatim:
			flags.StringArrayVar((*[]string)(p), name, *p, "")
		case *time.Duration:
			flags.DurationVar(p, name, *p, "")
		default:
			panic("no flag can be a " + v.Field(i).Type().String())
		}
	}
}

// completeSpecs completes the names of models, and their parameters with values.
func (a *app) completeSpecs(_ *cobra.Command, args []string, typed string) ([]string,
	cobra.ShellCompDirective) {
	if len(args) == 0 {
		all, _ := a.Named(nil) // all there are
		return printable.Each(all, func(s *model.Spec) string {
			return cobra.CompletionWithDesc(s.Name, s.Title)
		}), cobra.ShellCompDirectiveNoFileComp
	}
	var words []string
	if s, err := a.Spec(args[0]); err == nil {
		for _, p := range s.Params {
			if key, _, valued := strings.Cut(typed, "="); !valued {
				words = append(words, cobra.CompletionWithDesc(p.Name+"=", p.Doc))
			} else if key == p.Name {
				words = append(words, valuesOf(&p)...)
			}
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// mostValues is the most numbers that completion offers as values of a parameter.
const mostValues = 16

// valuesOf returns the values of a parameter for completion, as NAME=VALUE.
func valuesOf(p *param.Param) (words []string) {
	words = printable.Each(p.Type.Words, func(word *string) string { return p.Name + "=" + *word })
	if r := p.Type.Range; r != nil && p.Type.Form == "number" {
		for x := r[0]; x <= r[1] && x < r[0]+mostValues; x++ {
			words = append(words, fmt.Sprintf("%s=%d", p.Name, x))
		}
	}
	return words
}

// completeProperties completes the names of the properties of the model that the arguments name.
func (a *app) completeProperties(_ *cobra.Command, args []string, typed string) (words []string,
	_ cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if in, err := a.Instance(args[0], args[1:]); err == nil {
		before := typed[:strings.LastIndex(typed, ",")+1] // the names before the last comma
		for _, p := range in.Space.Properties() {
			words = append(words, cobra.CompletionWithDesc(before+p.Name, p.Doc))
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// usage writes how a verb is used, in lines of the width of the terminal.
func (a *app) usage(c *cobra.Command) error {
	w, width := c.OutOrStderr(), a.out.Width()
	section := func(title, text string) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			printable.Fprintf(w, "\n%s:\n%s\n", title, printable.Lines(text))
		}
	}
	uses := ""
	if c.Runnable() {
		uses = "  " + c.UseLine() + "\n"
	}
	if c.HasAvailableSubCommands() {
		uses += "  " + c.CommandPath() + " [command]\n"
	}
	printable.Fprintf(w, "Usage:\n%s", printable.Lines(uses))
	section("Examples", a.examples(c.Example))
	var verbs strings.Builder
	for _, v := range c.Commands() {
		if v.IsAvailableCommand() || v.Name() == "help" {
			fmt.Fprintf(&verbs, "  %-*s %s\n", c.NamePadding(), v.Name(), v.Short)
		}
	}
	section("Available Commands", verbs.String())
	section("Flags", c.LocalFlags().FlagUsagesWrapped(width))
	section("Global Flags", c.InheritedFlags().FlagUsagesWrapped(width))
	if c.HasAvailableSubCommands() {
		printable.Fprintf(w, "\nUse \"%s [command] --help\" for more information about a command.\n",
			c.CommandPath())
	}
	return nil
}

// long writes the description of a verb, in lines of the width of the terminal, and how it is used.
func (a *app) long(c *cobra.Command, _ []string) {
	text := cmp.Or(c.Long, c.Short)
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if !strings.HasPrefix(paragraph, " ") && !strings.Contains(paragraph, "\n ") { // no list
			paragraph = strings.Join(traces.Wrap(paragraph, a.out.Width()), "\n")
		}
		printable.Fprintf(c.OutOrStdout(), "%s\n\n", printable.Lines(paragraph))
	}
	_ = a.usage(c) // it fails as the output fails, which closing it reports
}
