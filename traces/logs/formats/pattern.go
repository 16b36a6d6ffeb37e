package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// lineGroups are the groups that expressions for lines may have. What node, node2 and so on find is
// joined with slashes; message is another name of event.
var lineGroups = []string{
	"time", "begin", "end", "node", "node2", "node3", "event", "message", "resource", "units", "seq", "from",
	"to", "id",
	"duration", "waited", "fence", "lease_lasts", "lease_ends", "shared",
}

// A condition is a text that lines contain, or between slashes a regular expression.
type condition struct {
	text []byte
	re   *regexp.Regexp
}

func newCondition(text string) (condition, error) {
	re, err := expression(text)
	return condition{[]byte(text), re}, err
}

func (c condition) meets(line []byte) bool {
	if c.re != nil {
		return c.re.Match(line)
	}
	return bytes.Contains(line, c.text)
}

// wants reports whether a line is to be read by the mapping's conditions.
func (m *Mapping) wants(line []byte) bool {
	meets := func(c condition) bool { return c.meets(line) }
	return (len(m.only) == 0 || slices.ContainsFunc(m.only, meets)) && !slices.ContainsFunc(m.skip, meets)
}

// patternLine parses a line of text by the regular expressions of the mapping. If the mapping says
// which lines are to be read, each of them has to fit; if it does not, others are left out.
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

// Fit returns the fields of a line by the first expression that fits it; nil: none does.
func (m *Mapping) Fit(line []byte) map[string]json.RawMessage {
	for _, re := range m.Lines {
		found := re.FindSubmatch(line)
		if found == nil {
			continue
		}
		fields := map[string]json.RawMessage{}
		for i, g := range re.SubexpNames() {
			if g == "" || len(found[i]) == 0 {
				continue
			}
			if g == "message" {
				g = "event"
			}
			fields[g] = quoted(g, found[i])
		}
		return fields
	}
	return nil
}

// quoted is a text as a value of JSON: numbers stay numbers.
func quoted(field string, value []byte) json.RawMessage {
	if (field == "units" || field == "seq") && len(value) > 0 {
		return json.RawMessage(value)
	}
	raw, _ := json.Marshal(strings.ToValidUTF8(string(value), "?")) // a text can be written
	return raw
}

// event takes an event by its fields.
func (p *lineParser) event(fields map[string]json.RawMessage, l *parsedLine) {
	p.hinted = true
	l.why = p.fill(&l.Entry, p.mapping.fields(fields))
	l.refuses, l.cut = l.why != nil, true
}

// logfmtLine parses a line of key=value.
func logfmtLine(p *lineParser, text []byte, l *parsedLine) {
	fields, err := KeyValues(text)
	if err != nil {
		l.why, l.cut = err, true
		return
	}
	p.event(fields, l)
}

// KeyValues takes a line of key=value apart; values may be in quotes.
func KeyValues(line []byte) (map[string]json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	for rest := string(bytes.TrimSpace(line)); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		key, after, found := strings.Cut(rest, "=")
		if !found || key == "" || strings.ContainsAny(key, " \t\"") {
			return nil, fmt.Errorf("%s is not of the form key=value", clip([]byte(rest)))
		}
		var value string
		if strings.HasPrefix(after, `"`) {
			text, err := strconv.QuotedPrefix(after)
			if err != nil {
				return nil, fmt.Errorf("the value of %s has no closing quote", clip([]byte(key)))
			}
			if value, err = strconv.Unquote(text); err != nil {
				return nil, fmt.Errorf("the value of %s is %s", clip([]byte(key)), clip([]byte(text)))
			}
			rest = after[len(text):]
		} else {
			value, rest = after, ""
			if at := strings.IndexAny(after, " \t"); at >= 0 {
				value, rest = after[:at], after[at:]
			}
		}
		fields[key] = quoted(key, []byte(value))
	}
	return fields, nil
}

// Unreadable takes a line that makes no sense, in the midst of a log: one that was torn when its
// writer was stopped, or is by another writer. It may have been anything.
func (rd *Reader) Unreadable(s *Source, why string) error {
	err := s.Wrong("%s", why)
	if rd.Opt.Strict {
		return err
	}
	for len(rd.Spoilt) <= s.Index {
		rd.Spoilt = append(rd.Spoilt, spoilt{})
	}
	sp := &rd.Spoilt[s.Index]
	if sp.Lines++; sp.first == nil {
		sp.first = err
	}
	rd.Found.Add(Unreadable, []Place{s.place()},
		"line %d of %s cannot be read, and may have been anything: %s", s.line, s.Name, why)
	return nil
}

// spoilt lines of a file make no sense.
type spoilt struct {
	Lines uint32
	first error // what is wrong with the first of them
}

// A timeForm is how a mapping says that times are written: a unit of whole numbers, or a layout.
type timeForm struct {
	unit   int64 // nanoseconds; 0: by layout
	layout string
}

// timeUnits are those of whole numbers.
var timeUnits = map[string]time.Duration{
	"ns": time.Nanosecond, "us": time.Microsecond, "ms": time.Millisecond, "s": time.Second,
}

func newTimeForm(text string) (*timeForm, error) {
	if unit, ok := timeUnits[text]; ok {
		return &timeForm{unit: int64(unit)}, nil
	}
	if !strings.ContainsAny(text, "0123456789") {
		return nil, fmt.Errorf("time is %q; allowed are ns, us, ms, s for numbers since 1970, and the time "+
			"2006-01-02 15:04:05.000 -0700 in another form, such as 02/Jan/2006:15:04:05 -0700", text)
	}
	return &timeForm{layout: text}, nil
}

// moment reads a time in JSON; nil is the usual forms.
func (f *timeForm) moment(raw []byte, to *int64) (Zone, error) {
	if f == nil {
		return Moment(raw, to)
	}
	return f.read(strings.Trim(string(raw), `"`), to)
}

// read reads a time.
func (f *timeForm) read(text string, to *int64) (Zone, error) {
	if f.layout == "" {
		x, err := strconv.ParseInt(text, 10, 64)
		if err != nil || x > maxSeconds*1e9/f.unit || x < -maxSeconds*1e9/f.unit {
			return 0, errors.New("not a whole number")
		}
		*to = x * f.unit
		return 0, nil
	}
	t, err := parseTime(f.layout, text)
	if err != nil {
		return 0, err
	}
	*to = t.UnixNano()
	if strings.Contains(f.layout, "-07") || strings.Contains(f.layout, "Z07") || strings.HasSuffix(f.layout,
		"Z") {
		return Zoned, nil
	}
	return Unzoned, nil
}
