package model

import (
	"reflect"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/instance"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// The types that models and the kernel share are in package protocol, the interfaces of search and replay
// in package lts. These are the names that models need.

// FewProcs is the length of arrays per process in local states of models with few processes:
// canonical bytes have at least one for each entry. Arrays of this length, and of MaxProcs, are shown
// up to the number of processes.
const FewProcs = protocol.FewProcs

type (
	// Proc is a process, counted from 0 whatever the paper's first index is.
	Proc = protocol.Proc
	// Set is a set of processes.
	Set = protocol.Set
	// A Label is the action of a step and its processes.
	Label = protocol.Label
	// An Event describes a step to a history.
	Event = protocol.Event
	// Channel is the discipline of the channels between processes.
	Channel = protocol.Channel
	// Names are the paper's names of the processes.
	Names = values.Names
	// An Error is a mistake in a model.
	Error = check.Error
	// A Counter is a number in a local state or message that can be forgotten: see Composition.Forget.
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

// Results of Compose and NewSystem: see package instance.
type (
	// An Instance is a model with all parameters fixed.
	Instance = instance.Instance
	// A Space has the declarations of an instance.
	Space = instance.Space
	// A Reduction lets a search leave out states.
	Reduction = instance.Reduction
)

// Properties and fairness: see package property.
type (
	// A Property is a claim about the states of type S or about the steps between them.
	Property[S any] = property.Property[S]
	// An Origin is a class of states, for questions of lost reachability.
	Origin[S any] = property.Origin[S]
	// A Tally bounds a count.
	Tally[S any] = property.Tally[S]
	// A Lasso describes runs without end that violate a Liveness property.
	Lasso[S any] = property.Lasso[S]
	// A Cost is a bound on messages with a function of states.
	Cost[S any] = property.Cost[S]
	// A Bound limits the number of messages of a part of a run.
	Bound = property.Bound
	// A Fairness is a condition on runs without end, about steps.
	Fairness = property.Fairness
	// A StateFairness is a condition on runs without end, about their states.
	StateFairness[S any] = property.StateFairness[S]
	// Strength is the fairness of steps.
	Strength = property.Strength
	// PropertyKind is the kind of states, steps or runs that a property judges.
	PropertyKind = property.PropertyKind
	// PropertyInfo describes a property to readers that do not judge it.
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

// Catch is deferred where a model is executed, and stores its mistake in an Error: see check.Catch.
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

// Count returns the counter with value n, which must not be 2147483648.
func Count(n uint32) Counter { return values.Count(n) }

// VarsOf lists a variable of each of some processes: of[i] belongs to owners[i].
func VarsOf[T any](owners []string, name string, of []T) (vars []Var) {
	for i, p := range owners {
		vars = append(vars, Var{Owner: p, Name: name, Value: values.Show(reflect.ValueOf(of[i]), Names{})})
	}
	return vars
}

// SetOf returns the set of the given processes.
func SetOf(ps ...Proc) Set { return protocol.SetOf(ps...) }

// All returns the set of the first n processes, 0 to n-1.
func All(n int) Set { return protocol.All(n) }
