package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/model/usage"
)

// locks reads plain logs of any lock or semaphore: lines of JSON, or of words
//
//	TIME NODE acquire|release|request [units] [resource]
//
// The time is any that lines of JSON may have, without blanks. Blank lines and
// lines that begin with # are nothing. Lines of JSON may have other events, which
// must be mapped or ignored; so that no other log is taken for one of a lock.
func (rd *Reader) locks(s *Source) error {
	s.Locks = true
	if b := s.start(1); len(b) > 0 && b[0] == '{' {
		return rd.lines(s, jsonLine)
	}
	return rd.lines(s, lockLine)
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
	zone, err := TextMoment(words[0], &e.Stamp)
	if err != nil {
		return fmt.Errorf("the time is %s; allowed are %s", clip([]byte(words[0])), times)
	}
	e.zones, e.Node, e.Name = zone, words[1], words[2]
	rest := words[3:]
	if last := len(rest) - 1; last >= 0 && (last == 1 || !digits(rest[last])) {
		if e.Resource, rest = rest[last], rest[:last]; p.resource == oneResource {
			e.Resource = ""
		}
	}
	if len(rest) == 1 {
		if err := e.numbers(map[string]json.RawMessage{"units": json.RawMessage(rest[0])}); err != nil {
			return err
		}
	}
	return nil
}

// split appends the words of a line, up to as many as there is room for.
func split(line string, words []string) []string {
	for at := 0; len(words) < cap(words); {
		for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
			at++
		}
		from := at
		for at < len(line) && line[at] != ' ' && line[at] != '\t' {
			at++
		}
		if from == at {
			break
		}
		words = append(words, line[from:at])
	}
	return words
}

// LockOnly wants an event that a lock has.
func LockOnly(e *Entry) error {
	if RoleOf(e.Name) == Other {
		return usage.Errorf("event %s is none of a lock: request, acquire, release, renew, expire, use, "+
			"crash; %s renames events or leaves them out", clip([]byte(e.Name)), mappingOption)
	}
	return nil
}

// looksLikeLock reports whether a line may be one of locks.
func looksLikeLock(line []byte) bool {
	words := bytes.Fields(line)
	if len(words) > 0 && words[0][0] == '#' {
		return true
	}
	return 3 <= len(words) && len(words) <= 5 && RoleOf(string(words[2])) != Other
}

// digits reports whether a word begins like a number.
func digits(word string) bool { return strings.ContainsRune("-+.0123456789", rune(word[0])) }
