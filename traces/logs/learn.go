package logs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
	"go.yaml.in/yaml/v3"
)

// A Lesson is a mapping that fits the beginning of a log.
type Lesson struct {
	Mapping *formats.Mapping
	Text    string     // of the mapping, as a file
	Log     *order.Log // what it reads of the beginning
	Lines   int        // that were looked at
	// Acquired and Released are the numbers of such events, and Odd of those that do not follow
	// each other at their node.
	Acquired, Released, Odd int
	Sample                  []string // the first events of a lock, as they are read

	likely int
}

// What is looked at of a log: so many bytes, and so many nodes are believable.
const learnBytes = 1 << 19

// Learn looks at the beginning of a log and proposes a mapping: of all those that come into
// question, by the fields or words of its lines, the one by which the nodes' acquisitions and
// releases follow each other best.
func Learn(r io.Reader) (*Lesson, error) {
	sample, err := formats.TextOf(r, learnBytes)
	if err != nil {
		return nil, err
	}
	if at := bytes.LastIndexByte(sample, '\n'); at >= 0 && len(sample) == learnBytes {
		sample = sample[:at+1]
	}
	var best *Lesson
	for _, c := range candidates(sample) {
		if x := c.try(sample); x != nil && (best == nil || x.score() > best.score()) {
			best = x
		}
	}
	if best == nil || best.Acquired == 0 || best.Released == 0 {
		return nil, fmt.Errorf("no lines were found that acquire and release something (words "+
			"such as %s; %s)",
			strings.Join(acquireWords[:4], ", "), strings.Join(releaseWords[:4], ", "))
	}
	text, err := textOf(best.Mapping)
	if err != nil {
		return nil, err
	}
	best.Text, best.Lines = text, bytes.Count(sample, []byte("\n"))
	return best, nil
}

// score is larger for a mapping that fits better: events that follow each other, several nodes, and
// what is mostly so.
func (x *Lesson) score() int {
	several := 0
	if len(x.Log.Nodes) > 1 {
		several = 16
	}
	return 8*(x.Acquired+x.Released) - 24*x.Odd + several + x.likely
}

// A candidate is a mapping that comes into question, and how likely it is before it was tried.
type candidate struct {
	*formats.Mapping
	likely int
}

// try reads a sample by a mapping; nil if that cannot be.
func (c candidate) try(sample []byte) *Lesson {
	m := c.Mapping
	if m.Prepare() != nil {
		return nil
	}
	rd := order.NewCollector(formats.Options{Mapping: m})
	x := &Lesson{Mapping: m, likely: c.likely}
	rd.Merge = func(s *formats.Source, e *formats.Entry) error {
		if rd.Take(s, e) != nil {
			return nil // a line that does not fit is none
		}
		switch formats.RoleOf(e.Name) {
		case formats.Enters:
			x.Acquired++
		case formats.Leaves:
			x.Released++
		default:
			return nil
		}
		if len(x.Sample) < 6 {
			x.Sample = append(x.Sample, strings.TrimSpace(fmt.Sprintf("%s %s %s", e.Node, e.Name,
				e.Resource)))
		}
		return nil
	}
	if err := rd.Read("log", bytes.NewReader(sample), false); err != nil || rd.Count == 0 {
		return nil
	}
	x.Log = rd.Log()
	if x.Log.Contradictory() {
		return nil
	}
	occupancy.OccupanciesOf(x.Log, func(string) int { return 1 }, occupancy.Reading{})
	for _, f := range x.Log.Findings {
		if f.Kind == formats.Twice || f.Kind == formats.Nested || f.Kind == formats.NotInside {
			x.Odd += 1 + f.More
		}
	}
	return x
}

// textOf is a mapping as a file.
func textOf(m *formats.Mapping) (string, error) {
	var b strings.Builder
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(m); err != nil {
		return "", err
	}
	return b.String(), e.Close()
}

// The words by which programs mostly say what they do, the usual ones first.
var (
	acquireWords = []string{"acquired", "locked", "entered", "granted", "acquire", "obtained",
		"lock acquired",
		"got lock", "got the lock", "took", "enter", "lock", "started", "starting", "begin", "connected"}
	releaseWords = []string{"released", "unlocked", "left", "returned", "release", "freed", "lock released",
		"exited", "gave up", "leave", "exit", "unlock", "finished", "stopped", "end", "disconnected"}
)

// candidates lists the mappings that come into question for a log.
func candidates(sample []byte) []candidate {
	line, _, _ := bytes.Cut(bytes.TrimSpace(sample), []byte("\n"))
	switch formats.Detect(bytes.TrimSpace(sample)) {
	case "ndjson":
		return byFields("ndjson", sample, func(line []byte) map[string]json.RawMessage {
			fields := map[string]json.RawMessage{}
			if json.Valid(line) && formats.IsObject(line) {
				formats.Members(line, fields)
			}
			return fields
		})
	case "logfmt":
		return byFields("logfmt", sample, func(line []byte) map[string]json.RawMessage {
			fields, _ := formats.KeyValues(line) // what is none has no fields
			return fields
		})
	case "locks":
		if !bytes.HasPrefix(line, []byte("#")) {
			return []candidate{{&formats.Mapping{Format: "locks"}, 0}}
		}
	}
	return byWords(sample)
}

