package capture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"strconv"
	"sync"
	"time"
)

// A Header names the model and its parameters.
type Header struct {
	Spec string // the model's name: "raymond"
	Args string // its parameters: "n=5 k=2"
}

// A Recorder writes the log of one node. Several goroutines may use it at once.
type Recorder struct {
	node string
	log  *slog.Logger

	mu    sync.Mutex
	err   error // the first error in writing
	seq   uint64
	ids   uint64 // of messages given out
	clock Clock
	// spoken: the node has sent or received a message, so that others may know of it.
	spoken bool
}

// New starts the log of a node with its header; an empty header is not written. The
// logs of several nodes may share a file.
func New(w io.Writer, node string, h Header) (*Recorder, error) {
	if node == "" {
		return nil, fmt.Errorf("capture: a node needs a name")
	}
	r := &Recorder{node: node, clock: Clock{}}
	r.log = slog.New(&keepError{Handler: slog.NewJSONHandler(w, nil), to: &r.err}).With("node", node)
	if h == (Header{}) {
		return r, nil
	}
	line, err := json.Marshal(struct {
		Atmostk string `json:"atmostk"`
		Spec    string `json:"spec,omitempty"`
		Args    string `json:"args,omitempty"`
	}{"log", h.Spec, h.Args})
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	return r, nil
}

// Continue returns the Recorder of a node that has started again and goes on with its log: it reads the log
// so far, and counts lines, identities and clock on from there.
func Continue(w io.Writer, node string, soFar io.Reader) (*Recorder, error) {
	r, err := New(w, node, Header{})
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(soFar); ; {
		var line struct {
			Node  string
			Seq   uint64
			Clock Clock
			Sent  []sent
		}
		switch err := d.Decode(&line); {
		case errors.Is(err, io.EOF):
			return r, nil
		case err != nil:
			return nil, fmt.Errorf("capture: the log so far of %s: %w", node, err)
		case line.Node != node: // a header, or another node
			continue
		}
		r.seq, r.ids = max(r.seq, line.Seq), r.ids+uint64(len(line.Sent))
		r.spoken = r.spoken || line.Clock != nil
		r.clock[node] = r.seq
		maps.Copy(r.clock, line.Clock)
	}
}

// keepError is a handler that remembers the first error: a Logger drops it.
type keepError struct {
	slog.Handler
	to *error
}

func (h *keepError) Handle(ctx context.Context, r slog.Record) error {
	err := h.Handler.Handle(ctx, r)
	if *h.to == nil {
		*h.to = err
	}
	return err
}

func (h *keepError) WithAttrs(as []slog.Attr) slog.Handler {
	return &keepError{h.Handler.WithAttrs(as), h.to}
}

// A Step is one step of a node, until Log has written it. It belongs to one goroutine.
type Step struct {
	of    *Recorder
	event string

	begin, end        time.Time
	from, id, message string
	known             Clock // what the message received brought
	sent              []sent
	state             map[string]string
	units             int
}

// sent is a message that was sent.
type sent struct {
	To      string `json:"to"`
	ID      string `json:"id"`
	Message string `json:"message,omitempty"`
}

// Step begins a step. The event is the name of an action of the model; for a resource
// without a model it is acquire (or enter) and release.
func (r *Recorder) Step(event string) *Step { return &Step{of: r, event: event} }

// Receive says that the step is the receipt of a message: from whom, its id, its text
// for a reader, and the clock that came with it. All but the first may be "". It is an
// error if the clock is not one that Log has returned.
func (s *Step) Receive(from, id, message, clock string) error {
	known, err := ParseClock(clock)
	if err != nil {
		return err
	}
	s.from, s.id, s.message, s.known = from, id, message, known
	return nil
}

// Send says that the step sends a message, and returns the id that has to travel with it.
// The message may leave after Log.
func (s *Step) Send(to, message string) (id string) {
	s.of.mu.Lock()
	s.of.ids++
	id = s.of.node + "-" + strconv.FormatUint(s.of.ids, 10)
	s.of.mu.Unlock()
	s.sent = append(s.sent, sent{to, id, message})
	return id
}

// Set gives the value of a variable after the step.
func (s *Step) Set(variable, value string) {
	if s.state == nil {
		s.state = map[string]string{}
	}
	s.state[variable] = value
}

// Units says how many units of the resource the node holds after the step, or asks for
// in it; 0 is not logged.
func (s *Step) Units(n int) { s.units = n }

// Between says that the step happened at some time between begin and end, such as the
// call of a lock and its return. The times of all nodes must be of the same clock.
func (s *Step) Between(begin, end time.Time) { s.begin, s.end = begin, end }

// Log writes the line of the step, and returns the clock that has to travel with its
// messages. They must not leave before that; not at all, if there was an error.
func (s *Step) Log() (clock string, err error) {
	r := s.of
	r.mu.Lock()
	defer r.mu.Unlock()
	for node, n := range s.known {
		r.clock[node] = max(r.clock[node], n)
	}
	r.seq++
	r.clock[r.node]++
	r.spoken = r.spoken || len(s.known) > 0 || len(s.sent) > 0
	r.log.LogAttrs(context.Background(), slog.LevelInfo, s.event, s.attrs()...)
	if r.err != nil {
		return "", r.err
	}
	return r.clock.String(), nil
}

// attrs are the attributes of the line, those that have a value.
func (s *Step) attrs() []slog.Attr {
	as := []slog.Attr{
		slog.String("event", s.event),
		slog.Uint64("seq", s.of.seq),
	}
	if s.of.spoken {
		as = append(as, slog.Any("clock", maps.Clone(s.of.clock)))
	}
	if !s.begin.IsZero() {
		as = append(as, slog.Time("begin", s.begin), slog.Time("end", s.end))
	}
	for _, a := range []slog.Attr{slog.String("from", s.from), slog.String("id", s.id), slog.String("message",
		s.message)} {
		if a.Value.String() != "" {
			as = append(as, a)
		}
	}
	if len(s.sent) > 0 {
		as = append(as, slog.Any("sent", s.sent))
	}
	if len(s.state) > 0 {
		as = append(as, slog.Any("state", s.state))
	}
	if s.units > 0 {
		as = append(as, slog.Int("units", s.units))
	}
	return as
}
