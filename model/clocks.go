package model

import (
	"fmt"
	"strings"
)

// Clocks declares logical clocks, such as Lamport's. They grow for ever where runs
// go on for ever, but if handlers only compare times, and make new ones by adding
// to some, then only differences matter: states are stored up to a common shift of
// all times of all live processes and of all messages under way to them. Two
// states are one if and only if one is the other, shifted.
//
// A value that means "never" is no time; a time is never confused with it, as the
// least time of a stored state is 1. Histories hold no times.
type Clocks[L, M any] struct {
	// Local calls visit for each time in l, Message for each time in m.
	Local   func(l *L, visit func(*uint32))
	Message func(m *M, visit func(*uint32))
	// MaxSkew bounds the difference between two times of a state; 0: no bound. States
	// beyond are cut off: see Enabled.Beyond.
	MaxSkew int
	// Within is a further bound, for counters that grow for ever: it holds of the local
	// states that are not beyond it; Limit says it in words. Nil: there is none.
	Within func(l *L) bool
	Limit  string
}

// bounds says in words what cuts off states; "" if nothing does.
func (c *composition) bounds() string {
	var all []string
	if c.Clocks != nil && c.Clocks.MaxSkew > 0 {
		all = append(all, fmt.Sprintf("times at most %d apart", c.Clocks.MaxSkew))
	}
	if c.Network.MaxInFlight > 0 {
		all = append(all, fmt.Sprintf("at most %d messages under way", c.Network.MaxInFlight))
	}
	if c.Clocks != nil && c.Clocks.Within != nil {
		all = append(all, c.Clocks.Limit)
	}
	return strings.Join(all, ", ")
}
