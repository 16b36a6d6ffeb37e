package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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
