package formats

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/atmostk/atmostk/traces/logs/products"
)

// A lineParser makes an event of each line of a file, from that line alone, so that several parsers can work
// on lines ahead of the judgement.
type lineParser struct {
	mapping  *Mapping
	resource string                     // Options.Resource
	product  *products.Product          // nil: none
	node     *regexp.Regexp             // Options.Node
	fields   map[string]json.RawMessage // of the current line
	hinted   bool                       // some of them may name its resource
	names    map[string]memberName      // known names of JSON members, by their spelling
}

type memberName struct {
	name  string
	field uint32 // the bit of the field of that name; 0: no such field
	hint  bool   // its value may name a resource
}

type lineForm func(p *lineParser, text []byte, l *parsedLine)

// A parsedLine is an event, or what the other fields say the line is.
type parsedLine struct {
	Entry
	first   bool    // the first line of its file
	blank   bool    // a comment
	leftOut bool    // by the conditions of the mapping
	kind    string  // of a line that a product leaves out
	header  *Header // the line is a header
	why     error   // the line cannot be read
	// refuses: the error makes the log unusable, unless the log is watched.
	refuses bool
	// cut: if this is the last line and has no end, its missing end explains the error.
	cut bool
}

func (rd *Reader) newParser() *lineParser {
	p := &lineParser{mapping: rd.mapping, resource: rd.Opt.Resource, product: rd.Opt.Product,
		fields: map[string]json.RawMessage{}, names: map[string]memberName{}}
	switch n := rd.Opt.Node; {
	case len(n) > 1 && n[0] == '/':
		p.node = regexp.MustCompile(strings.Trim(n, "/")) // it was checked as an option
	case rd.Opt.Product != nil && n != "" && n != byFile:
		p.node = regexp.MustCompile(`\b` + regexp.QuoteMeta(n) + `[=:] *"?([^\s",\]]+)`)
	}
	return p
}

// fill reads the given fields of an event, and notes fields that may name its resource.
func (p *lineParser) fill(e *Entry, fields map[string]json.RawMessage, given uint32) error {
	if err := e.take(fields, given, &p.mapping.timeForms); err != nil {
		return err
	}
	if p.hinted || p.resource == oneResource {
		p.hintResource(e, fields)
	}
	return nil
}

// parse parses the line with a number, counted from 1.
func (p *lineParser) parse(form lineForm, text []byte, number int, l *parsedLine) {
	*l = parsedLine{Entry: *newEntry(number), first: l.first}
	if bytes.IndexByte(text, 0) >= 0 {
		l.why, l.cut = errors.New("it has "+zeroBytes), true
		return
	}
	if l.leftOut = !p.mapping.selects(text); l.leftOut {
		return
	}
	if form(p, text, l); l.leftOut || l.blank || l.header != nil || l.why != nil {
		return
	}
	if p.node != nil && p.product == nil {
		l.Node = cmp.Or(products.FirstGroup(p.node, text), l.Node)
	}
	keep, err := p.mapping.apply(&l.Entry)
	l.why, l.refuses, l.Ignored = err, err != nil, !keep
}

// HintFields are names under which programs usually log the lock of an event.
var HintFields = map[string]bool{
	"lock": true, "lock_id": true, "lock_key": true, "lock_name": true, "lockId": true, "lockKey": true,
	"lockName": true, "mutex": true, "semaphore": true, "resource_id": true, "resource_name": true,
	"resourceId": true, "resourceName": true, "key": true, "value.0": true,
}

// hintResource notes the fields of a line that may name its resource, if neither the option nor the line
// names it. value.0, the first element of a list, is one.
func (p *lineParser) hintResource(e *Entry, fields map[string]json.RawMessage) {
	if p.resource == oneResource {
		e.Resource = ""
		return
	}
	if p.resource != "" || e.Resource != "" {
		return
	}
	for f := range fields { // usually fewer fields than names
		var value string
		if HintFields[f] && Text(f, fields[f], &value) == nil && value != "" {
			e.named = append(e.named, named{f, value})
		}
	}
}
