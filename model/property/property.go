// Package property has demands on models and assumptions on their runs: a [Property] of states,
// of steps or of runs without end, a [Fairness], a [Cost]. [Judges] evaluate properties whose types are
// erased.
package property

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A Property is a claim about the states of type S or about the steps between them.
type Property[S any] struct {
	Name   string
	Doc    string // one sentence
	Source string // paper and place of the claim
	Kind   PropertyKind
	// OnRequest properties are checked only when asked for by name.
	OnRequest bool
	// Moot is the reason why the property is not asked in this instance, a sentence: the answer follows
	// from the parameters and not from the algorithm, or nobody claims it for them. The property
	// is then checked only when asked for by name. "": it is asked.
	Moot string
	// Excuse is the reason why the subject of the property, or of a part of it, may not come up in this
	// instance, a sentence that is shown if it holds vacuously. "": that would be a mistake.
	Excuse string
	// Unmet returns, after all states were judged, why the property is vacuous: premises that never held.
	// Nil: not known.
	Unmet func() []string
	// Trivial is the reason why no algorithm can violate an invariant in this instance, a sentence: it then
	// holds vacuously. "": one can violate it.
	Trivial string
	// Idle is the reason why a Quiet property is vacuous if it holds in every state, quiet or not: nobody
	// ever waits. "": it is not vacuous then.
	Idle string
	// Holds judges a state. For Reachable it is the goal; DeadlockFree,
	// StepInvariant, Liveness and Costs do not use it.
	Holds func(*S) bool
	// OfUse may replace Holds. It reads the number of units that live processes use, and the number
	// of live processes; a System needs Units. In a Composition the search judges it by table, and
	// also the others here. OfLocal and OfInbox have to hold for every live process; one reads only
	// its local state, the other only its inbox. Clear reads only the local state, and is set in addition
	// to Holds: if Clear is true for every live process, Holds is true and is not called.
	OfUse                   func(used, live int) bool
	OfLocal, OfInbox, Clear func(*S, protocol.Proc) bool
	// OfCount may replace Holds, too, in a Composition.
	OfCount *Tally[S]
	// HoldsStep judges the steps of the actions named in Steps (StepInvariant only). by is the
	// process that acts; in a System the owner, or without one the number of the instance.
	HoldsStep func(from *S, by protocol.Proc, to *S) bool
	Steps     []string // or AnyStep
	// Beside lists further variables of a state, which runs of the property show with the state; nil: none.
	Beside func(*S) []lts.Var
	// Blame names the processes that a violation is about, and the offence in a clause such as "the smaller
	// request of p2 waits", for the headline of a run. from and by are the ones of HoldsStep, and nil and 0
	// for a property of states. nil: the processes for which OfLocal or OfInbox does not hold, or the
	// largest use that OfUse allows.
	Blame func(name func(protocol.Proc) string, from *S, by protocol.Proc, to *S) (protocol.Set, string)
	// Lassos describe the violations (Liveness only).
	Lassos []Lasso[S]
	// Cost is the bound (Costs only).
	Cost *Cost[S]
	// Origins are classes of states from which a Reachable goal should stay reachable.
	Origins []Origin[S]
	// Each are properties of the same kind that together are this one; the fields from Holds to
	// Origins are not set then: see invariants.Each. The report names the one that is violated.
	Each []Property[S]
}

// AnyStep stands for all actions, alone in Steps.
const AnyStep = "*"

// An Origin is a class of states, for questions of lost reachability.
type Origin[S any] struct {
	Name string
	In   func(*S) bool
}

// A Tally bounds a count: Local and Inbox count in each live process, and read
// only its local state, or its inbox; nil: 0. The sum has to be between Least and Most.
type Tally[S any] struct {
	Local, Inbox func(*S, protocol.Proc) int
	Least, Most  int
}

type (
	// Erased is a property with its types erased: it is about a Global, or about a state of a system.
	Erased = Property[codec.Opaque]
	lasso  = Lasso[codec.Opaque]
)

// Allows reports whether a count is within the bounds.
func (c *Tally[S]) Allows(n int) bool { return c.Least <= n && n <= c.Most }

