// Package files holds models that are files in Starlark, one a page: docs/files.md is the reference
// of the language. Some are built-in models, some the models of other folders with the same figures, and
// others are examples.
package files

import (
	"embed"
	"strings"
	"sync"

	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
)

// files are the built-in models with what they load; the size of the playground counts.
//
//go:embed 2pc.star atomic-commit.star bounded-buffer.star chang-roberts.star die-hard.star ewd840.star
var files embed.FS

// Spec is the built-in model of a file here, by its name without extension. Places in the model are those
// in the file, NAME.star.
func Spec(name string) model.Spec {
	return model.Spec{Name: name, Load: sync.OnceValue(func() *model.Spec {
		s, err := starfile.LoadWith(name+starfile.Extension, files.ReadFile)
		if err != nil {
			panic(err) // a mistake in this folder
		}
		s.Name, s.Title = name, strings.ToLower(s.Title[:1])+s.Title[1:] // as all titles in a list
		return s
	})}
}
