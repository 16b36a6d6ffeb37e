package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
)

func (a *app) ofMachines() []*cobra.Command { return nil }

// exploreFlags are those of a page that is served, which a browser cannot do.
type exploreFlags struct{ open, tty bool }

func (*exploreFlags) serving(*cobra.Command) {}

func (a *app) exploreRun(context.Context, *traces.Run, *exploreFlags) error {
	return usage.Errorf("a program in a browser serves no pages; --as html makes one")
}
