package protocol

import "slices"

// A MoverLevel says when messages that an action receives are received at once, in the step after which they
// can be received.
type MoverLevel uint8

// The levels, in the order in which a search gives them up.
const (
	NoMover   MoverLevel = iota
	IdleMover            // where the process has no step of its own
	Mover                // everywhere
)

// String names the level as reports do.
func (l MoverLevel) String() string {
	return [...]string{"nowhere", "where its process has no step left", "everywhere"}[l]
}

// Movers are the messages that a search receives at once. The search begins with a level for each action,
// lowers it when a receipt does not commute, and then begins again.
type Movers struct {
	Names     []string     // of the actions
	Levels    []MoverLevel // per action
	Obstacles []string     // per action: why its level was lowered last; "": it never was
	// Seen are the messages to each process that searches met so far, and Guesses the number of searches that
	// began again, as processes were idle for a while only.
	Seen [][]Envelope
	// MayCrash: a receipt that sends is taken at once although its process may crash before it.
	MayCrash bool
	Guesses  int
	// Fails runs a function that asks the model, and reports whether the model is at fault.
	Fails func(func()) bool
}

// Lower lowers the level of an action, because of an obstacle.
func (m *Movers) Lower(action int, obstacle string) {
	if m.Levels[action] > NoMover {
		m.Levels[action]--
		m.Obstacles[action] = obstacle
	}
}

// Any reports whether some message is received at once.
func (m *Movers) Any() bool {
	return slices.ContainsFunc(m.Levels, func(l MoverLevel) bool { return l > NoMover })
}

// GiveUp lowers all levels to the lowest.
func (m *Movers) GiveUp(obstacle string) {
	for action := range m.Levels {
		for m.Levels[action] > NoMover {
			m.Lower(action, obstacle)
		}
	}
}
