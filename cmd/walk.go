package cmd

import (
	"bufio"
	"strings"

	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

const walkHelp = `next, n         go on by one step
back, b         go back by one step
state [NAME]    the state of a process, or all of it
enabled, e      what could happen here
quit, q         end`

// walk goes through a run step by step, as commands on standard input say.
func (a *app) walk(run *traces.Run) error {
	w := bufio.NewWriter(a.out)
	printable.Fprintf(w, "%s: %s %s, %d steps\n%s\n", run.Trace.Spec, run.Trace.Property, run.Trace.Verdict, len(run.Taken), walkHelp)
	at := 0
	traces.WriteStep(w, run, at)
	lines := bufio.NewScanner(a.in)
	for {
		printable.Fprintf(w, "> ")
		if err := w.Flush(); err != nil {
			return err
		}
		if !lines.Scan() {
			printable.Fprintln(w)
			break
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		if word == "q" || word == "quit" {
			break
		}
		at = walkCommand(w, run, at, word, strings.TrimSpace(rest))
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return w.Flush()
}

// walkCommand carries out one command and returns the step where the walk then is.
func walkCommand(w *bufio.Writer, run *traces.Run, at int, word, rest string) int {
	switch word {
	case "n", "next", "":
		if at == len(run.Taken) {
			printable.Fprintln(w, "this is the last step")
			return at
		}
		at++
		traces.WriteStep(w, run, at)
	case "b", "back":
		if at == 0 {
			printable.Fprintln(w, "this is the initial state")
			return at
		}
		at--
		traces.WriteStep(w, run, at)
	case "s", "state":
		if !traces.WriteState(w, run, at, rest) {
			printable.Fprintf(w, "there is no %q\n", rest)
		}
	case "e", "enabled":
		for _, t := range run.Enabled(at) {
			printable.Fprintf(w, "  %s\n", t.Text())
		}
	default:
		printable.Fprintf(w, "unknown command %q\n%s\n", word, walkHelp)
	}
	return at
}
