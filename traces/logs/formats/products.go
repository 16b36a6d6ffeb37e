package formats

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"
)

// A Product is a program or library whose logs are recognised by their texts; products.yaml describes the
// fields.
type Product struct {
	Name, Calls, Read string
	// Node, Resource and Pair are expressions for these groups, wherever they are in a line.
	Node, Resource, Pair string
	// Words: its texts are words of many programs, so that somebody has to confirm the reading.
	Words bool
	Order string // "lines", or ""
	Texts []productText
	Also  []string `yaml:"-"` // other products that the logs may be of

	node, resource, pair *regexp.Regexp // nil: none
}

// A productText says what a line with a text means.
type productText struct {
	As, Has, Text string

	has    []byte
	re     *regexp.Regexp
	groups []string
}

//go:embed products.yaml
var productFile []byte

// products lists the products of products.yaml.
var products = sync.OnceValue(func() (all []*Product) {
	d := yaml.NewDecoder(bytes.NewReader(productFile))
	d.KnownFields(true)
	if err := d.Decode(&all); err != nil {
		panic(err) // cannot happen: the file is embedded, and tests read it
	}
	for _, p := range all {
		for text, to := range map[string]**regexp.Regexp{p.Node: &p.node, p.Resource: &p.resource, p.Pair: &p.pair} {
			if text != "" {
				*to = regexp.MustCompile(text)
			}
		}
		for i := range p.Texts {
			t := &p.Texts[i]
			t.has, t.re = []byte(t.Has), regexp.MustCompile(t.Text)
			t.groups = t.re.SubexpNames()
		}
	}
	return all
})

// Recognise returns the product with the most lines in the beginnings of files that acquire a lock; nil: no
// product has one.
func Recognise(starts [][]byte) *Product {
	acquired := map[*Product]int{}
	for _, start := range starts {
		for line := range bytes.Lines(start) {
			w := unwrap(line)
			for _, p := range products() {
				if t, _ := p.find(w.text); t != nil && slices.Contains(acquiring, t.As) {
					acquired[p]++
				}
			}
		}
	}
	var best *Product
	for _, p := range products() {
		if acquired[p] > 0 && (best == nil || acquired[p] > acquired[best] && !p.Words) {
			best = p
		}
	}
	if best == nil {
		return nil
	}
	found := *best
	for _, p := range products() {
		if p != best && acquired[p] > 0 && !p.Words {
			found.Also = append(found.Also, p.Name)
		}
	}
	return &found
}

// acquiring are the values of As that acquire a lock.
var acquiring = strings.Fields("acquire wait wait-xact acquire-xact try try-xact")

// find returns the first text that matches a message, with the places of its groups; nil: none does.
func (p *Product) find(message []byte) (*productText, []int) {
	for i := range p.Texts {
		t := &p.Texts[i]
		if bytes.Contains(message, t.has) {
			if at := t.re.FindSubmatchIndex(message); at != nil {
				return t, at
			}
		}
	}
	return nil, nil
}

// productLine parses a line of a product.
func productLine(p *lineParser, line []byte, l *parsedLine) {
	w := unwrap(line)
	t, at := p.product.find(w.text)
	if t == nil {
		l.leftOut, l.kind = true, kindOf(w.text)
		return
	}
	e := &l.Entry
	if e.Name, e.as = t.As, t.As; !RoleOf(t.As).known() {
		e.Name = "line"
	}
	e.Node, e.Stamp, e.zones = w.node, w.stamp, w.zone
	for _, find := range []struct {
		re *regexp.Regexp
		to *string
	}{{p.product.node, &e.Node}, {p.product.resource, &e.Resource}, {p.product.pair, &e.pair}} {
		if find.re != nil && *find.to == "" {
			*find.to = firstGroup(find.re, w.text)
		}
	}
	for i, group := range t.groups {
		if group == "" || at[2*i] < 0 {
			continue
		}
		value := string(w.text[at[2*i]:at[2*i+1]])
		switch group {
		case "node":
			e.Node = value
		case "resource":
			e.Resource = strings.Join(strings.Fields(value), " ")
		case "pair":
			e.pair = value
		case "shared":
			e.Reads = true
		}
	}
	if p.node != nil {
		e.Node = firstGroup(p.node, w.text)
	}
	if e.Stamp == Ever {
		_ = frameTime(w.text, e) // a line without a time has none
	}
}

// firstGroup returns the first group of an expression that matched; "": none did.
func firstGroup(re *regexp.Regexp, text []byte) string {
	if m := re.FindSubmatch(text); m != nil {
		for _, group := range m[1:] {
			if len(group) > 0 {
				return string(group)
			}
		}
	}
	return ""
}

// known reports whether a name of an event has a role.
func (r Role) known() bool { return r != Other }

// A wrapped line is a line without what a container runtime, a journal or a logger put around its message.
type wrapped struct {
	text  []byte
	node  string
	stamp int64
	zone  Zone
}

