package formats

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
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
	twice    []string                   // those with two values
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
	for _, name := range p.twice {
		_, known := fieldNumbers[name]
		if _, mapped := p.mapping.Fields[name]; known || mapped {
			return fmt.Errorf("field %q has two values", name)
		}
	}
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
	*l, p.twice = parsedLine{Entry: *newEntry(number), first: l.first}, nil
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

func productLine(p *lineParser, line []byte, l *parsedLine) {
	m, kind := p.product.Line(line, p.node)
	if m == nil {
		l.leftOut, l.kind = true, kind
		return
	}
	e := &l.Entry
	if e.Name, e.as = m.As, m.As; RoleOf(m.As) == Other {
		e.Name = "line"
	}
	e.Node, e.Resource, e.pair, e.Reads = m.Node, m.Resource, m.Pair, m.Shared
	if m.Time != "" {
		stamp := int64(Ever)
		if zone, err := textMoment(m.Time, &stamp); err == nil { // otherwise the line has no time
			e.Stamp, e.zones = stamp, zone
		}
	}
}
