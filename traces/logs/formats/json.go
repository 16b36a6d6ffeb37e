package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// jsonLine parses a line of JSON, such as log/slog writes.
func jsonLine(p *lineParser, text []byte, l *parsedLine) {
	valid := json.Valid(text)
	l.cut = !valid
	switch {
	case !utf8.Valid(text):
		l.why = errors.New("not UTF-8 text")
		return
	case !valid || !isObject(text):
		l.why = errors.New("not a JSON object")
		return
	}
	clear(p.fields)
	var given uint32
	given, p.hinted, p.twice = members(text, p.fields, p.names)
	fields := p.fields
	if len(p.mapping.Fields) > 0 {
		fields = p.mapping.fields(fields)
		given = givenIn(fields)
	}
	if kind, ok := fields["atmostk"]; ok {
		l.header, l.why = headerOf(kind, fields, l.first)
	} else {
		l.why = p.fill(&l.Entry, fields, given)
	}
	l.refuses = l.why != nil
}

func headerOf(kind json.RawMessage, fields map[string]json.RawMessage, first bool) (*Header, error) {
	if !first || string(kind) != `"log"` {
		return nil, errors.New(`field "atmostk" marks a header: only the first line of a file may have it, ` +
			`with the value "log"`)
	}
	var h Header
	if err := Text("spec", fields["spec"], &h.Spec); err != nil {
		return nil, err
	}
	return &h, Text("args", fields["args"], &h.Args)
}

func isObject(valid []byte) bool {
	valid = skipSpace(valid)
	return len(valid) > 0 && valid[0] == '{'
}

// skipSpace skips the blanks before a token.
func skipSpace(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t' || b[0] == '\r' || b[0] == '\n') {
		b = b[1:]
	}
	return b
}

// maxNames is the number of member names that are kept.
const maxNames = 1 << 10

// members puts the members of a valid JSON object into a map. It returns the bits of the known fields, and
// whether some field may name a resource. Values are slices of the object, not copies, and names are looked
// up by their spelling: encoding/json takes several times as long for the few short values of most lines. Of
// names in twice, which have several values, the last value counts.
func members(object []byte, into map[string]json.RawMessage, names map[string]memberName) (given uint32,
	hinted bool, twice []string) {
	rest := skipSpace(skipSpace(object)[1:])
	for rest[0] != '}' {
		n := valueLength(rest)
		name, known := names[string(rest[:n])]
		if !known {
			_ = json.Unmarshal(rest[:n], &name.name) // valid JSON; bytes that are not UTF-8 become U+FFFD
			name.hint = HintFields[name.name]
			if i, is := fieldNumbers[name.name]; is {
				name.field = 1 << i
			}
			if len(names) < maxNames {
				names[string(rest[:n])] = name
			}
		}
		rest = skipSpace(skipSpace(rest[n:])[1:]) // the colon
		n = valueLength(rest)
		if old := into[name.name]; old != nil && !bytes.Equal(old, rest[:n]) {
			twice = append(twice, name.name)
		}
		into[name.name] = json.RawMessage(rest[:n:n])
		given, hinted = given|name.field, hinted || name.hint
		if rest = skipSpace(rest[n:]); rest[0] == ',' {
			rest = skipSpace(rest[1:])
		}
	}
	return given, hinted, twice
}

// valueLength returns the length in bytes of the first value of valid JSON.
func valueLength(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return i + 1 + depth
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return len(b)
}
