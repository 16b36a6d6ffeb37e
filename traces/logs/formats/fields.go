package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

// A field is one of the fields that lines may have, by the name after mapping. Its value is JSON.
type field struct {
	name string
	uses fieldUses
	take takeFunc
}

type takeFunc func(e *Entry, name string, raw json.RawMessage, w *timeForms) error

// fieldUses is where a field may occur, besides lines of JSON and of key=value.
type fieldUses uint8

const (
	ofLine  fieldUses = 1 << iota // a group of a regular expression for lines
	ofEvent                       // a group of a regular expression for names of events
	ofLock                        // an operation of Jepsen, an attribute of a span
)

// entryFields lists all fields in the order in which they are read: a field that others depend on is earlier.
var entryFields = []field{
	{"node", ofLine | ofEvent, takeText(func(e *Entry) *string { return &e.Node })},
	{"node2", ofLine, takeNodePart},
	{"node3", ofLine, takeNodePart},
	{"event", ofLine, takeText(func(e *Entry) *string { return &e.Name })},
	{"msg", 0, takeMsg},
	{"from", ofLine | ofEvent, takeText(func(e *Entry) *string { return &e.From })},
	{"id", ofLine | ofEvent, takeText(func(e *Entry) *string { return &e.ID })},
	{"message", ofLine | ofEvent, takeText(func(e *Entry) *string { return &e.Message })},
	{"resource", ofLine | ofEvent | ofLock, takeText(func(e *Entry) *string { return &e.Resource })},
	{"seq", ofLine | ofEvent, takeCount(1<<62, func(e *Entry, n uint64) { e.Seq = int64(n) })},
	{"lamport", 0, takeCount(1<<62, func(e *Entry, n uint64) { e.Lamport = n })},
	{"units", ofLine | ofEvent | ofLock, takeUnits},
	{"begin", ofLine, takeTime(Zoned|Unzoned, func(e *Entry) *int64 { return &e.Begin })},
	{"end", ofLine, takeTime(Zoned|Unzoned, func(e *Entry) *int64 { return &e.End })},
	{"time", ofLine, takeTime(Zoned|Unzoned, func(e *Entry) *int64 { return &e.Stamp })},
	{"duration", ofLine, takeDuration(func(e *Entry) *int64 { return &e.took })},
	{"waited", ofLine | ofEvent, takeDuration(func(e *Entry) *int64 { return &e.Waited })},
	{"fence", ofLine | ofEvent | ofLock, takeFence},
	{"lease_lasts", ofLine | ofEvent | ofLock, takeDuration(func(e *Entry) *int64 { return &e.Grant.Lasts })},
	{"lease_ends", ofLine | ofEvent | ofLock, takeTime(0, func(e *Entry) *int64 { return &e.Grant.Last })},
	{"shared", ofLine | ofEvent | ofLock, takeShared},
	{"maybe", 0, takeMaybe},
	{"clock", 0, takeClock},
	{"sent", 0, takeSent},
	{"state", 0, takeState},
	{"to", ofLine | ofEvent, takeReceiver},
}

var fieldNumbers = func() map[string]int {
	numbers := map[string]int{}
	for i, f := range entryFields {
		numbers[f.name] = i
	}
	return numbers
}()

// fieldNames lists the fields that may occur in a place.
func fieldNames(of fieldUses) (names []string) {
	for _, f := range entryFields {
		if f.uses&of != 0 {
			names = append(names, f.name)
		}
	}
	return names
}

// lineGroups and eventGroups are the groups of regular expressions for lines and for names of events. In
// lines, message is another name of event. lockFields are the fields of Jepsen's operations and of spans.
var (
	lineGroups  = fieldNames(ofLine)
	eventGroups = fieldNames(ofEvent)
	lockFields  = fieldNames(ofLock)
)

// givenIn returns a bit for each field that is present.
func givenIn(fields map[string]json.RawMessage) (given uint32) {
	for name := range fields {
		if i, known := fieldNumbers[name]; known {
			given |= 1 << i
		}
	}
	return given
}

// take reads the given fields into the entry.
func (e *Entry) take(fields map[string]json.RawMessage, given uint32, w *timeForms) error {
	for ; given != 0; given &= given - 1 {
		f := &entryFields[bits.TrailingZeros32(given)]
		if err := f.take(e, f.name, fields[f.name], w); err != nil {
			return err
		}
	}
	if e.End < e.Begin {
		return fmt.Errorf(`field "end" is earlier than field "begin"`)
	}
	return nil
}

func takeText(of func(*Entry) *string) takeFunc {
	return func(e *Entry, name string, raw json.RawMessage, _ *timeForms) error {
		return Text(name, raw, of(e))
	}
}

// takeNodePart appends a part to the name of the node, after a slash.
func takeNodePart(e *Entry, name string, raw json.RawMessage, _ *timeForms) error {
	part := ""
	if err := Text(name, raw, &part); err != nil || part == "" {
		return err
	}
	e.Node = strings.TrimPrefix(e.Node+"/"+part, "/")
	return nil
}

// takeMsg takes msg, the name of the event in lines of log/slog, if there is no event.
func takeMsg(e *Entry, name string, raw json.RawMessage, _ *timeForms) error {
	if e.Name != "" {
		return nil
	}
	return Text(name, raw, &e.Name)
}

