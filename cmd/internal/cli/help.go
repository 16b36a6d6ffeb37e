package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// verb completes a verb: its flags are the exported fields of a struct, its texts are in help/NAME.txt, and with
// --format schema it prints its annotation schema.
func (a *app) verb(name string, flags any, c *cobra.Command) *cobra.Command {
	c.Use = name
	declare(c.Flags(), flags)
	a.describe(c, name)
	if schema := c.Annotations["schema"]; schema != "" {
		args, run := c.Args, c.RunE
		wanted := func() bool { return c.Flag("format").Value.String() == schemaForm }
		c.Args = func(c *cobra.Command, words []string) error {
			if wanted() || args == nil {
				return nil
			}
			return args(c, words)
		}
		c.RunE = func(c *cobra.Command, words []string) error {
			if !wanted() {
				return run(c, words)
			}
			_, err := io.WriteString(a.out, schema)
			return err
		}
	}
	return c
}

// describe gives a verb its texts, from the file help/VERB.txt: the usage line, a short and a long description, the
// meaning of each flag, and examples. {program} stands for the name of the program, and {KEY} for an annotation.
func (a *app) describe(c *cobra.Command, file string) {
	b, err := helpTexts.ReadFile("help/" + file + ".txt")
	if err != nil {
		panic(err) // a verb without texts
	}
	text := strings.ReplaceAll(string(b), "{program}", a.Name)
	for key, value := range c.Annotations {
		text = strings.ReplaceAll(text, "{"+key+"}", value)
	}
	text, examples, _ := strings.Cut(text, "\nExamples:\n")
	text, flags, _ := strings.Cut(text, "\nFlags:\n")
	head, long, _ := strings.Cut(text, "\n\n")
	c.Use, c.Short, _ = strings.Cut(strings.TrimSpace(head), "\n")
	c.Long, c.Example = strings.TrimSpace(long), a.examples(strings.TrimSpace(examples))
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
	c.LocalNonPersistentFlags().VisitAll(explain)
	c.PersistentFlags().VisitAll(explain)
}
