// Package traces is about single runs of a model: a counterexample that a person
// understands, that can be executed again, and that other tools can read.
//
// A Trace is what stands in a file. A Run is a trace together with the states of
// the model that it stands for; it comes from a search (FromPath, FromRun) or
// from a file that was read and executed again (Read, Replay). Tidy and Minimise
// make a run easier to understand, Render shows it.
//
// # The format
//
// A file consists of lines, each of them a JSON object. The first line is the
// header, the second the initial state, every other one a step. Schema is the
// same as what follows, for programs. Unknown fields are ignored. A field that is
// missing, or that contradicts another, is an error that names the line. A line
// has at most 1 MiB, a trace 100,000 steps, a file 256 MiB.
//
// The header:
//
//	schema      version of the format, 1
//	spec        name of the model
//	parameters  all parameters of the model with their values, as text
//	property    name of the property that the run is shown for; empty: for none
//	kind        its kind: invariant, reachability, quiet states, deadlock, steps;
//	            run if there is no property
//	verdict     what the run shows of it: reached for a goal, possible without a
//	            property, violated otherwise
//	tool        name and version of the program that wrote the file; optional
//	cycle-at    for a run without end, the index of the step to whose state the
//	            last one returns, or of the last step itself if the run stays in
//	            its state (stuttering); optional
//	steps       the number of steps after the initial state, so that a file
//	            without its last lines differs from a shorter trace
//	digest      16 hexadecimal digits that identify schema, spec, parameters,
//	            property, kind and verdict: the same steps may well be a run of
//	            another instance, but that is not what was found. It is optional;
//	            a trace that is meant to be another's is given none
//
// A step:
//
//	step        its index; 0 is the initial state
//	node        the process that acted; absent from the initial state and from
//	            steps of no process
//	event       the paper's name of the action; absent from the initial state only
//	source      where the paper has it: its lines; optional
//	text        what happened, in words, for people; it decides nothing, except
//	            between steps that differ in nothing but their text; optional
//	received    the message received: id, from, to, text; absent if none
//	sent        the messages put into channels, in that order
//	lost        messages that were in channels and that no process will receive
//	noticed     the process whose crash the node noticed
//	crashed     true if the node is dead after the step; together with sent, a
//	            crash in the middle of sending
//	changed     the variables that have another value than before, and new ones:
//	            owner (absent from global ones), name, value; in step 0 all. The
//	            choices made in a step show in its changes
//	gone        the variables that are no more, with the values they had
//	inside      the users of units of the resource after the step: owner, units
//
// Messages have the ids m1, m2 and so on in the order of sending. A receipt, and a
// loss, has the id of its send; of equal messages between the same processes the
// oldest is taken to be received first. Those that are under way in the initial state
// have the id m0.
//
// # Replay
//
// Replay takes nothing from a file on trust. It begins in the initial state of
// the model and looks, at each step, for one that is enabled there, has the
// recorded event, node, message, notice and crash, sends the same and changes the
// same; and in the end it judges the property. States that differ although all
// their variables look the same (messages in FIFO channels are listed without
// their order) are followed side by side, up to 64 of them.
//
// # Tidying and minimising
//
// What Tidy and Minimise return has been executed. Tidy keeps the steps and the
// last state. It finds an order with the fewest switches among those that respect
// the known causes, unless the run is so long that it has to leave out
// orders. Minimise promises, within its bounds, that no single step can be left
// out. Neither makes a run longer.
package traces
