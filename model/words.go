package model

import (
	"github.com/atmostk/atmostk/model/lts"
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
	// A PerProc is a value of each process.
	PerProc[T comparable] = values.PerProc[T]
	// A State is one global state, spelled out.
	State = lts.State
	// A Var is a variable of a state, ready to be read by a person.
	Var = lts.Var
)

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

// SetOf returns the set of the given processes.
func SetOf(ps ...Proc) Set { return protocol.SetOf(ps...) }

// All returns the set of the first n processes, 0 to n-1.
func All(n int) Set { return protocol.All(n) }
