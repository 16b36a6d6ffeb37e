package lts

import (
	"fmt"

	"github.com/atmostk/atmostk/model/protocol"
)

// A Choice resolves the nondeterministic picks of a handler. The handler runs
// once for each combination of picks, so after the same results of earlier picks
// it must make the same next pick.
type Choice struct {
	picks []pick
	at    int
	draw  func(n int) int // draws each pick of a single run; nil: all picks in turn
}

type pick struct{ value, of int }

// mostPicks is the largest number of picks in a step. That many picks, each among two or more, have too many
// successors to search; a handler that picks until it gets a certain result does not end.
const mostPicks = 1 << 12

// mostDrawn is the largest number of picks in a step of a single run, which may have many processes.
const mostDrawn = 1 << 20

// Drawn makes draw choose each pick of the next run; nil: all picks in turn.
func (c *Choice) Drawn(draw func(n int) int) { c.draw, c.at, c.picks = draw, 0, c.picks[:0] }

// Picked reports whether the run has picked.
func (c *Choice) Picked() bool { return c.at > 0 }

// Pick returns a number from 0 to n-1, a different one in each run. n must be at least 1.
func (c *Choice) Pick(n int) int {
	switch {
	case n < 1:
		panic(protocol.Mistake{What: fmt.Sprintf("Pick(%d); allowed are numbers from 1 on", n)})
	case c.at == mostPicks && c.draw == nil, c.at == mostDrawn:
		panic(protocol.Mistake{What: fmt.Sprintf("it picks more than %d times in one step; allowed are "+
			"%[1]d, as a loop that picks on until a pick comes out right never ends", c.at)})
	case c.draw != nil:
		c.at++
		return c.draw(n)
	case c.at == len(c.picks):
		c.picks = append(c.picks, pick{0, n})
	case c.picks[c.at].of != n:
		panic(protocol.Mistake{What: fmt.Sprintf("Pick(%d) where it was Pick(%d) the time before, after the "+
			"same picks", n, c.picks[c.at].of)})
	}
	v := c.picks[c.at].value
	c.at++
	return v
}

// Again moves on to the next combination of picks; after the last it returns false
// and starts again.
func (c *Choice) Again() bool {
	c.picks = c.picks[:c.at]
	c.at = 0
	for i := len(c.picks) - 1; i >= 0; i-- {
		if c.picks[i].value+1 < c.picks[i].of {
			c.picks[i].value++
			c.picks = c.picks[:i+1]
			return true
		}
	}
	c.picks = c.picks[:0]
	return false
}
