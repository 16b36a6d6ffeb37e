package check

import (
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/values"
)

// Shower is the context of showing x, which calls methods of the model.
func Shower(what, owner string, x any) func() Error {
	return func() Error {
		part := "String or Format of "
		if _, lists := x.(values.Describer); lists {
			part = "Vars, String or Format of "
		}
		return Error{Part: part + what, Process: owner, State: fmt.Sprintf("%+v", x)}
	}
}

// Spelled writes the fields of a value, for an Error: x=1 y=[2 3].
func Spelled(x any, names values.Names) string {
	return inWords(func() []lts.Var { return values.Fields("", x, names) }, x)
}

// Described writes the variables of a state, for an Error.
func Described(s lts.State) string { return inWords(s.Vars, s.Key()) }

// inWords writes variables in a line; if the model fails to list them, it writes the known value.
func inWords(vars func() []lts.Var, known any) (text string) {
	var e *Error
	defer func() {
		if e != nil {
			text = fmt.Sprintf("%+v", known)
		}
	}()
	defer Catch(&e)
	var parts []string
	for _, v := range vars() {
		name := strings.Trim(v.Owner+"."+v.Name, ".")
		parts = append(parts, strings.TrimPrefix(name+"="+v.Value, "="))
	}
	return strings.Join(parts, " ")
}
