//go:build !js

package cli

import "github.com/spf13/cobra"

// ofMachines are the verbs that a program for browsers does without: those that start processes or serve
// others, which no browser lets it, and those beside a model and its runs, which would make it twice as large
// to load.
func (a *app) ofMachines() []*cobra.Command {
	return []*cobra.Command{
		a.explore(), a.run(), // no browser lets them
		a.simulate(), a.validate(), a.demo(), a.newModel(),
	}
}
