package cmd

import (
	"io"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// jsonMistake is what is wrong with the model itself.
type jsonMistake struct {
	Part string `json:"part"` // of the model
	traces.Mistake
	Length *int   `json:"length,omitempty"` // steps of the shortest run that leads there
	Trace  string `json:"trace,omitempty"`  // file of that run
}

// mistake writes what is wrong with the model itself, with the run that leads there.
func (c *checked) mistake(w io.Writer) error {
	m := c.report.Mistake
	if m == nil {
		return nil
	}
	printable.Fprintf(w, "\n%s\n", bad("model error: "+m.Subject()))
	writeMistake(w, m.Error)
	if c.mistaken == nil {
		return nil
	}
	printable.Fprintf(w, "  %s\n\n", faint("the shortest run that leads there has "+plural(int64(m.Length),
		"step")))
	if err := traces.Render(w, "text", c.mistaken, traces.Options{}); err != nil {
		return err
	}
	if c.mistakeFile != "" {
		printable.Fprintf(w, "written to %s\n", c.mistakeFile)
	}
	return nil
}

// writeMistake writes what is known of a mistake.
func writeMistake(w io.Writer, e *model.Error) {
	printable.Fprintf(w, "  %s\n", e.What)
	for _, line := range [][2]string{
		{"at", e.Where}, {"state", e.State}, {"message", e.Message}, {"once", e.First}, {"again", e.Second},
	} {
		if line[1] != "" {
			printable.Fprintf(w, "  %-8s %s\n", line[0]+":", line[1])
		}
	}
}
