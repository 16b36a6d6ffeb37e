package cmd

import (
	"os"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/traces/printable"
)

// Names of package term in files that move to it.
var (
	good    = term.Good
	bad     = term.Bad
	maybe   = term.Maybe
	faint   = term.Faint
	bold    = term.Bold
	inside  = term.Inside
	message = term.Message

	interrupted = term.Interrupted
	memoryLimit = term.MemoryLimit
)

type output = term.Output

const (
	exitInterrupted = term.ExitInterrupted
	exitTerminated  = term.ExitTerminated
)

func paint(v explore.Verdict, text string) printable.Raw { return term.Verdict(v, text) }

func plural(n int64, thing string) string { return printable.Plural(n, thing) }

func number(n int64) string { return printable.Number(n) }

func (a *app) newProgress() *term.Progress { return term.NewProgress(a.diag, a.patience) }

func peakMemoryOf(s *os.ProcessState) int64 { return term.PeakOf(s) }
