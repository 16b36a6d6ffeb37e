// Package traces handles single runs of a model. It makes counterexamples that people
// understand, that can be replayed, and that other tools can read.
//
// A Trace is the content of a file. A Run is a trace with the states of the model. A run comes from a search
// (FromPath, FromRun), or from a file that was read and replayed (Read, Replay). Tidy and Minimise make a run
// easier to understand, Render shows it.
//
// # The format
//
// A file consists of lines, each of them a JSON object. The first line is the header, the second the initial
// state, every other line a step. Schema describes the same fields, for programs. Read ignores unknown
// fields. If a field is missing or contradicts another one, the error names the line. A line has at most 12
// MiB, a trace 100,000 steps, a file 256 MiB.
//
// The header:
//
//	schema      version of the format, 1
//	spec        name of the model
//	parameters  all parameters of the model with their values, as text
//	typed       the names of the parameters that the user gave; optional
//	property    name of the property that the run shows; empty: none
//	kind        its kind: invariant, reachability, quiet states, deadlock, steps,
//	            liveness, costs; run without a property; model error
//	verdict     the verdict on it: reached for a goal, possible without a
//	            property, model error with field mistake, violated otherwise
//	mistake     the model error that the run shows; only with the verdict model error
//	tool        name and version of the program that wrote the file; optional
//	cycle-at    only in a run without end: the last state equals the state after
//	            this step; the index of the last step itself if the run stays in
//	            its state (stuttering)
//	steps       the number of steps after the initial state, so that a file
//	            without its last lines differs from a shorter trace
//	digest      16 hexadecimal digits computed from schema, spec, parameters,
//	            property, kind and verdict: it detects an edited header, because
//	            the same steps may also be a run of another instance. Optional:
//	            remove it to replay a trace with another instance
//
// A step:
//
//	step        its index; 0 is the initial state
//	node        the process that acted; absent from the initial state and from
//	            steps of no process
//	event       the paper's name of the action; absent from the initial state only
//	source      the lines of the paper; optional
//	text        a description for people; replay uses it only to
//	            choose between steps that differ in nothing else; optional
//	received    the message received: id, from, to, text; absent if none
//	sent        the messages put into channels, in that order
//	lost        messages that left their channels and that no process will receive
//	noticed     the process whose crash the node noticed
//	crashed     true if the node is dead after the step; together with sent, a
//	            crash in the middle of sending
//	changed     the variables that are new or have a new value:
//	            owner (absent from global ones), name, value; in step 0 all. The
//	            choices made in a step show in its changes
//	gone        the variables that no longer exist, with their last values
//	inside      the users of units of the resource after the step: owner, units
//	failed      the model error in the step; only in the last step
//
// Messages have the ids m1, m2 and so on in the order of sending. A receipt or a loss has the id of its send.
// Of equal messages between the same processes the oldest counts as received first. Messages in channels in
// the initial state have the id m0.
//
// # Replay
//
// Replay does not trust the file. It begins in an initial state of the model. For each recorded step it looks
// for an enabled step with the same event, node, message, notice and crash, the same sends and the same
// changes. At the end it judges the property. Several states can fit a trace: their variables look the same,
// but the order of messages in FIFO channels is not listed. Replay follows up to 64 such states side by side.
//
// # Tidying and minimising
//
// Tidy and Minimise execute every run that they return. Tidy keeps the steps and the last state. It finds an
// order with the fewest switches between processes among the orders that respect the known causes; for a long
// run it may miss the best order. From the result of Minimise no single step can be left out, unless its
// budget was used up. Neither makes a run longer.
package traces
