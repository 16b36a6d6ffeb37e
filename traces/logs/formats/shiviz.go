package formats

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
)

// goVector matches an event of GoVector: a line of host and clock, a line of text. goVectorLast matches the
// other order, which ShiViz accepts as well.
var (
	goVector     = onUse(`^(?P<host>\S*) (?P<clock>{.*})\n(?P<event>.*)`)
	goVectorLast = onUse(`^(?P<event>.*)\n(?P<host>\S*) (?P<clock>{.*})`)
)

// maxEntryLines is the largest number of lines of one event.
const maxEntryLines = 16

// shiviz reads a log with vector clocks. If the first line of the file is a regular expression with groups
// host, clock and event, it matches the events, and the second line is the expression that separates
// executions, usually blank. Otherwise events have the form of GoVector. Further groups named in eventGroups
// are fields.
func (rd *Reader) shiviz(s *Source) error {
	re, separator, err := shivizHead(s)
	if err != nil {
		return err
	}
	form := func(p *lineParser, text []byte, l *parsedLine) {
		if fields := groupsOf(re, text); fields == nil {
			l.why = errors.New("it does not match the regular expression " + re.String())
		} else {
			fields = shivizFields(fields)
			l.why = l.take(fields, givenIn(fields), &p.mapping.timeForms)
		}
		l.cut, l.refuses = true, true
	}
	var l parsedLine
	for lines := strings.Count(re.String(), `\n`) + 1; ; {
		entry, first, err := s.nextLines(lines, separator)
		switch {
		case errors.Is(err, io.EOF) && first > 0:
			return rd.tornLine(s)
		case err != nil:
			return atEnd(err)
		}
		rd.parser.parse(form, []byte(entry), first, &l)
		last := s.line
		if l.why == nil || !s.Torn {
			s.line = first
		}
		if more, err := rd.line(s, &l); err != nil || !more {
			return err
		}
		s.line = last
	}
}

// shivizFields returns the groups of an entry as fields.
func shivizFields(groups map[string]json.RawMessage) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{"node": groups["host"]}
	for name, value := range groups {
		var text string
		switch {
		case name == "clock" && json.Unmarshal(value, &text) == nil:
			fields[name] = json.RawMessage(text)
		case name == "event" && json.Unmarshal(value, &text) == nil:
			fields[name] = quoted(name, []byte(strings.TrimSpace(text)))
		case slices.Contains(eventGroups, name):
			fields[name] = value
		}
	}
	return fields
}

// shivizHead returns the expression for entries, and the one that separates executions; nil: no separator.
func shivizHead(s *Source) (re, separator *regexp.Regexp, err error) {
	start := s.start(maxEntryLines << 8)
	if line, _, _ := strings.Cut(string(start), "\n"); !strings.Contains(line, "<clock>") {
		if !goVector().Match(start) && goVectorLast().Match(start) {
			return goVectorLast(), nil, nil
		}
		return goVector(), nil, nil
	}
	compile := func(of, expression string) (re *regexp.Regexp) {
		if re, err = regexp.Compile(expression); err != nil {
			err = s.wrong("the %s line is not a valid regular expression: %v", of, err)
		}
		return re
	}
	line, err := s.next()
	if err != nil {
		return nil, nil, err
	}
	if re = compile("first", "^(?:"+strings.TrimSpace(string(line))+")$"); err != nil {
		return nil, nil, err
	}
	for _, group := range []string{"host", "clock", "event"} {
		if re.SubexpIndex(group) < 0 {
			return nil, nil, s.wrong("the regular expression has no group %q", group)
		}
	}
	if lines := strings.Count(re.String(), `\n`) + 1; lines > maxEntryLines {
		return nil, nil, s.wrong("the regular expression spans %d lines; allowed are %d", lines,
			maxEntryLines)
	}
	if line, err = s.any(); err != nil {
		return re, nil, atEnd(err)
	}
	if d := strings.TrimSpace(string(line)); d != "" {
		separator = compile("second", d)
	}
	return re, separator, err
}

// nextLines returns the next n lines as one text, without blank lines before them, and the number of the
// first line; at the end of the file that is 0 if no line was read.
func (s *Source) nextLines(n int, separator *regexp.Regexp) (text string, first int, err error) {
	var lines []string
	for read := s.next; len(lines) < n; read = s.any {
		line, err := read()
		switch {
		case err != nil:
			return "", first, err
		case separator != nil && separator.Match(line):
			return "", 0, s.wrong("a second execution begins here; give each a file of its own")
		case len(lines) == 0:
			first = s.line
		}
		lines = append(lines, string(line))
	}
	return strings.Join(lines, "\n"), first, nil
}
