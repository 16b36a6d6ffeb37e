package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// jsonLine parses a line of JSON as log/slog writes it.
func jsonLine(p *lineParser, text []byte, l *parsedLine) {
	fields := p.object(text, l)
	if l.why != nil {
		return
	}
	if kind, ok := fields["atmostk"]; ok {
		if l.header, l.why = headerOf(kind, fields, l.first); l.why != nil {
			l.refuses = true
		}
		return
	}
	l.why = p.fill(&l.Entry, fields)
	l.refuses = l.why != nil
}

// object reads a line into its fields, under the names that they have here. They are valid until the
// next line is parsed.
func (p *lineParser) object(line []byte, l *parsedLine) map[string]json.RawMessage {
	valid := json.Valid(line)
	l.cut = !valid
	switch {
	case !utf8.Valid(line):
		l.why = errors.New("not UTF-8 text")
	case !valid || !IsObject(line):
		l.why = errors.New("not a JSON object")
	default:
		clear(p.fields)
		p.hinted = Members(line, p.fields)
		return p.mapping.fields(p.fields)
	}
	return nil
}

// headerOf reads a header.
func headerOf(kind json.RawMessage, fields map[string]json.RawMessage, first bool) (*Header, error) {
	if !first || string(kind) != `"log"` {
		return nil, errors.New(
			`field "atmostk" makes a line a header, which is the first line of a file and has the value "log"`)
	}
	var h Header
	if err := Text(fields, "spec", &h.Spec); err != nil {
		return nil, err
	}
	return &h, Text(fields, "args", &h.Args)
}

// fill takes the fields of an event.
func (p *lineParser) fill(e *Entry, fields map[string]json.RawMessage) error {
	if err := Text(fields, "node", &e.Node); err != nil {
		return err
	}
	if err := Text(fields, "event", &e.Name); err != nil {
		return err
	}
	if e.Name == "" {
		if err := Text(fields, "msg", &e.Name); err != nil {
			return err
		}
	}
	more := hasMore(fields)
	if more {
		if err := p.more(e, fields); err != nil {
			return err
		}
	}
	if p.hinted || p.resource == oneResource {
		p.suspect(e, fields)
	}
	if err := e.numbers(fields); err != nil {
		return err
	}
	if err := e.times(fields, p.mapping.timeForm); err != nil || !more {
		return err
	}
	return p.rest(e, fields)
}

// hasMore reports whether an event has fields that few have, so that most are not asked for each of them.
func hasMore(fields map[string]json.RawMessage) bool {
	for name := range fields {
		switch name {
		case "from", "to", "id", "message", "resource", "node2", "node3", "duration", "waited", "maybe",
			"clock", "sent", "state",
			"fence", "lease_lasts", "lease_ends", "shared":
			return true
		}
	}
	return false
}

// more takes those of them that are texts.
func (p *lineParser) more(e *Entry, fields map[string]json.RawMessage) error {
	for _, f := range []struct {
		name string
		to   *string
	}{{"from", &e.From}, {"id", &e.ID}, {"message", &e.Message}, {"resource", &e.Resource}} {
		if err := Text(fields, f.name, f.to); err != nil {
			return err
		}
	}
	for _, more := range []string{"node2", "node3"} {
		var part string
		if err := Text(fields, more, &part); err != nil {
			return err
		}
		if part != "" {
			e.Node = strings.TrimPrefix(e.Node+"/"+part, "/")
		}
	}
	return nil
}

// rest takes what is left of them.
func (p *lineParser) rest(e *Entry, fields map[string]json.RawMessage) error {
	if err := p.mapping.spell(fields, "duration", &e.took); err != nil {
		return err
	}
	if err := p.mapping.spell(fields, "waited", &e.Waited); err != nil {
		return err
	}
	if err := e.grants(fields, p.mapping); err != nil {
		return err
	}
	if raw, ok := fields["maybe"]; ok {
		if err := json.Unmarshal(raw, &e.Maybe); err != nil {
			return fmt.Errorf(`field "maybe" is %s; allowed are true and false`, clip(raw))
		}
	}
	if err := e.composite(fields); err != nil {
		return err
	}
	var to string
	if err := Text(fields, "to", &to); err != nil {
		return err
	}
	return e.direct(to)
}

// direct tells a line about a message that was sent from one about a message
// that was received.
func (e *Entry) direct(to string) error {
	if e.From == "" && to != "" {
		e.Sent = append(e.Sent, post{to, e.ID, e.Message})
		e.ID, e.Message = "", ""
		return nil
	}
	if e.From != "" && to != "" && to != e.Node {
		return fmt.Errorf(
			`field "to" is %q in a line of node %q with field "from"; a node logs what it receives itself`,
			to, e.Node)
	}
	return nil
}

