//go:build !js

package cli

import (
	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/editor"
)

func (a *app) runLSP(c *cobra.Command, _ []string, _ *struct{}) error {
	a.status.Store("serving an editor")
	orderly, err := editor.Serve(c.Context(), a.in, a.out)
	if err != nil {
		return badInput(err)
	}
	if !orderly {
		a.code = exitViolated // the protocol says so
	}
	return nil
}
