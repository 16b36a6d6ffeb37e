// Package movers has the words about messages that a search receives at once: where it tries that, and why it
// gives it up.
package movers

import (
	"cmp"
	"slices"
)

// A Level says where a message is received at once, in the step after which it can be received: nowhere,
// where its process has no step left, or everywhere. A search gives levels up from the highest on.
type Level uint8

// String names the level as reports do.
func (l Level) String() string {
	return [...]string{"nowhere", "where its process has no step left", "everywhere"}[l]
}

// Everywhere reports whether the level is the highest.
func (l Level) Everywhere() bool { return l == 2 }

// Idle reports whether the level is the one below the highest.
func (l Level) Idle() bool { return l == 1 }

// A Message is one that a search met on its way to a process, with its canonical bytes.
type Message struct {
	To, From uint16
	Bytes    []byte
}

// Movers are the messages that a search receives at once. The search begins with a level for each action,
// lowers it when a receipt does not commute, and then begins again.
type Movers struct {
	Names     []string `json:"-"` // of the actions
	Levels    []Level  // per action
	Obstacles []string // per action: why its level was lowered last; "": it never was
	// Seen are the messages that searches met so far, and Guesses the number of searches that
	// began again, as processes were idle for a while only.
	Seen    []Message
	Guesses int
	// Met: per action, whether the search has received such a message at once.
	Met []bool `json:"-"`
	// MayCrash: a receipt that sends is taken at once although its process may crash before it.
	MayCrash bool
	// Fails runs a function that asks the model, and reports whether the model is at fault.
	Fails func(func()) bool `json:"-"`
}

// Add adds an action. A receipt has the highest level.
func (m *Movers) Add(name string, receipt bool) {
	m.Names, m.Levels, m.Obstacles = append(m.Names, name), append(m.Levels, 0), append(m.Obstacles, "")
	if receipt {
		m.Levels[len(m.Levels)-1] = 2
	}
}

// Lower lowers the level of an action, because of an obstacle. Copies of m stay as they are.
func (m *Movers) Lower(action int, obstacle string) {
	if m.Levels[action] > 0 {
		m.Levels, m.Obstacles = slices.Clone(m.Levels), slices.Clone(m.Obstacles)
		m.Levels[action]--
		m.Obstacles[action] = obstacle
	}
}

// Any reports whether some message is received at once.
func (m *Movers) Any() bool {
	return slices.ContainsFunc(m.Levels, func(l Level) bool { return l > 0 })
}

// Of returns where the search received messages of an action at once, and why not elsewhere.
func (m *Movers) Of(action int) (where Level, obstacle string) {
	if where, obstacle = m.Levels[action], m.Obstacles[action]; where > 0 && !m.Met[action] {
		return 0, cmp.Or(obstacle, "none was met in a channel without faults")
	}
	return where, obstacle
}

// GiveUp lowers all levels to the lowest.
func (m *Movers) GiveUp(obstacle string) {
	for action := range m.Levels {
		m.Lower(action, obstacle)
		m.Levels[action] = 0
	}
}
