package cohorts

import (
	"github.com/atmostk/atmostk/model/papers"
)

// implement is what to take: mode=repaired.
var implement = papers.Claim{
	Name: "What to implement", Place: "mode=repaired",
	Ruling: papers.Stands,
	Text: "The algorithm with the changes below keeps what the page judges, with crashes of nodes and " +
		"of requesters.",
	Account: `mode=repaired (repaired.go). Lines with ! differ from the paper, or say what it leaves open.

    requester, for h units:
      ts := the next time; G, R, Answered := {}; P := {}; ask(m)
      ask(i):             P := P + C_i - Down                              ! not those known to be down
                          send request(ts) to them
      on grant(ts) from j in P:    G := G + j; Answered := Answered + j
                          if j has inquired already: relinquish(j)         ! the inquire has overtaken its grant
      on busy(ts) from j in P:     Answered := Answered + j                ! new
      on inquire(ts) from j in P, before the critical section:
                          if j in G: relinquish(j), else remember it       ! any grant; R is empty until enter
      relinquish(j):      G := G - j; send relinquish(ts) to j
      whenever G, Answered or Down has changed, before the critical section:
        g := h; for i = m, ..., the last cohort asked:                     ! the loop of Figure 1 anew, over G
          n := |G in C_i|
          if i > 1 and n >= |C_i|-(k-1)+(g-1): use so many of them; g := g-1; stop if g = 0
          else if n >= g:  use g of them; if i = 1: g := 0                 ! at least, not more than
          else: wait
        if g = 0: R := those used; send release(ts) to P - R; P := R;      ! surplus grants at once
                  enter the critical section
        else if the last cohort asked is within Answered + Down: ask(the one before)   ! no sooner
      exit:               send release(ts) to P; P, G, R := {}

    node (arbiter):
      on request(t):      drop it if its requester is down, or t was released already   !
                          if free: lock := t; send grant(t)
                          else: put t into the queue by priority; send busy(t);         ! new
                                if t precedes the lock, and it was not asked: send inquire(lock)
      on relinquish(t):   if t is the lock: put t into the queue; next
      on release(t):      if t is the lock: next; else if in the queue: remove it
                          else: remember that t is released                             ! it has overtaken its request
      next:               lock := the first of the queue, if any; send grant(lock)

    on the crash of p:    Down := Down + p                                              ! perfect notices
      node:               forget the requests of p; if p held the lock: next            ! nobody else takes it back

**What it costs.** Without failures and conflicts nothing: 3ch messages, as in the best case of section 4, where the
algorithm as printed may take 3n. In conflicts one busy for each request that has to wait: at most 7 messages for each
node that is asked, against 6; in the rows above the most is at most a fifth above that of the printed algorithm.
Notices of crashes are not counted.

**What stays unknown.** Whether the failure detector can be weaker: one that errs about a requester gives its units
away. Structures of more than five nodes, and more than three requesters. Several rounds in bags. Links that fail are
not tolerated: see there.`,
	Trials: []papers.Trial{
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=repaired", Property: "all-served"},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=repaired crashes-arbiters=1 crashes-requesters=1",
			Property: "all-served",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=repaired", Property: "messages-total"},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "messages-total", Aside: papers.Contrast,
			Remark: "as printed",
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=2,2 mode=repaired", Property: "messages-total",
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=2,2", Property: "messages-total", Aside: papers.Contrast,
			Remark: "as printed",
		},
	},
	Statements: []papers.Statement{
		{
			Says: "With mode=repaired every property of the page holds, with crashes of nodes and of " +
				"requesters, in " +
				"FIFO channels and in bags.",
			Spec: "cohorts", Where: "mode=repaired",
			Properties: "-best-primaries", Verdict: papers.Everywhere,
		},
		{
			Says: "Primary cohorts are those of the best case where it is one: one " +
				"requester, no crashes.",
			Spec:       "cohorts",
			Where:      "mode=repaired h=1/2 crashes-arbiters=0 crashes-requesters=0",
			Properties: "best-primaries",
			Verdict:    papers.Everywhere,
		},
	},
}
