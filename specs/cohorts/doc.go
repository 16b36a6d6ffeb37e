// Package cohorts is h-out of-k mutual exclusion: the algorithm of J.-R. Jiang with
// cohorts coteries (model cohorts: requester.go, arbiter.go), and those with which the
// paper compares it in its section 2: Jiang's of 2002 for any k-coterie (model
// jiang2002: jiang.go, arbiter.go), Raynal's (model raynal: raynal.go) and the one
// with arbiter sets (model arbiter: fixed.go). With k=1 the last is Maekawa's
// algorithm, in several versions.
//
// # Fault model
//
// Reliable channels, FIFO by default; crash-stop, between steps by default. The
// paper claims resilience to link failures too: losses= and partition= ask for it. Requesters
// and nodes are different processes, but for raynal, so that either can crash without
// the other: crashes-arbiters= and crashes-requesters= bound them apart, and dead= and
// crashable= are nodes. No node takes back the grants of a requester that has crashed.
// A requester of cohorts and jiang2002 need not be served when the nodes that are up
// contain no h disjoint quorums; in the other two every live one has to be.
//
// Each requester makes rounds= requests, so every run ends, and deadlock-freedom says
// that no requester waits when nothing is left to do but crashes.
//
// # Cohorts: misprints and readings
//
// Where several values of a parameter are named the first is the default.
//
//   - The cases of Probe say "more than" x nodes where Figure 1 needs x, and leave
//     open what happens at x exactly. probe=at-least takes x. probe=more-than takes the
//     words; a single requester can then wait for ever.
//   - Case 2 stands as soon as g nodes have granted, before the others could answer.
//     case2=any lets Probe return then, or wait for more. So even alone and without
//     failures a requester may go down to C_1, against section 4: best-primaries
//     is violated. With case2=fd Probe returns by case 2 only when all the nodes that
//     have not granted have crashed, as an oracle knows; with case2=never not at all.
//     best-primaries is checked by itself only where section 4 claims it, that is
//     with one requester and without crashes.
//   - Section 4 writes C_m to C_(m-h-1) for the primary cohorts of the best case. These
//     are h+2 cohorts; C_m to C_(m-h+1) is meant.
//   - Figure 1 does not say what becomes of grants that Probe does not return.
//     surplus=at-exit releases them with the others, at-once when Probe returns; never
//     leaves the nodes locked.
//   - Conflicts are resolved as in Maekawa's algorithm, "details omitted". His rule is
//     that a requester that cannot enter yet gives a grant back; but Figure 1 never
//     looks again at what Probe has returned. relinquish=pending gives back only what
//     no Probe has returned; naive gives back any grant, R keeps it, and safety is
//     lost; all is the same, for mode=gather; with none nodes do not inquire.
//   - mode=printed does the loop of Figure 1 once, mode=gather anew over all grants held
//     whenever one comes in: a requester can still give back grants selected for R.
//   - The time of a request is its round (clock=round) or a Lamport time that only the
//     start of Get_Quorum advances (clock=lamport). Nodes take it from requests; from
//     the other messages of requesters, which repeat it, there is nothing to learn.
//   - P1 and P3 hold because k is the size of C_1 and each node belongs to one cohort;
//     P2 is checked. The definition also demands m >= k. No step uses it, and it is not
//     checked; instances without it are outside of the assumptions of the paper.
//   - mode=repaired is what this project proposes (repaired.go): the walk of mode=gather, nodes
//     that say when they are busy, so that a requester goes on to the next cohort neither
//     without need nor too late, perfect notices of crashes, by which nodes take back what
//     requesters held, surplus grants given back at once, and all of them by a requester that
//     cannot be served any more, and answers to messages that overtake others in a bag.
//
// case2=fd is modelled as an assumption on runs: the reports count a step that the
// oracle excludes as pruned, and a state with only such steps as stuck. That says
// nothing about the algorithm; deadlock-freedom is judged in these states.
//
// # Jiang 2002: readings
//
// The paper describes its predecessor only as far as the comparison needs it.
//
//   - The nodes are the arbiters of cohorts: section 4 says that all these algorithms
//     are of Maekawa's type.
//   - Which h disjoint quorums are selected is random: every selection is a successor.
//   - The time-out may come at any time while the permissions do not suffice
//     (timeout=any), since how long a grant can take is not known. It asks the nodes of
//     another selection that were not asked yet; those asked stay asked. So there are
//     no more time-outs when all nodes were asked. With timeout=never there are none.
//   - A requester enters when its permissions contain h disjoint quorums, be they
//     selected ones or not.
//   - Any grant is given back when inquired, before the critical section.
//
// # Messages
//
// Section 4 counts messages for each entry, and leaves open which request a message
// belongs to. messages-total counts all messages of a run in which all requests are
// served, for each request; messages counts one request, from start to exit: the messages
// that the requester sends, and the messages from nodes to it. So an inquire counts for the holder
// that is asked. Section 4 counts it for the request that causes it; the sums over whole
// runs are the same. A grant that is sent after the exit is not among messages, so their
// least number says little; it is bounded for Raynal's algorithm only, where a process
// waits for all replies. Raynal's bounds count, for a request, the replies that the
// process gets and the notices that it sends. Messages to dead
// processes do not count, and messages-total is about runs without crashes.
//
// # Raynal: readings
//
//   - Section 2 asks that the number of units left be larger than h; then h=M is never
//     granted (entry=larger). entry=at-least grants it.
//   - The paper does not say how replies and later notices add up when a notice comes
//     after the next request: accounting=. With add a process can hear twice that the
//     same units are in use and once that they are free; when it asks for more units
//     later, it waits for ever. addm avoids that. reset is not safe if h changes.
//
// # Arbiter: readings
//
//   - Section 2 does not say which request a node serves next, nor how deadlocks are avoided:
//     policy=. fifo, skip and prio deadlock with sets=1+2,2+3,1+3 already.
//   - inquire has a requester give an inquired grant back at once; in Maekawa's
//     algorithm of 1985 it waits for a FAILED, by which it knows that it cannot enter
//     (failed85). That deadlocks when a request that got no FAILED is overtaken in the
//     queue later; failed sends FAILED then. With k > 1 a request can also be overtaken
//     by one that is granted at once, because it asks for fewer units. FAILED is not
//     sent then, and failed deadlocks too.
//   - A grant that is given back is not followed by a FAILED.
//   - In a bag an inquire can overtake its grant, and is lost; so is a release that
//     overtakes its request.
package cohorts
