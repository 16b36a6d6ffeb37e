package formats

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Formats are the names of the formats that a Reader knows. Without one, the beginning of a file decides.
var Formats = []string{"ndjson", "locks", "logfmt", "text", "shiviz", "jepsen", "trace", "otlp", "jaeger"}

// A Mapping translates the names in a log to those of this package. All its tables have the names of the log
// on the left. The zero value changes nothing.
type Mapping struct {
	// Preset names the mapping of Presets that this one extends.
	Preset string `yaml:"preset,omitempty"`
	// Format is one of Formats; "": detected.
	Format string `yaml:"format,omitempty"`
	// Line has regular expressions of lines; the first match counts. Their groups are fields, as lineGroups
	// lists them; message is another name of event.
	Line lineList `yaml:"line,omitempty"`
	// Only has texts, or regular expressions between slashes: only lines that contain one of them are read,
	// and of these only lines that contain none of Skip.
	Only []string `yaml:"only,omitempty"`
	Skip []string `yaml:"skip,omitempty"`
	// Time is the form of times, unless it is one of the usual ones: ns, us, ms or s for whole numbers since
	// 1970, or a layout of Go's package time.
	Time string `yaml:"time,omitempty"`
	// LeaseUnit and DurationUnit are the units of whole numbers in lease_lasts, and in duration and waited:
	// ns, us, ms or s. Without a unit such numbers are refused.
	LeaseUnit    string `yaml:"lease_unit,omitempty"`
	DurationUnit string `yaml:"duration_unit,omitempty"`
	// Waits has texts of events, or regular expressions between slashes. These acquisitions are logged when
	// the wait for the lock begins; the lock is held at the latest when the node writes its next line.
	Waits []string `yaml:"waits,omitempty"`
	// Events maps names of events. A name between slashes is a regular expression; its groups, as eventGroups
	// lists them, give these fields.
	Events map[string]string `yaml:"events,omitempty"`
	// Fields maps fields of lines of JSON, and keys of Jepsen's operations; a dot leads into an object:
	// "ctx.node".
	Fields map[string]string `yaml:"fields,omitempty"`
	Nodes  map[string]string `yaml:"nodes,omitempty"`
	// Ignore has names of events to leave out, and regular expressions between slashes.
	Ignore []string `yaml:"ignore,omitempty"`

	Lines                      []*regexp.Regexp `yaml:"-"` // Line, compiled
	only, skip, waits, ignored []condition
	patterns                   []pattern
	timeForms                  timeForms
}

type pattern struct {
	*regexp.Regexp
	event string
}

// A lineList is a list of texts; in YAML a single text is a list of one.
type lineList []string

// UnmarshalYAML reads a text or a list of texts.
func (l *lineList) UnmarshalYAML(node *yaml.Node) error {
	var one string
	if node.Kind == yaml.ScalarNode && node.Decode(&one) == nil {
		*l = lineList{one}
		return nil
	}
	return node.Decode((*[]string)(l))
}

// maxMapping is the size of the largest mapping, in bytes.
const maxMapping = 1 << 20

// ReadMapping reads a mapping, in YAML.
func ReadMapping(r io.Reader) (*Mapping, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxMapping+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxMapping {
		return nil, fmt.Errorf("longer than %d bytes, the longest mapping allowed", maxMapping)
	}
	m, err := decodeMapping(b)
	if err != nil {
		return nil, err
	}
	return m, m.Prepare()
}

func decodeMapping(b []byte) (*Mapping, error) {
	m := &Mapping{}
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	if err := d.Decode(m); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("not a mapping: %s", strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n  ",
			" "), "yaml: "))
	}
	return m, nil
}

