// Package raymond is Raymond's permission-based k-mutual exclusion algorithm (K.
// Raymond, "A distributed algorithm for multiple entries to a critical section",
// Information Processing Letters 30(4), 1989), the algorithm that the timer-free
// algorithm of Bouillaguet, Arantes and Sens extends and is compared with.
//
// A process sends REQUEST to the n-1 others and enters with n-k permissions.
// A process that defers its answers counts the replies that it owes to each other
// process, and pays with one REPLY(count) at its release.
//
// Fault model: reliable channels, crash-stop. The algorithm does not detect
// crashes; a dead process is one that never gives its permission again, so every
// crash costs one unit of the k.
//
// Readings and deviations
//
//   - variant: whether a request advances the process's own clock. The 1989 paper
//     is not among the sources; variant=H does it, as Lamport's rule asks, variant=0
//     does not, as Algorithm 1 of the timer-free paper is printed.
//   - Deferral is decided as in line 28 of that Algorithm 1: in the critical section,
//     or requesting with the smaller (last, i).
//   - A permission of j counts when all replies that j owes have come in and the
//     process is requesting; replies that were owed for earlier requests make it
//     wait for the latest one.
//   - rounds=inf: runs go on for ever, and requests-served is judged on them instead of
//     no-starvation on how they end. max-skew=, max-in-flight= and max-owed= cut off
//     states; last=forgotten forgets the time of a request at its release, since
//     no step reads it any more.
//   - miss is not reset by a new request, so replies that come after the process has
//     entered are still accounted for.
//
// # BAS
//
// The model bas is its extension with a failure detector by M. Bouillaguet, L. Arantes and P. Sens ("Fault
// tolerant k-mutual exclusion algorithm using failure detector", ISPDC 2008), with which Rodrigues, Duarte
// and Arantes compare theirs (Journal of Parallel and Distributed Computing, 2018).
//
// A process sends REQUEST to all others, as in Raymond's algorithm, and enters with
// n-k permissions less one for each process that it knows to have crashed. So a
// crash costs no unit of the k, and up to n-1 crashes are tolerated.
//
// Reliable channels, crash-stop. The paper names the detector T, which suspects no process
// that it has once trusted until that process crashes; here the detector gives perfect notices:
// each process learns of each crash once, at any later moment, in any order,
// independently of messages still under way. Processes that are dead from the start
// are known as dead.
//
// The paper of 2008 is not among the sources. Sections 1, 2 and 8
// of the paper of 2018 describe it: it adapts Raymond's algorithm, sends one to all, has
// a failure detector, tolerates n-1 crashes, and without failures sends exactly
// the messages of Raymond's. All the rest is our reading:
//
//   - Without crashes it is Raymond's algorithm, variant=H and variant=0 included.
//   - A notice of a crash takes back the permission of that process if it counts, and
//     the threshold falls by one, in one step. Both parts are needed: without the
//     first the crashed process would count twice, as a permission and as one less to
//     wait for.
//   - Nothing is sent to a process known as crashed. A message of such a process, still on
//     its way, only moves the clock.
package raymond
