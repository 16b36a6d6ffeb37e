package cli

import (
	"io"
	"os"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
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

func (a *app) newProgress() *term.Progress { return term.NewProgress(a.diag, a.delay) }

func peakMemoryOf(s *os.ProcessState) int64 { return term.PeakOf(s) }

func (p *Program) tool() string                          { return p.Tool() }
func (p *Program) spec(name string) (*model.Spec, error) { return p.Spec(name) }
func (p *Program) about(t *traces.Trace) page.About      { return p.About(t) }
func (p *Program) forms() []traces.Form                  { return p.Forms() }
func (p *Program) pageForm() traces.Form                 { return p.PageForm() }
func (p *Program) again(t *traces.Trace, args string) string {
	return p.Again(t, args)
}

func (p *Program) instance(name string, args []string) (*model.Spec, model.Instance, *model.Args, error) {
	return p.Instance(name, args)
}

func (p *Program) header(spec *model.Spec, args *model.Args, property string) traces.Header {
	return p.Header(spec, args, property)
}

func toolVersion() string { return models.Version() }

type (
	jsonAction  = report.Action
	jsonMistake = report.Mistake
)

func settings(a *model.Args) string { return report.Settings(a) }

func writeMistake(w io.Writer, e *model.Error) { report.WriteError(w, e) }

func writeJUnit(w io.Writer, name string, suites ...report.Suite) error {
	return (&report.Doc{Tool: name, Suites: suites}).JUnit(w)
}

type jsonNotAsked = report.NotAsked

// one is the number of a yes or no.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
