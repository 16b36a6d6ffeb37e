package products

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

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

// unwrap takes the message out of a line. The runtime's time is the one of its receipt, so it does not count.
func unwrap(line []byte) wrapped {
	w := wrapped{text: bytes.TrimSpace(line)}
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
		w.text = bytes.TrimSpace([]byte(text))
		switch name {
		case "log": // Docker: the line has its own time
		case "MESSAGE":
			w.node = strings.Trim(scalar(fields["_HOSTNAME"])+"/"+scalar(fields["_PID"]), "/")
			if micros := scalar(fields["__REALTIME_TIMESTAMP"]); len(micros) > 6 {
				w.time = micros[:len(micros)-6] + "." + micros[len(micros)-6:]
			}
		default:
			w.addFields(fields, name)
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

// addFields adds the fields of a line of JSON to its message, as key=value.
func (w *wrapped) addFields(fields map[string]json.RawMessage, message string) {
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if value := scalar(fields[key]); key != message && value != "" {
			w.text = fmt.Appendf(w.text, " %s=%s", key, value)
		}
	}
}

// clockYear is the year of times without one, as klog writes them. It is a leap year.
const clockYear = "2000-"

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
	for word := range bytes.SplitSeq(text, []byte(" ")) {
		word = bytes.TrimLeft(word, "\t")
		if len(word) > 0 && !bytes.ContainsAny(word, "0123456789") {
			words = append(words, string(word))
		}
		if len(words) == kindWords {
			break
		}
	}
	return strings.Join(words, " ")
}