// prefixes of lines: of the CRI, and of kubectl logs --prefix.
var (
	cri     = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\S+ (?:stdout|stderr) [FP] `)
	kubectl = regexp.MustCompile(`^\[pod/([^/\]]+)/[^\]]+\] `)
)

// unwrap takes the message out of a line. The runtime's time is the one of its receipt, so it does not count.
func unwrap(line []byte) wrapped {
	w := wrapped{text: bytes.TrimSpace(line), stamp: Ever}
	if len(w.text) > 7 && w.text[0] == '[' && string(w.text[:5]) == "[pod/" {
		if m := kubectl.FindSubmatch(w.text); m != nil {
			w.node, w.text = string(m[1]), w.text[len(m[0]):]
		}
	}
	switch {
	case len(w.text) > 25 && w.text[4] == '-' && w.text[10] == 'T':
		w.text = w.text[len(cri.Find(w.text)):]
	case len(w.text) > 0 && w.text[0] == '{' && json.Valid(w.text):
		w.object()
	}
	return w
}

// object takes the message out of a line of JSON: of Docker, the journal, or a logger.
func (w *wrapped) object() {
	fields := map[string]json.RawMessage{}
	members(w.text, fields, map[string]memberName{})
	get := func(name string) (value string) {
		_ = Text(name, fields[name], &value) // other values are no texts
		return value
	}
	for _, name := range []string{"log", "MESSAGE", "msg", "message"} {
		text := get(name)
		if text == "" {
			continue
		}
		w.text = bytes.TrimSpace([]byte(text))
		switch name {
		case "log": // Docker: the line has its own time
			return
		case "msg", "message":
			w.addFields(fields, name)
		case "MESSAGE":
			w.node = strings.Trim(get("_HOSTNAME")+"/"+get("_PID"), "/")
			if number(get("__REALTIME_TIMESTAMP"), &w.stamp) == nil && w.stamp != Ever {
				w.stamp *= int64(time.Microsecond)
			}
			return
		}
		for _, name := range []string{"ts", "time", "@timestamp", "timestamp"} {
			if raw := fields[name]; len(raw) > 0 {
				if zone, err := Moment(raw, &w.stamp); err == nil {
					w.zone = zone
					return
				}
				w.stamp = Ever
			}
		}
		return
	}
}

// addFields adds the fields of a line of JSON to its message, as key=value.
func (w *wrapped) addFields(fields map[string]json.RawMessage, message string) {
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		var value string
		if key != message && Text(key, fields[key], &value) == nil && value != "" {
			w.text = fmt.Appendf(w.text, " %s=%s", key, value)
		}
	}
}

// clockYear is the year of times without one, as klog writes them. It is a leap year.
const clockYear = "2000-"

// Beginnings of lines with a time: klog's level, month, day and time of day, and the usual ones.
var (
	klogTime  = regexp.MustCompile(`^[IWEF](\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d+) `)
	usualTime = regexp.MustCompile(`^(?:time=)?["\[]?(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d+))?( ?(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)\b)?`)
)

// frameTime reads the time at the beginning of a line.
func frameTime(line []byte, e *Entry) (err error) {
	text := ""
	if m := klogTime.FindSubmatch(line); m != nil {
		text = clockYear + string(m[1]) + "-" + string(m[2]) + "T" + string(m[3])
	} else if m := usualTime.FindSubmatch(line); m != nil {
		text = fmt.Sprintf("%s-%s-%sT%s", m[1], m[2], m[3], m[4])
		if len(m[5]) > 0 {
			text += "." + string(m[5])
		}
		text += string(m[6])
	}
	if text == "" {
		return nil
	}
	stamp := int64(Ever)
	if e.zones, err = textMoment(text, &stamp); err == nil {
		e.Stamp = stamp
	}
	return err
}

// fileNode is the node of a file: its name without the folder and the last ending.
func fileNode(file string) string {
	name := filepath.Base(file)
	return strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), filepath.Ext(strings.TrimSuffix(name, ".gz")))
}

// importantText matches kinds of lines that may change the verdict.
var importantText = regexp.MustCompile(`(?i)fail|error|lost|refus|denied|timeout|timed out|expire|not own|killed|panic|fatal`)

// Important reports whether a kind of lines that were left out may change the verdict.
func Important(kind string) bool { return importantText.MatchString(kind) }

// kindWords is the number of words of a line, after its time, that make its kind.
const kindWords = 7

// kindOf returns the kind of a line: its first words, without words with digits.
func kindOf(text []byte) string {
	var words [kindWords]string
	n := 0
	for rest := text; n < kindWords; {
		rest = skipSpace(rest)
		end := bytes.IndexByte(rest, ' ')
		if end < 0 {
			end = len(rest)
		}
		if end == 0 {
			break
		}
		if word := rest[:end]; bytes.IndexAny(word, "0123456789") < 0 {
			words[n] = string(word)
			n++
		}
		rest = rest[end:]
	}
	return clip([]byte(strings.Join(words[:n], " ")))
}

// HasHeader reports whether a log begins with a line of this program: a header with a model, or a trace.
func HasHeader(start []byte) bool {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	return bytes.Contains(line, []byte(`"atmostk"`)) || Detect(start) == "trace"
}
