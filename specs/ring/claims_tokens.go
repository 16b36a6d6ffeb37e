package ring

import (
	"fmt"

	"github.com/atmostk/atmostk/model/papers"
)

// What the paper claims of the token, and of how far the ring may shrink.

var oneActive = papers.Claim{
	Name: "One and only one active token", Place: "section 2", Line: "paragraph after the first chain",
	Text: "MrkME makes sure that there is one active token in the ring and not more: a lost one is " +
		"replaced, a second one is removed.",
	Ruling: papers.Erroneous, Within: "f<=n-min-k",
	Trials: []papers.Trial{
		{Spec: "ring-recovery", Args: "n=2 f=1", Property: "one-token",
			Remark: "a second token, two processes"},
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "token-recurs",
			Remark: "no token, three processes"},
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "one-token"},
		{
			Spec: "ring-recovery", Args: "n=3 f=2 rounds=2", Property: "one-usable-token",
			Remark: "two tokens that let processes in",
		},
		{Spec: "ring-recovery", Args: "n=4 f=2", Property: "one-usable-token", Remark: "likewise"},
		{
			Spec: "ring-recovery", Args: "n=3 f=1", Property: "one-usable-token",
			Remark: "one crash and one request each are not enough for that",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=1 token-time=token", Property: "token-recurs",
			Aside:  papers.Contrast,
			Remark: "a release sends the time of the token it entered with",
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1 token-time=token", Property: "token-recurs",
			Aside:  papers.Contrast,
			Remark: "that is no repair: scheme 1",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=1 repair=drop", Property: "token-recurs",
			Aside:  papers.Contrast,
			Remark: "a release while MrkME is ON sends none",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=2 repair=drop", Property: "one-token", Aside: papers.Contrast,
			Remark: "that is not enough with two crashes",
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=2 repair=participant+orphan+drop", Property: "token-recurs",
			Aside: papers.Contrast, Remark: "all repairs but epoch",
		},
		{
			Spec:     "ring-recovery",
			Args:     "n=4 f=2 repair=full",
			Property: "token-recurs",
			Aside:    papers.Repaired,
		},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "one-token", Aside: papers.Repaired},
		{
			Spec:     "ring-recovery",
			Args:     "n=4 f=2 repair=full",
			Property: "token-stable",
			Aside:    papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=3 repair=full", Property: "one-token", Aside: papers.Repaired,
		},
	},
	Account: `**What happens** to the only token (row 2). p2 is in the critical section when the
coordinator p3 crashes, and wins the new election there. After an election the coordinator forgets the time
of the token and sends the clear; it does not wait for its own release, only for clears that arrive. When p2
then releases, it sends the token with its present time: token(NULL). That message follows the clear round
the ring. p1, in the second pass, waits for the time of the new token and takes this one for it: it goes OFF
with the time NULL. When the real token comes, p1 is OFF and WANTED, and without a time, and absorbs it.
There is no token any more, nobody has failed since, and nothing starts another election.

A second token is there for a while after an election that finds a process inside; mostly it is absorbed.
What a second token that lets processes in comes from is told with scheme 1 and with scheme 2.`,
	Repair: `**What makes it hold.** A release while MrkME is ON sends no token, since the election has
made a new one (drop), and a clear carries the time of its token, so that tokens and clears of different
elections cannot be taken for each other (epoch). Each alone fails somewhere, as do a token that keeps its
time (token-time=token) and drop2.`,
	Statements: []papers.Statement{
		{
			Says: "With drop and epoch together there is never a second token, whatever else is repaired.",
			Spec: "ring-recovery",
			Where: "scheme=0/1/2 list=static after-election=keep lasting=no variant=printed " +
				"repair=drop+epoch/" +
				"participant+drop+epoch/orphan+drop+epoch/participant+orphan+drop+epoch/full",
			Properties: "one-token,one-usable-token,mutual-exclusion", Verdict: papers.Everywhere,
		},
		{
			Says: "Epoch alone removes all second tokens that could let a process in.", Spec: "ring-recovery",
			Where: "scheme=0/1/2 list=static after-election=keep lasting=no " +
				"variant=printed repair=epoch",
			Properties: "one-usable-token,mutual-exclusion", Verdict: papers.Everywhere,
		},
		{
			Says: "Drop without epoch leaves two tokens somewhere.", Spec: "ring-recovery",
			Where: "scheme=2 variant=printed repair=drop/drop2/participant+orphan+drop lasting=no " +
				"after-election=keep list=static",
			Properties: "one-token", Verdict: papers.Somewhere,
		},
	},
}

