//go:build !js

package cli

import (
	"embed"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// newModels are the models that new writes. NAME stands for the name.
//
//go:embed new
var newModels embed.FS

// newFlags are the flags of new, as given.
type newFlags struct{ Lang string }

func (a *app) newModel() *cobra.Command {
	return verb(a, "new", &newFlags{"star"}, cobra.ExactArgs(1), a.runNew)
}

// runNew writes a model into files, and prints commands to try.
func (a *app) runNew(_ *cobra.Command, args []string, f *newFlags) error {
	name, lang := args[0], f.Lang
	if is, _ := regexp.MatchString(`^[a-z][a-z0-9-]*$`, name); !is {
		return usage.Errorf("%q is not a name of a model; allowed: a to z, digits and hyphens, beginning "+
			"with a letter", name)
	}
	if err := allowed("lang", lang, "star", "go"); err != nil {
		return err
	}
	path := name // the file or folder to write
	files := map[string]string{}
	if lang == "star" {
		path += starfile.Extension
		files[path] = "model.star"
	} else {
		for _, f := range []string{"go.mod", "main.go", "main_test.go"} {
			files[filepath.Join(name, f)] = f + ".txt"
		}
	}
	if _, err := os.Lstat(path); err == nil {
		return usage.Errorf("%s exists already, and new overwrites nothing", path)
	}
	for file, from := range files {
		text, err := newModels.ReadFile("new/" + from)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(file), 0o777)
		}
		if err == nil {
			err = os.WriteFile(file, []byte(strings.ReplaceAll(string(text), "NAME", name)), 0o666)
		}
		if err != nil {
			return badOutput(err)
		}
	}
	next := `written: %[2]s
Try:
  %[1]s check %[2]s
  %[1]s check %[2]s mistake=yes --trace %[3]s.ndjson
  %[1]s replay %[3]s.ndjson --as chart
  %[1]s lint %[2]s
`
	if lang == "go" {
		next = `written: %[2]s/go.mod, main.go, main_test.go
Try, in the folder %[2]s:
  go mod tidy
  go build
  ./%[2]s check %[2]s
  go test
`
	}
	printable.Fprintf(a.out, next, a.Name, path, name)
	return nil
}
