package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/model/param"
)

// completeSpecs completes the names of models, and their parameters with values.
func (a *app) completeSpecs(_ *cobra.Command, args []string, typed string) ([]string,
	cobra.ShellCompDirective) {
	var words []string
	if len(args) == 0 {
		for _, s := range a.Specs {
			words = append(words, cobra.CompletionWithDesc(s.Name, s.Title))
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
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

// mostValues is how many numbers are offered as values of a parameter.
const mostValues = 16

// valuesOf returns the values of a parameter that are worth offering, each with its name before it.
func valuesOf(p *param.Param) (words []string) {
	for _, word := range p.Type.Words {
		words = append(words, p.Name+"="+word)
	}
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
	in, err := a.Instance(args[0], args[1:])
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	before := typed[:strings.LastIndex(typed, ",")+1] // those that are there already
	for _, p := range in.Space.Properties() {
		words = append(words, cobra.CompletionWithDesc(before+p.Name, p.Doc))
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}
