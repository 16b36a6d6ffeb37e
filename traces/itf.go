package traces

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
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

// asITF writes the states of a run in the Informal Trace Format of Apalache and Quint
// (https://apalache-mc.org, docs/adr/015adr-trace). A variable that processes have is a map from their names;
// every variable has a value in every state, and values of one type, which is that of its spelling.
func asITF(w io.Writer, r *Run, _ Options) error {
	t := r.Trace
	vars, states := columnsOf(t)
	meanings := map[string]string{}
	names := []string{}
	for _, v := range vars {
		names, meanings[v.id] = append(names, v.id), v.name
	}
	doc := map[string]any{
		"#meta": map[string]any{
			"format": "ITF", "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
			"description": t.claims(), "source": t.subject(), "parameters": t.Parameters,
			"variables": meanings,
		},
		"params": []string{}, "vars": names,
	}
	list := []map[string]any{}
	for i, values := range states {
		s := &t.Steps[i]
		state := map[string]any{"#meta": map[string]any{"index": i, "event": s.Event, "node": s.Node,
			"text": s.Text}}
		for _, v := range vars {
			state[v.id] = v.in(values)
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

// A column is a variable of a trace, as ITF has it.
type column struct {
	id     string // an identifier
	name   string // in the model
	owners []string
	kind   *itfType
}

// columnsOf returns the variables of a trace in the order in which they come up, and their values in every
// state, by name and owner.
func columnsOf(t *Trace) (vars []*column, states []map[string]map[string]string) {
	byName, taken := map[string]*column{}, map[string]bool{}
	now := map[string]map[string]string{}
	for i := range t.Steps {
		s := &t.Steps[i]
		for _, v := range s.Gone {
			delete(now[v.Name], v.Owner)
		}
		for _, v := range s.Changed {
			c := byName[v.Name]
			if c == nil {
				c = &column{id: identifier(cmp.Or(v.Name, "state"), taken), name: v.Name, kind: &itfType{}}
				byName[v.Name], now[v.Name], vars = c, map[string]string{}, append(vars, c)
			}
			if !slices.Contains(c.owners, v.Owner) {
				c.owners = append(c.owners, v.Owner)
			}
			c.kind = c.kind.with(typeOf(v.Value))
			now[v.Name][v.Owner] = v.Value
		}
		state := map[string]map[string]string{}
		for name, values := range now {
			state[name] = maps.Clone(values)
		}
		states = append(states, state)
	}
	return vars, states
}

// identifier makes a name one of Apalache and Quint, which no other variable has.
func identifier(name string, taken map[string]bool) string {
	id := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, name)
	if id[0] < 'A' || strings.Trim(id, "_") == "" { // a digit, or nothing to speak of
		id = "v" + id
	}
	for base, n := id, 2; taken[id]; n++ {
		id = base + "_" + strconv.Itoa(n)
	}
	taken[id] = true
	return id
}

// in returns the value in a state: of one that belongs to nobody itself, else a map by owner.
func (c *column) in(state map[string]map[string]string) any {
	values := state[c.name]
	if slices.Equal(c.owners, []string{""}) {
		return c.kind.value(values[""])
	}
	pairs := [][2]any{}
	for _, owner := range c.owners {
		if value, is := values[owner]; is {
			pairs = append(pairs, [2]any{owner, c.kind.value(value)})
		}
	}
	return map[string]any{"#map": pairs}
}

// An itfType is a type of values, as far as their spelling shows it. The zero value is that of nothing yet.
type itfType struct {
	form string   // "", bool, int, list, set or str
	of   *itfType // what lists and sets hold
}

var itfText = &itfType{form: "str"}

// with returns the type that has room for two.
func (t *itfType) with(u *itfType) *itfType {
	switch {
	case t.form == "":
		return u
	case u.form == "":
		return t
	case t.form != u.form:
		return itfText
	case t.of != nil:
		return &itfType{t.form, t.of.with(u.of)}
	}
	return t
}

// typeOf returns the type of a value.
func typeOf(value string) *itfType {
	if value == "true" || value == "false" {
		return &itfType{form: "bool"}
	}
	if isInteger(value) {
		return &itfType{form: "int"}
	}
	parts, form := elements(value)
	if form == "" {
		return itfText
	}
	of := &itfType{}
	for _, p := range parts {
		of = of.with(typeOf(p))
	}
	return &itfType{form, of}
}

// value writes a value of the type; the least one where the variable is not there.
func (t *itfType) value(s string) any {
	parts, _ := elements(s)
	list := []any{}
	for _, p := range parts {
		if t.of != nil {
			list = append(list, t.of.value(p))
		}
	}
	switch t.form {
	case "bool":
		return s == "true"
	case "int":
		return map[string]string{"#bigint": cmp.Or(s, "0")}
	case "list":
		return list
	case "set":
		return map[string]any{"#set": list}
	}
	return s
}

// elements divides what stands in brackets, or in braces: at commas, or where there are none, and no part is
// a mere word, at blanks. The form is "" where a value is neither.
func elements(value string) (parts []string, form string) {
	switch {
	case strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]"):
		form = "list"
	case strings.HasPrefix(value, "{") && strings.HasSuffix(value, "}"):
		form = "set"
	default:
		return nil, ""
	}
	inner := value[1 : len(value)-1]
	commas, ok := apart(inner, ',')
	blanks, _ := apart(inner, ' ')
	if !ok {
		return nil, ""
	}
	words := slices.ContainsFunc(blanks, func(p string) bool {
		return typeOf(p).form == "str" &&
			!strings.ContainsAny(p, ":([{⟨")
	})
	if len(commas) == 1 && !words {
		return blanks, form
	}
	return commas, form
}

// apart divides a text at a sign outside of brackets; what is empty is left out. It is not ok where brackets
// do not match.
func apart(text string, sign rune) (parts []string, ok bool) {
	var open []rune
	from := 0
	for i, c := range text {
		switch closing := closings[c]; {
		case closing != 0:
			open = append(open, closing)
		case len(open) > 0 && c == open[len(open)-1]:
			open = open[:len(open)-1]
		case strings.ContainsRune("]})⟩", c):
			return nil, false
		case len(open) == 0 && c == sign:
			parts, from = append(parts, strings.TrimSpace(text[from:i])), i+1
		}
	}
	parts = append(parts, strings.TrimSpace(text[from:]))
	return slices.DeleteFunc(parts, func(p string) bool { return p == "" }), len(open) == 0
}

// closings are the brackets that end what others begin.
var closings = map[rune]rune{'[': ']', '{': '}', '(': ')', '⟨': '⟩'}

func isInteger(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}
