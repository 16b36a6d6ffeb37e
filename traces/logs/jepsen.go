package logs

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// jepsen reads a history of Jepsen: operations with :type, :process and :f, in a
// vector or one after the other. An operation happened between its :invoke and its
// :ok; one that ends with :info, or not at all, may have happened at any time since,
// or not; one that ends with :fail has not happened. Operations of a process that
// is no number, such as :nemesis, are left out.
func (rd *reader) jepsen(s *source) error {
	r := &ednReader{s: s}
	h := &history{rd: rd, s: s, open: map[string]*entry{}}
	c, err := r.blank()
	if err != nil {
		return err
	}
	bracket := c == '['
	if bracket {
		r.at++
	}
	for {
		c, err := r.blank()
		if err != nil {
			return err
		}
		if c == 0 || c == ']' && bracket {
			if c == 0 && bracket {
				err = rd.tornLine(s)
			}
			return errors.Join(err, h.end())
		}
		r.size = 0
		line := s.line
		f, err := r.form(0)
		if err != nil {
			if r.ended && s.torn {
				return errors.Join(rd.tornLine(s), h.end())
			}
			return err
		}
		op, ok := f.(table)
		if !ok {
			return s.at(line).wrong("not an operation, which is a map")
		}
		if err := h.op(op, line); err != nil {
			return err
		}
	}
}

// A history is Jepsen's in the reading.
type history struct {
	rd      *reader
	s       *source
	open    map[string]*entry // the operation that each process is in
	order   []string          // processes, in the order of appearance
	indexed bool              // the entries have indices, the first one says
	latest  int64             // the latest index
	count   int64             // of entries
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
	e, busy := h.open[process]
	switch {
	case kind == "invoke" && e != nil:
		return wrong("process %s invokes an operation while it is in that of line %d", process, e.line)
	case kind == "invoke":
		e = newEntry(line)
		e.node, e.begin = process, now
		if err := h.fields(e, op); err != nil {
			return wrong("%v", err)
		}
		if !busy {
			h.order = append(h.order, process)
		}
		h.open[process] = e
		return nil
	case kind != "ok" && kind != "fail" && kind != "info":
		return wrong("field :type is %q; allowed are :invoke, :ok, :fail and :info", kind)
	case e == nil && kind == "info": // an observation of its own, not the end of anything
		return nil
	case e == nil:
		return wrong("process %s ends an operation that it has not invoked", process)
	case kind == "ok":
		e.end = now
	case kind == "info":
		e.maybe = true
	case kind == "fail":
		e.end, e.failed = now, true
	}
	h.open[process] = nil
	return h.add(e)
}

// add passes an operation on if it is one of a lock.
func (h *history) add(e *entry) error {
	if e.name == "" {
		return h.s.at(e.line).wrong("field :f is missing")
	}
	return h.rd.add(h.s.of(e.line), e)
}

// of is the source for an event of a lock whose last line is another one.
func (s *source) of(line int) *source {
	return &source{name: s.name, line: line, locks: true, index: s.index, complete: s.complete, merge: s.merge}
}

// end adds the operations that have no end: they may have happened.
func (h *history) end() error {
	for _, process := range h.order {
		if e := h.open[process]; e != nil {
			e.maybe = true
			if err := h.add(e); err != nil {
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
		return 0, fmt.Errorf("field :index is %q; as the first entry has one, all have, in whole numbers", raw)
	}
	if now <= h.latest {
		return 0, fmt.Errorf("field :index is %d, after %d before it; a history is in the order of its indices",
			now, h.latest)
	}
	h.latest = now
	return now, nil
}

// field adds a field that is no table; those of a list are value.0, value.1 and so on.
func field(fields map[string]json.RawMessage, name string, value any) {
	if list, ok := value.(list); ok {
		for i, v := range list[:min(len(list), 2)] {
			if _, deeper := v.([]any); !deeper {
				field(fields, fmt.Sprintf("%s.%d", name, i), v)
			}
		}
		return
	}
	if text := plain(value); text != "" {
		raw, _ := json.Marshal(text) // a text can be written
		if _, isAtom := value.(atom); isAtom && digits(text) {
			raw = []byte(text)
		}
		fields[name] = raw
	}
}

// fields takes the name of an operation and, if they are mapped, the resource and the
// number of units.
func (h *history) fields(e *entry, op table) error {
	fields := map[string]json.RawMessage{}
	for name, value := range op {
		switch name {
		case "type", "process", "time", "index", "f":
		default:
			field(fields, string(name), value)
		}
	}
	fields = h.rd.mapping.fields(fields)
	e.name = plain(op["f"])
	h.rd.suspect(e, fields)
	if raw := fields["resource"]; raw != nil {
		if e.resource = string(raw); raw[0] == '"' {
			if err := json.Unmarshal(raw, &e.resource); err != nil {
				return err
			}
		}
	}
	if raw, ok := fields["units"]; ok && len(raw) > 0 {
		return e.numbers(map[string]json.RawMessage{"units": raw})
	}
	return nil
}
