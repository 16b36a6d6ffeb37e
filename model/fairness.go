package model

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// Fair gives a composition the fairness that param.Fairness describes: of each
// process in each of its own steps, requests apart, and in noticing crashes, and of
// each message.
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

// Strength is the fairness that is demanded of steps.
type Strength uint8

const (
	// NoFairness lets steps be put off for ever.
	NoFairness Strength = iota
	// WeakFairness wants that steps which can be taken from some point on, always, are taken.
	WeakFairness
	// StrongFairness wants that steps which can be taken again and again are taken.
	StrongFairness
)

// String names the strength as param.Fairness does.
func (s Strength) String() string { return [...]string{"none", "weak", "strong"}[s] }

// Fair gives a system the fairness that param.Fairness describes, of each instance of
// each ordinary action.
func (s *System[S]) Fair(how string) {
	s.Actions = slices.Clone(s.Actions)
	for i := range s.Actions {
		if a := &s.Actions[i]; a.Kind == protocol.Ordinary {
			a.Fair = Strength(slices.Index([]string{"none", "weak", "strong"}, how))
		}
	}
}

// A StateFairness is a condition on runs without end, about their states. It excludes those in
// which When holds from some point on for ever (Strong: again and again), but Then does not hold
// again and again. Without When it is what is called justice, and a strong one compassion.
type StateFairness[S any] struct {
	Strong bool
	When   func(*S) bool // nil: every state
	Then   func(*S) bool
}

// assume makes properties be about the runs which conditions leave: a lasso of a liveness
// property becomes one that keeps them. A weak one is kept by a visit of its cycle to a state in which
// When does not hold or Then does; a strong one by a cycle that avoids When, or visits Then.
func assume(props []property, conditions []StateFairness[codec.Opaque]) []property {
	return rewritten(props, func(p *property) {
		for _, c := range conditions {
			var lassos []lasso
			for _, l := range p.Lassos {
				lassos = append(lassos, keep(&c, l)...)
			}
			p.Lassos = lassos
		}
	})
}

// keep returns the lassos that are l and keep c.
func keep(c *StateFairness[codec.Opaque], l lasso) []lasso {
	visiting := func(f func(value) bool) lasso {
		l := l
		l.Visits = append(slices.Clip(l.Visits), f)
		return l
	}
	switch {
	case c.When == nil:
		return []lasso{visiting(c.Then)}
	case !c.Strong:
		return []lasso{visiting(func(s value) bool { return !c.When(s) || c.Then(s) })}
	}
	avoiding, avoids := l, l.Avoids
	avoiding.Avoids = func(s value) bool { return c.When(s) || avoids != nil && avoids(s) }
	return []lasso{avoiding, visiting(c.Then)}
}
