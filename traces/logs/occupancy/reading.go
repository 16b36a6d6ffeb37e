package occupancy

import "github.com/atmostk/atmostk/traces/logs/formats"

// A Reading says how the events of nodes make holdings.
type Reading struct {
	Ending Ending
	// Nested: acquisitions of a holder add up. Reentrant: they do not; the holder has to release as often as
	// it has acquired.
	Nested, Reentrant bool
	// Leases: a holding ends with its lease, whatever its node does then. Otherwise a lease ends only
	// holdings that nothing else ends.
	Leases bool
	// Complete: no line is missing.
	Complete bool
	Rules
}

// Rules are promises of a lock besides its number of units. The zero value promises nothing.
type Rules struct {
	Held    bool // only a holder releases, renews its lease or uses the lock, and not after its lease
	Once    bool // the only unit is not granted to its holder again
	Elects  bool // a holder may be elected again, and each use carries the latest token handed out
	Answers bool // each request has one answer, and what is refused is not free
	Shared  bool // the lock is one of readers and writers, even if nobody reads
}

// regards reports whether events of a role are about a resource.
func (r *Reading) regards(role formats.Role) bool {
	return role.OfLock() || r.Answers && role == formats.Requests
}

// An Ending says how long a node holds its units if its log has no release of them.
type Ending int

// The endings. Auto: the units of a node that has logged its crash are free if the log names a model, as in
// models; a holding without a release is Held if the log is complete, as a history of Jepsen is, or if a
// release of it failed; otherwise it is Possibly.
const (
	Auto     Ending = iota
	Possibly        // held up to the node's last event for certain, and for ever possibly
	Held            // held for ever: only a release frees units
	Free            // held up to the node's last event
)

// Endings are the names of the endings, by value.
var Endings = []string{"auto", "possibly", "held", "free"}
