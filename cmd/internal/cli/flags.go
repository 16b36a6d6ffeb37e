package cli

import (
	"context"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/pflag"

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

// verbatim are the values of a flag that may be given several times, each with its commas.
type verbatim []string

// declare declares a flag for each exported field of a struct, with its value as the default: MaxStates is
// --max-states.
func declare(flags *pflag.FlagSet, given any) {
	v := reflect.ValueOf(given).Elem()
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		name := ""
		for k, r := range v.Type().Field(i).Name {
			if unicode.IsUpper(r) && k > 0 {
				name += "-"
			}
			name += string(unicode.ToLower(r))
		}
		switch p := v.Field(i).Addr().Interface().(type) {
		case *bool:
			flags.BoolVar(p, name, *p, "")
		case *int:
			flags.IntVar(p, name, *p, "")
		case *int64:
			flags.Int64Var(p, name, *p, "")
		case *uint64:
			flags.Uint64Var(p, name, *p, "")
		case *string:
			flags.StringVar(p, name, *p, "")
		case *[]string:
			flags.StringSliceVar(p, name, *p, "")
		case *verbatim:
			flags.StringArrayVar((*[]string)(p), name, *p, "")
		case *time.Duration:
			flags.DurationVar(p, name, *p, "")
		default:
			panic("no flag can be a " + v.Field(i).Type().String())
		}
	}
}
