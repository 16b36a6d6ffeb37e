package cli

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// allowed refuses a value of a flag that is not one of the words.
func allowed(flag, value string, words ...string) error {
	if slices.Contains(words, value) {
		return nil
	}
	last := len(words) - 1
	return usage.Errorf("--%s=%s: allowed are %s and %s", flag, value, strings.Join(words[:last], ", "),
		words[last])
}

// within refuses a value of a flag outside a range, its ends included.
func within(flag string, value, least, most int) error {
	if least <= value && value <= most {
		return nil
	}
	return usage.Errorf("--%s=%d: allowed are %d to %d", flag, value, least, most)
}

// mostWorkers is how many workers a search or a simulation may have.
const mostWorkers = 256

// A document is the report of a verb, which has a form for people and one for programs.
type document interface {
	Text(io.Writer) error
	JSON(io.Writer) error
}

// write writes a report in the form that --format names.
func (a *app) write(form string, d document) error {
	switch form {
	case "json":
		return d.JSON(a.out)
	case "sarif":
		return d.(interface{ Doc() *report.Doc }).Doc().SARIF(a.out)
	case "junit":
		return d.(interface{ Doc() *report.Doc }).Doc().JUnit(a.out)
	case "html":
		return d.(interface{ HTML(io.Writer) error }).HTML(a.out)
	}
	return d.Text(a.out)
}

// schemaForm is the form of a report that is the JSON Schema of its form in JSON.
const schemaForm = "schema"

// unlessSchema wants an argument, unless only the schema of a report is wanted.
func unlessSchema(format *string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if *format == schemaForm {
			return nil
		}
		return cobra.MinimumNArgs(1)(c, args)
	}
}

// limited returns a context that ends after a time; 0: with the other one.
func limited(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, timeout)
}

// named returns the indices of the properties of these names; nil for none.
func named(wanted []string, properties []model.PropertyInfo) (indices []int, err error) {
	names := make([]string, len(properties))
	for i := range properties {
		names[i] = properties[i].Name
	}
	for _, name := range wanted {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, usage.Errorf("there is no property %q%s; the model has %s", name,
				usage.Nearest(name, names), strings.Join(names, ", "))
		}
		indices = append(indices, i)
	}
	return indices, nil
}
