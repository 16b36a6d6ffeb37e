package codec

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
)

// NoValue describes the first part of values of type t that a state cannot hold: memory shared with other
// states, which could change after the state was stored, or a value without equality. "": there is none.
// Within are the types that enclose t.
func NoValue(t reflect.Type, where string, within ...reflect.Type) string {
	if slices.Contains(within, t) {
		return fmt.Sprintf("%s is a %v, which holds values of its own type: "+
			"hold an index into a list of them instead", where, t)
	}
	within = append(slices.Clip(within), t)
	switch t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Chan, reflect.Func, reflect.Interface,
		reflect.Uintptr:
		if stays(t) {
			return ""
		}
		return fmt.Sprintf("%s is a %v, which states would share: "+
			"hold the value itself, or an index into a list outside of the state", where, t)
	case reflect.Array, reflect.Slice:
		return NoValue(t.Elem(), "an element of "+where, within...)
	case reflect.Map:
		return cmp.Or(NoValue(t.Key(), "a key of "+where, within...),
			NoValue(t.Elem(), "a value of "+where, within...))
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return fmt.Sprintf("%s is a %v, whose sums depend on their order: count in whole numbers", where, t)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if why := NoValue(f.Type, fmt.Sprintf("field %s of %s", f.Name, where), within...); why != "" {
				return why
			}
		}
	}
	return ""
}

// stays reports whether a type is the pointer to the outsourced part of a PerProc or a Group of package
// values, which is nil in all states of a search.
func stays(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Implements(reflect.TypeFor[interface{ Stays() }]())
}

// IsOne reports whether a struct is shown as one value, as a PerProc and a Group are: its last field stays.
func IsOne(t reflect.Type) bool {
	n := t.NumField()
	return n > 0 && stays(t.Field(n-1).Type)
}
