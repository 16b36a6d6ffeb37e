package logs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Mapping says how an implementation's names in a log translate to those that
// are used here. All its tables have the names of the log on the left. The zero
// value changes nothing.
type Mapping struct {
	// Events by name; a name between slashes is a regular expression, whose groups
	// called from, to, id, message and units, if any, give these fields.
	Events map[string]string `yaml:"events"`
	// Fields of lines of JSON, and keys of Jepsen's operations; a dot leads into an
	// object: "ctx.node".
	Fields map[string]string `yaml:"fields"`
	Nodes  map[string]string `yaml:"nodes"`
	// Ignore has the names of events that are left out, and regular expressions
	// between slashes.
	Ignore []string `yaml:"ignore"`

	patterns []pattern
	ignored  []*regexp.Regexp
}

// A pattern is a regular expression for names of events.
type pattern struct {
	*regexp.Regexp
	event string
}

// groups are the fields that patterns can give.
var groups = []string{"from", "to", "id", "message", "units"}

// ReadMapping reads a mapping, in YAML.
func ReadMapping(r io.Reader) (*Mapping, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxLine+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxLine {
		return nil, fmt.Errorf("longer than %d bytes, which no mapping is", maxLine)
	}
	m := &Mapping{}
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	if err := d.Decode(m); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("not a mapping: %s", strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n  ", " "), "yaml: "))
	}
	return m, m.compile()
}

// compile checks the names and prepares the regular expressions.
func (m *Mapping) compile() error {
	for _, table := range []map[string]string{m.Events, m.Fields, m.Nodes} {
		for _, theirs := range slices.Sorted(maps.Keys(table)) {
			if table[theirs] == "" {
				return fmt.Errorf("%q gets no name", theirs)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Events)) {
		re, err := expression(name)
		if err != nil {
			return err
		}
		if re == nil {
			continue
		}
		for _, g := range re.SubexpNames() {
			if g != "" && !slices.Contains(groups, g) {
				return fmt.Errorf("%s has a group %q; allowed are %s", name, g, strings.Join(groups, ", "))
			}
		}
		m.patterns = append(m.patterns, pattern{re, m.Events[name]})
	}
	for _, name := range m.Ignore {
		re, err := expression(name)
		if err != nil {
			return err
		}
		if re == nil {
			re = regexp.MustCompile("^" + regexp.QuoteMeta(name) + "$")
		}
		m.ignored = append(m.ignored, re)
	}
	return nil
}

// expression returns the regular expression between slashes, nil if there is none.
func expression(name string) (*regexp.Regexp, error) {
	if len(name) < 3 || name[0] != '/' || name[len(name)-1] != '/' {
		return nil, nil
	}
	re, err := regexp.Compile(name[1 : len(name)-1])
	if err != nil {
		return nil, fmt.Errorf("%s is no regular expression: %w", name, err)
	}
	return re, nil
}

// fields gives fields the names that they have here. What is renamed to a name
// takes its place.
func (m *Mapping) fields(fields map[string]json.RawMessage) map[string]json.RawMessage {
	if len(m.Fields) == 0 {
		return fields
	}
	for _, theirs := range slices.Sorted(maps.Keys(m.Fields)) {
		if raw, ok := member(fields, theirs); ok {
			fields[m.Fields[theirs]] = raw
		}
	}
	return fields
}

// member returns a field, inside objects if its name has dots.
func member(fields map[string]json.RawMessage, name string) (json.RawMessage, bool) {
	if raw, ok := fields[name]; ok {
		return raw, true
	}
	outer, inner, dotted := strings.Cut(name, ".")
	var object map[string]json.RawMessage
	if !dotted || json.Unmarshal(fields[outer], &object) != nil {
		return nil, false
	}
	return member(object, inner)
}

// apply gives an event and its nodes the names that they have here. It returns
// false if the event is to be left out.
func (m *Mapping) apply(e *entry) (bool, error) {
	defer m.rename(e)
	if slices.ContainsFunc(m.ignored, func(re *regexp.Regexp) bool { return re.MatchString(e.name) }) {
		return false, nil
	}
	if name, ok := m.Events[e.name]; ok {
		e.name = name
		return true, nil
	}
	return true, m.match(e)
}

// rename gives nodes the names that they have here.
func (m *Mapping) rename(e *entry) {
	if len(m.Nodes) == 0 {
		return
	}
	rename := func(node *string) {
		if name, ok := m.Nodes[*node]; ok {
			*node = name
		}
	}
	rename(&e.node)
	rename(&e.from)
	for i := range e.sent {
		rename(&e.sent[i].to)
	}
	for i := range e.clock {
		rename(&e.clock[i].node)
	}
}

// match applies the first pattern that fits.
func (m *Mapping) match(e *entry) error {
	for _, p := range m.patterns {
		found := p.FindStringSubmatch(e.name)
		if found == nil {
			continue
		}
		fields := map[string]json.RawMessage{}
		for i, g := range p.SubexpNames() {
			if g == "" || found[i] == "" {
				continue
			}
			raw := []byte(found[i])
			if g != "units" {
				raw, _ = json.Marshal(found[i]) // a text can be written
			}
			fields[g] = raw
		}
		e.name = p.event
		return e.captured(fields)
	}
	return nil
}

// captured takes the fields that a pattern found.
func (e *entry) captured(fields map[string]json.RawMessage) error {
	var to string
	for name, field := range map[string]*string{"from": &e.from, "to": &to, "id": &e.id, "message": &e.message} {
		if err := text(fields, name, field); err != nil {
			return err
		}
	}
	if raw, ok := fields["units"]; ok {
		kept := entry{}
		if err := kept.numbers(map[string]json.RawMessage{"units": raw}); err != nil {
			return err
		}
		e.units = kept.units
	}
	return e.direct(to)
}
