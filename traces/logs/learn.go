package logs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
	"github.com/atmostk/atmostk/traces/logs/products"
)

// A Lesson is a mapping that fits the beginning of a log.
type Lesson struct {
	Mapping *formats.Mapping
	Text    string     // the mapping as YAML
	Log     *order.Log // the events of the beginning
	Lines   int        // lines read
	// Acquired and Released count such events. Odd counts acquisitions of a holder and releases without an
	// acquisition.
	Acquired, Released, Odd int
	Sample                  []string // the first acquisitions and releases, at most 6

	likely int // its score before it is tried
}

// learnBytes is the number of bytes at the beginning of a log that Learn reads.
const learnBytes = 1 << 19

// Learn reads the beginning of a log and proposes a mapping. It makes candidates from the fields or words of
// the lines, and returns the one with which acquisitions and releases alternate best at each node.
func Learn(r io.Reader) (*Lesson, error) {
	sample, err := formats.TextOf(r, learnBytes)
	if err != nil {
		return nil, err
	}
	if at := bytes.LastIndexByte(sample, '\n'); at >= 0 && len(sample) == learnBytes {
		sample = sample[:at+1]
	}
	var best *Lesson
	for _, x := range candidates(sample) {
		if x.try(sample) && (best == nil || x.score() > best.score()) {
			best = x
		}
	}
	if best == nil || best.Acquired == 0 || best.Released == 0 {
		return nil, fmt.Errorf("no lines acquire and release something (words "+
			"such as %s; %s)", strings.Join(acquireWords[:4], ", "), strings.Join(releaseWords[:4], ", "))
	}
	best.Lines = bytes.Count(sample, []byte("\n"))
	var text strings.Builder
	e := yaml.NewEncoder(&text)
	e.SetIndent(2)
	err = cmp.Or(e.Encode(best.Mapping), e.Close())
	best.Text = text.String()
	return best, err
}

// score is greater for a better mapping: acquisitions and releases alternate, there are several nodes, and
// names are common ones.
func (x *Lesson) score() int {
	several := min(len(x.Log.Nodes)-1, 1)
	return 8*(x.Acquired+x.Released) - 24*x.Odd + 16*several + x.likely
}

// try reads a sample by a mapping, and reports whether the mapping fits.
func (x *Lesson) try(sample []byte) bool {
	if x.Mapping.Prepare() != nil {
		return false
	}
	rd := order.NewCollector(formats.Options{Mapping: x.Mapping})
	rd.Merge = func(s *formats.Source, e *formats.Entry) error {
		role := formats.RoleOf(e.Name)
		if rd.Take(s, e) == nil && (role == formats.Enters || role == formats.Leaves) {
			*map[bool]*int{true: &x.Acquired, false: &x.Released}[role == formats.Enters]++
			if len(x.Sample) < 6 {
				x.Sample = append(x.Sample, strings.TrimSpace(e.Node+" "+e.Name+" "+e.Resource))
			}
		}
		return nil // a line that does not fit is skipped
	}
	if err := rd.Read("log", bytes.NewReader(sample), false); err != nil || rd.Count == 0 {
		return false
	}
	if x.Log = rd.Log(); x.Log.Contradictory() {
		return false
	}
	occupancy.OccupanciesOf(x.Log, func(string) int { return 1 }, occupancy.Reading{})
	for _, f := range x.Log.Findings {
		if f.Kind == formats.Twice || f.Kind == formats.Nested || f.Kind == formats.NotInside {
			x.Odd += 1 + f.More
		}
	}
	return true
}

// Words with which programs log acquisitions and releases, the most common ones first.
var (
	acquireWords = strings.Split("acquired,locked,entered,granted,acquire,obtained,lock acquired,got lock,"+
		"got the lock,took,enter,lock,started,starting,begin,connected", ",")
	releaseWords = strings.Split("released,unlocked,left,returned,release,freed,lock released,exited,"+
		"gave up,leave,exit,unlock,finished,stopped,end,disconnected", ",")
)

// Names of fields: times, names that usually identify the node, and names that never do.
var (
	timeNames  = strings.Fields("time ts timestamp @timestamp t Time asctime __REALTIME_TIMESTAMP date")
	ownerNames = strings.Fields("node worker host hostname pod instance pid thread process client " +
		"goroutine id name threadName processName UNIT")
	otherNames = strings.Fields("level severity caller source lvl file line resource")
)

// candidates lists the mappings to try for a log.
func candidates(sample []byte) []*Lesson {
	start := bytes.TrimSpace(sample)
	switch format := formats.Detect(start); {
	case format == "ndjson" || format == "logfmt":
		return byFields(format, sample)
	case format == "locks" && !bytes.HasPrefix(start, []byte("#")):
		return []*Lesson{{Mapping: &formats.Mapping{Format: "locks"}}}
	}
	return byWords(sample)
}

