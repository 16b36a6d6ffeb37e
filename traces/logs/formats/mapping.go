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

// Formats are the formats of logs that a Reader knows, apart from auto, which goes by
// the beginning of a file.
var Formats = []string{"ndjson", "locks", "logfmt", "text", "shiviz", "jepsen", "trace", "otlp", "jaeger"}

// A Mapping says how an implementation's names in a log translate to those that
// are used here. All its tables have the names of the log on the left. The zero
// value changes nothing.
type Mapping struct {
	// Preset names a mapping of Presets that this one is on top of.
	Preset string `yaml:"preset,omitempty"`
	// Format is one of Formats, if it is not to be found out.
	Format string `yaml:"format,omitempty"`
	// Line has regular expressions of lines; the first that fits counts. Their groups
	// are fields, as lineGroups lists them; message is another name of event.
	Line lineList `yaml:"line,omitempty"`
	// Only has texts, or regular expressions between slashes: lines without any of them are
	// left out. Lines with any of Skip are left out, too.
	Only []string `yaml:"only,omitempty"`
	Skip []string `yaml:"skip,omitempty"`
	// Time is how times are written, if not in one of the usual ways: ns, us, ms or s for numbers
	// since 1970, or a layout of Go's package time.
	Time string `yaml:"time,omitempty"`
	// LeaseUnit and DurationUnit are the units of whole numbers that are lease_lasts, and duration or waited:
	// ns, us, ms or s. Without them such numbers are refused.
	LeaseUnit    string `yaml:"lease_unit,omitempty"`
	DurationUnit string `yaml:"duration_unit,omitempty"`
	// Waits has texts of events, or regular expressions between slashes, that are logged when they begin and
	// may have to wait: what they acquire is held at the latest when the next line of the node is written.
	Waits []string `yaml:"waits,omitempty"`
	// Events by name; a name between slashes is a regular expression, whose groups
	// called as eventGroups lists them give these fields.
	Events map[string]string `yaml:"events,omitempty"`
	// Fields of lines of JSON, and keys of Jepsen's operations; a dot leads into an
	// object: "ctx.node".
	Fields map[string]string `yaml:"fields,omitempty"`
	Nodes  map[string]string `yaml:"nodes,omitempty"`
	// Ignore has the names of events that are left out, and regular expressions
	// between slashes.
	Ignore []string `yaml:"ignore,omitempty"`

	Lines                      []*regexp.Regexp `yaml:"-"` // Line, compiled
	only, skip, waits, ignored []condition
	patterns                   []pattern
	writing                    writing
}

// A pattern is a regular expression for names of events.
type pattern struct {
	*regexp.Regexp
	event string
}

// A lineList is a list of texts, or one of them.
type lineList []string

// UnmarshalYAML reads either.
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
		return nil, fmt.Errorf("longer than %d bytes, which no mapping is", maxMapping)
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

