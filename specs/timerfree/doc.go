// Package timerfree is the timer-free fault-tolerant k-mutual exclusion algorithm
// of M. Bouillaguet, L. Arantes and P. Sens (INRIA report inria-00394918, 2009,
// Algorithm 1): Raymond's algorithm, with the detection of crashes built into its
// REQUEST and REPLY messages.
//
// A process enters with the permission of n - k others, not counting those that it
// knows to be dead. Every REPLY carries the set of processes that did not answer
// the replier's own latest request, and every REQUEST the set of processes that
// the sender takes for dead. A process missing in the answers of all repliers is
// taken for dead. That is right only under an assumption, the Responsiveness
// Property RP of section 2.
//
// # Fault model
//
// Reliable channels, crash-stop, at any point, also inside the loops of lines
// 13-14 and 17-18; at most crashes= processes, f by default. The unit of a process
// that crashes is free. The paper gives three bounds: f < k (section 1, Theorem 2),
// 1 < f < k (sections 2 and 4) and 1 <= f < k (section 7). They are assumptions to
// be judged and not enforced; k and f are free within n.
//
// The paper's processes request for ever; here each makes rounds= requests. So
// every run ends, and "eventually" is "when nothing is left to do but crashes". With
// rounds=inf they do request for ever: Lemma 3 is then requests-served, and Theorem 1
// detected-at-last, both judged on fair runs without end within the bounds of
// max-skew= and max-in-flight=.
// Theorem 1 needs requests after the crash: all-detected is of interest where
// processes are dead= from the start and the others have rounds enough; a crash
// after the last request violates it trivially.
//
// # Misprints and readings
//
// Where several values of a parameter are named the first is the default.
//
//   - Timestamps of replies. Section 4.1 says that a REPLY carries the timestamp of
//     the REQUEST that it answers; Algorithm 1 leaves it out "for simplicity".
//     variant=a is the algorithm as printed: a late reply counts for the current
//     request. With variant=b a REPLY carries it, and a late one is consumed
//     without any effect.
//   - The own clock. Line 10 takes H+1 for the request and leaves H as it is, so that
//     two requests of a process can have the same time; with Lamport's rule H moves on.
//     variant=c is b with H := last at a request. A REPLY moves no clock in any variant:
//     only line 22 does.
//   - Waiting for n - f replies. Section 2 demands it of every request, and the
//     proofs of Lemma 1 and Theorem 1 use it; line 15 waits for permissions only.
//     variant=d is c with line 15 waiting for |new_not_rec_from| <= f too, and with
//     nodup=on.
//   - variant=repaired is d with line 37 behind line 15, where a request ends, in place of
//     where it stands, and line 38 there as well. A REPLY then carries the set that RP
//     is about, so that rp=V and rp=T are the same.
//   - Counting permissions. Line 40 counts every permission, also of a process that
//     line 41 has already noted. nodup=off is as printed, nodup=on counts a process
//     once. One REQUEST is answered by one PERM, so it can only matter where a
//     permission for an earlier request is taken for one for the current request:
//     in a, and in b where two requests have the same time.
//   - Deferred requests. pending is a set of processes, but a PERM that answers a
//     deferred REQUEST has to carry its timestamp. From variant b on pending holds
//     one per process; if a second REQUEST of a process is deferred, pending=largest
//     keeps the greater timestamp, pending=last the one received last.
//   - The order of requests. The footnote of section 4.1 orders equal clocks by
//     "i = j", which orders nothing, since a process does not compare itself with
//     itself. order=total takes i < j, to get the "total order" of the text; order=footnote
//     takes the footnote literally.
//   - RP speaks of the replies to the "last request terminated" at an instant, and
//     of the variable not_rec_from, which may change before a request terminates and
//     is not always set when it does. rp=V takes the variable, rp=T the wait of
//     line 15; rp=off assumes nothing. With rp-as=check RP is a claim about runs.
//   - Line 9 puts the process's own not_rec_from into X, as it was left by the request
//     before. The text describes X as sets received. The entry takes part in the
//     intersection of line 38, as printed.
//   - Line 38 uses (-, ls) for a pair of X and for the set in it. The intersection is
//     of the sets, over all entries of X.
//   - Lines 34-38 have no condition on the state: a REPLY that arrives in the critical
//     section or after it still updates not_rec_from and crashed. Line 39 sees the
//     crashed of line 38.
//   - Lines 23-26 take back the permission of a process that a REQUEST names as dead,
//     in any state; line 38 takes none back. By the proof of Lemma 2, line 24 prevents
//     that a process is found dead whose permission counts. For line 38 it is line 35 that
//     prevents it: X then holds that process's own set, which does not contain it.
//     permissions-live checks it. (k in lines 23-26 is a process, not the number of units.)
//   - Line 13 sends no REQUEST, and line 17 no PERM, to a process taken for dead; lines
//     29 and 32 answer anybody. Line 19 empties pending wholly.
//   - last=forgotten sets last, perm_count and have_perm to nothing at line 16, in
//     variant a: no step reads them before the next request, and runs without end come
//     back to fewer states.
//   - The right side of line 15 can be 0 or less; then the process does not wait.
//   - The text on line 32 joins the negated conditions of line 28 with "or", not "and",
//     and calls the message of lines 23-27 a REPLY. The algorithm is followed.
//   - Variables that lines 1-6 do not initialise (new_not_rec_from, last, have_perm,
//     perm_count) are empty, 0 or false; none of them loses its value at lines 16 or
//     20. The text says that the initialisation is lines 3-6; it is lines 1-6.
package timerfree
