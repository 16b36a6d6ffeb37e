package formats

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// goVector is how GoVector writes an event: a line of host and clock, a line of text.
var goVector = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?P<host>\S*) (?P<clock>{.*})\n(?P<event>.*)`)
})

// goVectorLast is the other order of lines that ShiViz takes without being told.
var goVectorLast = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?P<event>.*)\n(?P<host>\S*) (?P<clock>{.*})`)
})

// maxEntryLines is how many lines an event may have.
const maxEntryLines = 16

// shiviz reads a log with vector clocks. If the first line of the file is a regular
// expression with groups host, clock and event, the events are as it says, and the
// second line is the expression that separates executions, mostly blank; if not,
// they are as GoVector writes them. Further groups that a mapping may have too are
// fields.
func (rd *Reader) shiviz(s *Source) error {
	re, lines, err := rd.shivizHead(s)
	if err != nil {
		return err
	}
	for {
		entry, first, err := s.rows(lines)
		if errors.Is(err, io.EOF) {
			if first > 0 {
				return rd.TornLine(s)
			}
			return nil
		}
		if err != nil {
			return err
		}
		e, err := shivizEntry(re, entry, rd.mapping)
		switch {
		case err != nil && s.Torn:
			return rd.TornLine(s)
		case err != nil:
			return s.At(first).Wrong("%v", err)
		}
		e.Line = first
		if err := rd.add(s, e); err != nil {
			return err
		}
	}
}

// shivizHead returns the expression and the number of lines of an event.
func (rd *Reader) shivizHead(s *Source) (*regexp.Regexp, int, error) {
	if start := s.start(maxEntryLines << 8); !strings.Contains(firstLine(start), "<clock>") {
		if !goVector().Match(start) && goVectorLast().Match(start) {
			return goVectorLast(), 2, nil
		}
		return goVector(), 2, nil
	}
	line, err := s.next()
	if err != nil {
		return nil, 0, err
	}
	given := strings.TrimSpace(string(line))
	re, err := regexp.Compile("^(?:" + given + ")$")
	if err != nil {
		return nil, 0, s.Wrong("the first line is no regular expression that is understood here: %v", err)
	}
	for _, group := range []string{"host", "clock", "event"} {
		if re.SubexpIndex(group) < 0 {
			return nil, 0, s.Wrong("the regular expression has no group %q", group)
		}
	}
	lines := strings.Count(given, `\n`) + 1
	if lines > maxEntryLines {
		return nil, 0, s.Wrong("the regular expression spans %d lines; allowed are %d", lines, maxEntryLines)
	}
	delimiter, err := s.any()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	if d := strings.TrimSpace(string(delimiter)); d != "" {
		separator, err := regexp.Compile(d)
		if err != nil {
			return nil, 0, s.Wrong("the second line is no regular expression that is understood here: %v",
				err)
		}
		s.ends = separator
	}
	return re, lines, nil
}

func firstLine(b []byte) string {
	line, _, _ := strings.Cut(string(b), "\n")
	return line
}

// rows returns the next lines as one text, without blank ones before them, and
// the number of the first. At the end of the file the number is 0 if there is none.
func (s *Source) rows(n int) (rows string, first int, err error) {
	for i := range n {
		read := s.any
		if i == 0 {
			read = s.next
		}
		line, err := read()
		if err != nil {
			return "", first, err
		}
		if s.ends != nil && s.ends.Match(line) {
			return "", 0, s.Wrong("a second execution begins here; give each a file of its own")
		}
		if i == 0 {
			first = s.line
		} else {
			rows += "\n"
		}
		rows += string(line)
	}
	return rows, first, nil
}

// shivizEntry takes an event apart.
func shivizEntry(re *regexp.Regexp, rows string, m *Mapping) (*Entry, error) {
	found := re.FindStringSubmatch(rows)
	if found == nil {
		return nil, errors.New("this does not fit the regular expression " + re.String())
	}
	fields := map[string]json.RawMessage{}
	e := newEntry(0)
	for i, group := range re.SubexpNames() {
		switch {
		case group == "host":
			e.Node = found[i]
		case group == "event":
			e.Name = strings.TrimSpace(found[i])
		case group == "clock":
			fields["clock"] = json.RawMessage(found[i])
		case slices.Contains(groups, group) && found[i] != "":
			raw := []byte(found[i])
			if group != "units" {
				raw, _ = json.Marshal(found[i]) // a text can be written
			}
			fields[group] = raw
		}
	}
	if err := e.composite(fields); err != nil {
		return nil, err
	}
	return e, e.captured(fields, m)
}
