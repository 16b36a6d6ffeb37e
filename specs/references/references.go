// Package references has the figures with which the models are compared, as data: counts.ndjson, a line for
// each instance, in the order in which users see them.
package references

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/atmostk/atmostk/model"
)

//go:embed counts.ndjson
var counts string

// With returns models with their references, which are read when a model is used.
func With(specs []model.Spec) []model.Spec {
	for i, s := range specs {
		if s.Load == nil { // it is no file, which has its own
			specs[i] = model.Spec{Name: s.Name, Load: sync.OnceValue(func() *model.Spec {
				s.References = of(s.Name)
				return &s
			})}
		}
	}
	return specs
}

// of returns the references of a model.
func of(spec string) (refs []model.Reference) {
	for text := range strings.Lines(counts) {
		if !strings.HasPrefix(text, `{"spec":"`+spec+`",`) {
			continue
		}
		var line struct {
			Spec string
			model.Reference
		}
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&line); err != nil {
			panic(fmt.Sprintf("counts.ndjson: %v", err)) // a mistake in this folder
		}
		refs = append(refs, line.Reference)
	}
	return refs
}
