// Package bas is the failure-detector extension of Raymond's algorithm by M.
// Bouillaguet, L. Arantes and P. Sens ("Fault tolerant k-mutual exclusion algorithm
// using failure detector", ISPDC 2008), with which Rodrigues, Duarte and Arantes
// compare theirs (Journal of Parallel and Distributed Computing, 2018).
//
// A process sends REQUEST to all others, as in Raymond's algorithm, and enters with
// n-k permissions less one for each process that it knows to have crashed. So a
// crash costs no unit of the k, and up to n-1 crashes are tolerated.
//
// # Fault model
//
// Reliable channels, crash-stop. The paper names the detector T, which suspects nobody
// whom it has once known until that process crashes; here it is perfect notices:
// each process learns of each crash once, at any later moment, in any order,
// independently of what is still on its way. Processes that are dead from the start
// are known as dead.
//
// # Our reading
//
// The paper of 2008 is not among the sources. What is known of it is in sections 1,
// 2 and 8 of the paper of 2018: it adapts Raymond's algorithm, sends one to all, has
// a failure detector, tolerates n-1 crashes, and without failures sends exactly
// what Raymond's sends. All the rest is our reading:
//
//   - Without crashes it is Raymond's algorithm as in package raymond, variant=H
//     and variant=0 included.
//   - A notice of a crash takes back the permission of that process if it counts, and
//     the threshold falls by one, in one step. Both parts are needed: without the
//     first the crashed process would count twice, as a permission and as one less to
//     wait for.
//   - Nothing is sent to a process known as crashed, nor is a message of such a
//     process, still on its way, of any effect; but the clock takes its time.
package bas
