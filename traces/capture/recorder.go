package capture

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
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

	mu    sync.Mutex
	w     io.Writer
	err   error // the first error of a write
	seq   uint64
	ids   uint64 // number of message ids given out
	clock Clock
	// spoken: the node has sent or received a message, so that other nodes may know of it.
	spoken bool
}

// New starts the log of a node with its header, unless it is empty. Logs of several nodes may share a file.
func New(w io.Writer, node string, h Header) (*Recorder, error) {
	if node == "" {
		return nil, fmt.Errorf("capture: a node needs a name")
	}
	r := &Recorder{node: node, w: w, clock: Clock{}}
	if h == (Header{}) {
		return r, nil
	}
	r.write(struct {
		Atmostk string `json:"atmostk"`
		Spec    string `json:"spec,omitempty"`
		Args    string `json:"args,omitempty"`
	}{"log", h.Spec, h.Args})
	if r.err != nil {
		return nil, r.err
	}
	return r, nil
}

// write writes a value as one line, in one call of Write.
func (r *Recorder) write(value any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	if err == nil {
		_, err = r.w.Write(b.Bytes())
	}
	r.err = cmp.Or(r.err, err)
}

// Continue returns the Recorder of a restarted node that continues its log. It reads the log so far, and
// continues the counts of lines and ids, and the clock.
func Continue(w io.Writer, node string, soFar io.Reader) (*Recorder, error) {
	r, err := New(w, node, Header{})
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(soFar); ; {
		var line line
		switch err := d.Decode(&line); {
		case errors.Is(err, io.EOF):
			return r, nil
		case err != nil:
			return nil, fmt.Errorf("capture: the log so far of %s: %w", node, err)
		case line.Node != node: // a header, or a line of another node
			continue
		}
		r.seq, r.ids = max(r.seq, line.Seq), r.ids+uint64(len(line.Sent))
		r.spoken = r.spoken || line.Clock != nil
		r.clock[node] = r.seq
		maps.Copy(r.clock, line.Clock)
	}
}

// A Step is one step of a node, which Log writes. It belongs to one goroutine.
type Step struct {
	of    *Recorder
	known Clock // the clock of the message received
	line  line
}

// A line is a step as it is written, in the form of log/slog, without empty fields.
type line struct {
	Time    time.Time         `json:"time"`
	Level   string            `json:"level"`
	Msg     string            `json:"msg"`
	Node    string            `json:"node"`
	Event   string            `json:"event"`
	Seq     uint64            `json:"seq"`
	Clock   Clock             `json:"clock,omitempty"`
	Begin   time.Time         `json:"begin,omitzero"`
	End     time.Time         `json:"end,omitzero"`
	From    string            `json:"from,omitempty"`
	ID      string            `json:"id,omitempty"`
	Message string            `json:"message,omitempty"`
	Sent    []sent            `json:"sent,omitempty"`
	State   map[string]string `json:"state,omitempty"`
	Units   int               `json:"units,omitempty"`
}

type sent struct {
	To      string `json:"to"`
	ID      string `json:"id"`
	Message string `json:"message,omitempty"`
}

// Step begins a step. The event is the name of an action of the model; for a resource without a model it is
// acquire (or enter) or release.
func (r *Recorder) Step(event string) *Step {
	return &Step{of: r, line: line{Level: "INFO", Msg: event, Node: r.node, Event: event}}
}

// Receive sets the message that the step receives: its sender, its id, its text for a reader, and its clock.
// All but the sender may be "". It returns an error if the clock is not one that Log has returned.
func (s *Step) Receive(from, id, message, clock string) error {
	known, err := ParseClock(clock)
	if err != nil {
		return err
	}
	s.line.From, s.line.ID, s.line.Message, s.known = from, id, message, known
	return nil
}

// Send adds a message that the step sends, and returns the id to travel with it. It may leave after Log.
func (s *Step) Send(to, message string) (id string) {
	s.of.mu.Lock()
	s.of.ids++
	id = s.of.node + "-" + strconv.FormatUint(s.of.ids, 10)
	s.of.mu.Unlock()
	s.line.Sent = append(s.line.Sent, sent{to, id, message})
	return id
}

// Set sets the value of a variable after the step.
func (s *Step) Set(variable, value string) {
	if s.line.State == nil {
		s.line.State = map[string]string{}
	}
	s.line.State[variable] = value
}

// Units sets the number of units of the resource that the node holds after the step, or asks for in it; 0 is
// not logged.
func (s *Step) Units(n int) { s.line.Units = n }

// Between sets the interval in which the step happened, such as the call of a lock and its return. The times
// of all nodes must be of the same clock.
func (s *Step) Between(begin, end time.Time) { s.line.Begin, s.line.End = begin, end }

// Log writes the line of the step, and returns the clock that has to travel with its messages. They must not
// leave before; if there was an error, they must not leave at all.
func (s *Step) Log() (clock string, err error) {
	r := s.of
	r.mu.Lock()
	defer r.mu.Unlock()
	for node, n := range s.known {
		r.clock[node] = max(r.clock[node], n)
	}
	r.seq++
	r.clock[r.node]++
	r.spoken = r.spoken || len(s.known) > 0 || len(s.line.Sent) > 0
	if s.line.Time, s.line.Seq = time.Now(), r.seq; r.spoken {
		s.line.Clock = r.clock
	}
	if r.write(s.line); r.err != nil {
		return "", r.err
	}
	return r.clock.String(), nil
}

// A Clock is a vector clock: for each node, the number of its steps known to have happened.
type Clock map[string]uint64

// String returns the clock in the form in which it travels with messages: p1=4,p2=17, sorted by name. Special
// characters in names are escaped as in the query of a URL.
func (c Clock) String() string {
	words := make([]string, 0, len(c))
	for _, node := range slices.Sorted(maps.Keys(c)) {
		words = append(words, url.QueryEscape(node)+"="+strconv.FormatUint(c[node], 10))
	}
	return strings.Join(words, ",")
}

// ParseClock parses the result of String; "" is the clock without counts.
func ParseClock(s string) (Clock, error) {
	c := Clock{}
	if s == "" {
		return c, nil
	}
	for word := range strings.SplitSeq(s, ",") {
		escaped, count, _ := strings.Cut(word, "=")
		node, err := url.QueryUnescape(escaped)
		n, notANumber := strconv.ParseUint(count, 10, 64)
		if _, twice := c[node]; err != nil || notANumber != nil || node == "" || twice {
			return nil, fmt.Errorf("capture: %q in the clock %q is not of the form NODE=COUNT, "+
				"each node once", word, s)
		}
		c[node] = n
	}
	return c, nil
}
