package logs

import (
	"encoding/json"
	"maps"
	"slices"
)

// oneResource is the value of Options.Resource by which all is one resource.
const oneResource = "-"

// named is a field that may name a resource.
type named struct{ field, value string }

// hintFields are the names under which programs mostly log which lock an event is about.
var hintFields = map[string]bool{
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
func (p *lineParser) suspect(e *entry, fields map[string]json.RawMessage) {
	if p.resource == oneResource {
		e.resource = ""
		return
	}
	if p.resource != "" || e.resource != "" {
		return
	}
	for f := range fields { // mostly fewer than there are names
		var value string
		if hintFields[f] && text(fields, f, &value) == nil && value != "" {
			e.named = append(e.named, named{f, value})
		}
	}
}

// hint keeps the fields that may name the resource of an event of a lock.
func (rd *reader) hint(e *entry) {
	for _, n := range e.named {
		first, known := rd.hints[n.field]
		switch {
		case !known:
			rd.hints[n.field] = n.value
		case first != n.value:
			rd.hints[n.field] = ""
		}
	}
}

// resources sorts the resources that events of a lock name.
func (rd *reader) resources(l *Log) {
	used := make([]bool, len(rd.kinds))
	for i := range l.recs {
		used[l.recs[i].res] = used[l.recs[i].res] || l.recs[i].role.ofLock()
	}
	rd.nameResources(l, used)
	sorted := make([]int32, len(rd.kinds)) // 0 for those that no event of a lock names
	for i, name := range rd.kinds {
		if at, found := slices.BinarySearch(l.Resources, name); found {
			sorted[i] = int32(at)
		}
	}
	for i := range l.recs {
		l.recs[i].res = sorted[l.recs[i].res]
	}
}

// nameResources names the resources that are used, and the fields that may have their names.
func (rd *reader) nameResources(l *Log, used []bool) {
	for i, name := range rd.kinds {
		if used[i] {
			l.Resources = append(l.Resources, name)
		}
	}
	if len(l.Resources) < 2 && rd.opt.Resource == "" {
		for _, field := range slices.Sorted(maps.Keys(rd.hints)) {
			if rd.hints[field] == "" {
				l.Hints = append(l.Hints, field)
			}
		}
	}
	slices.Sort(l.Resources)
}
