// Package protocol is the interface between models and the kernel that explores them: processes, steps,
// media, and the questions that the kernel asks about a model. Local states, messages and histories
// are canonical bytes here: equal values have equal bytes, on every machine, and different ones
// have different bytes.
//
// A Protocol is a set of processes that exchange messages, a System one process that is the whole
// state. Neither depends on the way in which states are stored, or on the order in which they are found.
package protocol
