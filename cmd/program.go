// Package cmd is the command atmostk. A program in another module gets the whole command for its own models,
// under its own name:
//
//	func main() { cmd.Program{Name: "ringcheck", Specs: []model.Spec{ring.Spec}}.Main() }
//
// Results go to standard output, progress and diagnostics to standard error. Package cli has the verbs,
// report their reports, models the names and arguments of models, and term the terminal and the machine.
package cmd

import (
	"context"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/cli"
	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
)

// A Program is the command over some models, under a name of its own. It has the verbs of atmostk, and of its
// models only those in Specs.
type Program struct {
	// Name is the word that users type. Every message begins with it, and it stands in usage lines,
	// completions, commands to repeat, traces, pages and reports. "": the name of the executable file.
	Name string
	// Specs are the models, in the order of the list. Two models with one name are an error.
	Specs []model.Spec
	// Remote has other processes explore the instances; nil: this process explores them.
	Remote RemoteSearcher
}

type (
	// A RemoteSearcher has other processes explore instances, for the verb check. Reports and exit codes stay
	// the same.
	RemoteSearcher = cli.RemoteSearcher
	// A Question is an instance to be explored.
	Question = cli.Question
)

// Main runs the program with the arguments of the process, and exits.
func (p Program) Main() {
	// An unrecoverable error ends the process by a signal: the exit code of Go for it is 2, which means
	// undecided here.
	debug.SetTraceback("crash")
	os.Exit(p.Run(term.Signals(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Run is Main without the process: it returns the exit code. When ctx ends, the verb has less than a second
// to report its results, and is abandoned then, unless it has to write a search down.
func (p Program) Run(ctx context.Context, args []string, in io.Reader, out, diag io.Writer) int {
	return p.cli().Run(ctx, args, in, out, diag)
}

// Command returns the program as cobra has it, with all its verbs, for documentation; see tools/manual.
func (p Program) Command() *cobra.Command { return p.cli().Command() }

func (p Program) cli() cli.Program {
	set := models.Set{Name: p.Name, Specs: p.Specs, Cluster: p.Remote != nil}
	return cli.Program{Set: set, Remote: p.Remote}
}

// MemoryLimit reads a size in bytes such as 64M; "" is four fifths of the memory that is available, 0 is no
// limit.
func MemoryLimit(s string) (int64, error) { return term.MemoryLimit(s) }
