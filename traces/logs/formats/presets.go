package formats

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

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

// preset is the text of such a mapping, which is a mapping file.
func preset(name string) (string, error) {
	if !slices.Contains(Presets(), name) {
		return "", fmt.Errorf("there is no preset %q; there are %s", name, strings.Join(Presets(), ", "))
	}
	b, err := presetFiles.ReadFile(path.Join("presets", name+".yaml"))
	return string(b), err
}

// over is a mapping on top of a preset: what both say is as the mapping has it.
func (m *Mapping) over() error {
	if m.Preset == "" {
		return nil
	}
	text, err := preset(m.Preset)
	if err != nil {
		return err
	}
	p, err := decodeMapping([]byte(text))
	if err != nil {
		return err
	}
	join := func(base, top map[string]string) map[string]string {
		both := map[string]string{}
		maps.Copy(both, base)
		maps.Copy(both, top)
		return both
	}
	for theirs, ours := range p.Fields { // who names a node has named it
		if strings.HasPrefix(ours, "node") && slices.Contains(slices.Collect(maps.Values(m.Fields)), "node") {
			delete(p.Fields, theirs)
		}
	}
	m.Events, m.Fields, m.Nodes = join(p.Events, m.Events), join(p.Fields, m.Fields), join(p.Nodes, m.Nodes)
	m.Ignore, m.Only, m.Skip = append(p.Ignore, m.Ignore...), append(p.Only, m.Only...),
		append(p.Skip, m.Skip...)
	m.Waits = append(p.Waits, m.Waits...)
	if len(m.Line) == 0 {
		m.Line = p.Line
	}
	m.Time, m.Format = cmp.Or(m.Time, p.Time), cmp.Or(m.Format, p.Format)
	m.LeaseUnit, m.DurationUnit = cmp.Or(m.LeaseUnit, p.LeaseUnit), cmp.Or(m.DurationUnit, p.DurationUnit)
	m.Preset = "" // it has been taken in
	return nil
}
