package model

import (
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/instance"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// What models and the kernel both speak has its home in package protocol, and what those see of a model who
// search and replay in package lts. These are the words that modellers need.

// FewProcs is how many processes an array in a local state has room for where a model is one of few:
// canonical bytes have one at least for each entry. Arrays of this length, and of MaxProcs, are shown
// as far as there are processes.
const FewProcs = protocol.FewProcs

type (
	// Proc is a process, counted from 0 whatever the paper's first index is.
	Proc = protocol.Proc
	// Set is a set of processes.
	Set = protocol.Set
	// A Label says of a step which action it is, and of whom.
	Label = protocol.Label
	// An Event is what a history is told of a step.
	Event = protocol.Event
	// Channel is the discipline of the channels between processes.
	Channel = protocol.Channel
	// Names are the paper's names of the processes.
	Names = values.Names
	// An Error is a mistake in a model.
	Error = check.Error
	// A Counter is a number in a local state that can be forgotten: see Composition.Forget.
	Counter = values.Counter
	// A Choice resolves the nondeterministic picks of a handler.
	Choice = lts.Choice
	// A PerProc is a value of each process.
	PerProc[T comparable] = values.PerProc[T]
	// A State is one global state, spelled out.
	State = lts.State
	// A Var is a variable of a state, ready to be read by a person.
	Var = lts.Var
)

// What Compose and NewSystem make: see package instance.
type (
	// An Instance is a model with all parameters fixed.
	Instance = instance.Instance
	// A Space is what an instance declares.
	Space = instance.Space
	// A Reduction says what a search leaves out.
	Reduction = instance.Reduction
)

// What is to hold: see package property.
type (
	// A Property is a claim about the states of type S or about the steps between them.
	Property[S any] = property.Property[S]
	// An Origin is a class of states, for questions of lost reachability.
	Origin[S any] = property.Origin[S]
	// A Tally bounds how many there are of something.
	Tally[S any] = property.Tally[S]
	// A Lasso describes runs without end that violate a Liveness property.
	Lasso[S any] = property.Lasso[S]
	// A Cost is a bound on messages with what it has to know of states.
	Cost[S any] = property.Cost[S]
	// A Bound limits how many messages a part of a run may cost.
	Bound = property.Bound
	// A Fairness is a condition on runs without end, about steps.
	Fairness = property.Fairness
	// A StateFairness is a condition on runs without end, about their states.
	StateFairness[S any] = property.StateFairness[S]
	// Strength is the fairness that is demanded of steps.
	Strength = property.Strength
	// PropertyKind says at which states or steps a property is judged.
	PropertyKind = property.PropertyKind
	// PropertyInfo describes a property to those who do not judge it.
	PropertyInfo = property.PropertyInfo
)

// Kinds of properties: see package property.
const (
	Invariant     = property.Invariant
	Reachable     = property.Reachable
	Quiet         = property.Quiet
	DeadlockFree  = property.DeadlockFree
	StepInvariant = property.StepInvariant
	Liveness      = property.Liveness
	Costs         = property.Costs
)

// Strengths of fairness.
const (
	NoFairness     = property.NoFairness
	WeakFairness   = property.WeakFairness
	StrongFairness = property.StrongFairness
)

// Catch is deferred where a model is executed, and puts what goes wrong in it into an Error: see check.Catch.
var Catch = check.Catch

// Kinds of actions.
const (
	// Spontaneous steps may happen and need not: a state in which only they are left is quiet.
	Spontaneous = protocol.Spontaneous
	// Fault steps are the adversary's: crashes. They never have to happen.
	Fault = protocol.Fault
)

// Disciplines of channels.
const (
	// Bag channels deliver messages in any order.
	Bag = protocol.Bag
	// FIFO channels keep the order, for each ordered pair of processes.
	FIFO = protocol.FIFO
)

// PerProcOf returns the values of the first processes; those of others are zero.
func PerProcOf[T comparable](of ...T) PerProc[T] { return values.PerProcOf(of...) }

// Count returns the counter that stands at n, which must not be 2147483648.
func Count(n uint32) Counter { return values.Count(n) }

// VarsOf lists a variable that each of some processes has: value i is that of owner i.
func VarsOf[T any](owners []string, name string, of []T) []Var {
	return values.VarsOf(owners, name, of)
}

// SetOf returns the set of the given processes.
func SetOf(ps ...Proc) Set { return protocol.SetOf(ps...) }

// All returns the set of the first n processes, 0 to n-1.
func All(n int) Set { return protocol.All(n) }
