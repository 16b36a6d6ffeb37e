package cli

import (
	"io"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// Names that the verb simulate uses.
var (
	bad   = term.Bad
	maybe = term.Maybe
	faint = term.Faint
	bold  = term.Bold

	interrupted = term.Interrupted
)

func paint(v explore.Verdict, text string) printable.Raw { return term.Verdict(v, text) }

func plural(n int64, thing string) string { return printable.Plural(n, thing) }

func number(n int64) string { return printable.Number(n) }

func (p *Program) spec(name string) (*model.Spec, error) { return p.Spec(name) }

func (p *Program) header(spec *model.Spec, args *model.Args, property string) traces.Header {
	return p.Header(spec, args, property)
}

type (
	jsonAction  = report.Action
	jsonMistake = report.Mistake
)

func settings(a *model.Args) string { return report.Settings(a) }

func writeMistake(w io.Writer, e *model.Error) { report.WriteError(w, e) }
