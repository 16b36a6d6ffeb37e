package cmd

import (
	"os"

	"github.com/fatih/color"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

var (
	good  = style(color.FgGreen)
	bad   = style(color.FgRed, color.Bold)
	maybe = style(color.FgYellow)
	faint = style(color.Faint)
	bold  = style(color.Bold)

	inside  = style(color.FgGreen)
	message = style(color.FgBlue)
)

// style returns what colours a text, and nothing but its own colour is in that.
func style(attributes ...color.Attribute) func(string) printable.Raw {
	paint := color.New(attributes...).SprintFunc()
	return func(text string) printable.Raw { return printable.Raw(paint(printable.Text(text))) }
}

// setColour decides about colour; the library looks at the terminal and at
// NO_COLOR by itself.
func (a *app) setColour() error {
	switch a.colour {
	case "auto":
		if a.out.w != os.Stdout {
			color.NoColor = true
		}
	case "always":
		color.NoColor = false
	case "never":
		color.NoColor = true
	default:
		return usage.Errorf("--color=%s: allowed are auto, always and never", a.colour)
	}
	return nil
}

// paint colours text by the verdict that it belongs to.
func paint(v explore.Verdict, text string) printable.Raw {
	switch v {
	case explore.Holds:
		return good(text)
	case explore.Violated, explore.ModelError:
		return bad(text)
	}
	return maybe(text)
}
