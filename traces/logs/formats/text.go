package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// patternLine parses a line of text by the regular expressions of the mapping. A line that fits none is an
// error if the mapping selects lines by conditions (only); otherwise it is left out.
func patternLine(p *lineParser, text []byte, l *parsedLine) {
	fields := p.mapping.Fit(text)
	switch {
	case fields != nil:
		p.event(fields, l)
	case len(p.mapping.only) == 0:
		l.leftOut = true
	default:
		l.why = errors.New("it does not fit the regular expression")
	}
}

// Fit returns the fields of a line by the first expression that matches; nil: none does.
func (m *Mapping) Fit(line []byte) map[string]json.RawMessage {
	for _, re := range m.Lines {
		if fields := groupsOf(re, line); fields != nil {
			if message, is := fields["message"]; is {
				fields["event"] = message
				delete(fields, "message")
			}
			return fields
		}
	}
	return nil
}

func (p *lineParser) event(fields map[string]json.RawMessage, l *parsedLine) {
	p.hinted = true
	fields = p.mapping.fields(fields)
	l.why = p.fill(&l.Entry, fields, givenIn(fields))
	l.refuses, l.cut = l.why != nil, true
}

func logfmtLine(p *lineParser, text []byte, l *parsedLine) {
	var fields map[string]json.RawMessage
	if fields, p.twice, l.why = keyValues(text); l.why != nil {
		l.cut = true
		return
	}
	p.event(fields, l)
}

// keyValues splits a line of key=value; values may be in quotes.
func keyValues(line []byte) (fields map[string]json.RawMessage, twice []string, err error) {
	fields = map[string]json.RawMessage{}
	for rest := string(bytes.TrimSpace(line)); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		key, after, found := strings.Cut(rest, "=")
		if !found || key == "" || strings.ContainsAny(key, " \t\"") {
			return nil, nil, fmt.Errorf("%s is not of the form key=value", clip([]byte(rest)))
		}
		var value string
		if strings.HasPrefix(after, `"`) {
			text, err := strconv.QuotedPrefix(after)
			if err != nil {
				return nil, nil, fmt.Errorf("the value of %s has no closing quote", clip([]byte(key)))
			}
			if value, err = strconv.Unquote(text); err != nil {
				return nil, nil, fmt.Errorf("the value of %s is %s", clip([]byte(key)), clip([]byte(text)))
			}
			rest = after[len(text):]
		} else {
			value, rest = after, ""
			if at := strings.IndexAny(after, " \t"); at >= 0 {
				value, rest = after[:at], after[at:]
			}
		}
		raw := quoted(key, []byte(value))
		if old := fields[key]; old != nil && !bytes.Equal(old, raw) {
			twice = append(twice, key)
		}
		fields[key] = raw
	}
	return fields, twice, nil
}

// locksForm returns the parser for logs of any lock or semaphore: lines of JSON, or of words
//
//	TIME NODE acquire|release|request [units] [resource]
//
// The time has any form that lines of JSON may have, without blanks. Blank lines and lines that begin with #
// are skipped. An event that is not about a lock must be mapped or ignored, so that a log of something else
// is not mistaken for one.
func locksForm(s *Source) lineForm {
	s.Locks = true
	if bytes.HasPrefix(s.start(1), []byte("{")) {
		return jsonLine
	}
	return lockLine
}

// lockLine parses a line of words.
func lockLine(p *lineParser, text []byte, l *parsedLine) {
	text = bytes.TrimSpace(text)
	if l.blank = text[0] == '#'; l.blank {
		return
	}
	l.why = p.words(text, &l.Entry)
	l.cut = true
}

func (p *lineParser) words(line []byte, e *Entry) error {
	var room [6]string
	words := split(string(line), room[:0])
	if len(words) < 3 || len(words) > 5 {
		return fmt.Errorf("%s is not of the form TIME NODE acquire|release [units] [resource]", clip(line))
	}
	zone, err := textMoment(words[0], &e.Stamp)
	if err != nil {
		return fmt.Errorf("the time is %s; allowed are %s", clip([]byte(words[0])), times)
	}
	e.zones, e.Node, e.Name = zone, words[1], words[2]
	rest := words[3:]
	if last := len(rest) - 1; last >= 0 && (last == 1 ||
		!strings.ContainsRune("-+.0123456789", rune(rest[last][0]))) {
		if e.Resource, rest = rest[last], rest[:last]; p.resource == oneResource {
			e.Resource = ""
		}
	}
	if len(rest) == 1 {
		if err := takeUnits(e, "units", json.RawMessage(rest[0]), nil); err != nil {
			return err
		}
	}
	return nil
}

// split appends the words of a line, up to the capacity of words.
func split(line string, words []string) []string {
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ' ' || r == '\t' }) {
		if len(words) == cap(words) {
			break
		}
		words = append(words, word)
	}
	return words
}

// FieldsOf returns the fields of a line of ndjson or logfmt; empty or nil: the line has another form.
func FieldsOf(format string, line []byte) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	switch {
	case format == "logfmt":
		fields, _, _ = keyValues(line)
	case json.Valid(line) && isObject(line):
		members(line, fields, map[string]memberName{})
	}
	return fields
}