var resilience = papers.Claim{
	Name: "(n-k)-resilience", Place: "section 1", Line: "second paragraph on scheme 2",
	Text: "With a minimum of k faultless processes, 1 < k <= n, the system is (n-k)-resilient: recovery " +
		"from n-k failures is guaranteed.",
	Ruling: papers.Erroneous, Within: "f<=n-min-k lasting=no list=static",
	Trials: []papers.Trial{
		{Spec: "ring-recovery", Args: "n=3 f=1 min-k=2", Property: "requests-served",
			Remark: "n-k crashes: ME2"},
		{Spec: "ring-recovery", Args: "n=4 f=2 min-k=2", Property: "requests-served", Remark: "likewise"},
		{
			Spec: "ring-recovery", Args: "n=4 f=2 min-k=2", Property: "recoverable",
			Remark: "the channels are recovered",
		},
		{Spec: "ring-recovery", Args: "n=4 f=1 min-k=3", Property: "recoverable", Remark: "likewise"},
		{Spec: "ring-recovery", Args: "n=5 f=2 min-k=3", Property: "recoverable", Remark: "likewise"},
		{
			Spec: "ring-recovery", Args: "n=3 f=1 min-k=2 variant=repaired", Property: "requests-served",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=2 min-k=2 variant=repaired", Property: "requests-served",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=1 min-k=3 variant=repaired", Property: "requests-served",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=2 min-k=2 variant=repaired", Property: "recoverable",
			Aside: papers.Repaired,
		},
	},
	Account: `The channels are recovered as often as the claim says: a process takes at most n-k+1 steps
along its list, and OnOutputError allows as many. That the algorithms above them go on is what fails, by the
runs of one and two crashes that the other claims tell.`,
	Statements: []papers.Statement{
		{
			Says: "Up to n-k crashes nobody gives up its channel.", Spec: "ring-recovery",
			Where:      "scheme=2 f<=n-min-k list=static lasting=no max-err=0",
			Properties: "recoverable,rup-terminates",
			Verdict:    papers.Everywhere,
		},
		{
			Says: "With variant=repaired all else is guaranteed, too.", Spec: "ring-recovery",
			Where: "scheme=2 variant=repaired f<=n-min-k lasting=no min-k>=2", Verdict: papers.Everywhere,
		},
	},
}

var notFewer = papers.Claim{
	Name: "Not fewer than k", Place: "section 1", Line: "second paragraph on scheme 2; algorithm 1.1, MIN_K",
	Text: "The system degrades to a minimum of k faultless processes, and no further: MIN_K is the least " +
		"number of them.",
	Ruling: papers.Erroneous, Within: "f<=n-min-k",
	Trials: []papers.Trial{
		{
			Spec: "ring-recovery", Args: "n=4 f=2 min-k=3", Property: "min-k",
			Remark: "two crashes, and a ring of two is closed",
		},
		{Spec: "ring-recovery", Args: "n=4 f=2 min-k=3", Property: "min-k-stable", Remark: "and stays so"},
		{Spec: "ring-recovery", Args: "n=4 f=3 min-k=3", Property: "min-k"},
		{Compute: closesWithFewer, Remark: "for which k: all n up to 64, by counting"},
		{Spec: "ring-recovery", Args: "n=4 f=3 min-k=2", Property: "min-k", Remark: "with k=2 it does hold"},
		{Spec: "ring-recovery", Args: "n=4 f=3 min-k=4", Property: "min-k", Remark: "and with k=n"},
		{
			Spec: "ring-recovery", Args: "n=4 f=3 min-k=2", Property: "recoverable", Aside: papers.Contrast,
			Remark: "one crash more than n-k: the ring stays open",
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=2 min-k=3 variant=repaired", Property: "min-k-stable",
			Aside: papers.Contrast, Remark: "with all repairs, of which count is one",
		},
		{
			Spec: "ring-recovery", Args: "n=5 f=3 min-k=3 variant=repaired", Property: "min-k-stable",
			Aside: papers.Contrast, Remark: "likewise",
		},
	},
	Account: `**What happens** (8 steps). p2 and p4 crash. p1 detects it and turns to p3; p3 detects it
and turns to p1. Each list has three ids, so that each may turn once. The ring of two is closed, elects, and
goes on, with MIN_K = 3.

OnOutputError compares MIN_K with the size of the list, which counts the process itself and all behind its
neighbour, **whether they live or not**: it bounds how far one process may turn along the ring, and not how
many processes are left. m survivors close a ring if the gaps between them, which add up to n, are at most
n-k+1 each. m = k-1 such gaps exist if and only if (k-1)(n-k+1) >= n, that is for each k from 3 to n-1. So
**the bound holds for k <= 2 and for k = n only**.

When MIN_K is not met only the process next to the crash gives up; the others stay in a ring that never
closes, and nobody tells them.`,
	Repair: `**What makes it hold.** No process can know before it turns how many are left elsewhere, so
that a ring of fewer may close for a moment. With repair=count a rup counts the processes that it passes,
and whose own rup is back with fewer than MIN_K gives its channel up in place of an election: such a ring
opens again (min-k-stable) and elects nobody.`,
	Statements: []papers.Statement{
		{
			Says: "As printed the bound fails for each k from 3 to n-1 as soon as more than " +
				"n-k may crash.",
			Spec:       "ring-recovery",
			Where:      "scheme=2 min-k>=3 min-k<n f>n-min-k variant=printed repair=none",
			Properties: "min-k,min-k-stable",
			Verdict:    papers.Nowhere,
		},
		{
			Says: "It holds for k up to 2.", Spec: "ring-recovery", Where: "scheme=2 min-k=0/1/2",
			Properties: "min-k",
			Verdict:    papers.Everywhere,
		},
		{
			Says: "With variant=repaired it holds from some point on, for each k.", Spec: "ring-recovery",
			Where:      "scheme=2 variant=repaired min-k>=2 lasting=no",
			Properties: "min-k-stable,mutual-exclusion,one-token", Verdict: papers.Everywhere,
		},
	},
}

