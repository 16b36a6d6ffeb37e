package model

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/protocol"
)

// Fair gives a composition the fairness that param.Fairness describes: for each
// process and each of its own actions other than requests, for its crash notices, and
// for each message. A partition that heals ends.
func (c *Composition[L, M, H]) Fair(how string) {
	if how == "none" {
		return
	}
	strong := how == "strong"
	c.Delivery = lts.WeakDelivery
	if strong {
		c.Delivery = lts.StrongDelivery
	}
	condition := func(p Proc, action int, name string) {
		c.Fairness = append(c.Fairness, Fairness{
			Name: fmt.Sprintf("%s fairness of %s, %s", how, c.Names.Of(p), name), Strong: strong,
			Has: func(l Label) bool { return int(l.Action) == action && l.Proc == uint8(p) },
		})
	}
	if c.Network.Faults.Heals {
		heal := c.erased().indexOfFault(protocol.Heal)
		c.Fairness = append(c.Fairness, Fairness{
			Name: "a partition ends", Has: func(l Label) bool { return int(l.Action) == heal },
		})
	}
	for p := range Proc(c.N) {
		for i, h := range c.Local {
			if !h.Request && h.Kind == protocol.Ordinary {
				condition(p, i, h.Name)
			}
		}
		if c.Notice != nil && c.Network.Crashes > 0 {
			condition(p, len(c.Local)+len(c.Receive), c.Notice.Name)
		}
	}
}

// Fair gives a system the fairness that param.Fairness describes, for each instance of
// each ordinary action.
func (s *System[S]) Fair(how string) {
	s.Actions = slices.Clone(s.Actions)
	for i := range s.Actions {
		if a := &s.Actions[i]; a.Kind == protocol.Ordinary {
			a.Fair = Strength(slices.Index([]string{"none", "weak", "strong"}, how))
		}
	}
}

// Rounds is the number of requests that a process will still make.
type Rounds uint8

// Next returns the number that is left after one more request.
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
	clocks.ByOrder = a.AnyRounds()
	if clocks.ByOrder && clocks.Seen == nil {
		a.Reject("rounds", "no variable of the model is a clock, for times that count by their order only: "+
			"allowed are 0 to 15 and inf")
	}
	if clocks.ByOrder && clocks.MaxSkew > 0 {
		a.Reject("max-skew", "with rounds=any times have no differences, only their order; allowed is 0")
	}
	if slices.Contains(rounds, Forever) {
		c.Clocks = &clocks
	} else if clocks.MaxSkew > 0 {
		a.Reject("max-skew", "it is about rounds=inf; where all runs end, allowed is 0")
	}
	c.Fair(a.String("fairness"))
}

// anyRounds is the value of param.Rounds of a process that requests for ever, where times count by their
// order only.
const anyRounds = "any"

// AnyRounds reports whether times count by their order only.
func (a *Args) AnyRounds() bool { return slices.Contains(param.List(a.String("rounds")), anyRounds) }
