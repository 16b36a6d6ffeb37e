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
// every variable has a value in every state, and values of one type: numbers, truth values or text.
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
	kind   string // number, truth or text
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
				c = &column{id: identifier(cmp.Or(v.Name, "state"), taken), name: v.Name}
				byName[v.Name], now[v.Name], vars = c, map[string]string{}, append(vars, c)
			}
			if !slices.Contains(c.owners, v.Owner) {
				c.owners = append(c.owners, v.Owner)
			}
			c.note(v.Value)
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

// in returns the value in a state: the value of a global variable, or a map by owner.
func (c *column) in(state map[string]map[string]string) any {
	values := state[c.name]
	if slices.Equal(c.owners, []string{""}) {
		return c.value(values[""])
	}
	pairs := [][2]any{}
	for _, owner := range c.owners {
		if value, is := values[owner]; is {
			pairs = append(pairs, [2]any{owner, c.value(value)})
		}
	}
	return map[string]any{"#map": pairs}
}

// note takes a value into account for the kind of its column: numbers, truth values or text.
func (c *column) note(value string) {
	kind := "text"
	if _, err := strconv.ParseInt(value, 10, 64); err == nil {
		kind = "number"
	} else if value == "true" || value == "false" {
		kind = "truth"
	}
	if c.kind = cmp.Or(c.kind, kind); c.kind != kind {
		c.kind = "text"
	}
}

// value writes a value; the least one of its kind where the variable is not there.
func (c *column) value(s string) any {
	switch c.kind {
	case "number":
		return map[string]string{"#bigint": cmp.Or(s, "0")}
	case "truth":
		return s == "true"
	}
	return s
}
