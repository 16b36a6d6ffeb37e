package formats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// jepsen reads a history of Jepsen: operations with :type, :process and :f, in
// vectors, batch after batch, or one after the other. An operation happened between its :invoke and its
// :ok; one that ends with :info, or not at all, may have happened at any time since,
// or not; one that ends with :fail has not happened. Operations of a process that
// is no number, such as :nemesis, are left out.
func (rd *Reader) jepsen(s *Source) error {
	r := &ednReader{s: s}
	h := &history{rd: rd, s: s, open: map[string]*operation{}}
	for depth := 0; ; {
		r.size = 0
		t, err := r.token()
		line := s.line
		switch {
		case errors.Is(err, io.EOF) && depth == 0:
			return h.end()
		case errors.Is(err, io.EOF):
			return errors.Join(rd.tornLine(s), h.end())
		case err == nil && (t == "[" || t == "("):
			depth++
			continue
		case err == nil && (t == "]" || t == ")") && depth > 0:
			depth--
			continue
		}
		var f any
		if err == nil {
			f, err = r.form(t, 0)
		}
		op, isMap := f.(table)
		switch {
		case errors.Is(err, io.EOF) && s.Torn:
			return errors.Join(rd.tornLine(s), h.end())
		case errors.Is(err, io.EOF):
			return s.wrong("the file ends in the middle of a form")
		case err == nil && !isMap:
			err = s.at(line).wrong("not an operation, which is a map")
		case err == nil:
			err = h.op(op, line)
		}
		if err != nil {
			return err
		}
	}
}

// A history is Jepsen's in the reading.
type history struct {
	rd      *Reader
	s       *Source
	open    map[string]*operation // what each process is in
	order   []string              // processes, in the order of appearance
	indexed bool                  // the entries have indices, the first one says
	latest  int64                 // the latest index
	count   int64                 // of entries
}

// An operation is what a process does at once: mostly one event, or each of those in a batch.
type operation struct {
	line   int
	events []*Entry
}

// each sets something in all events of an operation.
func (o *operation) each(set func(*Entry)) {
	for _, e := range o.events {
		set(e)
	}
}

// op takes one entry of the history.
func (h *history) op(op table, line int) error {
	wrong := func(format string, a ...any) error { return h.s.at(line).wrong(format, a...) }
	process, kind := plain(op["process"]), plain(op["type"])
	if _, isName := op["process"].(keyword); isName {
		return nil
	}
	if process == "" {
		return wrong("field :process is missing")
	}
	now, err := h.moment(op)
	if err != nil {
		return wrong("%v", err)
	}
	o, busy := h.open[process]
	switch {
	case kind == "invoke" && o != nil:
		return wrong("process %s invokes an operation while it is in that of line %d", process, o.line)
	case kind == "invoke":
		if o, err = h.invoke(op, line); err != nil {
			return wrong("%v", err)
		}
		o.each(func(e *Entry) { e.Node, e.Begin = process, now })
		if !busy {
			h.order = append(h.order, process)
		}
		h.open[process] = o
		return nil
	case kind != "ok" && kind != "fail" && kind != "info":
		return wrong("field :type is %q; allowed are :invoke, :ok, :fail and :info", kind)
	case o == nil && kind == "info": // an observation of its own, not the end of anything
		return nil
	case o == nil:
		return wrong("process %s ends an operation that it has not invoked", process)
	case kind == "ok":
		o.each(func(e *Entry) { e.End = now })
		if err := h.returned(o, op); err != nil {
			return wrong("%v", err)
		}
	case kind == "info":
		o.each(func(e *Entry) { e.Maybe = true })
	case kind == "fail":
		o.each(func(e *Entry) { e.End, e.Failed = now, true })
	}
	h.open[process] = nil
	return h.add(o)
}

