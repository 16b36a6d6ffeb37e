package formats

import (
	"encoding/json"
	"maps"
)

// oneResource is the value of Options.Resource by which all is one resource.
const oneResource = "-"

// named is a field that may name a resource.
type named struct{ field, value string }

// HintFields are the names under which programs mostly log which lock an event is about.
var HintFields = map[string]bool{
	"lock": true, "lock_id": true, "lock_key": true, "lock_name": true, "lockId": true, "lockKey": true,
	"lockName": true, "mutex": true, "semaphore": true, "resource_id": true, "resource_name": true,
	"resourceId": true, "resourceName": true, "key": true, "value.0": true,
}

// withResource is a mapping with the field that names resources.
func withResource(m *Mapping, field string) *Mapping {
	if field == "" || field == oneResource {
		return m
	}
	with := *m
	with.Fields = maps.Clone(m.Fields)
	if with.Fields == nil {
		with.Fields = map[string]string{}
	}
	with.Fields[field] = "resource"
	return &with
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