// closesWithFewer asks for each n and k whether fewer than k survivors can close the ring: with gaps
// that add up to n, each of at most n-k+1, since a process that turns past g-1 dead ones needs a list of
// at least k ids when it takes the last, n-1-(g-2) of them.
func closesWithFewer() papers.Finding {
	first := ""
	for n := 1; n <= 64; n++ {
		for k := 1; k <= n; k++ {
			fewer := false
			for m := 1; m < k; m++ {
				fewer = fewer || m*(n-k+1) >= n
			}
			if fewer != (3 <= k && k < n) {
				return papers.Finding{Verdict: "holds",
					Detail: fmt.Sprintf("the argument is wrong: n=%d, k=%d", n, k)}
			}
			if fewer && first == "" {
				first = fmt.Sprintf("n=%d, k=%d", n, k)
			}
		}
	}
	return papers.Finding{
		Verdict: "violated", Detail: "for each k from 3 to n-1, first " + first + "; for no other",
	}
}

var rangeOfK = papers.Claim{
	Name: "The range of k", Place: "section 1", Line: "second paragraph on scheme 2; algorithm 1.1, MIN_K",
	Text:   "The minimum k of faultless processes is in the range 1 < k <= n.",
	Ruling: papers.Slip, Because: "the next sentence but one has a ring of one process after n-1 failures, " +
		"which is k = 1, and algorithm 1.1 has 1 <= MIN_K",
	Trials: []papers.Trial{
		{Compute: rangeReached, Remark: "is n-1 the largest n-k for 1 < k <= n?"},
		{
			Spec: "ring-recovery", Args: "n=3 f=2 min-k=1", Property: "recoverable", Aside: papers.Contrast,
			Remark: "k=1 works: n-1 crashes",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=2 min-k=2", Property: "recoverable", Aside: papers.Contrast,
			Remark: "k=2: n-1 crashes are too many",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=2 min-k=0", Property: "recoverable", Aside: papers.Contrast,
			Remark: "MIN_K 0, which algorithm 1.1 forbids, is as 1 with static lists",
		},
		{
			Spec: "ring-recovery", Args: "n=2 f=1 list=auto start=cold guard=none min-k=0",
			Property: "no-pop-empty",
			Aside:    papers.Contrast, Remark: "and takes the head of an empty list under AutoList",
		},
	},
	Account: `1 <= k <= n is meant. The bound 1 <= MIN_K is needed where a list may be empty.`,
}

// rangeReached compares the largest n-k over 1 < k <= n with n-1.
func rangeReached() papers.Finding {
	for n := 2; n <= 64; n++ {
		most := 0
		for k := 2; k <= n; k++ {
			most = max(most, n-k)
		}
		if most != n-1 {
			return papers.Finding{Verdict: "violated", Detail: fmt.Sprintf("n=%d: at most %d", n, most)}
		}
	}
	return papers.Finding{Verdict: "holds"}
}

var onePoint = papers.Claim{
	Name: "The ring can collapse into one point", Place: "section 1", Line: "second paragraph on scheme 2",
	Text:   "The largest one-way resiliency is n-1: the last process is a ring of its own.",
	Ruling: papers.Erroneous, Within: "min-k<=1 list=static lasting=no",
	Trials: []papers.Trial{
		{
			Spec: "ring-recovery", Args: "n=3 f=2", Property: "requests-served",
			Remark: "on the way there a request is lost",
		},
		{Spec: "ring-recovery", Args: "n=3 f=2", Property: "recoverable"},
		{Spec: "ring-recovery", Args: "n=3 f=2", Property: "rup-terminates"},
		{
			Spec: "ring-recovery", Args: "n=2 f=1", Property: "requests-served",
			Remark: "with two processes none is",
		},
		{Spec: "ring-recovery", Args: "n=3 f=2 repair=full", Property: "requests-served",
			Aside: papers.Repaired},
		{
			Spec: "ring-recovery", Args: "n=5 f=4 variant=repaired", Property: "requests-served",
			Aside: papers.Repaired,
		},
	},
	Account: `The last process turns to itself, its rup, election, clear and token come back to it, and
it enters. With three processes a request can still be lost on the way there, by the run of one crash.`,
}
