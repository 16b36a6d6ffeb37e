//go:build !js

package term

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Signals returns a context that ends with the first signal that asks the process to end. A second one ends
// the process at once. Writing to a closed pipe is an error like others.
func Signals() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signal.Ignore(syscall.SIGPIPE)
	asked := make(chan os.Signal, 2) // the second one ends the process
	signal.Notify(asked, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // under nohup it is ignored
		signal.Notify(asked, syscall.SIGHUP)
	}
	go func() {
		cancel(signalled{<-asked})
		os.Exit(signalled{<-asked}.code())
	}()
	return ctx
}
