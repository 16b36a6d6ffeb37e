// Package capture logs the steps of a program, one line for each step of a node, in the form that package
// logs reads. It uses nothing but the standard library, so that any Go program can import it.
//
// A node has one Recorder, which writes lines of JSON as log/slog does. In a step the node wakes up by itself
// or receives one message, changes its state, and sends messages.
//
//	rec, err := capture.New(file, "p1", capture.Header{Spec: "raymond", Args: "n=3 k=2"})
//
//	step := rec.Step("receive REQUEST")
//	err = step.Receive("p2", id, "REQUEST(1)", clock) // id and clock came with the message
//	id = step.Send("p2", "REPLY(1)")
//	step.Set("State", "requesting")
//	clock, err = step.Log()
//	// only now: send REPLY(1) to p2, with id and clock
//
// Two strings travel with a message, for example as headers: its id, and the vector clock of the sender,
// written p1=4,p2=17. Both are optional. Ids relate the line of a receipt to the line of its send; clocks
// show what happened before, even if lines between are lost.
//
// # Before the messages leave
//
// Log writes the line and then returns the clock that the messages need. So a process that is killed at any
// moment has sent nothing that it has not logged. In the other order, messages of a killed process could be
// missing in its log. Lines are not buffered: each is one call of Write. With an *os.File as the writer, a
// written line is in the hands of the operating system and survives the process, but not the machine. Only
// the last line of a file can be torn.
//
// # The lines
//
// The first line is the header, if there is one:
//
//	{"atmostk":"log","spec":"raymond","args":"n=3 k=2"}
//
// All other lines have time, level and msg, as lines of log/slog do, and
//
//	node    the node
//	event   the name of an action of the model, or enter and release
//	seq     the node's own count of its lines, from 1
//	clock   vector clock: for each node how many of its steps are known to have
//	        happened; from the node's first message on, since it equals seq before
//	begin   optional: the step happened between begin and end, by one clock that
//	end     all nodes share
//	from    the sender of the message received, if there is one
//	id      the id of that message
//	message the text of that message
//	sent    messages sent: a list of objects with to, id and message
//	state   variables after the step: an object of strings
//	units   optional: units of the resource held after the step, or asked for
package capture
