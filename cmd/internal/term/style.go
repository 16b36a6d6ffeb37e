package term

import (
	"os"

	"github.com/fatih/color"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

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
	paint := color.New(attributes...).SprintFunc()
	return func(text string) printable.Raw { return printable.Raw(paint(printable.Text(text))) }
}

// SetColour switches colours: auto, always or never. With auto the library reads NO_COLOR and the kind of the
// output.
func SetColour(when string, out *Output) error {
	switch when {
	case "auto":
		if out.W != os.Stdout {
			color.NoColor = true
		}
	case "always":
		color.NoColor = false
	case "never":
		color.NoColor = true
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
