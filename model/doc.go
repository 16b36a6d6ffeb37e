// Package model is the language in which models are written: what processes do, what the network
// may do to them, what is to hold, and with which parameters. docs/go-models.md builds one from an
// empty folder; what follows is the order in which one needs the names.
//
// # A spec
//
// A [Spec] is a model with a name and parameters. Its Build is given the values as [Args] and
// returns an [Instance], which Compose or NewSystem make. Package param declares parameters and
// their types: IntRange, OneOf, PerProcess, Processes and others; and once for all specs of a kind
// those of channels and crashes, which [Args.Network] reads, and of runs that end and those that do
// not. Combinations that make no sense are refused with [Args.Reject].
//
// # Processes and messages
//
// A [Composition] is a set of processes ([Proc], counted from 0), each with a local state of one's
// own type L, which send messages of one's own type M:
//
//   - a [Handler] is a step that a process takes by itself, a [Receiver] one that receives a
//     message, a [Notice] one by which it learns of a crash. Each is a function of the local state
//     and the message, and of nothing else. False says that the step is not enabled, and what it
//     did then counts for nothing;
//   - an [Outbox] takes what a handler sends, and its picks among several ways to go on;
//   - Units says how many units of the resource a process uses, Capacity how many there are;
//   - a [History] is a monitor of type H, which no handler reads; [None] where there is none.
//
// [Compose] adds channels, crashes, and the order in which everything may happen.
//
// # Global actions
//
// A [System] is one state of one's own type S with actions on it: a [SystemAction] is a family of
// steps. It may say whose step each is (Owner, [First]), what is fair about it, and that members
// of the state are interchangeable ([Symmetry]). A [Choice] picks. [NewSystem] does the rest.
//
// # States
//
// Local states, messages and histories are what one would write in Go: numbers, strings, booleans,
// structs, arrays, slices and maps, in each other as one likes. Each handler gets values of its own,
// whose slices are nil if they are empty and whose maps never are, and may change them in place; what
// is sent is sent as it is at that moment. nil and empty are one value. Who ranges over a map to send
// messages has to sort the keys: Go takes them in another order each time, so that the handler would be
// no function. What is shared and no value is refused by name: pointers, functions, channels, interfaces.
//
// The state of a System has a fixed size: numbers, booleans, arrays, structs, and package values'
// sequences, bags and sets. A [Set] is one of processes. A type with a String method is shown so; Vars
// says more about what is shown.
//
// # Properties
//
// A [Property] of a composition is about a [Global], which shows all local states, who is dead,
// and the units in use; one of a system is about S. Its [PropertyKind] says where it is judged: in
// all states, in quiet ones, at steps, in runs without end ([Lasso]), by what messages cost
// ([Cost]). Package invariants has those that are the same for all algorithms, and Each, which
// makes one of several and tells which is violated. MootIf, ExcusedBy and OnlyOnRequest say where
// there is nothing to ask, or little.
//
// Runs without end are judged under fairness: of actions ([Strength]), of messages (Delivery),
// of steps in general ([Fairness]), or about states ([StateFairness]). Fair sets what is usual.
//
// # The network
//
// A [Network] says what channels and the crash adversary may do: [Channel], [CrashSends],
// Faults. [Links] is another medium: one output link for each process, as on a ring. [Clocks]
// says which numbers are logical times, so that states are told apart up to a common shift of
// them.
//
// # Figures and claims
//
// A [Reference] is an instance whose figures are known; package modeltest holds a model against
// them in one line of a test, and the verb lint does without one. Package papers has what a paper
// claims, with the instances that test it; the verb claims runs them.
//
// # Mistakes
//
// What a model declares is checked before anything is searched, and what it does while it does it;
// docs/model-mistakes.ndjson lists the errors. An [Error] is such a mistake, an Error of package usage a
// wrong argument.
//
// # For those who search and replay
//
// Rooms of their own have what is not for models: package lts what those see who search, judge,
// replay and show, stage what plays single runs, track what follows logs, node what runs as a
// process. An Instance holds the same system in two forms. One is fast: states are short vectors of
// 32-bit words, in a composition numbers of local states, channel contents and histories, and a
// handler runs once for each distinct memo key of a process. The other is simple: states are Go
// values and handlers run each time. The search works on the first; counterexamples are
// re-executed, and the search is tested, with the second.
package model
