package report

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// An object is an object in JSON, with its fields in order. The forms of the reports are in the schemas beside this
// file.
type object []field

// A field is one of an object. If its name ends with a question mark, it is left out if its value is zero or empty.
type field struct {
	name  string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for _, f := range o {
		name, optional := strings.CutSuffix(f.name, "?")
		if v := reflect.ValueOf(f.value); optional &&
			(!v.IsValid() || v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0) {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		if err := e.Encode(name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(f.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// list is a list that is written as one, even if it is empty.
func list[T any](xs []T) []T { return append([]T{}, xs...) }

// each returns a value for each element of a list.
func each[T, U any](xs []T, of func(*T) U) []U {
	made := make([]U, len(xs))
	for i := range xs {
		made[i] = of(&xs[i])
	}
	return made
}
