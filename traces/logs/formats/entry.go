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

// A Header names the model and its parameters, if the log has them.
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

// An Entry is an event as a file has it. Times are nanoseconds since 1970; Never and Ever mean unknown.
type Entry struct {
	Line  int
	Node  string
	Name  string
	Seq   int64
	Clock []tick
	// Lamport is its Lamport clock, 0 if it has none.
	Lamport    uint64
	Begin, End int64 // the event happened between them
	Stamp      int64 // the time stamp; Ever: none
	took       int64 // the duration in the line; Ever: none
	Waited     int64 // the wait for the units; Ever: unknown
	// Bounds of the begin of a span by the time stamps of its parents, links and children: not before since,
	// not after until.
	since, until int64
	Span         bool // one end of a holding that has a single line
	zones        Zone // the zones of its times
	Maybe        bool // it may not have happened
	Waits        bool // logged at the begin of the wait for its units
	Failed       bool // an attempt that failed
	Ignored      bool // the mapping leaves it out
	From         string
	ID           string
	Message      string
	Sent         []sentMessage
	State        map[string]string
	Units        int
	Resource     string  // the resource whose units are acquired or released; "": without a name
	named        []named // fields that may name the resource
	Reads        bool    // a shared access to a lock of readers and writers
	Grant        Grant   // the token and the lease
	// as and pair are of lines of a product: the meaning of its text, and the token, lease or session that
	// pairs an acquisition with its release.
	as, pair string
}

// A Zone is a set of bits: some times name their time zone, some do not.
type Zone uint8

// Bits of Zone. Numbers count from 1970 and need no zone.
const (
	Zoned   Zone = 1 << iota // a time with a zone, such as Z or +02:00
	Unzoned                  // a time without one
)

// named is a field that may name a resource.
type named struct{ field, value string }

// Own is the node's own count of an event: seq, or its element of the vector clock; 0: none.
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

type sentMessage struct{ To, ID, Message string }

// A Grant is the fencing token and the lease of an event of a lock.
type Grant struct {
	Token int64 // the fencing token, or NoToken
	// The lease ends Lasts nanoseconds after the event, or at a moment from Earliest to Last; Ever: not
	// given.
	Lasts          int64
	Earliest, Last int64
}

// NoToken is the Token of an event without a fencing token.
const NoToken = Ever

// NoGrant has neither token nor lease.
var NoGrant = Grant{Token: NoToken, Lasts: Ever, Earliest: Ever, Last: Ever}

// sharedPart is the suffix of event names for shared access.
const sharedPart = "-read"

// IsShared reports whether an event's name has the suffix for shared access.
func IsShared(name string) bool {
	at := len(name) - len(sharedPart)
	return at > 0 && name[at] == sharedPart[0] && strings.EqualFold(name[at:], sharedPart)
}

// None stands for no event: before all events, or after all of them, by context.
const None = -1

// Times before and after all others.
const (
	Never = math.MinInt64
	Ever  = math.MaxInt64
)

func newEntry(line int) *Entry {
	return &Entry{Line: line, Begin: Never, End: Ever, Stamp: Ever, took: Ever, Waited: Ever, since: Never,
		until: Ever, Grant: NoGrant}
}

// A Role is the effect of an event on holdings.
type Role uint8

// The roles.
const (
	Other Role = iota
	Enters
	Leaves
	Refused // a release that failed
	Crashes
	Requests // asks for units, and waits for them
	Renews   // starts the lease again
	Expires  // the lease has ended
	Uses     // uses the protected data, with a token
	Denied   // a request that was refused
)

// OfLock reports whether events of a role are about a resource.
func (r Role) OfLock() bool { return r != Other && r != Crashes && r != Requests }

// RoleOf returns the role of an event by its name, in any case.
func RoleOf(name string) Role {
	switch name { // fast path for the usual spelling
	case "acquire":
		return Enters
	case "release":
		return Leaves
	}
	return roles[strings.ToLower(name)]
}

var roles = map[string]Role{
	"enter": Enters, "acquire": Enters, "acquire" + sharedPart: Enters,
	"exit": Leaves, "release": Leaves, "release" + sharedPart: Leaves,
	"renew": Renews, "expire": Expires, "use": Uses, "release-failed": Refused, "request": Requests,
	"refused": Denied, "refused" + sharedPart: Denied, "crash": Crashes, "crash while sending": Crashes,
}

// HasHoldings reports whether events of these names make holdings: some acquire, and some release.
func HasHoldings(names []string) bool {
	is := func(r Role) bool {
		return slices.ContainsFunc(names, func(name string) bool { return RoleOf(name) == r })
	}
	return is(Enters) && is(Leaves)
}

// Text reads a string or a number into *to. It does nothing without a value.
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
		return fmt.Errorf("field %q is %s; allowed are texts and numbers", name, clip(raw))
	}
	return nil
}

// Instant converts nanoseconds since 1970; zero for Never and Ever.
func Instant(ns int64) time.Time {
	if ns == Never || ns == Ever {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}
