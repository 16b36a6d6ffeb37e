package cli

import "github.com/spf13/cobra"

func (a *app) ofMachines() []*cobra.Command { return nil }
