package cmd

import (
	"os"
	"syscall"

	"github.com/spf13/cobra"
)

// In a browser there are no signals: whoever has the program stops it as a whole.
var hangup, brokenPipe os.Signal = syscall.SIGQUIT, syscall.SIGQUIT

func (a *app) ofMachines() []*cobra.Command { return nil }