// invoke takes the event of an operation, or the events of a batch, which happen one after the other
// between its ends.
func (h *history) invoke(op table, line int) (*operation, error) {
	o := &operation{line: line}
	for _, part := range batch(op) {
		e := newEntry(line)
		e.Name = plain(part["f"])
		o.events = append(o.events, e)
		fields := h.values(part)
		h.rd.parser.suspect(e, fields)
		if err := h.take(e, fields); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// batch lists the parts of an operation: the operations that its :value lists, as vectors of a name, a
// resource and a number of units, or as maps; or itself, if it has no such list.
func batch(op table) (parts []table) {
	values, _ := op["value"].(list)
	for _, value := range values {
		part, _ := value.(table)
		if v, _ := value.(list); len(v) > 0 {
			if name, named := v[0].(keyword); named {
				part = table{"f": name}
			}
			for i, name := range []keyword{"resource", "units"} {
				if part != nil && i+1 < len(v) && plain(v[i+1]) != "" {
					part[name] = v[i+1]
				}
			}
		}
		if part["f"] == nil {
			return []table{op}
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return []table{op}
	}
	return parts
}

// returned takes what only the end of an operation tells: its fencing token, and which resource it has got.
func (h *history) returned(o *operation, op table) error {
	if len(o.events) > 1 {
		return nil
	}
	e, end := o.events[0], newEntry(o.line)
	if err := h.take(end, h.values(op), "units"); err != nil {
		return err
	}
	if e.Resource == "" {
		e.Resource = end.Resource
	}
	if e.Grant.Token == NoToken {
		e.Grant.Token = end.Grant.Token
	}
	return nil
}

// add passes an operation on if it is one of a lock.
func (h *history) add(o *operation) error {
	for _, e := range o.events {
		if e.Name == "" {
			return h.s.at(e.Line).wrong("field :f is missing")
		}
		s := h.s.at(e.Line)
		s.Locks, s.Index, s.Complete, s.merge = true, h.s.Index, h.s.Complete, h.s.merge
		if err := h.rd.add(s, e); err != nil {
			return err
		}
	}
	return nil
}

// end adds the operations that have no end: they may have happened.
func (h *history) end() error {
	for _, process := range h.order {
		if o := h.open[process]; o != nil {
			o.each(func(e *Entry) { e.Maybe = true })
			if err := h.add(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// moment is the place of an entry in the history: its :index or, if the first entry has none, its
// place in the file. The order of a history is that in which one observer has seen all, and
// finer than its times, which need not even grow.
func (h *history) moment(op table) (int64, error) {
	h.count++
	raw := plain(op["index"])
	if h.count == 1 {
		h.indexed, h.latest = raw != "", -1
	}
	if !h.indexed {
		return h.count, nil
	}
	now, err := strconv.ParseInt(raw, 10, 64)
	if err != nil || now < 0 || now == math.MaxInt64 {
		return 0, fmt.Errorf("field :index is %q; as the first entry has one, all have, in whole numbers",
			raw)
	}
	if now <= h.latest {
		return 0, fmt.Errorf("field :index is %d, after %d before it; a history is in the order "+
			"of its indices",
			now, h.latest)
	}
	h.latest = now
	return now, nil
}

// addField adds a field; elements of a list are value.0, value.1 and so on, and of a table value.name.
func addField(fields map[string]json.RawMessage, name string, value any) {
	switch v := value.(type) {
	case table:
		for key, inner := range v {
			addField(fields, name+"."+string(key), inner)
		}
	case list:
		for i, inner := range v[:min(len(v), 2)] {
			addField(fields, fmt.Sprintf("%s.%d", name, i), inner)
		}
	default:
		if text := plain(value); text != "" {
			fields[name], _ = json.Marshal(text) // a text can be written
			if _, isAtom := value.(atom); isAtom && (text[0] == '-' || '0' <= text[0] && text[0] <= '9') {
				fields[name] = json.RawMessage(text)
			}
		}
	}
}

// values are the fields of an operation under the names that they have here.
func (h *history) values(op table) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	for name, value := range op {
		switch name {
		case "type", "process", "time", "index", "f":
		default:
			addField(fields, string(name), value)
		}
	}
	return h.rd.mapping.fields(fields)
}

// take takes what the fields say of an event of a lock, those left out apart.
func (h *history) take(e *Entry, fields map[string]json.RawMessage, without ...string) error {
	ofLock := map[string]json.RawMessage{}
	for _, name := range lockFields {
		if raw, ok := fields[name]; ok && !slices.Contains(without, name) {
			ofLock[name] = raw
		}
	}
	return e.take(ofLock, givenIn(ofLock), &h.rd.mapping.writing)
}
