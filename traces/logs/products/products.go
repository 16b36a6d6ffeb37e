// Package products recognises the logs of programs and libraries by their texts, and finds the message, the
// time and the node in their lines.
package products

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// A Product is a program or library whose logs are recognised by their texts; products.yaml describes the
// fields.
type Product struct {
	Name, Calls, Read string
	// Node, Resource and Pair are expressions for these groups, wherever they are in a line; nil: none.
	Node, Resource, Pair *regexp.Regexp
	// Words: its texts are words of many programs, so that somebody has to confirm the reading.
	Words   bool
	Blanks  bool   // blanks in a resource do not count
	Leases  bool   // locks end without a line: only lines about a lock show that its holder works
	Order   string // "lines", or ""
	Refuses string // why its logs cannot be judged; "": they can
	Texts   []text
	// Statements is an expression for what stands before a statement in a line; "": it logs none.
	Statements string
	Also       []string `yaml:"-"` // other products that the logs may be of
}

// A text says what a line means that has it.
type text struct {
	As, Has   string
	Text      *regexp.Regexp
	Statement string // an expression in place of Text, for the whole statement; "": see Text
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
		for i := range p.Texts {
			if t := &p.Texts[i]; t.Statement != "" {
				t.Text = regexp.MustCompile(p.Statements + "(?i:" + t.Statement + "[; ]*)$")
			}
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
var acquiring = strings.Fields("acquire fresh wait wait-xact try try-xact")

// find returns the first text that matches a message, with the places of its groups; nil: none does.
func (p *Product) find(message []byte) (*text, []int) {
	has := string(message)
	for i := range p.Texts {
		t := &p.Texts[i]
		if strings.Contains(has, t.Has) {
			if at := t.Text.FindSubmatchIndex(message); at != nil {
				return t, at
			}
		}
	}
	return nil, nil
}

// A Match is a line with a text of a product. Empty texts are unknown.
type Match struct {
	As                         string // as in products.yaml
	Node, Resource, Pair, Time string
	Shared                     bool
}

// Line returns the match of a line. If no text matches, it returns the kind of the line. node, if not nil,
// has a group for the node.
func (p *Product) Line(line []byte, node *regexp.Regexp) (m *Match, kind string) {
	w := unwrap(line)
	t, at := p.find(w.text)
	if t == nil {
		return nil, kindOf(w.text)
	}
	group := func(name string) string {
		if i := t.Text.SubexpIndex(name); i > 0 && at[2*i] >= 0 {
			return string(w.text[at[2*i]:at[2*i+1]])
		}
		return ""
	}
	m = &Match{As: t.As, Time: cmp.Or(w.time, timeOf(w.text)), Shared: group("shared") != "",
		Node:     cmp.Or(group("node"), w.node, FirstGroup(p.Node, w.text)),
		Resource: breaks.Replace(cmp.Or(group("resource"), FirstGroup(p.Resource, w.text))),
		Pair:     breaks.Replace(cmp.Or(group("pair"), FirstGroup(p.Pair, w.text)))}
	if p.Blanks {
		m.Resource = strings.ReplaceAll(strings.Join(strings.Fields(m.Resource), " "), ", ", ",")
	}
	if in := group("in"); in != "" {
		m.Resource += " in " + in
	}
	if node != nil {
		m.Node = FirstGroup(node, w.text)
	}
	return m, ""
}

// breaks replaces what no name in a report has.
var breaks = strings.NewReplacer("\n", " ", "\r", " ")

// FirstGroup returns the first group of an expression that matched; "": none did, or there is no expression.
func FirstGroup(re *regexp.Regexp, text []byte) string {
	if re == nil {
		return ""
	}
	m := re.FindSubmatch(text)
	for i := 1; i < len(m); i++ {
		if len(m[i]) > 0 {
			return string(m[i])
		}
	}
	return ""
}

// A wrapped line is a line without what a container runtime, a journal or a logger put around its message.
type wrapped struct {
	text []byte
	node string
	time string // ""; or in one of the usual forms
}

// prefixes of lines: of the CRI, and of kubectl logs --prefix.
var (
	cri     = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\S+ (?:stdout|stderr) [FP] `)
	kubectl = regexp.MustCompile(`^\[pod/([^/\]]+)/[^\]]+\] `)
)

// blanks are around a message. A tab at its beginning shows that it continues the line before it.
const blanks = " \r\n"

// unwrap takes the message out of a line. The runtime's time is the one of its receipt, so it does not count.
func unwrap(line []byte) wrapped {
	w := wrapped{text: bytes.Trim(line, blanks)}
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
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(w.text, &fields) // it is valid, and an object
	for _, name := range []string{"log", "MESSAGE", "msg", "message"} {
		text := scalar(fields[name])
		if text == "" {
			continue
		}
		w.text = bytes.Trim([]byte(text), blanks)
		switch name {
		case "log": // Docker: the line has its own time
		case "MESSAGE":
			w.node = strings.Trim(scalar(fields["_HOSTNAME"])+"/"+scalar(fields["_PID"]), "/")
			if micros := scalar(fields["__REALTIME_TIMESTAMP"]); len(micros) > 6 {
				w.time = micros[:len(micros)-6] + "." + micros[len(micros)-6:]
			}
		default:
			for _, key := range slices.Sorted(maps.Keys(fields)) { // the other fields, as key=value
				if value := scalar(fields[key]); key != name && value != "" {
					w.text = fmt.Appendf(w.text, " %s=%s", key, value)
				}
			}
			for _, name := range []string{"timestamp", "@timestamp", "time", "ts"} {
				w.time = cmp.Or(scalar(fields[name]), w.time)
			}
		}
		return
	}
}

// scalar returns a text or a number of JSON as a text; "": another value.
func scalar(raw json.RawMessage) string {
	switch {
	case len(raw) == 0:
		return ""
	case raw[0] == '"':
		value := ""
		_ = json.Unmarshal(raw, &value) // it is valid
		return value
	case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
		return string(raw)
	}
	return ""
}

// clockYear is the year of times without one, as klog writes them. It is a leap year.
const clockYear = "2000-"

// YearEnd is the end of that year, in nanoseconds since 1970.
const YearEnd = 978_307_200_000_000_000

// Beginnings of lines with a time: Redis's MONITOR, klog's level, month, day and time of day, and usual ones.
var (
	monitorTime = regexp.MustCompile(`^(\d{10}\.\d{6}) \[`)
	klogTime    = regexp.MustCompile(`^[IWEF](\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d+) `)
	usualTime   = regexp.MustCompile(`^(?:time=)?["\[]?(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d:\d\d)` +
		`([.,]\d+)?( ?(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)\b)?`)
)

// timeOf returns the time at the beginning of a message, in one of the usual forms; "": it has no time.
func timeOf(message []byte) string {
	if m := klogTime.FindSubmatch(message); m != nil {
		return clockYear + string(m[1]) + "-" + string(m[2]) + "T" + string(m[3])
	}
	if m := monitorTime.FindSubmatch(message); m != nil {
		return string(m[1])
	}
	if m := usualTime.FindSubmatch(message); m != nil {
		text := fmt.Sprintf("%s-%s-%sT%s%s%s", m[1], m[2], m[3], m[4], m[5], m[6])
		return strings.Replace(text, ",", ".", 1)
	}
	return ""
}

// importantText matches kinds of lines that may change the verdict.
var importantText = regexp.MustCompile(`(?i)fail|error|lost|refus|denied|timeout|timed out|expire|not own|killed|` +
	`panic|fatal`)

// Important reports whether a kind of lines that were left out may change the verdict.
func Important(kind string) bool { return importantText.MatchString(kind) }

// kindWords is the number of words of a line, after its time, that make its kind.
const kindWords = 7

// kindOf returns the kind of a line: its first words, without words with digits.
func kindOf(text []byte) string {
	words := make([]string, 0, kindWords)
	for word := range bytes.FieldsSeq(text) {
		if !bytes.ContainsAny(word, "0123456789") {
			words = append(words, string(word))
		}
		if len(words) == kindWords {
			break
		}
	}
	return strings.Join(words, " ")
}
