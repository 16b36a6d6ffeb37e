// Package interp is the interpreter of compositions: what a global state is, which steps are enabled in it,
// and what a step does to it. It is slow and simple, and the oracle of the kernel, with which it shares the
// protocol adapter only: what one process does by itself, with its types erased ([Processes]).
//
// Its users are replay, explorer and naive search (through lts.Plain), simulation (explore/simulate),
// explanations of logs (traces/explain) and real processes (traces/cluster). They need four
// operations:
//
//	state    Start, Clone, and StateOf for a state of the kernel
//	enabled  Events lists what may happen next, cheaply; Enabled runs one of these and yields its steps
//	apply    State.Apply carries a step out in place; to undo it is to keep a Clone, which shares all values
//	view     Inbox, Vars, Key, Code, Hash, and the values themselves
//
// Media, crashes and faults of channels are here once: deliver, deliverable, remove, lose, crash.
package interp
