package cmd

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
)

const walkHelp = `next, n         go on by one step
back, b         go back by one step
state [NAME]    the state of a process, or all of it
enabled, e      what could happen here
quit, q         end`

// walk goes through a run step by step, as commands on standard input say.
func (a *app) walk(run *traces.Run) error {
	w := bufio.NewWriter(a.out)
	fmt.Fprintf(w, "%s: %s %s, %d steps\n%s\n", run.Trace.Spec, run.Trace.Property, run.Trace.Verdict, len(run.Taken), walkHelp)
	at := 0
	showStep(w, run, at)
	lines := bufio.NewScanner(a.in)
	for {
		fmt.Fprint(w, "> ")
		if err := w.Flush(); err != nil {
			return err
		}
		if !lines.Scan() {
			fmt.Fprintln(w)
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
			fmt.Fprintln(w, "this is the last step")
			return at
		}
		at++
		showStep(w, run, at)
	case "b", "back":
		if at == 0 {
			fmt.Fprintln(w, "this is the initial state")
			return at
		}
		at--
		showStep(w, run, at)
	case "s", "state":
		showOwner(w, run.States[at].Vars(), rest)
	case "e", "enabled":
		for _, t := range run.Enabled(at) {
			fmt.Fprintf(w, "  %s\n", t.Text())
		}
	default:
		fmt.Fprintf(w, "unknown command %q\n%s\n", word, walkHelp)
	}
	return at
}

func showStep(w *bufio.Writer, run *traces.Run, at int) {
	if at == 0 {
		fmt.Fprintf(w, "%4d  initial state\n", 0)
		writeInitial(w, run.States[0].Vars())
		return
	}
	fmt.Fprintf(w, "%4d  %s\n", at, run.Taken[at-1].Text())
	for _, ch := range changes(run.States[at-1].Vars(), run.States[at].Vars()) {
		fmt.Fprintf(w, "        %s\n", faint(ch))
	}
}

// showOwner shows the variables of one process, of all with "".
func showOwner(w *bufio.Writer, vars []model.Var, owner string) {
	var shown []model.Var
	for _, v := range vars {
		if owner == "" || v.Owner == owner {
			shown = append(shown, v)
		}
	}
	if len(shown) == 0 {
		fmt.Fprintf(w, "there is no %q\n", owner)
	}
	writeInitial(w, shown)
}
