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
	rd    *reader
	s     *source
	open  map[string]*entry // the operation that each process is in
	order []string          // processes, in the order of appearance
	clock int64             // the latest time
	timed bool              // the operations have times, the first one says
	count int64
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
	now, err := h.time(op)
	if err != nil {
		return wrong("%v", err)
	}
	e, busy := h.open[process]
	switch {
	case kind == "invoke" && e != nil:
		return wrong("process %s invokes an operation while it is in that of line %d", process, e.line)
	case kind == "invoke":
		e = newEntry(line)
		e.node, e.begin, e.stamp = process, now, now
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
	}
	h.open[process] = nil
	if kind == "fail" {
		return nil
	}
	return h.add(e)
}

// add passes an operation on if it is one of a lock.
func (h *history) add(e *entry) error {
	if e.name == "" {
		return h.s.at(e.line).wrong("field :f is missing")
	}
	return h.rd.add(&source{name: h.s.name, line: e.line, locks: true}, e)
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

// time is that of an entry; without :time it is its place in the history, whose
// order is that in which one observer has seen everything.
func (h *history) time(op table) (int64, error) {
	h.count++
	raw := plain(op["time"])
	if h.count == 1 {
		h.timed = raw != ""
		h.clock = never
	}
	if !h.timed {
		return h.count, nil
	}
	now, err := strconv.ParseInt(raw, 10, 64)
	if err != nil || now == math.MinInt64 || now == math.MaxInt64 {
		return 0, fmt.Errorf("field :time is %q; as the first entry has one, all have, in whole nanoseconds", raw)
	}
	if now < h.clock {
		return 0, fmt.Errorf("field :time is %d, after %d before it; a history is in the order of time", now, h.clock)
	}
	h.clock = now
	return now, nil
}

// fields takes the name of an operation and, if it is mapped, the number of units.
func (h *history) fields(e *entry, op table) error {
	fields := map[string]json.RawMessage{}
	for name, value := range op {
		switch name {
		case "type", "process", "time", "index":
		default:
			if v, isAtom := value.(atom); isAtom {
				fields[string(name)] = json.RawMessage(plain(v))
			}
		}
	}
	fields = h.rd.mapping.fields(fields)
	e.name = plain(op["f"])
	if raw, ok := fields["units"]; ok && len(raw) > 0 {
		return e.numbers(map[string]json.RawMessage{"units": raw})
	}
	return nil
}