func (e *Entry) numbers(fields map[string]json.RawMessage) error {
	var seq, lamport, units uint64
	for _, f := range []struct {
		name string
		to   *uint64
		max  uint64
	}{{"seq", &seq, 1 << 62}, {"lamport", &lamport, 1 << 62}, {"units", &units, 1 << 16}} {
		raw, ok := fields[f.name]
		if !ok {
			continue
		}
		x, err := strconv.ParseUint(string(raw), 10, 64)
		if err != nil || x < 1 || x > f.max {
			return fmt.Errorf("field %q is %s; allowed are whole numbers from 1 to %d", f.name, clip(raw),
				f.max)
		}
		*f.to = x
	}
	e.Seq, e.Lamport, e.Units = int64(seq), lamport, int(units)
	return nil
}

func (e *Entry) times(fields map[string]json.RawMessage, form *timeForm) error {
	for _, f := range []struct {
		name string
		to   *int64
	}{{"begin", &e.Begin}, {"end", &e.End}, {"time", &e.Stamp}} {
		if raw, ok := fields[f.name]; ok && string(raw) != "null" {
			zone, err := form.moment(raw, f.to)
			if err != nil && form != nil {
				return fmt.Errorf("field %q is %s, which is no time of the form that the mapping gives",
					f.name, clip(raw))
			}
			if err != nil {
				return fmt.Errorf("field %q is %s; allowed are %s", f.name, clip(raw), times)
			}
			e.zones |= zone
		}
	}
	if e.End < e.Begin {
		return fmt.Errorf(`field "end" is before field "begin"`)
	}
	return nil
}

// composite takes the fields that are lists and objects.
func (e *Entry) composite(fields map[string]json.RawMessage) error {
	if raw, ok := fields["clock"]; ok {
		var clock map[string]uint64
		if err := json.Unmarshal(raw, &clock); err != nil || clock[e.Node] == 0 {
			return fmt.Errorf(
				`field "clock" is %s; it is an object of counts by node, that of node %q itself at least 1`,
				clip(raw), e.Node)
		}
		if _, nameless := clock[""]; nameless {
			return fmt.Errorf(`field "clock" is %s; a node in it has no name`, clip(raw))
		}
		e.Clock = ticks(clock)
	}
	if raw, ok := fields["sent"]; ok {
		var sent []struct{ To, ID, Message string }
		if err := json.Unmarshal(raw, &sent); err != nil {
			return fmt.Errorf(
				`field "sent" is %s; it is a list of objects with texts "to", "id" and "message"`, clip(raw))
		}
		for _, m := range sent {
			e.Sent = append(e.Sent, post{m.To, m.ID, m.Message})
		}
	}
	raw, ok := fields["state"]
	if !ok {
		return nil
	}
	var state map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&state); err != nil {
		return fmt.Errorf(`field "state" is %s; it is an object of variables`, clip(raw))
	}
	e.State = make(map[string]string, len(state))
	for name, value := range state {
		switch value.(type) {
		case string, json.Number, bool:
			e.State[name] = fmt.Sprint(value)
		default:
			return fmt.Errorf(`variable %q in field "state" is neither a text nor a number nor true or false`,
				name)
		}
	}
	return nil
}

// ticks lists a clock by node.
func ticks(clock map[string]uint64) (list []tick) {
	for _, node := range slices.Sorted(maps.Keys(clock)) {
		if clock[node] > 0 {
			list = append(list, tick{node, clock[node]})
		}
	}
	return list
}

// Text reads a field that is a text or a number into *to, if it is there.
func Text(fields map[string]json.RawMessage, name string, to *string) error {
	raw, ok := fields[name]
	if !ok || string(raw) == "null" {
		return nil
	}
	switch c := raw[0]; {
	case c == '"' && !bytes.ContainsRune(raw, '\\'):
		*to = string(raw[1 : len(raw)-1])
	case c == '"':
		return json.Unmarshal(raw, to)
	case c == '-' || '0' <= c && c <= '9':
		*to = string(raw)
	default:
		return fmt.Errorf("field %q is %s; allowed is a text", name, clip(raw))
	}
	return nil
}

// clip shortens what is quoted in an error.
func clip(raw []byte) string {
	const room = 60
	s := strings.ToValidUTF8(string(raw[:min(len(raw), room)]), "?")
	if len(raw) > room {
		s += "..."
	}
	return s
}