// columns counts the values of each field. Fields of nested objects have names with dots.
type columns map[string]map[string]int

// byFields lists mappings for lines with fields.
func byFields(format string, sample []byte) (cs []*Lesson) {
	c := columns{}
	for line := range bytes.Lines(sample) {
		c.add("", formats.FieldsOf(format, bytes.TrimSpace(line)), 0)
	}
	times, form := c.times()
	for _, event := range slices.Sorted(maps.Keys(c)) {
		events := verbs(c[event])
		if len(events) < 2 {
			continue
		}
		for _, node := range c.nodes(event, bytes.Count(sample, []byte("\n"))) {
			m := &formats.Mapping{Format: format, Events: events, Fields: map[string]string{}, Time: form}
			for theirs, ours := range map[string]string{event: "event", node: "node", times: "time"} {
				if theirs != ours && theirs != "" && (theirs != "msg" || ours != "event") {
					m.Fields[theirs] = ours
				}
			}
			likely := 0
			switch last := node[strings.LastIndexByte(node, '.')+1:]; {
			case slices.Contains(ownerNames, last):
				likely = 8
			case last == "logger": // usually the name of a package
				likely = -8
			}
			cs = append(cs, &Lesson{Mapping: m, likely: likely})
		}
	}
	return cs
}

// add counts the fields of a line, and of objects in it.
func (c columns) add(prefix string, fields map[string]json.RawMessage, depth int) {
	for name, raw := range fields {
		var object map[string]json.RawMessage
		var value string
		switch {
		case len(raw) == 0:
		case raw[0] == '{' && depth < 2 && json.Unmarshal(raw, &object) == nil:
			c.add(prefix+name+".", object, depth+1)
		case formats.Text(name, raw, &value) == nil:
			if c[prefix+name] == nil {
				c[prefix+name] = map[string]int{}
			}
			c[prefix+name][value]++
		}
	}
}

// times returns the field that has the time, and its form as Mapping.Time; both are "" without such a field.
func (c columns) times() (field, form string) {
	for _, name := range timeNames {
		values := slices.Sorted(maps.Keys(c[name])) // of several forms always the same one counts
		for _, start := range starts[:len(starts)-1] {
			if len(values) > 0 && regexp.MustCompile("^"+start.expression).MatchString(values[0]) {
				return name, start.time
			}
		}
	}
	return "", ""
}

// maxNodes is the greatest number of nodes in a log for which Learn finds a mapping.
const maxNodes = 1000

// nodes lists the fields that may identify the node.
func (c columns) nodes(event string, lines int) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c)), func(name string) bool {
		return name == event || len(c[name]) > min(maxNodes, lines/2+1) || slices.Contains(timeNames, name) ||
			slices.Contains(otherNames, name) || formats.HintFields[name]
	})
}

// verbs maps values that name an acquisition or a release to these events. If several values contain the
// same word, as with numbers or names in them, it returns a pattern for that word.
func verbs(values map[string]int) map[string]string {
	events := map[string]string{}
	for _, side := range []struct {
		words []string
		event string
	}{{acquireWords, "acquire"}, {releaseWords, "release"}} {
		for _, w := range side.words {
			word := regexp.MustCompile(`(?i)\b` + w + `\b`)
			lacks := func(v string) bool { return !word.MatchString(v) }
			fits := slices.DeleteFunc(slices.Sorted(maps.Keys(values)), lacks)
			switch {
			case len(fits) == 0:
				continue
			case len(fits) == 1:
				events[fits[0]] = side.event
			default:
				events[`/(?i)\b`+w+`\b/`] = side.event
			}
			break
		}
	}
	return events
}

// Beginnings of lines of text: a time in one of the usual forms, with the value of Mapping.Time for it.
var starts = []struct{ expression, time string }{
	{`(?P<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)`, ""},
	{`(?P<time>\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d+)`, "2006/01/02 15:04:05.999999999"},
	{`(?P<time>\d{4}/\d\d/\d\d \d\d:\d\d:\d\d)`, "2006/01/02 15:04:05"},
	{`(?P<time>\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})`, "02/Jan/2006:15:04:05 -0700"},
	{`(?P<time>\d{10}\.\d+)`, ""},
	{`(?P<time>\d{18,19})\b`, ""},
	{`(?P<time>\d{15,16})\b`, "us"},
	{`(?P<time>\d{12,13})\b`, "ms"},
	{`(?P<time>\d{9,10})\b`, "s"},
	{``, ""},
}

// Patterns for the node in a line of text, before or after the event, the most specific ones first.
var owners = []string{
	`\[(?P<node>[^\]\s]+)\]`, `\((?P<node>[^)\s]+)\)`, `\b[A-Za-z_]+\[(?P<node>\d+)\]`,
	`\b(?i:worker|client|process|thread|node|pid|session|goroutine|job|task|unit|user)s?[ =:#-]+(?P<node>[\w.-]+)`,
	`(?P<node>\b[\w.-]+):`, `\b(?P<node>[A-Za-z]+[-_]?\d+)\b`, `\b(?P<node>\d+)\b`, `(?P<node>[\w.-]+)`,
}

