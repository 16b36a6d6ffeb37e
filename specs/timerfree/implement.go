package timerfree

import (
	"github.com/atmostk/atmostk/model/papers"
)

// implement is what to take: variant=repaired.
var implement = papers.Claim{
	Name: "What to implement", Place: "variant=repaired",
	Ruling: papers.Stands, Within: "f<k pending=largest order=total",
	Text: "Algorithm 1 with the changes below keeps what the page judges, with f < k crashes, " +
		"whichever way " +
		"RP is read.",
	Account: `variant=repaired (timerfree.go and variants.go). Lines with ! differ from the listing; numbers are those of its
lines.

    at process i:         state := not requesting; H, last := 0; crashed, missed := {};      1-6
                          owed := no timestamps                                            ! for pending
      request:            state := requesting; last := H + 1; H := last                    ! 7, 10
                          out := all others; X := { i: missed }                              8, 9
                          granted := {}                                                      11, 12
                          send REQUEST(last, crashed) to each other one not in crashed       13, 14
                          wait until |granted| >= n - |crashed| - k and |out| <= f         ! 15
                          crashed := crashed + (intersection of all sets in X)             ! 38, here too
                          missed := out                                                    ! 37, here only
                          state := CS                                                        16
      release:            for each j with a timestamp t in owed, not in crashed:             17
                            send REPLY(t, PERM, missed) to j                               ! 18, t is new
                          owed := no timestamps; state := not requesting                     19, 20
      on REQUEST(t, c) of j:
                          H := max(H, t) + 1                                                 22
                          granted := granted - (c - crashed); crashed := crashed + c         23-27
                          if CS, or requesting and (last, i) < (t, j), j after i in a tie: ! 28, order
                            send REPLY(t, NOPERM, missed) to j                             ! 29
                            owed[j] := max(owed[j], t)                                     ! 30
                          else: send REPLY(t, PERM, missed) to j                           ! 32
      on REPLY(t, a, s) of j:
                          if t != last: drop it                                            ! new
                          out := out - j; X[j] := s                                          34, 35
                          if |out| <= f: crashed := crashed + (intersection of all in X)     36, 38
                          if requesting, a = PERM and j is not in crashed:
                            granted := granted + j                                         ! 39-41, a set

missed is not_rec_from, out is new_not_rec_from, and perm_count is the size of granted. What has to be
guaranteed is RP: for each process i, more than f processes, i among them, have i's answer each time before
they enter, as long as they live.

**What it costs.** No kind of message, and none more: from 2(n-1) to 3(n-1) for a request, as printed, and a
REPLY carries a timestamp. Line 15 waits longer where f < k-1, as section 2 asks for: that can make a request
slower; who waits longer meets fewer others, so that with k=2 of n=3 three requests take at most 15 messages,
against 17.

**What stays unknown.** Instances above those of the tables: more than three processes that request twice, or
than two with four processes. Theorem 1 is about runs without end, and was searched within bounds on clocks
and channels. RP itself is not repaired: where it fails a process may be taken for dead wrongly, and one too
many may enter. Channels that lose messages: as printed and as repaired a lost permission is waited for. A
process that never requests keeps the others from detecting anything, unless f others answer sooner.`,
	Trials: []papers.Trial{
		{Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=1 channel=fifo variant=repaired",
			Property: "messages-total"},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=1 channel=fifo variant=a",
			Property: "messages-total",
			Aside:    papers.Contrast, Remark: "as printed",
		},
		{Spec: "timerfree", Args: "n=3 k=1 f=0 rounds=1 channel=fifo variant=repaired",
			Property: "messages-total"},
		{
			Spec: "timerfree", Args: "n=3 k=1 f=0 rounds=1 channel=fifo variant=a",
			Property: "messages-total",
			Aside:    papers.Contrast, Remark: "as printed",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1 channel=fifo variant=repaired rp=T",
			Property: "can-serve-all",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=bag variant=repaired rp=T",
			Property: "no-starvation",
		},
		{
			Spec: "timerfree", Args: "n=2 k=1 f=0 variant=repaired rounds=inf max-skew=6",
			Property: "requests-served",
			Aside:    papers.Contrast, Remark: "runs without end, weak fairness, within bounds",
		},
	},
	Statements: []papers.Statement{
		{
			Says: "With variant=repaired every property holds, with crashes, in FIFO channels and " +
				"in bags, under " +
				"either reading of RP.",
			Spec: "timerfree", Where: "variant=repaired f<k rounds!=inf", Verdict: papers.Everywhere,
		},
		{
			Says: "In runs without end no crash was seen to stay undetected.", Spec: "timerfree",
			Where: "variant=repaired rounds=inf", Properties: "detected-at-last", Verdict: papers.NotSeen,
		},
	},
}
