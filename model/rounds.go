package model

import (
	"slices"
	"strconv"
)

// Rounds is how often a process will still request.
type Rounds uint8

// Next returns what is left after one request.
func (r Rounds) Next() Rounds {
	if r == Forever {
		return r
	}
	return r - 1
}

func (r Rounds) String() string {
	if r == Forever {
		return "inf"
	}
	return strconv.Itoa(int(r))
}

// Forever is the number of rounds of a process that requests for ever.
const Forever = 255

// Rounds returns the value of param.Rounds for n processes: Forever is inf.
func (a *Args) Rounds(n int) []int { return a.PerProcess("rounds", n) }

// Endless gives a composition the fairness and the bounds of param.Endless, and, if
// some process requests for ever, its clocks.
func (c *Composition[L, M, H]) Endless(a *Args, rounds []int, clocks Clocks[L, M]) {
	c.Network.MaxInFlight = a.Int("max-in-flight")
	clocks.MaxSkew = a.Int("max-skew")
	if slices.Contains(rounds, Forever) {
		c.Clocks = &clocks
	} else if clocks.MaxSkew > 0 {
		a.Reject("max-skew", "it is about rounds=inf; where all runs end, allowed is 0")
	}
	c.Fair(a.String("fairness"))
}