func takeCount(most uint64, set func(*Entry, uint64)) takeFunc {
	return func(e *Entry, name string, raw json.RawMessage, _ *timeForms) error {
		x, err := strconv.ParseUint(string(raw), 10, 64)
		if err != nil || x < 1 || x > most {
			return fmt.Errorf("field %q is %s; allowed are whole numbers from 1 to %d", name, clip(raw), most)
		}
		set(e, x)
		return nil
	}
}

var takeUnits = takeCount(1<<16, func(e *Entry, n uint64) { e.Units = int(n) })

// takeTime reads a time. Only the given zones count: none for the end of a lease, as leases order no events.
func takeTime(zones Zone, of func(*Entry) *int64) takeFunc {
	return func(e *Entry, name string, raw json.RawMessage, w *timeForms) error {
		if string(raw) == "null" {
			return nil
		}
		allowed := times
		if w.timeForm != nil {
			allowed = "times of the form that the mapping gives, of the years 1700 to 2200"
		}
		zone, err := w.timeForm.moment(raw, of(e))
		if err != nil {
			return fmt.Errorf("field %q is %s; allowed are %s", name, clip(raw), allowed)
		}
		e.zones |= zone & zones
		return nil
	}
}

func takeDuration(of func(*Entry) *int64) takeFunc {
	return func(e *Entry, name string, raw json.RawMessage, w *timeForms) error {
		return w.readDuration(name, raw, of(e))
	}
}

// takeFence reads a fencing token: a whole number, or a text of one.
func takeFence(e *Entry, name string, raw json.RawMessage, _ *timeForms) error {
	value := ""
	if err := Text(name, raw, &value); err != nil || value == "" {
		return err
	}
	x, err := strconv.ParseInt(value, 10, 64)
	if err != nil || x == NoToken {
		return fmt.Errorf("field %q is %s; allowed are whole numbers", name, clip([]byte(value)))
	}
	e.Grant.Token = x
	return nil
}

func takeShared(e *Entry, name string, raw json.RawMessage, _ *timeForms) error {
	switch strings.ToLower(strings.Trim(string(raw), `"`)) {
	case "true", "read", "shared":
		e.Reads = true
	case "false", "write", "exclusive", "null", "":
	default:
		return fmt.Errorf("field %q is %s; allowed are true and false, read and write, shared and exclusive",
			name, clip(raw))
	}
	return nil
}

func takeMaybe(e *Entry, name string, raw json.RawMessage, _ *timeForms) error {
	if err := json.Unmarshal(raw, &e.Maybe); err != nil {
		return fmt.Errorf("field %q is %s; allowed are true and false", name, clip(raw))
	}
	return nil
}

func takeClock(e *Entry, name string, raw json.RawMessage, _ *timeForms) error {
	var clock map[string]uint64
	if err := json.Unmarshal(raw, &clock); err != nil || clock[e.Node] == 0 {
		return fmt.Errorf("field %q is %s; it must map nodes to counts, with at least 1 for node %q "+
			"itself", name, clip(raw), e.Node)
	}
	if _, nameless := clock[""]; nameless {
		return fmt.Errorf("field %q is %s; one of its nodes has no name", name, clip(raw))
	}
	for _, node := range slices.Sorted(maps.Keys(clock)) {
		if clock[node] > 0 {
			e.Clock = append(e.Clock, tick{node, clock[node]})
		}
	}
	return nil
}

func takeSent(e *Entry, name string, raw json.RawMessage, _ *timeForms) error {
	var sent []*sentMessage
	if err := json.Unmarshal(raw, &sent); err != nil || slices.Contains(sent, nil) {
		return fmt.Errorf(`field %q is %s; it must be a list of objects with texts "to", "id" and "message"`, name,
			clip(raw))
	}
	if sent != nil { // an empty list is told, too
		e.Sent = printable.Each(sent, func(m **sentMessage) sentMessage { return **m })
	}
	return nil
}

func takeState(e *Entry, name string, raw json.RawMessage, _ *timeForms) error {
	var state map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&state); err != nil {
		return fmt.Errorf("field %q is %s; it must be an object of variables", name, clip(raw))
	}
	e.State = make(map[string]string, len(state))
	for variable, value := range state {
		switch value.(type) {
		case string, json.Number, bool:
			e.State[variable] = fmt.Sprint(value)
		default:
			return fmt.Errorf("variable %q in field %q is not a text, a number, true or false",
				variable, name)
		}
	}
	return nil
}

// takeReceiver reads the field to: the line sends a message, unless to is the node itself and from is given.
func takeReceiver(e *Entry, name string, raw json.RawMessage, _ *timeForms) error {
	to := ""
	if err := Text(name, raw, &to); err != nil || to == "" || to == e.Node && e.From != "" {
		return err
	}
	if e.From != "" {
		return fmt.Errorf(`field "to" is %q in a line of node %q with field "from"; the receiver itself `+
			`logs a receipt`, to, e.Node)
	}
	e.Sent = append(e.Sent, sentMessage{to, e.ID, e.Message})
	e.ID, e.Message = "", ""
	return nil
}

// quoted returns a text as a JSON value; the fields units and seq stay numbers.
func quoted(field string, value []byte) json.RawMessage {
	if (field == "units" || field == "seq") && len(value) > 0 {
		return value
	}
	raw, _ := json.Marshal(strings.ToValidUTF8(string(value), "?")) // encoding a string cannot fail
	return raw
}
