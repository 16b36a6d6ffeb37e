package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// jsonLine parses a line of JSON as log/slog writes it.
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
	p.hinted = members(text, p.fields)
	fields := p.mapping.fields(p.fields)
	if kind, ok := fields["atmostk"]; ok {
		l.header, l.why = headerOf(kind, fields, l.first)
	} else {
		l.why = p.fill(&l.Entry, fields)
	}
	l.refuses = l.why != nil
}

// headerOf reads a header.
func headerOf(kind json.RawMessage, fields map[string]json.RawMessage, first bool) (*Header, error) {
	if !first || string(kind) != `"log"` {
		return nil, errors.New(`field "atmostk" makes a line a header, which is the first line of a file ` +
			`and has the value "log"`)
	}
	var h Header
	if err := Text("spec", fields["spec"], &h.Spec); err != nil {
		return nil, err
	}
	return &h, Text("args", fields["args"], &h.Args)
}

// isObject reports whether valid JSON is an object.
func isObject(valid []byte) bool {
	valid = skipSpace(valid)
	return len(valid) > 0 && valid[0] == '{'
}

// jsonSpace is what may stand between the tokens of JSON.
const jsonSpace = " \t\r\n"

// skipSpace leaves out what stands before a token.
func skipSpace(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t' || b[0] == '\r' || b[0] == '\n') {
		b = b[1:]
	}
	return b
}

// members puts the members of an object, which is valid JSON, into a map, and reports whether some may name a
// resource. Their values are parts of it and not copies: encoding/json takes several times as long for the
// few short texts of most lines. Of members of one name the last one counts.
func members(object []byte, into map[string]json.RawMessage) (hinted bool) {
	rest := skipSpace(skipSpace(object)[1:])
	for rest[0] != '}' {
		n := valueLength(rest)
		name := string(rest[1 : n-1])
		if bytes.IndexByte(rest[:n], '\\') >= 0 || !utf8.Valid(rest[:n]) {
			_ = json.Unmarshal(rest[:n], &name) // it is valid; bytes that are no text become U+FFFD
		}
		rest = skipSpace(skipSpace(rest[n:])[1:]) // the colon
		n = valueLength(rest)
		into[name] = json.RawMessage(rest[:n:n])
		hinted = hinted || HintFields[name]
		if rest = skipSpace(rest[n:]); rest[0] == ',' {
			rest = skipSpace(rest[1:])
		}
	}
	return hinted
}

// valueLength is the number of bytes of the value that valid JSON begins with.
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
