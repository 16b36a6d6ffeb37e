// Package ring is mutual exclusion with a token on a logical ring, and its recovery
// from crashes, after M. Loukantchevsky, Distributed ring-based mutual exclusion with
// graceful degradation, 2021: the basic algorithm, and the chain of algorithms CEH,
// RUP, E, MrkME and Mx1ME in its recovery schemes.
//
// Each process has one output channel, to its neighbour. CEH opens it, and in scheme
// 2 (CEH.GD) turns to the process after a neighbour that does not answer. Once it
// is open, RUP sends a message round to see whether the ring is closed; when that is
// back, E elects the largest id the coordinator; the coordinator's MrkME replaces the
// token by two passes round the ring, a clear and the new token; Mx1ME lets a process
// that wants to, and has the token, into the critical section. In scheme 1 the ring
// waits until a crashed process has recovered. In scheme 3 INJ takes spare and
// recovered processes in.
//
// The paper prints CEH.GD, RUP.GD and one handler of MrkME. The handlers of the other
// layers follow the author's public specification; "printed" below means that one,
// where the paper does not print the handler itself. A file is a layer: election.go,
// ceh.go, rup.go, mrkme.go, mx1me.go, inj.go; me.go is the basic algorithm.
//
// # Fault model
//
// Processes stop, at most f= times in a run, between steps; a step is one handler with
// all that it sends. All variables of the process are then as after OnInit. The messages in
// its output channel and in channels to it are lost; the channels to it are broken, and
// their owners find that out (detect) at some later time. A process sends nothing into
// a channel that is not open: the message is lost. In scheme 2 the last process does
// not crash, and requests that the dead had still to make are not made; in scheme 1
// processes recover with OnInit values and their requests still to be made. In scheme 0
// nothing fails.
//
// Channels break, at most breaks= times, without a crash: their messages are lost, and
// their owners find out as after a crash. They open again, or with lasting=yes never to the
// same process: then that process is unreachable, and alive.
//
// Timers never fire for a message that is only slow: RUP's resends when no rup of the process is
// under way in any channel. The timer of CEH is the step that opens the channel:
// connect while the neighbour can be reached, open-error while it cannot. max-err= is
// MAX_CEH_ERR: by default 1, and in scheme 1 no limit, so that a failed attempt changes
// nothing; there a limit makes the process give its channel up.
//
// Runs go on for ever, since the token goes round. Liveness is judged on fair cycles:
// every step of every process that stays possible is taken, and every message received,
// but no process has to request or to crash, nor to start an election in ring-election; in
// ring-basic a process that may start one does so sooner or later. Each process makes rounds= requests. The
// token has a time that distinguishes it from older ones; only equality of times matters, and a new one is
// the smallest number that no process and no message uses. A critical section
// that is over when the process has crashed is free.
//
// # Readings
//
// Where several values of a parameter are named the first is the default.
//
//   - release: what a release sends when a clear is pending. rectified runs Clear() and
//     sends no token, as the paper prints it; code, the implementation before, always
//     sends the token, then runs Clear(); prose, the text of the older specification,
//     runs Clear() alone in the coordinator, and in others sends the token first.
//   - coordinator-off: the coordinator's MrkME has to go OFF when its new token has
//     come back, or it never enters again. yes does it, as the implementation; no is as
//     printed.
//   - after-election: keep makes a process RELEASED only if it was in INIT, as the
//     implementation; reset is as printed: also a process in WANTED or HELD, whose request is
//     then forgotten, or which is in the critical section without knowing it. ring-basic
//     has reset as its default. Being in the critical section is a variable of its own.
//   - token-time: a release sends own, the process's own time, as the implementation, or
//     token, the time of the token with which it entered, as printed.
//   - list: static knows all ids from the start. auto is AutoList as printed: RUP's
//     message collects the ids. auto-no-self is the same, but the initiator does not
//     append itself. literal is static with the assignment ListPIds := list executed,
//     which RUP prints outside of the condition on AutoList: the list is then the
//     process itself.
//   - guard: printed allows to replace a neighbour under AutoList only while RUP is UP.
//     But OnOutputDisconnect has set it DOWN before the first error can occur. none
//     leaves the condition out. The guard reads RUP's state from before the event.
//   - min-k: MIN_K. The paper wants 1 <= MIN_K; 0 is allowed, to see what an empty list
//     does.
//   - A process that meets MIN_K with an empty list, or does not meet it, gives its
//     channel up for ever.
//   - tickets (ring-basic): on numbers the requests, for me3.
//
// Scheme 3 is announced in the paper and not described. INJ leaves open:
//
//   - insert: where the newcomer goes in the list of the process whose neighbour it has
//     to come before: that neighbour's id was popped and is not in the list. front, or
//     back.
//   - head: whether the head of the list is popped when it becomes the neighbour (pop,
//     PopFront), or stays in the list (front, Front).
//   - rup-start: INJ starts RUP by an event OnStart that RUP does not have. all takes it
//     for the first attempt, in every process that the inj passes; none does nothing. The
//     process that turns to the newcomer starts RUP in any case, when its channel opens.
//   - A channel that is closed to turn to the newcomer loses its messages, and the new
//     one opens in a step of its own. So the inj that follows is lost; the newcomer's
//     timer sends another.
//   - A list holds an id once: an id that is inserted again moves.
//   - Spare processes (spare=, p(n+1) and on) come up at any time, or never before the
//     run ends; their ids lie behind pn in the ring, and no process has them in its list.
//     recovered=on lets crashed processes come up in the same way.
//
// # Repairs
//
// These are ours, and not in the paper; repair= combines them.
//
//   - participant: a rup of another process makes E NON_PARTICIPANT, so that an election
//     cut short by a crash does not swallow the next one.
//   - orphan: a process whose neighbour was replaced absorbs rup, election and elected
//     of that neighbour, which no other process would take from the ring.
//   - drop: a release while MrkME is ON sends no token. drop2: the same, only if no clear
//     is pending.
//   - epoch: a clear carries the time of the token that is to come. The coordinator ends
//     the first pass only with its own latest clear; a process ON accepts only the token of
//     the clear seen last, and a process OFF only a token with its own time.
//   - remember: Enter in RELEASED makes the process WANTED whether or not the time is known; the
//     new token serves it.
//   - count: a rup carries the number of processes that have passed it on. A process whose own rup is back
//     after fewer than MIN_K, itself included, gives its channel up and starts no election.
//   - full: participant, orphan, drop and epoch.
//   - requeue (scheme 3): the neighbour that a newcomer comes before goes back into the
//     list, behind the newcomer.
//
// variant=repaired has all of them, and no condition on RUP where a neighbour is replaced
// (guard=none); coordinator-off and after-election have to be as implemented.
package ring
