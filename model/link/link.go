// Package link is the output of a process on a ring: a [Link] to one other process, which opens, breaks and
// is given up. See Links of package model.
package link

import "github.com/atmostk/atmostk/model/protocol"

// A Link is the output of a process.
type Link struct {
	State State
	To    protocol.Proc
	// Cut are the processes to which it cannot be opened any more though they live: see
	// protocol.Faults.Lasting.
	Cut protocol.Set
}

// Reaches reports whether the link can be opened.
func (l *Link) Reaches(dead protocol.Set) bool { return !(dead | l.Cut).Has(l.To) }

// State says what a link is good for.
type State uint8

const (
	// Closed links can be opened.
	Closed State = iota
	// Open links carry messages; the process at their end is alive.
	Open
	// Broken links have lost the process at their end, and their owner does not know yet.
	Broken
	// GivenUp links are never opened again.
	GivenUp
)

// String names the state.
func (s State) String() string {
	return [...]string{"closed", "open", "broken", "given up"}[s]
}
