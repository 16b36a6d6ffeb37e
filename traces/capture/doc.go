// Package capture logs what a program does, one line for each step of a node, in the
// form in which package logs reads it back. It uses nothing but the standard library,
// and nothing of the model checker: any Go program can import it.
//
// A node has one Recorder, which writes lines of JSON as log/slog does. A step is one
// thing that happens at the node: it wakes up by itself or receives one message, changes its
// state, and sends messages.
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
// What travels with a message are two strings, for example as headers: its id, and the
// vector clock of the sender, written p1=4,p2=17. Both are optional. The id says
// which line sent what another line receives; clocks say what happened before what even
// where lines between them are lost.
//
// # Before the messages leave
//
// Log writes the line and then returns the clock without which the messages cannot
// leave. So a process that is killed at any moment has sent nothing that it has not logged. The other
// way round its last line may tell of messages that never left. Lines are not buffered: each is one
// call of Write, and with an *os.File as the writer what was written is in the
// hands of the operating system and outlives the process (but not the machine). A line that was
// torn can only be the last one of its file.
//
// # The lines
//
// The first line is the header, if there is one:
//
//	{"atmostk":"log","spec":"raymond","args":"n=3 k=2"}
//
// Each of the others has time, level and msg, as all lines of log/slog, and
//
//	node    who
//	event   what: the name of an action of the model, or enter and release
//	seq     the node's own count of its lines, from 1
//	clock   vector clock: for each node how many of its steps are known to have
//	        happened; from the node's first message on, as before that it is the seq
//	begin   optional: it happened between begin and end; by one clock that all
//	end     nodes share, or else it means nothing
//	from    who sent the message received, if there is one
//	id      of that message
//	message its text
//	sent    messages sent: a list of objects with to, id and message
//	state   variables after the step: an object of strings
//	units   optional: units of the resource held after the step, or asked for
package capture
