package traces

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/atmostk/atmostk/traces/printable"
)

// A Form is an output format of a run.
type Form struct {
	Name  string
	Doc   string // a few words
	Write func(io.Writer, *Run, Options) error
}

// Options of the forms for a terminal.
type Options struct {
	Width int // columns of the terminal; 0: 100
	// Paint colours a part of the output; nil: no colours.
	Paint func(Style, string) printable.Raw
}

// A Style is the meaning of a part of the output; Options.Paint gives it a colour.
type Style int

// The styles.
const (
	Plain   Style = iota
	Wrong         // violations, crashes, too many units
	Goal          // goals that are reached
	Inside        // users of the resource
	Message       // lines of messages
	Muted         // details
)

// paint escapes the invisible characters of a text and colours it.
func (o Options) paint(style Style, text string) printable.Raw {
	if o.Paint == nil || style == Plain {
		return printable.Raw(printable.Text(text))
	}
	return o.Paint(style, text)
}

// width is the number of columns to use, at least 40.
func (o Options) width() int {
	if o.Width <= 0 {
		return 100
	}
	return max(o.Width, 40)
}

// Forms are the output formats of Render. Package page has the one for a browser.
var Forms = []Form{
	{"text", "step by step: the event, its changes, the verdicts of the properties", asText},
	{"chart", "a space-time diagram in the terminal", asChart},
	{"svg", "the space-time diagram as a picture", asSVG},
	{"shiviz", "a log with vector clocks, for ShiViz", asShiViz},
	{"json", "the trace as one JSON document", asJSON},
}

// Render writes a run in the named form, one of Forms or of further. An unknown name is an error.
func Render(w io.Writer, form string, r *Run, o Options, further ...Form) error {
	forms := append(slices.Clip(Forms), further...)
	i := slices.IndexFunc(forms, func(f Form) bool { return f.Name == form })
	if i < 0 {
		return fmt.Errorf("there is no form %q of a trace; allowed are %s", form,
			joined(forms, func(f *Form) string { return f.Name }))
	}
	var b bytes.Buffer
	if err := forms[i].Write(&b, r, o); err != nil {
		return err
	}
	_, err := io.WriteString(w, printable.Document(b.String()))
	return err
}
