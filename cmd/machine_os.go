//go:build !js

package cmd

import (
	"os"
	"syscall"

	"github.com/spf13/cobra"
)

// What package os does not name.
var hangup, brokenPipe os.Signal = syscall.SIGHUP, syscall.SIGPIPE

// ofMachines are the verbs that start processes, or are connected to others: no browser lets them.
func (a *app) ofMachines() []*cobra.Command {
	return []*cobra.Command{a.watch(), a.run(), a.process()}
}
