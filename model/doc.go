// Package model is the language for models: processes or actions, the network, properties and parameters.
// docs/go-models.md builds one from an empty folder; this page has the names in the order of need.
//
// # A spec
//
// A [Spec] is a model with a name and parameters. Its Build gets the values as [Args] and
// returns an [Instance], made by [Compose] or [NewSystem]. Package param has the types of parameters:
// IntRange, OneOf, PerProcess, Processes and others. It also has parameters that many specs share: of
// channels and crashes, read by [Args.Network], and of runs with and without end.
// Build rejects combinations that make no sense by [Args.Reject].
//
// # Processes and messages
//
// A [Composition] is a set of processes ([Proc], counted from 0), each with a local state of the model's
// own type L. They send messages of the model's own type M:
//
//   - a [Handler] is a step that a process takes by itself, a [Receiver] one that receives a
//     message, a [Notice] one by which it learns of a crash. Each is a function of the local state
//     and the message only. If it returns false the step is not enabled, and its changes are
//     discarded;
//   - an [Outbox] takes the messages of a handler, and its picks among several ways to go on;
//   - Units returns the number of units of the resource that a process uses; Capacity is their total;
//   - a [History] is a monitor of type H, which no handler reads; [None]: no history.
//
// [Compose] adds channels, crashes, and all orders of events.
//
// # Global actions
//
// A [System] is one state of the model's own type S with actions on it: a [SystemAction] is a family of
// steps, with an owner for each (Owner) and fairness. A [Symmetry] declares that members
// of the state are interchangeable. A [Choice] picks.
//
// # States
//
// Local states, messages and histories are plain Go values: whole numbers, strings, booleans,
// structs, arrays, slices and maps, nested in any way. Each handler gets values of its own,
// whose slices are nil if they are empty and whose maps never are, and may change them in place; a
// message is sent as it is at that moment. nil and empty are equal. A handler that ranges over a map to send
// messages has to sort the keys: Go takes them in another order each time, and the handler has to be a
// function. Pointers, functions, channels and interfaces share memory; the error names the field.
//
// The state of a System has a fixed size: whole numbers, booleans, arrays and structs. A [Set] is a set of
// processes. A type with a String method is shown by it; Vars lists variables to show.
//
// # Properties
//
// A [Property] of a composition is about a [Global]: all local states, the dead processes, and the units in
// use; one of a system is about S. Its [PropertyKind] says where it is judged: in all states, in quiet ones,
// at steps, in runs without end ([Lasso]), by the cost in messages ([Cost]). Package invariants has the
// properties that are the same for all algorithms, and Each, which joins several into one and reports the
// violated part. MootIf, ExcusedBy and OnlyOnRequest mark properties that say nothing, or little, about an
// instance.
//
// Runs without end are judged under fairness: of actions ([Strength]), of messages (Delivery),
// of steps in general ([Fairness]), or about states ([StateFairness]). Fair sets the usual one.
//
// # The network
//
// A [Network] has the channels and the limits of the crash adversary: [Channel], [CrashSends],
// Faults. [Links] is another medium: one output link for each process, as on a ring. [Clocks]
// declares logical times, so that states that differ by a common shift of all times are one.
//
// # Figures
//
// A [Reference] is an instance with known figures. Package modeltest compares a model with
// them in one line of a test; the verb lint compares them, too.
//
// # Mistakes
//
// The declarations of a model are checked before a search, and its functions while they run;
// docs/model-mistakes.ndjson lists the errors. An [Error] is a mistake in a model, an Error of package
// usage a wrong argument.
//
// # Below the language
//
// An Instance holds the same system in two forms. One is fast: states are short vectors of
// 32-bit words, in a composition numbers of local states, channel contents and histories, and a
// handler runs once for each distinct memo key of a process. The other is simple: states are Go
// values and handlers run each time. The search uses the first; counterexamples are
// executed again, and the search is tested, with the second. Package lts has the interfaces of both, package
// interp the simple form of a composition.
package model
