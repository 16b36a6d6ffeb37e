package traces

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
)

// asJSON writes a trace as one document.
func asJSON(w io.Writer, r *Run, _ Options) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		headerLine
		Run []Step `json:"run"`
	}{r.Trace.headerLine(), r.Trace.Steps})
}

// asITF writes the states of a run in the Informal Trace Format of Apalache and
// Quint. Every variable has a value in every state, and values of one type.
func asITF(w io.Writer, r *Run, _ Options) error {
	t := r.Trace
	doc := map[string]any{
		"#meta": map[string]any{
			"format": "ITF", "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
			"description": t.claims(), "source": t.subject(), "parameters": t.Parameters,
		},
		"params": []string{},
	}
	states := t.states()
	names, types := columnsOf(states)
	doc["vars"] = append([]string{}, names...)
	list := []map[string]any{}
	for i, values := range states {
		s := &t.Steps[i]
		state := map[string]any{"#meta": map[string]any{"index": i, "event": s.Event, "node": s.Node, "text": s.Text}}
		for _, name := range names {
			state[name] = types[name].value(values[name])
		}
		list = append(list, state)
	}
	doc["states"] = list
	if t.CycleAt != nil {
		doc["loop"] = *t.CycleAt
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(doc)
}

// states returns all states, the values by the labels of their variables.
func (t *Trace) states() (states []map[string]string) {
	now := map[string]string{}
	for i := range t.Steps {
		t.Steps[i].changes(now)
		state := make(map[string]string, len(now))
		for label, value := range now {
			state[label] = value
		}
		states = append(states, state)
	}
	return states
}

// columnsOf returns the names of all variables, in order, and the types that
// have room for all of their values.
func columnsOf(states []map[string]string) (names []string, types map[string]itfType) {
	types = map[string]itfType{}
	for _, state := range states {
		for _, name := range sortedKeys(state) {
			old, known := types[name]
			if !known {
				names = append(names, name)
				types[name] = typeOf(state[name])
			} else if t := typeOf(state[name]); t != old {
				types[name] = text
			}
		}
	}
	slices.Sort(names)
	return names, types
}

// An itfType is a type of values, as far as their spelling shows it.
type itfType int

const (
	text itfType = iota
	truth
	integer
	tuple // of integers
	set   // of integers
)

func typeOf(value string) itfType {
	inner := strings.Trim(value, "[]{}")
	switch {
	case value == "true" || value == "false":
		return truth
	case isInteger(value):
		return integer
	case value == "["+inner+"]" && allIntegers(strings.Fields(inner)):
		return tuple
	case value == "{"+inner+"}" && allIntegers(strings.Split(inner, ",")):
		return set
	case value == "{}":
		return set
	}
	return text
}

func isInteger(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

func allIntegers(parts []string) bool {
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(p string) bool { return !isInteger(p) })
}

// value writes a value of the type; the empty value where the variable is not there.
func (t itfType) value(s string) any {
	switch inner := strings.Trim(s, "[]{}"); t {
	case truth:
		return s == "true"
	case integer:
		if s == "" {
			s = "0"
		}
		return bigint{s}
	case tuple:
		return map[string]any{"#tup": bigints(strings.Fields(inner))}
	case set:
		return map[string]any{"#set": bigints(strings.FieldsFunc(inner, func(r rune) bool { return r == ',' }))}
	}
	return s
}

// bigint is how ITF writes an integer.
type bigint struct {
	Digits string `json:"#bigint"`
}

func bigints(parts []string) []bigint {
	list := []bigint{}
	for _, p := range parts {
		list = append(list, bigint{p})
	}
	return list
}
