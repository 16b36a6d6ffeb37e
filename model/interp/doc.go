// Package interp is the interpreter of compositions: global states, their enabled steps,
// and the effect of a step. It is slow and simple, and the oracle of the kernel, with which it shares the
// protocol adapter only: the steps of one process, with its types erased ([Processes]).
//
// Its users are replay, explorer and naive search (through lts.Plain), simulation (explore/simulate),
// explanations of logs (traces/explain) and real processes (traces/cluster). They need four
// operations:
//
//	state    Start, Clone, and StateOf for a state of the kernel
//	enabled  Idle and Receipts list possible events, cheaply; Enabled runs one and yields its steps
//	apply    State.Apply carries a step out in place; to undo it, keep a Clone, which shares all values
//	view     Inbox, Vars, Key, Code, Hash, and the values themselves
//
// Media, crashes and faults of channels are here once: deliver, deliverable, remove, lose, crash.
package interp
