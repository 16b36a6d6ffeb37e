// Package raymond is Raymond's permission-based k-mutual exclusion algorithm (K.
// Raymond, "A distributed algorithm for multiple entries to a critical section",
// Information Processing Letters 30(4), 1989), the algorithm that the timer-free
// one of Bouillaguet, Arantes and Sens extends and is compared with.
//
// A process sends REQUEST to the n-1 others and enters with n-k permissions.
// Processes that defer their answer count how many they owe to whom, and pay with
// one REPLY(count) at their release.
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
//     nobody reads it any more.
//   - miss is not reset by a new request, so replies that come after the process has
//     entered are still accounted for.
package raymond