// A table of the values of the fields of a log.
type columns struct {
	values map[string]map[string]int
	lines  int
}

// byFields lists mappings of lines that have fields.
func byFields(format string, sample []byte, split func([]byte) map[string]json.RawMessage) (cs []candidate) {
	c := columns{values: map[string]map[string]int{}}
	for line := range bytes.Lines(sample) {
		c.add("", split(bytes.TrimSpace(line)), 0)
		c.lines++
	}
	times, form := c.times()
	for _, event := range c.named() {
		events := verbs(c.values[event])
		if len(events) == 0 {
			continue
		}
		for _, node := range c.nodes(event) {
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
			case last == "logger": // mostly the name of a package
				likely = -8
			}
			cs = append(cs, candidate{m, likely})
		}
	}
	return cs
}

// ownerNames are names of fields that mostly say whose line it is, and otherNames of those that never do.
var (
	ownerNames = []string{"node", "worker", "host", "hostname", "pod", "instance", "pid", "thread", "process",
		"client",
		"goroutine", "id", "name", "threadName", "processName", "UNIT"}
	otherNames = []string{"level", "severity", "caller", "source", "lvl", "file", "line", "resource"}
)

// add takes the fields of a line, and those of objects in it.
func (c *columns) add(prefix string, fields map[string]json.RawMessage, depth int) {
	for name, raw := range fields {
		var object map[string]json.RawMessage
		if len(raw) > 0 && raw[0] == '{' && depth < 2 && json.Unmarshal(raw, &object) == nil {
			c.add(prefix+name+".", object, depth+1)
			continue
		}
		var value string
		if len(raw) == 0 || formats.Text(name, raw, &value) != nil {
			continue
		}
		if c.values[prefix+name] == nil {
			c.values[prefix+name] = map[string]int{}
		}
		c.values[prefix+name][value]++
	}
}

// timeNames are the names of fields that have the time, mostly.
var timeNames = []string{"time", "ts", "timestamp", "@timestamp", "t", "Time", "asctime",
	"__REALTIME_TIMESTAMP", "date"}

// times is the field with the time, and how it is written; both are "" if there is none.
func (c *columns) times() (field, form string) {
	for _, name := range timeNames {
		for value := range c.values[name] {
			var at int64
			if _, err := formats.TextMoment(value, &at); err != nil {
				break
			}
			switch digits := len(value); {
			case strings.Trim(value, "0123456789") != "" || digits >= 18:
				return name, ""
			case digits >= 15:
				return name, "us"
			case digits >= 12:
				return name, "ms"
			case digits >= 9:
				return name, "s"
			}
			return name, ""
		}
	}
	return "", ""
}

// named lists the fields that may say what happened.
func (c *columns) named() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(c.values)) {
		if len(verbs(c.values[name])) > 1 {
			names = append(names, name)
		}
	}
	return names
}

// maxNodes is how many nodes a log has at most, for one that is learnt.
const maxNodes = 1000

// nodes lists the fields that may say whose line it is.
func (c *columns) nodes(event string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(c.values)) {
		if n := len(c.values[name]); name != event && n <= min(maxNodes, c.lines/2+1) &&
			!slices.Contains(timeNames, name) && !slices.Contains(otherNames, name) &&
			!formats.HintFields[name] {
			names = append(names, name)
		}
	}
	return names
}

// verbs maps the texts that say that something was acquired or released. Texts that have numbers or
// names in them are mapped by the words alone.
func verbs(values map[string]int) map[string]string {
	events := map[string]string{}
	for _, side := range []struct {
		words []string
		event string
	}{{acquireWords, "acquire"}, {releaseWords, "release"}} {
		for _, w := range side.words {
			word := regexp.MustCompile(`(?i)\b` + w + `\b`)
			var fits []string
			for _, v := range slices.Sorted(maps.Keys(values)) {
				if word.MatchString(v) {
					fits = append(fits, v)
				}
			}
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

// What lines of text begin with: a time, in the usual forms, and what a mapping says of it.
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

// Whose line it is, in text, before or behind what happened.
var owners = []string{
	`\[(?P<node>[^\]\s]+)\]`, `\((?P<node>[^)\s]+)\)`, `\b[A-Za-z_]+\[(?P<node>\d+)\]`,
	`\b(?i:worker|client|process|thread|node|pid|session|goroutine|job|task|unit|user)s?[ =:#-]+(?P<node>[\w.-]+)`,
	`(?P<node>\b[\w.-]+):`, `\b(?P<node>[A-Za-z]+[-_]?\d+)\b`, `\b(?P<node>\d+)\b`, `(?P<node>[\w.-]+)`,
}

// byWords lists mappings of lines of text.
func byWords(sample []byte) (cs []candidate) {
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
				cs = append(cs, candidate{&formats.Mapping{Preset: name, Events: events}, 2 * len(owners)})
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
			for _, line := range []string{
				`^\W*` + start.expression + `.*?` + owner + `.*?` + verb, `^\W*` + start.expression + `.*?` +
					verb + `.*?` + owner,
			} {
				cs = append(cs, candidate{&formats.Mapping{Line: []string{line}, Time: start.time,
					Events: events},
					len(owners) - i})
			}
		}
		break
	}
	return cs
}