// Infos describes properties.
func Infos(ps []Erased) []PropertyInfo {
	is := make([]PropertyInfo, len(ps))
	for i, p := range ps {
		is[i] = PropertyInfo{Name: p.Name, Doc: p.Doc, Source: p.Source, Kind: p.Kind, OnRequest: p.OnRequest,
			Moot: p.Moot, Excuse: p.Excuse, Trivial: p.Trivial, Idle: p.Idle, Unmet: p.Unmet,
			Steps: p.Steps, OfUse: p.OfUse != nil}
		for _, l := range p.Lassos {
			is[i].Lassos = append(is[i].Lassos, lts.LassoInfo{Initially: l.Initially, Visits: len(l.Visits),
				Fulfilled: l.Never != nil || l.Avoids != nil})
		}
		k := 0
		for _, part := range p.Each {
			for range part.Lassos {
				is[i].Lassos[k].Part = part.Name
				k++
			}
		}
		if p.Cost != nil {
			is[i].Bound = &p.Cost.Bound
		}
		for _, o := range p.Origins {
			is[i].Origins = append(is[i].Origins, o.Name)
		}
	}
	return is
}

// Judges is the part of judging states that systems and compositions share.
type Judges struct {
	Props    []Erased
	OfKind   [numKinds]uint64 // the properties of each kind
	OfStates uint64           // the invariants and reachability goals
	Answers  uint64           // properties with an answer about any state
	Steps    []uint64         // per action: its step invariants
}

// NewJudges groups properties by kind, and by the actions whose steps they judge.
func NewJudges(props []Erased, actions []lts.Action) Judges {
	j := Judges{Props: props, Steps: make([]uint64, len(actions))}
	for i, p := range props {
		j.OfKind[p.Kind] |= 1 << i
		if p.Origins != nil {
			j.Answers |= 1 << i
		}
		for a, action := range actions {
			if slices.Contains(p.Steps, action.Name) || slices.Contains(p.Steps, AnyStep) {
				j.Steps[a] |= 1 << i
			}
		}
	}
	j.OfStates = j.OfKind[Invariant] | j.OfKind[Reachable]
	j.Answers |= j.OfStates | j.OfKind[Liveness]
	return j
}

// flags returns whether property i has to be reported in state s: a goal that is
// reached, or another property that does not hold.
func (j *Judges) flags(s codec.Value, i int) bool {
	p := &j.Props[i]
	return p.Holds(s) == (p.Kind == Reachable)
}

func (j *Judges) context(i int, s lts.State) func() check.Error {
	return func() check.Error {
		return check.Error{Part: "property " + j.Props[i].Name, State: check.Described(s)}
	}
}

// States judges s by the invariants and reachability goals among which.
func (j *Judges) States(s codec.Value, which uint64) uint64 {
	return j.mask(s, which&j.OfStates)
}

// Quiet judges s, a quiet state, by the Quiet properties among which.
func (j *Judges) Quiet(s codec.Value, which uint64) uint64 {
	return j.mask(s, which&j.OfKind[Quiet])
}

func (j *Judges) mask(s codec.Value, which uint64) (m uint64) {
	for ; which != 0; which &= which - 1 {
		if i := bits.TrailingZeros64(which); j.flags(s, i) {
			m |= 1 << i
		}
	}
	return m
}

// Step judges a step by the step invariants of its action.
func (j *Judges) Step(
	from codec.Value, action int, by protocol.Proc, to codec.Value, which uint64,
) (m uint64) {
	for i := range j.Props {
		if which&j.Steps[action]>>i&1 == 1 && !j.Props[i].HoldsStep(from, by, to) {
			m |= 1 << i
		}
	}
	return m
}

func (j *Judges) origins(s codec.Value, i int) (m uint64) {
	for o, origin := range j.Props[i].Origins {
		if origin.In(s) {
			m |= 1 << o
		}
	}
	return m
}

// part returns the property among Each of property i that does not hold in state to or, if from is not nil,
// for the step of a process from there to to; property i itself if it has no parts.
func (j *Judges) part(from codec.Value, by protocol.Proc, to codec.Value, i int) (p *Erased, is bool) {
	p = &j.Props[i]
	for k := range p.Each {
		part := &p.Each[k]
		if from != nil && !part.HoldsStep(from, by, to) ||
			from == nil && part.Holds != nil && !part.Holds(to) {
			return part, true
		}
	}
	return p, false
}

