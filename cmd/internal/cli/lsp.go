//go:build !js

package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/editor"
	"github.com/atmostk/atmostk/cmd/internal/term"
)

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
