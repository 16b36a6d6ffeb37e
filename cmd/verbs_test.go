package cmd_test

import (
	"fmt"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What a user may have to learn.
const (
	mostVerbs = 16
	mostFlags = 100
)

// TestVerbsAndFlags counts the verbs of the program, also hidden ones and the verbs of cobra, and the flags
// of each without --help. A flag counts at each verb that has it.
func TestVerbsAndFlags(t *testing.T) {
	verbs, flags, told := 0, 0, ""
	var count func(c *cobra.Command)
	count = func(c *cobra.Command) {
		own := 0
		for _, set := range []*pflag.FlagSet{c.LocalNonPersistentFlags(), c.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) {
				if f.Name != "help" {
					own++
				}
			})
		}
		told += fmt.Sprintf("%s: %d flags\n", c.CommandPath(), own)
		flags += own
		for _, verb := range c.Commands() {
			if c.HasParent() { // shells to complete for
				continue
			}
			verbs++
			count(verb)
		}
	}
	root := atmostk.Command()
	root.InitDefaultHelpCmd()
	root.InitDefaultVersionFlag()
	count(root)
	if verbs > mostVerbs || flags > mostFlags {
		t.Errorf("%d verbs and %d flags; allowed are %d and %d\n%s", verbs, flags, mostVerbs, mostFlags, told)
	}
}