// Prepare checks the exported fields of a mapping and compiles its regular expressions.
func (m *Mapping) Prepare() (err error) {
	m.Lines, m.only, m.skip, m.waits, m.patterns, m.ignored = nil, nil, nil, nil, nil, nil
	if err := m.onPreset(); err != nil {
		return err
	}
	if m.Format != "" && !slices.Contains(Formats, m.Format) {
		return fmt.Errorf("format is %q; allowed are %s", m.Format, strings.Join(Formats, ", "))
	}
	for _, table := range []map[string]string{m.Events, m.Fields, m.Nodes} {
		for _, theirs := range slices.Sorted(maps.Keys(table)) {
			if table[theirs] == "" {
				return fmt.Errorf("%q has no new name", theirs)
			}
		}
	}
	for _, of := range [][2]string{{"lease_unit", m.LeaseUnit}, {"duration_unit", m.DurationUnit}} {
		if key, unit := of[0], of[1]; unit != "" && timeUnits[unit] == 0 {
			return fmt.Errorf("%s is %q; allowed are ns, us, ms, s", key, unit)
		}
	}
	for _, list := range []struct {
		from []string
		to   *[]condition
	}{{m.Only, &m.only}, {m.Skip, &m.skip}, {m.Waits, &m.waits}, {m.Ignore, &m.ignored}} {
		for _, text := range list.from {
			re, err := expression(text, nil)
			if err != nil {
				return err
			}
			*list.to = append(*list.to, condition{[]byte(text), re})
		}
	}
	m.timeForms = timeForms{lease: int64(timeUnits[m.LeaseUnit]), duration: int64(timeUnits[m.DurationUnit])}
	if m.Time != "" {
		if m.timeForms.timeForm, err = newTimeForm(m.Time); err != nil {
			return err
		}
	}
	return m.compile()
}

func (m *Mapping) compile() error {
	for _, text := range m.Line {
		re, err := expression("/"+strings.TrimSuffix(strings.TrimPrefix(text, "/"), "/")+"/", lineGroups)
		if err != nil {
			return fmt.Errorf("line: %w", err)
		}
		if re == nil || re.SubexpIndex("event") < 0 && re.SubexpIndex("message") < 0 {
			return fmt.Errorf("line has no group called event or message: %s", text)
		}
		m.Lines = append(m.Lines, re)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Events)) {
		re, err := expression(name, eventGroups)
		if err != nil {
			return err
		}
		if re != nil {
			m.patterns = append(m.patterns, pattern{re, m.Events[name]})
		}
	}
	return nil
}

// expression compiles a regular expression between slashes; nil: the text has no slashes. Its groups must
// have the given names; nil: any names.
func expression(text string, groups []string) (*regexp.Regexp, error) {
	if len(text) < 3 || text[0] != '/' || text[len(text)-1] != '/' {
		return nil, nil
	}
	re, err := regexp.Compile(text[1 : len(text)-1])
	if err != nil {
		return nil, fmt.Errorf("%s is not a valid regular expression: %w", text, err)
	}
	for _, g := range re.SubexpNames() {
		if g != "" && groups != nil && !slices.Contains(groups, g) {
			return nil, fmt.Errorf("%s has a group %q; allowed are %s", text, g, strings.Join(groups, ", "))
		}
	}
	return re, nil
}

// A condition is a text that lines contain, or between slashes a regular expression.
type condition struct {
	text []byte
	re   *regexp.Regexp
}

func meetsAny(cs []condition, line []byte) bool {
	return slices.ContainsFunc(cs, func(c condition) bool {
		return c.re != nil && c.re.Match(line) || c.re == nil && bytes.Contains(line, c.text)
	})
}

func (m *Mapping) selects(line []byte) bool {
	return (len(m.only) == 0 || meetsAny(m.only, line)) && (len(m.skip) == 0 || !meetsAny(m.skip, line))
}

// fields renames fields by the mapping. A renamed field replaces a field that already has the new name.
func (m *Mapping) fields(fields map[string]json.RawMessage) map[string]json.RawMessage {
	for _, theirs := range slices.Sorted(maps.Keys(m.Fields)) {
		if raw, ok := member(fields, theirs); ok {
			fields[m.Fields[theirs]] = joined(raw)
		}
	}
	return fields
}