// Rewritten returns the properties, and their parts in Each, as f changes them.
func Rewritten(ps []Erased, f func(p *Erased)) []Erased {
	ps = slices.Clone(ps)
	for i := range ps {
		if ps[i].Each != nil {
			ps[i].Each = Rewritten(ps[i].Each, f)
		}
		f(&ps[i])
	}
	return ps
}

// Merged returns the properties, completing the ones made by Each. If parts have no name, or two the same,
// they are named after the processes, if each of these has one part. Otherwise several parts get numbers.
func Merged(ps []Erased, processes []string) []Erased {
	ps = slices.Clone(ps)
	for i := range ps {
		p := &ps[i]
		if p.Each == nil {
			continue
		}
		p.Each = slices.Clone(p.Each)
		p.Steps = p.Each[0].Steps
		parts, names := p.Each, map[string]bool{"": true}
		for k := range parts {
			names[parts[k].Name] = true
			p.Lassos = append(p.Lassos, parts[k].Lassos...)
		}
		for k := range parts {
			switch {
			case len(names) > len(parts): // all have different ones
			case len(parts) == len(processes):
				parts[k].Name = processes[k]
			case len(parts) > 1:
				parts[k].Name = fmt.Sprintf("part %d of %d", k+1, len(parts))
			}
		}
		switch p.Kind {
		case Invariant, Quiet:
			p.Holds = func(s codec.Value) bool {
				return !slices.ContainsFunc(parts, func(q Erased) bool { return !q.Holds(s) })
			}
		case StepInvariant:
			p.HoldsStep = func(from codec.Value, by protocol.Proc, to codec.Value) bool {
				return !slices.ContainsFunc(parts, func(q Erased) bool { return !q.HoldsStep(from, by, to) })
			}
		}
	}
	return ps
}

// Blaming returns the property with the processes and the offence of a violation; see Blame.
func (p Property[S]) Blaming(blame func(name func(protocol.Proc) string, from *S, by protocol.Proc,
	to *S) (protocol.Set, string)) Property[S] {
	p.Blame = blame
	return p
}

// As returns the property under another name, sentence and source.
func (p Property[S]) As(name, doc, source string) Property[S] {
	p.Name, p.Doc, p.Source = name, doc, source
	return p
}

// From returns the property with the place where its source claims it.
func (p Property[S]) From(source string) Property[S] {
	p.Source = source
	return p
}

// MootIf returns the property with the reason why it is not asked in this instance; "": it is asked.
func (p Property[S]) MootIf(why string) Property[S] {
	p.Moot = why
	return p
}

// ExcusedBy returns the property with the reason why it may hold vacuously.
func (p Property[S]) ExcusedBy(why string) Property[S] {
	p.Excuse = why
	return p
}

// TrivialIf returns the property with the reason why no algorithm can violate it in this
// instance; "": one can violate it.
func (p Property[S]) TrivialIf(why string) Property[S] {
	p.Trivial = why
	return p
}

// OnlyOnRequest returns the property; if only, it is checked only when asked for by name.
func (p Property[S]) OnlyOnRequest(only bool) Property[S] {
	p.OnRequest = only
	return p
}

// A Bound limits the number of messages of a part of a run.
type Bound struct {
	// Opens and Closes name actions. For each process the messages charged to it count from a step that
	// opens, the last of several, to the next one that closes, both included. Without them all messages of
	// whole runs count, up to a quiet state. A step that leaves the constraint is not part of a run.
	Opens, Closes []string
	// Least and Most are the limits, for whole runs per request served. A
	// Most of 0 is no limit.
	Least, Most int
}

// Whole reports whether the bound is about whole runs.
func (b *Bound) Whole() bool { return len(b.Opens) == 0 }

// Allows reports whether count messages for a number of requests are within the limits.
func (b *Bound) Allows(count, requests int) bool {
	return count >= b.Least*requests && (b.Most == 0 || count <= b.Most*requests)
}

// A Cost is a bound with a function of states.
type Cost[S any] struct {
	Bound
	// Served returns the number of requests that were served in a run that ends in s; 0: the
	// bound is not about such a run. For bounds on whole runs only.
	Served func(s *S) int
}

func (j *Judges) served(s codec.Value, i int) int { return j.Props[i].Cost.Served(s) }

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
