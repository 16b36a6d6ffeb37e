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

// ofMachines are the verbs that a program for browsers lacks. Some start processes or serve pages, which a
// browser does not allow; the others would more than double the size of the program, and its page asks for
// check and replay only.
func (a *app) ofMachines() []*cobra.Command {
	return []*cobra.Command{a.scenario(), a.show(), a.lint(), a.explore(), a.run(), a.simulate(),
		a.validate(), a.newModel(), a.prove(), a.lsp()}
}
