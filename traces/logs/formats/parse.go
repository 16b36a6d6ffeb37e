package formats

import (
	"bytes"
	"encoding/json"
	"errors"
)

// A lineParser makes an event of each line of a file by that line alone, so that lines can be parsed
// side by side, ahead of where they are judged.
type lineParser struct {
	mapping  *Mapping
	resource string                     // Options.Resource
	fields   map[string]json.RawMessage // of the line that is parsed
	hinted   bool                       // some of them may name its resource
	names    map[string]memberName      // of members of JSON, as they are written
}

// A memberName is a name of a member of objects as it is written.
type memberName struct {
	name  string
	field uint32 // the bit of the field of that name; 0: no such field
	hint  bool   // its value may name a resource
}

// A lineForm parses a line of one format.
type lineForm func(p *lineParser, text []byte, l *parsedLine)

// A parsedLine is what a line says: an event, unless one of the other fields says what else it is.
type parsedLine struct {
	Entry
	first   bool    // of its file
	blank   bool    // a comment
	leftOut bool    // by the conditions of the mapping
	header  *Header // its statement about the run
	why     error   // why it makes no sense
	// refuses: it makes the log unusable, unless that is watched.
	refuses bool
	// cut: if the log ends in this line, its missing end explains why.
	cut bool
}

func newParser(m *Mapping, resource string) *lineParser {
	return &lineParser{mapping: m, resource: resource, fields: map[string]json.RawMessage{},
		names: map[string]memberName{}}
}

// fill takes the given fields of an event, and notes those that may name its resource.
func (p *lineParser) fill(e *Entry, fields map[string]json.RawMessage, given uint32) error {
	if err := e.take(fields, given, &p.mapping.writing); err != nil {
		return err
	}
	if p.hinted || p.resource == oneResource {
		p.suspect(e, fields)
	}
	return nil
}

// parse parses the line of a number.
func (p *lineParser) parse(form lineForm, text []byte, number int, l *parsedLine) {
	*l = parsedLine{Entry: *newEntry(number), first: l.first}
	if bytes.IndexByte(text, 0) >= 0 {
		l.why, l.cut = errors.New("it has "+zeroBytes), true
		return
	}
	if l.leftOut = !p.mapping.wants(text); l.leftOut {
		return
	}
	if form(p, text, l); l.leftOut || l.blank || l.header != nil || l.why != nil {
		return
	}
	keep, err := p.mapping.apply(&l.Entry)
	l.why, l.refuses, l.Ignored = err, err != nil, !keep
}

// HintFields are the names under which programs mostly log which lock an event is about.
var HintFields = map[string]bool{
	"lock": true, "lock_id": true, "lock_key": true, "lock_name": true, "lockId": true, "lockKey": true,
	"lockName": true, "mutex": true, "semaphore": true, "resource_id": true, "resource_name": true,
	"resourceId": true, "resourceName": true, "key": true, "value.0": true,
}

// suspect notes the fields of a line that may name its resource, if nobody has said which
// one does. The element 0 of a list is one if the list has two.
func (p *lineParser) suspect(e *Entry, fields map[string]json.RawMessage) {
	if p.resource == oneResource {
		e.Resource = ""
		return
	}
	if p.resource != "" || e.Resource != "" {
		return
	}
	for f := range fields { // mostly fewer than there are names
		var value string
		if HintFields[f] && Text(f, fields[f], &value) == nil && value != "" {
			e.named = append(e.named, named{f, value})
		}
	}
}
