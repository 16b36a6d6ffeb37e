package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A Header says which run it is, if the log says so.
type Header struct {
	Spec string // the model's name; "" if unknown
	Args string // its parameters: "n=5 k=2"
}

func (h Header) String() string {
	if h.Spec == "" {
		return "no model"
	}
	return strings.TrimSpace(h.Spec + " " + h.Args)
}

// An Entry is an event as a file has it. Nodes have names in it, and times are
// nanoseconds since 1970.
type Entry struct {
	Line  int
	Node  string
	Name  string
	Seq   int64
	Clock []tick
	// Lamport is its Lamport clock, 0 if it has none.
	Lamport    uint64
	Begin, End int64 // never and ever: not known
	Stamp      int64 // the time stamp; ever: none
	took       int64 // the duration that the line gives; Ever: none
	Waited     int64 // how long was waited for the units; ever: not said
	// By the stamps of other spans it began not before since and not after until; never and ever: nothing is
	// said.
	since, until int64
	Span         bool // it is one end of a holding that the line tells as a whole
	zones        Zone // the zones of its times
	Maybe        bool
	Waits        bool // it is logged when it begins to wait for its units
	Failed       bool // it was tried, and has not happened
	Ignored      bool // the mapping leaves it out
	From         string
	ID           string
	Message      string
	Sent         []post
	State        map[string]string
	Units        int
	Resource     string  // whose units are acquired or released; "": it has no name
	named        []named // fields that may be the name of the resource
	Reads        bool    // it is shared: about a lock of readers and writers
	Grant        Grant   // what its units are worth
}

// A Zone says whether times name the zone of their clock.
type Zone uint8

// Both may be found; numbers count since 1970 and need no zone.
const (
	Zoned   Zone = 1 << iota // with one, such as Z or +02:00
	Unzoned                  // without
)

// named is a field that may name a resource.
type named struct{ field, value string }

// Own is the node's own count of an event: seq or, without it, the node's element of the vector clock;
// 0: neither.
func (e *Entry) Own() uint64 {
	if e.Seq > 0 {
		return uint64(e.Seq)
	}
	for _, t := range e.Clock {
		if t.Node == e.Node {
			return t.Count
		}
	}
	return 0
}

// A tick is one element of a vector clock.
type tick struct {
	Node  string
	Count uint64
}

// A post is a message that was sent.
type post struct{ To, ID, Message string }

// A Grant is what an event of a lock says of it beside its units.
type Grant struct {
	Token int64 // the fencing token; NoToken
	// A lease is how long the units are the node's: for Lasts from the event on, or until some moment between
	// the other two; Ever: not said.
	Lasts          int64
	Earliest, Last int64
}

// NoToken is no fencing token.
const NoToken = Ever

// NoGrant says nothing.
var NoGrant = Grant{Token: NoToken, Lasts: Ever, Earliest: Ever, Last: Ever}

// sharedPart ends the names of events of nodes that only read.
const sharedPart = "-read"

// IsShared reports whether an event's name says that it is shared.
func IsShared(name string) bool {
	at := len(name) - len(sharedPart)
	return at > 0 && name[at] == sharedPart[0] && strings.EqualFold(name[at:], sharedPart)
}

// None is the number of no event: before all or after all of them.
const None = -1

// The ends of time.
const (
	Never = math.MinInt64
	Ever  = math.MaxInt64
)

func newEntry(line int) *Entry {
	return &Entry{Line: line, Begin: Never, End: Ever, Stamp: Ever, took: Ever, Waited: Ever, since: Never,
		until: Ever, Grant: NoGrant}
}

// A Role is what an event means for holdings in the critical section.
type Role uint8

// The roles.
const (
	Other Role = iota
	Enters
	Leaves
	Refused // a release that failed
	Crashes
	Requests // it asks for units, and waits for them
	Renews   // its lease begins anew
	Expires  // its lease has ended
	Uses     // it uses what the lock protects, with its token
)

// OfLock reports whether events of a role are about a resource.
func (r Role) OfLock() bool {
	return r == Enters || r == Leaves || r == Refused || r == Renews || r == Expires || r == Uses
}

// RoleOf tells it by the event's name, whose capitals do not matter.
func RoleOf(name string) Role {
	switch name { // most are written like this
	case "acquire":
		return Enters
	case "release":
		return Leaves
	}
	switch strings.ToLower(name) {
	case "enter", "acquire", "acquire" + sharedPart:
		return Enters
	case "release", "exit", "release" + sharedPart:
		return Leaves
	case "renew":
		return Renews
	case "expire":
		return Expires
	case "use":
		return Uses
	case "release-failed":
		return Refused
	case "request":
		return Requests
	case "crash", "crash while sending":
		return Crashes
	}
	return Other
}

// HasHoldings reports whether holdings can be told by the names of events: some begin them and some
// end them.
func HasHoldings(names []string) bool {
	is := func(r Role) bool {
		return slices.ContainsFunc(names, func(name string) bool { return RoleOf(name) == r })
	}
	return is(Enters) && is(Leaves)
}

// Text reads a text or a number into *to, if there is a value.
func Text(name string, raw json.RawMessage, to *string) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	switch c := raw[0]; {
	case c == '"' && bytes.IndexByte(raw, '\\') < 0:
		*to = string(raw[1 : len(raw)-1])
	case c == '"':
		return json.Unmarshal(raw, to)
	case c == '-' || '0' <= c && c <= '9':
		*to = string(raw)
	default:
		return fmt.Errorf("field %q is %s; allowed is a text", name, clip(raw))
	}
	return nil
}

// Instant is the time of a number of nanoseconds; zero for the ends of time.
func Instant(ns int64) time.Time {
	if ns == Never || ns == Ever {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}
