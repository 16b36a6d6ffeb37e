//go:build !js

package cli

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// newModels are the models that new writes, with NAME in place of the name.
//
//go:embed new
var newModels embed.FS

// newName is what a new model may be called: a file, a folder and a word of the command line.
var newName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
})

func (a *app) newModel() *cobra.Command {
	var lang string
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a small complete model to begin with",
		Long: `Writes a model to change into one's own: a file NAME.star in Starlark, which is checked
as it is; or with --lang go a folder NAME, which is a module of Go with a test. What is there
already is not touched.`,
		Example: a.examples("% new lock\n% check lock.star\n% new lock --lang go"),
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := args[0]
			if !newName().MatchString(name) {
				return usage.Errorf(
					"a model cannot be called %q; allowed: a to z, digits and hyphens, beginning "+
						"with one of a to z",
					name,
				)
			}
			switch lang {
			case "star":
				return a.newFile(name)
			case "go":
				return a.newModule(name)
			}
			return usage.Errorf("--lang=%s: allowed are star and go", lang)
		},
	}
	c.Flags().StringVar(&lang, "lang", "star", "language of the model: star, a file in Starlark; or go")
	return c
}

// newFile writes a model in Starlark.
func (a *app) newFile(name string) error {
	path := name + starfile.Extension
	if err := writeNew("model.star", path, name); err != nil {
		return err
	}
	printable.Fprintf(a.out, `written: %[2]s
Try:
  %[1]s check %[2]s
  %[1]s check %[2]s mistake=yes --trace %[3]s.ndjson
  %[1]s replay %[3]s.ndjson --as chart
  %[1]s lint %[2]s
`, a.Name, path, name)
	return nil
}

// newModule writes a module of Go.
func (a *app) newModule(name string) error {
	if err := os.Mkdir(name, 0o777); errors.Is(err, fs.ErrExist) {
		return usage.Errorf("there is something called %s already, and new overwrites nothing", name)
	} else if err != nil {
		return badOutput(err)
	}
	for _, f := range []string{"go.mod", "main.go", "main_test.go"} {
		if err := writeNew(f+".txt", filepath.Join(name, f), name); err != nil {
			return err
		}
	}
	printable.Fprintf(a.out, `written: %[1]s/go.mod, main.go, main_test.go
Try, in the folder %[1]s:
  go mod tidy
  go build
  ./%[1]s check %[1]s
  go test
`, name)
	return nil
}

// writeNew writes a file that new carries along, unless there is one of that name.
func writeNew(from, to, name string) error {
	text, err := newModels.ReadFile("new/" + from)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return usage.Errorf("there is something called %s already, and new overwrites nothing", to)
	} else if err != nil {
		return badOutput(err)
	}
	_, err = f.WriteString(strings.ReplaceAll(string(text), "NAME", name))
	if err := errors.Join(err, f.Close()); err != nil {
		return badOutput(err)
	}
	return nil
}
