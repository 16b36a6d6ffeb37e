// Package explain looks for a run of a model that explains a log: the model's own handlers take one step for
// each line, the messages received were sent before, and each step agrees with its line.
//
// # What a line says
//
// The node is the process. The name of the event is the name of an action of the model; case, spaces, hyphens
// and underscores do not matter. Unless an action is called so, receive is any receipt, and enter, release
// and exit are any step of the process that raises or lowers the number of units it uses. For a receipt the
// sender, the text and the id of the message are compared, as far as they are logged; for the notice of a
// crash the sender is the crashed process. If an id is in the line of a send and in the line of a receipt,
// both are about one message; no other line, and no step without a line, receives that message. A logged
// variable has its value after the step.
//
// If some line of the log has a list of messages sent, even an empty one, every line names all of its own,
// unless Options.PartialSent is set; messages to crashed processes may be omitted. An event that may not have
// happened either happened at its place or not at all.
//
// # Lines that may be missing
//
// At most Options.Hidden steps in all may have no line: hidden steps. After the last line of a node, the
// first Options.Tail steps do not count as hidden. A crash at the end of a log is special, as another program
// logs it: the steps just before it belong to the tail. Nodes without further lines may crash at no cost,
// within the model's bound on crashes, if that explains a notice, a guard, or a message that was not sent. If
// nodes count their lines or steps, the count limits the hidden steps between two lines.
//
// The search ignores constraints of a model, and histories that do not guard, as no handler reads them. The
// report lists steps of the explanation that a constraint or history excludes (Broken).
//
// # The search
//
// The search is depth-first. Its nodes are pairs of a cut (the number of explained lines of each process) and
// a state of the model; equal pairs are expanded once, and pairs are compared exactly. These reductions lose
// no explanation:
//
//   - If nothing can come before the next line of a process, and other processes cannot add a way to explain
//     it, only the present ways to explain it are tried. So a complete log with ids, or with texts and
//     senders, takes time linear in its length.
//   - Otherwise a line that was tried is tried again only after a message to its process, a step of that
//     process, a crash, or a line that it waits for.
//   - Hidden steps come as late as possible: in blocks, each before a line that depends on all of its steps,
//     directly or through each other.
//   - A crash in the middle of sending is a step of its own only for lines that say so. In other places the
//     whole step and a crash after it explain the same, if the messages that were not sent are never
//     received.
//
// The verdict is Rejected only after such a search is complete. It is exact for models in which different
// messages have different texts. The verdict is Undecided instead in two cases in which the reductions may
// lose an explanation: with FIFO channels, a process may crash between two messages to one target, so that
// the second one is sent and not the first; and in models with a history that guards, not all orders of
// hidden steps are tried.
//
// Explanations with hidden steps are first sought by guided passes, which assume that lines are missing where
// the counts of a node jump. If a guided pass finds nothing, an explanation may still exist.
//
// # The report
//
// The explanation is executed again with the plain semantics of the model, and the properties are judged
// along it. It is one run of many: an invariant that it violates is violated in a run that looks like the
// log, but another run that looks the same may violate an invariant that this one keeps.
//
// If there is no explanation, the report shows the furthest cuts, with the next line of each node, why it
// does not fit, and the steps that the model could take instead. Then 1 to Options.Repair further lines are
// allowed to be missing: if that explains the log, lines are missing; if not, the log shows something that
// the model does not do.
package explain