// byWords lists mappings for lines of text.
func byWords(sample []byte) (cs []*Lesson) {
	for _, name := range formats.Presets() {
		if m := (&formats.Mapping{Preset: name}); m.Prepare() == nil && len(m.Lines) > 0 {
			values := map[string]int{}
			for line := range bytes.Lines(sample) {
				if fields := m.Fit(bytes.TrimSpace(line)); fields != nil {
					var event string
					if formats.Text("event", fields["event"], &event) == nil {
						values[event]++
					}
				}
			}
			if events := verbs(values); len(events) > 1 {
				m = &formats.Mapping{Preset: name, Events: events}
				cs = append(cs, &Lesson{Mapping: m, likely: 2 * len(owners)})
			}
		}
	}
	lines := map[string]int{}
	for line := range bytes.Lines(sample) {
		lines[string(bytes.TrimSpace(line))]++
	}
	events, words := verbs(lines), []string{}
	for _, theirs := range slices.Sorted(maps.Keys(events)) {
		if !strings.HasPrefix(theirs, "/") {
			return cs // a single line
		}
		words = append(words, strings.TrimSuffix(strings.TrimPrefix(theirs, `/(?i)\b`), `\b/`))
	}
	if len(words) < 2 {
		return cs
	}
	verb := `\b(?P<event>(?i:` + strings.Join(words, "|") + `))\b`
	for _, start := range starts {
		at := regexp.MustCompile(`^\W*` + start.expression)
		if !at.Match(bytes.TrimSpace(sample)) {
			continue
		}
		for i, owner := range owners {
			for _, rest := range []string{owner + `.*?` + verb, verb + `.*?` + owner} {
				m := &formats.Mapping{Line: []string{`^\W*` + start.expression + `.*?` + rest}, Time: start.time,
					Events: events}
				cs = append(cs, &Lesson{Mapping: m, likely: len(owners) - i})
			}
		}
		break
	}
	return cs
}

// Recognise looks for a product whose texts the beginnings of the files have, unless the options say how to
// read them, and sets Options.Product. If one server has written the only file, the order of its lines
// becomes the order of the events. A file that cannot be read is left to the Reader.
func Recognise(files []string, opt *formats.Options) error {
	if opt.Format != "" || opt.Mapping != nil {
		return nil
	}
	var starts [][]byte
	for _, name := range files {
		start, err := startOf(name, opt)
		if err != nil {
			return err
		}
		if native(start) {
			return nil
		}
		starts = append(starts, start)
	}
	opt.Product = products.Recognise(starts)
	switch p := opt.Product; {
	case p == nil:
	case p.Refuses != "":
		return fmt.Errorf("%s: it is read as the log of %s and not judged: %s", files[0], p.Name, p.Refuses)
	case p.Order == "lines" && len(files) > 1:
		return fmt.Errorf("%s: it is read as the log of %s, which is one file: put the parts of a log "+
			"together, and judge each server alone", files[0], p.Name)
	case p.Order == "lines" && opt.Skew == nil && !opt.ByTime:
		opt.Lines = true
	}
	return nil
}

// startOf returns the beginning of a file, and keeps the one of standard input for the Reader.
func startOf(name string, opt *formats.Options) (start []byte, err error) {
	if name == formats.Stdin {
		if opt.Stdin == nil {
			return nil, nil
		}
		start, err = io.ReadAll(io.LimitReader(opt.Stdin, learnBytes))
		opt.Stdin = io.MultiReader(bytes.NewReader(start), opt.Stdin)
		return start, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, nil
	}
	defer func() { _ = f.Close() }()         // it was only read
	start, _ = formats.TextOf(f, learnBytes) // a file that is cut off is read as far as it goes
	return start, nil
}

// native reports whether a log has a format that needs no recognition. ndjson and logfmt need none if there
// is a header, or if the first lines name the node and an event of a lock.
func native(start []byte) bool {
	format := formats.Detect(bytes.TrimSpace(start))
	if format != "ndjson" && format != "logfmt" {
		return format != ""
	}
	const looked = 100 // lines
	n := 0
	for line := range bytes.Lines(start) {
		fields := formats.FieldsOf(format, bytes.TrimSpace(line))
		var event string
		raw := fields["event"]
		if raw == nil {
			raw = fields["msg"]
		}
		_ = formats.Text("event", raw, &event) // another value is no name
		if n++; n > looked {
			break
		}
		if fields["atmostk"] != nil || fields["node"] != nil && formats.RoleOf(event) != formats.Other {
			return true
		}
	}
	return false
}
