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

var all = sync.OnceValue(func() map[string][]model.Reference {
	of := map[string][]model.Reference{}
	d := json.NewDecoder(strings.NewReader(counts))
	d.DisallowUnknownFields()
	for d.More() {
		var line struct {
			Spec string
			model.Reference
		}
		if err := d.Decode(&line); err != nil {
			panic(fmt.Sprintf("counts.ndjson: %v", err)) // a mistake in this folder
		}
		of[line.Spec] = append(of[line.Spec], line.Reference)
	}
	return of
})

// With returns models with their references, which are read when a model is used.
func With(specs []model.Spec) []model.Spec {
	for i, s := range specs {
		if s.Load == nil { // it is no file, which has its own
			specs[i] = model.Spec{Name: s.Name, Load: func() *model.Spec {
				s.References = all()[s.Name]
				return &s
			}}
		}
	}
	return specs
}
