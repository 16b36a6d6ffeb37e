// Package vcube is the k-mutual exclusion of Rodrigues, Duarte and Arantes ("A
// distributed k-mutual exclusion algorithm based on autonomic spanning trees",
// Journal of Parallel and Distributed Computing, 2018) with the layers below it:
// the spanning tree over the virtual hypercube VCube (vcube-tree, Algorithm 5.1),
// the best-effort broadcast along that tree (vcube-broadcast, Algorithm 6.1), the
// mutual exclusion over plain one-to-all sending (vcube-kmutex, Algorithm 7.1) and
// over the broadcast (vcube-stack). vcube-rounds is the diagnosis of section 4 that
// the notifications come from; the others do not use it.
//
// Each algorithm has one file of handlers to be read beside the paper; _spec files
// have the compositions with their parameters and properties. claims.yaml
// has the paper's claims and the instances that judge them.
//
// # Fault model
//
// Reliable channels, crash-stop, up to n-1 crashes and a perfect failure detector:
// no process is suspected before it has crashed, and each process is notified of each
// crash once, at any later moment, in any order, independently of messages still
// under way. A crashed process loses its whole state; correct_i of the dead is
// empty. Processes that are dead from the start are in no correct_i.
//
// # Readings and deviations
//
// Algorithm 5.1
//   - Lines 11-12 are printed without a condition: a process that learns of a crash
//     sends TREE, also without having the message (guard=off). guard=on adds the missing condition.
//   - The message has no content, and a process does not remember that it had one:
//     it forwards every TREE that passes line 6.
//
// Algorithm 6.1
//   - line36: {source(m), p} ⊈ correct_i with p = ⊥. Read literally, a source gives
//     up all its own pending acks at the first crash.
//   - line28: "k ← x : ⟨x,j,m⟩ ∈ ack_set" where several x fit.
//   - forward: the indentation does not say whether lines 22-25 belong to the if of
//     line 18; the text ("next, m is retransmitted") does not either.
//   - Lines 24-25 and 40-41 belong to the if before them. The loop of line 35 runs
//     over ack_set as it was, in ascending order with ⊥ first; the order shows only
//     in FIFO channels.
//   - Line 6 comes before line 7, although the proof of Lemma 6.1 says that a source
//     delivers after all acks are in.
//   - No ACK is ever sent to ⊥.
//   - Where text and listing differ the listing is followed: line 16 needs both the
//     source and the sender correct (the text: either), line 19 looks at
//     last_i[source(m)] (the text: last_i[j]).
//
// Algorithm 7.1
//   - request, crash-order: how lines 9-14 and 36-38 are divided into steps. In the
//     stack a request is divided where BROADCAST has to wait at line 5 of 6.1.
//   - A process requests only while it is not_requesting (section 3).
//   - Line 14 counts correct_i as it is when the line is executed.
//   - Line 15 counts |correct_i|, which contains i: n-f-k permissions.
//   - Lines 24 and 26 read last_i where last_j is meant, in line 26 on the right.
//   - Line 21 sends REPLY(count) and line 29 REPLY(i, 1): a message always has its sender.
//   - Line 22 stands inside the loop: the defer_count of a process that is not correct
//     stays as it is, without effect.
//   - variant=repaired, of every algorithm, is what this project proposes: guard=on in 5.1,
//     line28=all in 6.1, request=count-first in 7.1, and there a message INSIDE by which
//     Lemma 7.3 holds with more than one unit (strict.go).
//
// The stack
//   - A process does not receive its own REQUEST from DELIVER. The timestamp of a
//     request is part of m, besides the number that 6.1 gives to m.
//   - A notification reaches both layers in one step.
//
// The rounds
//   - Each process tests one cluster per round. All tests of a round happen at once,
//     on the knowledge before it; crashes happen between rounds.
//   - In cluster s process i tests the j for which it is the first fault-free process
//     of c_{j,s} as far as it knows, with the j it takes for faulty among them.
//   - latency counts the rounds from each crash; latency-last from the last crash of
//     all, the usual assumption of diagnosis that nothing happens meanwhile.
package vcube
