package formats

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// IsObject reports whether valid JSON is an object.
func IsObject(valid []byte) bool {
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

// Members puts the members of an object, which is valid JSON, into a map. Their values are
// parts of it and not copies: most lines have a few short texts, which encoding/json takes
// several times as long to find. Of members of one name the last one counts. It tells
// whether some may name a resource.
func Members(object []byte, into map[string]json.RawMessage) (hinted bool) {
	rest := skipSpace(skipSpace(object)[1:])
	for rest[0] != '}' {
		n := valueLength(rest)
		name := rest[:n]
		rest = skipSpace(skipSpace(rest[n:])[1:]) // the colon
		n = valueLength(rest)
		value := json.RawMessage(rest[:n:n])
		if bytes.IndexByte(name, '\\') < 0 && utf8.Valid(name) {
			into[string(name[1:len(name)-1])] = value
			hinted = hinted || HintFields[string(name[1:len(name)-1])]
		} else {
			var plain string
			_ = json.Unmarshal(name, &plain) // it is valid; bytes that are no text become U+FFFD
			into[plain] = value
		}
		if rest = skipSpace(rest[n:]); rest[0] == ',' {
			rest = skipSpace(rest[1:])
		}
	}
	return hinted
}

// valueLength is the number of bytes of the value that valid JSON begins with.
func valueLength(b []byte) int {
	switch b[0] {
	case '"':
		return textLength(b)
	case '{', '[':
		depth := 0
		for i := 0; ; i++ {
			switch b[i] {
			case '"':
				i += textLength(b[i:]) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	n := bytes.IndexAny(b, ",}]"+jsonSpace)
	if n < 0 {
		return len(b)
	}
	return n
}

// textLength is the number of bytes of the text that valid JSON begins with.
func textLength(b []byte) int {
	for i := 1; ; i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}
