package property

import (
	"slices"

	"github.com/atmostk/atmostk/model/codec"
)

// Strength is the fairness of steps.
type Strength uint8

const (
	// NoFairness lets steps be put off for ever.
	NoFairness Strength = iota
	// WeakFairness demands that steps which can always be taken, from some point on, are taken.
	WeakFairness
	// StrongFairness demands that steps which can be taken again and again are taken.
	StrongFairness
)

// String names the strength as param.Fairness does.
func (s Strength) String() string { return [...]string{"none", "weak", "strong"}[s] }

// A StateFairness is a condition on runs without end, about their states. It excludes those in
// which When holds from some point on for ever (Strong: again and again), but Then does not hold
// again and again. Without When it is called justice, and a strong one compassion.
type StateFairness[S any] struct {
	Strong bool
	When   func(*S) bool // nil: every state
	Then   func(*S) bool
}

// Assume restricts properties to the runs that keep conditions: a lasso of a liveness
// property becomes one that keeps them. A weak one is kept by a visit of its cycle to a state in which
// When does not hold or Then does; a strong one by a cycle that avoids When, or visits Then.
func Assume(props []Erased, conditions []StateFairness[codec.Opaque]) []Erased {
	return Rewritten(props, func(p *Erased) {
		for _, c := range conditions {
			var lassos []lasso
			for _, l := range p.Lassos {
				lassos = append(lassos, keep(&c, l)...)
			}
			p.Lassos = lassos
		}
	})
}

// keep returns the lassos for those runs of l that keep c.
func keep(c *StateFairness[codec.Opaque], l lasso) []lasso {
	visiting := func(f func(codec.Value) bool) lasso {
		l := l
		l.Visits = append(slices.Clip(l.Visits), f)
		return l
	}
	switch {
	case c.When == nil:
		return []lasso{visiting(c.Then)}
	case !c.Strong:
		return []lasso{visiting(func(s codec.Value) bool { return !c.When(s) || c.Then(s) })}
	}
	avoiding, avoids := l, l.Avoids
	avoiding.Avoids = func(s codec.Value) bool { return c.When(s) || avoids != nil && avoids(s) }
	return []lasso{avoiding, visiting(c.Then)}
}
