//go:build !js

package cli

import (
	"embed"

	"github.com/spf13/cobra"
)

// helpTexts are the texts of all verbs.
//
//go:embed help
var helpTexts embed.FS

// ofMachines are the verbs that a program for browsers does without: those that start processes or serve
// others, which no browser lets it, and those beside a model and its runs, which would make it twice as large
// to load.
func (a *app) ofMachines() []*cobra.Command {
	return []*cobra.Command{a.explore(), a.run(), a.simulate(), a.validate(), a.newModel()}
}
