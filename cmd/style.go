package cmd

import (
	"os"

	"github.com/fatih/color"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

var (
	good  = color.New(color.FgGreen).SprintFunc()
	bad   = color.New(color.FgRed, color.Bold).SprintFunc()
	maybe = color.New(color.FgYellow).SprintFunc()
	faint = color.New(color.Faint).SprintFunc()
	bold  = color.New(color.Bold).SprintFunc()
)

// setColour decides about colour; the library looks at the terminal and at
// NO_COLOR by itself.
func (a *app) setColour() error {
	switch a.colour {
	case "auto":
		if a.out != os.Stdout {
			color.NoColor = true
		}
	case "always":
		color.NoColor = false
	case "never":
		color.NoColor = true
	default:
		return model.Usage("--color=%s: allowed are auto, always and never", a.colour)
	}
	return nil
}

// paint colours text by the verdict that it belongs to.
func paint(v explore.Verdict, text string) string {
	switch v {
	case explore.Holds:
		return good(text)
	case explore.Violated, explore.ModelError:
		return bad(text)
	}
	return maybe(text)
}
