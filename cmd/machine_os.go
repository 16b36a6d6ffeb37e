//go:build !js

package cmd

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
)

// signals returns a context that ends with the first signal that asks the process to end. A
// second one ends the process at once. A pipe that nobody reads any more is a write error
// like others.
func signals() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signal.Ignore(syscall.SIGPIPE)
	asked := make(chan os.Signal, 2) // that many are looked at
	signal.Notify(asked, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup has it ignored
		signal.Notify(asked, syscall.SIGHUP)
	}
	go func() {
		cancel(signalled{<-asked})
		os.Exit(signalled{<-asked}.code())
	}()
	return ctx
}

// ofMachines are the verbs that a program for browsers does without: those that start processes or serve
// others, which no browser lets it, and those beside a model and its runs, which would make it twice as large
// to load.
func (a *app) ofMachines() []*cobra.Command {
	return []*cobra.Command{
		a.explore(), a.watch(), a.run(), a.process(), a.janitor(), // no browser lets them
		a.simulate(), a.sweep(), a.validate(), a.demo(), a.newModel(),
	}
}

// cutTo cuts a line to so many columns of a terminal.
func cutTo(line string, columns int) string { return ansi.Truncate(line, columns, "…") }
