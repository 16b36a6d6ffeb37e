//go:build !js

package cli

import (
	"cmp"
	"embed"
	"time"

	"github.com/atmostk/atmostk/cmd/internal/editor"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/specs/gallery"
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
	return []*cobra.Command{
		verb(a, "scenario", &scenarioFlags{MaxStates: 1_000_000}, cobra.MinimumNArgs(1), a.runScenarios),
		verb(a, "show", &showFlags{MaxStates: mostDrawn, Format: "text"}, cobra.MinimumNArgs(1), a.runShow),
		verb(a, "lint", &lintFlags{Format: "text"}, nil, a.runLint),
		verb(a, "explore", &exploreFlags{}, nil, a.runExplore),
		verb(a, "list", &listFlags{"text"}, nil, a.runList),
		verb(a, "run", &runFlags{Entries: 100, Duration: time.Minute, Seed: 1, Validate: true,
			Pace: []string{"think=1ms", "stay=1ms", "delay=500us"}, Format: "text"},
			cobra.MinimumNArgs(1), a.runRun),
		a.simulate(), a.validate(),
		verb(a, "prove", &proveFlags{Solver: "z3", Timeout: 30 * time.Second, Format: "text"},
			cobra.MinimumNArgs(1), a.runProve),
		verb(a, "new", &newFlags{"star", gallery.First}, cobra.ExactArgs(1), a.runNew),
		verb(a, "lsp", &struct{}{}, cobra.NoArgs, a.runLSP),
	}
}

func (a *app) runLSP(c *cobra.Command, _ []string, _ *struct{}) error {
	a.status.Store("serving an editor")
	orderly, err := editor.Serve(c.Context(), a.in, a.out)
	if err != nil {
		return badInput(err)
	}
	// The protocol says 1 for an end without shutdown.
	a.code = cmp.Or(term.Interrupted(c.Context()), map[bool]int{false: exitViolated}[orderly])
	return nil
}
