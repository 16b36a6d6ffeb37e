//go:build !js

package cli

import (
	"fmt"
	"os"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
)

// learn proposes a mapping for a log, and shows what it would read.
func (a *app) learn(args []string) error {
	if len(args) != 1 {
		return usage.Errorf("--learn looks at one log, and %d are named", len(args))
	}
	in := a.in
	if args[0] != logs.Stdin {
		f, err := os.Open(args[0])
		if err != nil {
			return badInput(err)
		}
		defer func() { _ = f.Close() }() // it was only read
		in = f
	}
	lesson, err := logs.Learn(in)
	if err != nil {
		return badInput(fmt.Errorf("%s: %w", args[0], err))
	}
	printable.Fprintf(a.out, "# What fits %s best; look whether the nodes are what you mean.\n", args[0])
	printable.Fprintf(a.out, "%s", printable.Lines(lesson.Text))
	l := lesson.Log
	printable.Fprintf(a.out,
		"# Of %s it reads %s of %s: %d acquire, %d release, %d do not follow each other.\n",
		printable.Plural(lesson.Lines, "line"), printable.Plural(l.Events(), "event"),
		printable.Plural(len(l.Nodes),
			"node"),
		lesson.Acquired, lesson.Released, lesson.Odd)
	for _, line := range lesson.Sample {
		printable.Fprintf(a.out, "#   %s\n", line)
	}
	return nil
}
