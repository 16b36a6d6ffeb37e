package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/model/usage"
)

func (a *app) forRun() func(context.Context, []string) error { return nil }

func (a *app) ofMachines() []*cobra.Command { return nil }

func (*app) checkFamily(*cobra.Command, []string, *checkFlags) error {
	return usage.Errorf("a program in a browser explores one instance at a time")
}
