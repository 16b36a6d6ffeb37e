// Package explain looks for a run of a model that explains a log: the same handlers
// that are explored take a step for each line, the messages received are messages
// that were sent, and what a line says of its step is so.
//
// # What a line says
//
// The node is the process. The name of the event is the name of an action of the model,
// whatever its case, spaces, hyphens and underscores; or receive, for any receipt; or
// enter, release and exit, where no action is called that: any step of the process
// that changes how many units it uses, up or down. Of a receipt the sender, the text
// and the id of the message are compared, as far as they are logged; in the notice of
// a crash the sender is the process noticed. A message whose id is in the line of
// its send and in that of its receipt is the same message; no other line, and no
// step without a line, receives it. Variables that are logged have that value after
// the step.
//
// If any line of the log names a message that it sent, each line names all of its own
// (Options.PartialSent takes that back); those to processes that are dead by then may
// be named or not. An event that may not have happened did happen, where it stands, or
// did not.
//
// # What need not be in the log
//
// Options.Hidden steps in all may have no line: hidden steps. A node may have lost its tail:
// of the steps after its last line, the first Options.Tail do not count as hidden ones. A
// crash at the end of a log is no step like the others, as it is logged by somebody
// else: what happened just before it is part of the tail. Crashes of nodes without further
// lines are free, within the model's bound, if that explains a notice, a guard, or that a
// message to the node was not sent. Where the
// nodes count their lines, or steps, the count limits the hidden steps between two lines.
//
// Constraints of a model, and histories that do not guard, are not looked at in the search, as
// no handler reads them; steps of the explanation that a history excludes are reported (Broken).
//
// # The search
//
// It is depth-first, over cuts (how many lines of each node are explained) together with
// states of the model. Equal pairs are expanded once, and compared exactly. The search
// leaves out without loss:
//
//   - If nothing can come before the next line of a process, and nothing that the others do
//     can add to the ways in which the line is explained, these ways are all that is
//     tried. A complete log with ids, or with texts and senders, is explained or rejected
//     in time linear in its length.
//   - If that is not so, a line that has been tried is tried again only after a message
//     to its process, a step of that process, a crash, or a line that it waits for.
//   - Hidden steps come as late as possible: in blocks, each before a line that depends
//     on all of them, directly or through each other.
//   - A crash in the middle of sending is a step of its own only in lines that say so. Whatever
//     else it explains is explained by the whole step and a crash after it, the
//     messages that did not get out never being received.
//
// Rejected is said only after such a search came to its end. It is exact for models whose
// messages are different only if their texts are. Where the points above do not hold,
// it is not said: under FIFO channels a process may die between two messages to the
// same target, the second one getting out without the first; and in models with a history
// that guards, not all orders of hidden steps are tried.
//
// Explanations with hidden steps are sought by guided passes first, which assume that lines are missing
// where the counts of a node jump. A guided pass may find an explanation; if it finds none, there may be one.
//
// # The report
//
// The explanation is executed once more with the plain semantics of the model, and the
// properties are judged along it. It is one run out of many: an invariant that is
// violated in it is violated by a run that looks like the log, and one that is not may be in
// another run that looks the same.
//
// What cannot be explained is reported by the cuts that are furthest, with the next line
// of each node, why it does not fit, and what the model could do instead. Then lines are
// added, one to Options.Repair of them: a log that can be explained so has lines missing, another
// one tells of something that the model does not do.
package explain
