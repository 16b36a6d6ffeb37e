package vcube

import (
	"github.com/atmostk/atmostk/model/papers"
)

// implement is what to take: variant=repaired.
var implement = papers.Claim{
	Name: "What to implement", Place: "variant=repaired",
	Text: "The three algorithms with the changes below keep what the page judges of them, with up " +
		"to n-1 crashes.",
	Ruling: papers.Stands,
	Account: `Lines with ! differ from the paper, or say what it leaves open; numbers are those of its lines.

    Algorithm 5.1, tree
      on the crash of j:  correct := correct - j                                        10
                          if I have the message:                                      ! 11
                            send TREE to FF_neighbor(cluster(j)), if there is one       12

    Algorithm 6.1, broadcast, at process i; acks are triples (from, to, m), from = none at the source
      broadcast(m):       wait until no ack (none, *, my last message) is left          5
                          number m; deliver m; send TREE(m) to neighborhood(log n),     6-10
                          adding (none, k, m) for each k
      on TREE(m) from j:  if the source of m or j is not correct: return                16
                          if m is the first or the next of its source: deliver m        18-21
                          for k in neighborhood(cluster(j)-1), m new or not:          ! 22
                            if (j, k, m) is no ack yet: add it, send TREE(m) to k       23-25
                          done(j, m)                                                    26
      on ACK(m) from j:   for every x with an ack (x, j, m): remove it                ! 28-29
                          for each of these x but none: done(x, m)                    ! 30-31
      done(j, m):         if no ack (j, *, m) is left, and the source and j are         11-14
                          correct: send ACK(m) to j
      on the crash of j:  correct := correct - j; k := FF_neighbor(cluster(j))          33-34
                          for each ack (p, q, m):                                       35
                            if the source is not correct, or p is not and is not none:! 36
                              remove it                                                 37
                            else if q = j: if there is a k and no ack (p, k, m):        38-41
                                add it, send TREE(m) to k
                              remove (p, j, m); if p is not none: done(p, m)          ! 42-43

    Algorithm 7.1, k-mutual exclusion, at process i
      request:            state := requesting; clock := clock + 1; last := clock        9-11
                          perm_count := 0; inside := {}                               ! 12
                          for each other correct j: reply_count[j] += 1               ! 14, before 13
                          broadcast REQUEST(last); this may wait                        13
                          wait until perm_count >= |correct| - k, and each other      ! 15
                          correct j has reply_count[j] = 0 or is inside
                          state := executing                                            16
                          for each correct j with defer_count[j] > 0:                 ! new
                            send INSIDE(asked[j]) to j
      release:            state := not requesting                                       18
                          for each other correct j with defer_count[j] > 0:             19-22
                            send REPLY(defer_count[j]) to j; defer_count[j] := 0
      on REQUEST(t) of j: clock := max(clock, t); return if j is not correct            24-25
                          if executing, or requesting and (last, i) < (t, j):         ! 26, t for last of j
                            defer_count[j] += 1; asked[j] := t                        ! 27
                            if executing: send INSIDE(t) to j                         ! new
                          else: send REPLY(1) to j                                      29
      on INSIDE(t) of j:  if requesting and t = last: inside := inside + j            ! new
      on REPLY(c) of j:   if j is correct: reply_count[j] -= c; if requesting and       31-34
                            reply_count[j] = 0: perm_count += 1
      on the crash of j:  if requesting and reply_count[j] = 0: perm_count -= 1         36-37
                          correct := correct - j; line 15 is not looked at between    ! 38, as section 7.2 says

With k=1, or where the order of Lemma 7.3 is not needed, INSIDE and what belongs to it can be left out: Lemmas 7.1 and
7.2 do not need it (request=count-first line28=all).

**What it costs.** Without INSIDE no message more than as printed: n-1 TREE, n-1 ACK and at most n-1 REPLY for a request.
INSIDE is sent to those only whose requests are deferred: at most n-1 more, and none without conflicts. The rows have
both.

**What stays unknown.** More than four live requesters, or broadcasts with more than seven live processes and two
crashes. The perfect notices are assumed and not repaired: a detector that errs about a live process gives its unit
away. Channels that lose messages: as printed and as repaired a lost REPLY is waited for.`,
	Trials: []papers.Trial{
		{Spec: "vcube-kmutex", Args: "n=3 k=2 variant=repaired rounds=1,1,1", Property: "messages-total"},
		{Spec: "vcube-kmutex", Args: "n=3 k=2", Property: "messages-total", Aside: papers.Contrast,
			Remark: "as printed"},
		{
			Spec: "vcube-kmutex", Args: "n=3 k=2 request=count-first", Property: "messages-total",
			Aside:  papers.Contrast,
			Remark: "repaired, but for the order",
		},
		{Spec: "vcube-stack", Args: "n=4 k=2 variant=repaired rounds=1,1,0,0", Property: "messages-total"},
		{
			Spec: "vcube-stack", Args: "n=4 k=2 rounds=1,1,0,0", Property: "messages-total",
			Aside:  papers.Contrast,
			Remark: "as printed",
		},
		{Spec: "vcube-kmutex", Args: "n=3 k=2 variant=repaired", Property: "requests-served"},
		{Spec: "vcube-stack", Args: "n=2 k=1 variant=repaired rounds=2 crashes=1",
			Property: "requests-served"},
	},
	Statements: []papers.Statement{
		{
			Says: "With variant=repaired every property of the tree holds.", Spec: "vcube-tree",
			Where:   "variant=repaired",
			Verdict: papers.Everywhere,
		},
		{
			Says: "With variant=repaired every property of the broadcast holds.", Spec: "vcube-broadcast",
			Where: "variant=repaired", Verdict: papers.Everywhere,
		},
		{
			Says: "With variant=repaired every property of the mutual exclusion holds, fair-order included.",
			Spec: "vcube-kmutex", Where: "variant=repaired", Verdict: papers.Everywhere,
		},
		{
			Says: "With variant=repaired every property of both layers together holds.", Spec: "vcube-stack",
			Where: "variant=repaired", Verdict: papers.Everywhere,
		},
	},
}
