//go:build !js

package cli

import (
	"cmp"
	"embed"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/specs/gallery"
	"github.com/atmostk/atmostk/traces/printable"
)

// newModels is the model in Go that new writes. NAME stands for the name.
//
//go:embed new
var newModels embed.FS

type newFlags struct{ Lang, From string }

// runNew writes a model into files, and prints commands to try.
func (a *app) runNew(c *cobra.Command, args []string, f *newFlags) error {
	name, lang := args[0], f.Lang
	if is, _ := regexp.MatchString(`^[a-z][a-z0-9-]*$`, name); !is {
		return usage.Errorf("%q is not a name of a model; allowed: a to z, digits and hyphens, and "+
			"one of a to z first", name)
	}
	if err := cmp.Or(allowed("lang", lang, machineChoices["new lang"]...),
		allowed("from", f.From, machineChoices["new from"]...)); err != nil {
		return err
	}
	if c.Flags().Changed("from") && lang != "star" {
		return usage.Errorf("--from is for models in files; --lang %s begins with a model of its own", lang)
	}
	path, files, err := beginning(name, f)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return usage.Errorf("%s exists already, and new overwrites nothing", path)
	}
	for file, text := range files {
		if err := cmp.Or(os.MkdirAll(filepath.Dir(file), 0o777),
			os.WriteFile(file, []byte(text), 0o666)); err != nil {
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

// beginning returns the file or folder that new writes, and the texts of all files.
func beginning(name string, f *newFlags) (path string, files map[string]string, err error) {
	files = map[string]string{}
	if f.Lang == "star" {
		path = name + starfile.Extension
		files[path], err = gallery.Text(f.From)
		return path, files, err
	}
	for _, file := range []string{"go.mod", "main.go", "main_test.go"} {
		text, err := newModels.ReadFile("new/" + file + ".txt")
		if err != nil {
			return "", nil, err
		}
		files[filepath.Join(name, file)] = strings.ReplaceAll(string(text), "NAME", name)
	}
	return name, files, nil
}
