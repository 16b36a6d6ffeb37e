package lockcheck

import (
	"context"
	"log/slog"
	"slices"
	"strings"
)

// Handler returns a handler of log/slog that records events and passes all records on to next. A record is an
// event if its message is acquire, release, acquire-read, release-read or use, and it has an attribute node,
// the name of a holder; units (default 1) and fence are numbers. These attributes may come from With, but
// not from a group. Log acquire after the lock is held, and release before it is given back.
func (r *Recorder) Handler(next slog.Handler) slog.Handler {
	return &handler{next: next, r: r, e: logged{units: 1}}
}

type handler struct {
	next    slog.Handler
	r       *Recorder
	e       logged
	grouped bool // further attributes belong to a group
}

// logged are the attributes of an event.
type logged struct {
	node         string
	units, fence int64
}

func (h *handler) Enabled(context.Context, slog.Level) bool { return true }

func (h *handler) Handle(ctx context.Context, record slog.Record) error {
	e := h.e
	if !h.grouped {
		record.Attrs(func(a slog.Attr) bool { e.take(a); return true })
	}
	k := slices.Index(kindNames, strings.ToLower(record.Message))
	if k > int(unwritten) && e.node != "" {
		h.r.node(e.node, kind(k)).add(kind(k), int(e.units), e.fence)
	}
	if !h.next.Enabled(ctx, record.Level) {
		return nil
	}
	return h.next.Handle(ctx, record)
}

// take takes an attribute.
func (e *logged) take(a slog.Attr) {
	switch v := a.Value.Resolve(); a.Key {
	case "node":
		e.node = v.String()
	case "units":
		e.units = number(v)
	case "fence":
		e.fence = number(v)
	}
}

// number returns a whole number; -1, which no event allows, for other values.
func number(v slog.Value) int64 {
	switch v.Kind() {
	case slog.KindInt64:
		return v.Int64()
	case slog.KindUint64:
		return int64(v.Uint64())
	}
	return -1
}

func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *h
	with.next = h.next.WithAttrs(attrs)
	for _, a := range attrs {
		if !h.grouped {
			with.e.take(a)
		}
	}
	return &with
}

func (h *handler) WithGroup(name string) slog.Handler {
	with := *h
	with.next, with.grouped = h.next.WithGroup(name), h.grouped || name != ""
	return &with
}

// node returns the holder of a name, which may be new. An event of a reader makes the lock one of
// readers and writers.
func (r *Recorder) node(name string, k kind) *Holder {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shared = r.shared || k == read
	if h := r.nodes[name]; h != nil {
		return h
	}
	return r.newHolder(name)
}
