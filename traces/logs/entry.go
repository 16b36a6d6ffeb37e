package logs

import (
	"math"
	"slices"
	"strings"
	"time"
)

// An entry is an event as a file has it. Nodes have names in it, and times are
// nanoseconds since 1970.
type entry struct {
	line  int
	node  string
	name  string
	seq   int64
	clock []tick
	// lamport is its Lamport clock, 0 if it has none.
	lamport    uint64
	begin, end int64 // never and ever: not known
	stamp      int64 // the time stamp; ever: none
	took       int64 // how long what the line tells of took; ever: not said
	waited     int64 // how long was waited for the units; ever: not said
	// By the stamps of other spans it began not before since and not after until; never and ever: nothing is
	// said.
	since, until int64
	span         bool // it is one end of a stay that the line tells as a whole
	zones        zone // those of its times
	maybe        bool
	waits        bool // it is logged when it begins to wait for its units
	failed       bool // it was tried, and has not happened
	ignored      bool // the mapping leaves it out
	from         string
	id           string
	message      string
	sent         []post
	state        map[string]string
	units        int
	resource     string  // of which units are taken or released; "": it has no name
	named        []named // fields that may be the name of the resource
	reads        bool    // it is shared: about a lock of readers and writers
	right        right   // what its units are worth
}

// own is the node's own count of an event: seq or, without it, the node's element of the vector clock;
// 0: neither.
func (e *entry) own() uint64 {
	if e.seq > 0 {
		return uint64(e.seq)
	}
	for _, t := range e.clock {
		if t.node == e.node {
			return t.count
		}
	}
	return 0
}

// A tick is one element of a vector clock.
type tick struct {
	node  string
	count uint64
}

// A post is a message that was sent.
type post struct{ to, id, message string }

// none is the number of no event: before all or after all of them.
const none = -1

// The ends of time.
const (
	never = math.MinInt64
	ever  = math.MaxInt64
)

func newEntry(line int) *entry {
	return &entry{line: line, begin: never, end: ever, stamp: ever, took: ever, waited: ever, since: never,
		until: ever, right: noRight}
}

// A role is what an event means for stays in the critical section.
type role uint8

const (
	other role = iota
	enters
	leaves
	refused // a release that failed
	crashes
	requests // it asks for units, and waits for them
	renews   // its lease begins anew
	expires  // its lease has ended
	uses     // it uses what the lock protects, with its token
)

// ofLock reports whether events of a role are about a resource.
func (r role) ofLock() bool {
	return r == enters || r == leaves || r == refused || r == renews || r == expires || r == uses
}

// roleOf tells it by the event's name, whose capitals do not matter.
func roleOf(name string) role {
	switch name { // most are written like this
	case "acquire":
		return enters
	case "release":
		return leaves
	}
	switch strings.ToLower(name) {
	case "enter", "acquire", "acquire" + sharedPart:
		return enters
	case "release", "exit", "release" + sharedPart:
		return leaves
	case "renew":
		return renews
	case "expire":
		return expires
	case "use":
		return uses
	case "release-failed":
		return refused
	case "request":
		return requests
	case "crash", "crash while sending":
		return crashes
	}
	return other
}

// Staying reports whether stays can be told by the names of events: some begin them and some
// end them.
func Staying(names []string) bool {
	is := func(r role) bool {
		return slices.ContainsFunc(names, func(name string) bool { return roleOf(name) == r })
	}
	return is(enters) && is(leaves)
}

// Change says what an event of the given name does to the units that its node uses: 1 if it begins a
// stay, -1 if it ends one, 0 if it does neither.
func Change(name string) int {
	return map[role]int{enters: 1, leaves: -1}[roleOf(name)]
}

// Crash reports whether an event of the given name is the crash of its node.
func Crash(name string) bool { return roleOf(name) == crashes }

// instant is the time of a number of nanoseconds; zero for the ends of time.
func instant(ns int64) time.Time {
	if ns == never || ns == ever {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}
