package protocol

// A Link is the output of a process on a ring: see Links of package model.
type Link struct {
	State LinkState
	To    Proc
	// Cut are live processes to which it cannot be opened any more: see
	// Faults.Lasting.
	Cut Set
}

// Reaches reports whether the link can be opened.
func (l *Link) Reaches(dead Set) bool { return !(dead | l.Cut).Has(l.To) }

// LinkState is the state of a link.
type LinkState uint8

const (
	// ClosedLink can be opened.
	ClosedLink LinkState = iota
	// OpenLink carries messages; the process at its end is alive.
	OpenLink
	// BrokenLink has lost the process at its end, and its owner does not know yet.
	BrokenLink
	// GivenUpLink is never opened again.
	GivenUpLink
)

// String names the state.
func (s LinkState) String() string {
	return [...]string{"closed", "open", "broken", "given up"}[s]
}