// Prepare makes a mapping whose exported fields are given ready to be used.
func (m *Mapping) Prepare() (err error) {
	m.Lines, m.only, m.skip, m.waits, m.patterns, m.ignored = nil, nil, nil, nil, nil, nil
	if err := m.over(); err != nil {
		return err
	}
	if m.Format != "" && !slices.Contains(Formats, m.Format) {
		return fmt.Errorf("format is %q; allowed are %s", m.Format, strings.Join(Formats, ", "))
	}
	for _, table := range []map[string]string{m.Events, m.Fields, m.Nodes} {
		for _, theirs := range slices.Sorted(maps.Keys(table)) {
			if table[theirs] == "" {
				return fmt.Errorf("%q gets no name", theirs)
			}
		}
	}
	for key, unit := range map[string]string{"lease_unit": m.LeaseUnit, "duration_unit": m.DurationUnit} {
		if unit != "" && timeUnits[unit] == 0 {
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
	m.writing = writing{lease: int64(timeUnits[m.LeaseUnit]), duration: int64(timeUnits[m.DurationUnit])}
	if m.Time != "" {
		if m.writing.timeForm, err = newTimeForm(m.Time); err != nil {
			return err
		}
	}
	return m.compile()
}

// compile prepares the regular expressions for lines and for names of events.
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

// expression returns the regular expression between slashes, whose groups may have the given names; nil groups:
// any; nil: the text has no slashes.
func expression(text string, groups []string) (*regexp.Regexp, error) {
	if len(text) < 3 || text[0] != '/' || text[len(text)-1] != '/' {
		return nil, nil
	}
	re, err := regexp.Compile(text[1 : len(text)-1])
	if err != nil {
		return nil, fmt.Errorf("%s is no regular expression: %w", text, err)
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

func (c condition) meets(line []byte) bool {
	if c.re != nil {
		return c.re.Match(line)
	}
	return bytes.Contains(line, c.text)
}

func meetsAny(cs []condition, line []byte) bool {
	return slices.ContainsFunc(cs, func(c condition) bool { return c.meets(line) })
}

// wants reports whether a line is to be read by the mapping's conditions.
func (m *Mapping) wants(line []byte) bool {
	return (len(m.only) == 0 || meetsAny(m.only, line)) && (len(m.skip) == 0 || !meetsAny(m.skip, line))
}

// fields gives fields the names that they have here. A field that is renamed to a name
// takes its place.
func (m *Mapping) fields(fields map[string]json.RawMessage) map[string]json.RawMessage {
	if len(m.Fields) == 0 {
		return fields
	}
	for _, theirs := range slices.Sorted(maps.Keys(m.Fields)) {
		if raw, ok := member(fields, theirs); ok {
			fields[m.Fields[theirs]] = joined(raw)
		}
	}
	return fields
}

// joined makes one text of a list of texts, which the journal of systemd has where a field is given
// several times.
func joined(raw json.RawMessage) json.RawMessage {
	var texts []string
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &texts) != nil || len(texts) == 0 {
		return raw
	}
	one, _ := json.Marshal(strings.Join(texts, ",")) // a text can be written
	return one
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

// rename gives nodes the names that they have here.
func (m *Mapping) rename(e *Entry) {
	if len(m.Nodes) == 0 {
		return
	}
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

// match applies the first pattern that fits.
func (m *Mapping) match(e *Entry) error {
	for _, p := range m.patterns {
		found := groupsOf(p.Regexp, []byte(e.Name))
		if found == nil {
			continue
		}
		e.Name = p.event
		return e.take(found, givenIn(found), &m.writing)
	}
	return nil
}

// groupsOf are the groups that a regular expression finds in a text, as fields; nil: it does not fit.
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

// Presets are the names of the mappings that come with the program, sorted.
func Presets() (names []string) {
	files, err := presetFiles.ReadDir("presets")
	if err != nil {
		panic(err) // they are part of the program
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	return names
}

// over is a mapping on top of a preset: what both say is as the mapping has it, and lists of conditions are
// joined.
func (m *Mapping) over() error {
	if m.Preset == "" {
		return nil
	}
	text, err := presetFiles.ReadFile(path.Join("presets", m.Preset+".yaml"))
	if err != nil {
		return fmt.Errorf("there is no preset %q; there are %s", m.Preset, strings.Join(Presets(), ", "))
	}
	p, err := decodeMapping(text)
	if err != nil {
		return err
	}
	for theirs, ours := range p.Fields { // who names a node has named it
		if strings.HasPrefix(ours, "node") && slices.Contains(slices.Collect(maps.Values(m.Fields)), "node") {
			delete(p.Fields, theirs)
		}
	}
	m.Preset = "" // it is taken in
	m.Ignore, m.Only = append(p.Ignore, m.Ignore...), append(p.Only, m.Only...)
	m.Skip, m.Waits = append(p.Skip, m.Skip...), append(p.Waits, m.Waits...)
	if text, err = yaml.Marshal(m); err != nil {
		return err
	}
	*m = *p
	return yaml.Unmarshal(text, m)
}

// oneResource is the value of Options.Resource by which all is one resource.
const oneResource = "-"

// withResource is a mapping with the field that names resources.
func withResource(m *Mapping, field string) *Mapping {
	if field == "" || field == oneResource {
		return m
	}
	with := *m
	with.Fields = map[string]string{}
	maps.Copy(with.Fields, m.Fields)
	with.Fields[field] = "resource"
	return &with
}
