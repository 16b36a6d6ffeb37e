// Package term is the terminal and the machine of the command: outputs, colours, the progress of a search,
// signals and memory.
package term

import (
	"cmp"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/fatih/color"
	"golang.org/x/term"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// An Output is a stream that a verb writes to. It keeps the first error, because most callers ignore errors
// of writing. Closing it stops the output of an abandoned verb.
type Output struct {
	W       io.Writer
	writing sync.Mutex // held during a write, which never ends if the other side does not read
	mu      sync.Mutex // of err
	err     error
}

var errClosed = errors.New("the command has ended")

// Write writes, unless an earlier write failed.
func (o *Output) Write(b []byte) (n int, err error) {
	o.writing.Lock()
	defer o.writing.Unlock()
	if err := o.Failed(); err != nil {
		return 0, err
	}
	if n, err = o.W.Write(b); err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.err = err
	}
	return n, err
}

// Failed returns the first error.
func (o *Output) Failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// Close makes all further writes fail, and returns the first error before. It waits for no write under way.
func (o *Output) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.err
	o.err = errClosed
	return err
}

// Terminal reports whether the output is shown on a terminal.
func (o *Output) Terminal() bool {
	f, ok := o.W.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Columns returns the columns of the terminal; 0: the output is not shown on one.
func (o *Output) Columns() int {
	if f, ok := o.W.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return columns
		}
	}
	return 0
}

// Width returns the columns of the terminal; 80 if unknown.
func (o *Output) Width() int { return cmp.Or(o.Columns(), 80) }

// Colours of text.
var (
	Good  = style(color.FgGreen)
	Bad   = style(color.FgRed, color.Bold)
	Maybe = style(color.FgYellow)
	Faint = style(color.Faint)
	Bold  = style(color.Bold)

	Inside  = style(color.FgGreen)
	Message = style(color.FgBlue)
)

// style returns a function that colours a text; the text has no colours yet.
func style(attributes ...color.Attribute) func(string) printable.Raw {
	return func(text string) printable.Raw {
		c := color.New(attributes...)
		if !color.NoColor { // --color always; New reads NO_COLOR
			c.EnableColor()
		}
		return printable.Raw(c.Sprint(printable.Text(text)))
	}
}

// SetColour switches colours: auto, always or never. With auto the library reads NO_COLOR and the kind of the
// output.
func SetColour(when string, out *Output) error {
	switch when {
	case "auto":
		color.NoColor = color.NoColor || out.W != os.Stdout
	case "always", "never":
		color.NoColor = when == "never"
	default:
		return usage.Errorf("--color=%s: allowed are auto, always and never", when)
	}
	return nil
}

// Verdict colours a text by the verdict on a model or a log that it belongs to.
func Verdict[V ~string](verdict V, text string) printable.Raw {
	switch verdict {
	case "holds", "accepted", "proved":
		return Good(text)
	case "violated", "model error", "rejected":
		return Bad(text)
	}
	return Maybe(text)
}
