// Package gallery has small models in files to begin with, each with one planted mistake: mistake=yes.
package gallery

import (
	"embed"
	"slices"
	"strings"
)

//go:embed *.star
var files embed.FS

const extension = ".star"

// First is the model to begin with.
const First = "token-ring"

// Names returns the names of all models, in alphabetical order.
func Names() (names []string) {
	entries, _ := files.ReadDir(".") // the files are part of the program
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), extension))
	}
	slices.Sort(names)
	return names
}

// Text returns the text of the model with a name out of Names.
func Text(name string) (string, error) {
	text, err := files.ReadFile(name + extension)
	return string(text), err
}