// joined joins a list of texts with commas: systemd's journal has one if a line has a field several times.
func joined(raw json.RawMessage) json.RawMessage {
	var texts []string
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &texts) != nil || len(texts) == 0 {
		return raw
	}
	one, _ := json.Marshal(strings.Join(texts, ",")) // encoding a string cannot fail
	return one
}

// member returns a field by its name; dots in the name lead into objects.
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

// apply renames an event and its nodes. keep is false if the mapping leaves the event out.
func (m *Mapping) apply(e *Entry) (keep bool, err error) {
	defer m.rename(e)
	if slices.ContainsFunc(m.ignored, func(c condition) bool {
		return c.re == nil && string(c.text) == e.Name || c.re != nil && c.re.MatchString(e.Name)
	}) {
		return false, nil
	}
	text := e.Name
	if name, ok := m.Events[e.Name]; ok {
		e.Name = name
	} else {
		err = m.match(e)
	}
	e.Waits = len(m.waits) > 0 && RoleOf(e.Name) == Enters && meetsAny(m.waits, []byte(text))
	return true, err
}

func (m *Mapping) rename(e *Entry) {
	rename := func(node *string) {
		if name, ok := m.Nodes[*node]; ok {
			*node = name
		}
	}
	rename(&e.Node)
	rename(&e.From)
	for i := range e.Sent {
		rename(&e.Sent[i].To)
	}
	for i := range e.Clock {
		rename(&e.Clock[i].Node)
	}
}

// match applies the first pattern that matches the event's name.
func (m *Mapping) match(e *Entry) error {
	for _, p := range m.patterns {
		if found := groupsOf(p.Regexp, []byte(e.Name)); found != nil {
			e.Name = p.event
			return e.take(found, givenIn(found), &m.timeForms)
		}
	}
	return nil
}

// groupsOf returns the groups of a regular expression in a text, as fields; nil: it does not match.
func groupsOf(re *regexp.Regexp, text []byte) map[string]json.RawMessage {
	found := re.FindSubmatch(text)
	if found == nil {
		return nil
	}
	fields := map[string]json.RawMessage{}
	for i, g := range re.SubexpNames() {
		if g != "" && len(found[i]) > 0 {
			fields[g] = quoted(g, found[i])
		}
	}
	return fields
}

//go:embed presets/*.yaml
var presetFiles embed.FS

// Presets returns the names of the built-in mappings, sorted.
func Presets() (names []string) {
	files, _ := presetFiles.ReadDir("presets") // the files are part of the program
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	return names
}

// onPreset puts the mapping on top of its preset: its own values replace the preset's, and lists of
// conditions are joined.
func (m *Mapping) onPreset() error {
	if m.Preset == "" {
		return nil
	}
	text, err := presetFiles.ReadFile(path.Join("presets", m.Preset+".yaml"))
	if err != nil {
		return fmt.Errorf("there is no preset %q; allowed are %s", m.Preset, strings.Join(Presets(), ", "))
	}
	p, err := decodeMapping(text)
	if err != nil {
		return err
	}
	for theirs, ours := range p.Fields { // the mapping's own node field replaces the preset's
		if strings.HasPrefix(ours, "node") && slices.Contains(slices.Collect(maps.Values(m.Fields)), "node") {
			delete(p.Fields, theirs)
		}
	}
	m.Preset = "" // it is merged
	m.Ignore, m.Only = append(p.Ignore, m.Ignore...), append(p.Only, m.Only...)
	m.Skip, m.Waits = append(p.Skip, m.Skip...), append(p.Waits, m.Waits...)
	if text, err = yaml.Marshal(m); err != nil {
		return err
	}
	*m = *p
	return yaml.Unmarshal(text, m)
}

// oneResource is the value of Options.Resource that puts all units into one resource.
const oneResource = "-"

// withField returns the mapping with a field that has one more name; field "": the mapping itself.
func withField(m *Mapping, field, ours string) *Mapping {
	if field == "" {
		return m
	}
	with := *m
	with.Fields = map[string]string{}
	maps.Copy(with.Fields, m.Fields)
	with.Fields[field] = ours
	return &with
}
