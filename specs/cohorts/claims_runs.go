package cohorts

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What section 3 claims of the runs of the algorithm. What they cost is in claims_costs.go.

var safety = papers.Claim{
	Name: "Safety", Place: "section 3", Line: "last paragraph",
	Text: "No two nodes gather permissions from h1 and h2 disjoint quorums at once if h1+h2 > k; so " +
		"no more than k " +
		"resources are accessed concurrently.",
	Ruling: papers.ErroneousUnder, Readings: []string{"relinquish=naive"},
	Trials: []papers.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 relinquish=naive", Property: "units",
			Remark: "Maekawa's rule taken literally: any grant is given back before the critical section",
		},
		{Spec: "cohorts", Args: "cohorts=1,2,2 h=1,1 relinquish=naive", Property: "units",
			Remark: "likewise"},
		{Spec: "cohorts", Args: "cohorts=2,3 h=2,2 relinquish=naive", Property: "units", Remark: "likewise"},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "units", Aside: papers.Repaired},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 rounds=2,2 clock=lamport", Property: "units",
			Aside: papers.Repaired,
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=gather", Property: "units", Aside: papers.Repaired},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 crashes-arbiters=1", Property: "units",
			Aside: papers.Repaired},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=2,2", Property: "units", Aside: papers.Repaired,
			Remark: "h1+h2 > k",
		},
		{Spec: "cohorts", Args: "cohorts=2,3 h=1,1", Property: "units", Aside: papers.Repaired},
		{Spec: "cohorts", Args: "cohorts=2,3 h=1,1 surplus=at-once", Property: "units",
			Aside: papers.Repaired},
		{Spec: "cohorts", Args: "cohorts=2,3 h=1,1 mode=gather", Property: "units", Aside: papers.Repaired},
		{
			Spec:     "cohorts",
			Args:     "cohorts=1,2 h=1,1 mode=repaired crashes-arbiters=1 crashes-requesters=1 channel=bag",
			Property: "units", Aside: papers.Repaired,
		},
	},
	Account: `**What happens** under the literal reading of "the well known conflict resolution mechanism". Probe has returned a
grant of C_2, and the requester goes on to C_1. A node of C_2 is asked for its grant by a request with a smaller
number. The requester is not in the critical section, so Maekawa's rule says to give the grant back, and the node
grants the other. But Figure 1 keeps what Probe has returned in R and never looks at it again: the first requester
still enters when C_1 grants, and the other one enters as well.`,
	Repair: `**What makes it hold.** Give back only what no Probe has returned (relinquish=pending, the default), or go through
the loop of Figure 1 anew over the grants that are still held whenever one comes in (mode=gather and repaired).`,
	Statements: []papers.Statement{
		{
			Says: "Safety holds with relinquish=pending, whatever else is read.", Spec: "cohorts",
			Where: "relinquish=pending", Properties: "units,exclusive,one-grant", Verdict: papers.Everywhere,
		},
		{
			Says: "The literal rule breaks it wherever two requesters compete and Probe may " +
				"return by case 2.",
			Spec: "cohorts", Where: "relinquish=naive mode=printed case2=any h=1,1/2,2",
			Properties: "units,exclusive",
			Verdict:    papers.Nowhere,
		},
	},
}

var liveness = papers.Claim{
	Name: "Liveness", Place: "section 3", Line: "last paragraph; section 4, second paragraph",
	Text: "With the conflict resolution of Maekawa's algorithm, which relies on Lamport's clocks and on " +
		"request, grant, " +
		"release, inquire and relinquish, neither deadlock nor starvation is possible.",
	Ruling:   papers.ErroneousUnder,
	Readings: []string{"case2=fd channel=bag", "case2=never channel=bag", "surplus=never"},
	Within:   "crashes-arbiters=0 crashes-requesters=0 stay=0",
	Trials: []papers.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 case2=fd channel=bag", Property: "deadlock-freedom",
			Remark: "channels are not FIFO, which the paper does not ask for",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 case2=never channel=bag", Property: "deadlock-freedom",
			Remark: "likewise"},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=2,2 surplus=never", Property: "deadlock-freedom",
			Remark: "what Probe does not return is not released",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "deadlock-freedom"},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "all-served"},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 rounds=2,1", Property: "deadlock-freedom"},
		{Spec: "cohorts", Args: "cohorts=1,2,2 h=1,1 case2=fd", Property: "deadlock-freedom"},
		{Spec: "cohorts", Args: "cohorts=2,3 h=2,2", Property: "deadlock-freedom"},
		{Spec: "cohorts", Args: "cohorts=2,3 h=1,1", Property: "deadlock-freedom"},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 relinquish=none", Property: "deadlock-freedom",
			Aside:  papers.Contrast,
			Remark: "without inquire and relinquish, and Probe may go on",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 case2=fd relinquish=none", Property: "deadlock-freedom",
			Aside: papers.Contrast, Remark: "without them, and Probe may not go on",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 case2=fd stay=1", Property: "deadlock-freedom",
			Aside:  papers.Unassumed,
			Remark: "k=1, and the first requester stays for ever",
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=1,1 case2=fd stay=1", Property: "deadlock-freedom",
			Aside:  papers.Unassumed,
			Remark: "k=2, and the second unit cannot be had while the first requester stays",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=repaired channel=bag", Property: "deadlock-freedom",
			Aside: papers.Repaired},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=repaired channel=bag", Property: "all-served",
			Aside: papers.Repaired},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=1,1 mode=repaired stay=1", Property: "deadlock-freedom",
			Aside: papers.Repaired, Remark: "the second unit can be had",
		},
	},
	Account: `**What happens** in a bag. An inquire overtakes the grant that it asks for, finds nothing to give back, and is dropped:
in Maekawa's rule the release answers it. Each of two requesters then holds one node of C_2, each node has asked once
and does not ask again, and where Probe may not go on to C_1 both wait for ever.

**What happens** with surplus=never. A node whose grant Probe did not return stays locked after the exit. Two requesters
for two units each leave so many nodes locked that the second cannot be served.

With case2=fd and two units, C_2 is asked by everybody, can be primary for one only, and has answered: nobody goes on to
C_1 while the first one is inside. So two requesters for one unit each are never inside together, though k=2.`,
	Repair: `**What makes it hold.** FIFO channels, or an inquire that is remembered until its grant comes (mode=repaired); and
surplus=at-exit or at-once. In mode=repaired nodes also say that they are busy, so that the second unit can be had.`,
	Statements: []papers.Statement{
		{
			Says: "As read here by default, and in FIFO channels, nobody waits for ever without crashes.",
			Spec: "cohorts",
			Where: "mode=printed probe=at-least case2=any surplus=at-exit/at-once " +
				"relinquish=pending channel=fifo " +
				"crashes-arbiters=0 crashes-requesters=0 stay=0",
			Properties: "deadlock-freedom", Verdict: papers.Everywhere,
		},
	},
}

var tolerance = papers.Claim{
	Name: "Fault tolerance", Place: "abstract; sections 1, 4 and 5; Table 1",
	Text:   "The algorithm is resilient to failures of nodes.",
	Ruling: papers.Erroneous,
	Trials: []papers.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1 crashes-arbiters=1", Property: "deadlock-freedom",
			Remark: "a node crashes, and there is one requester only",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 crashes-arbiters=1", Property: "deadlock-freedom",
			Remark: "two of them"},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 case2=never crashes-arbiters=1",
			Property: "deadlock-freedom",
			Remark:   "Probe never returns by case 2",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 case2=fd channel=bag crashes-arbiters=1",
			Property: "deadlock-freedom",
			Remark: "by case 2 only when all others of the cohort have crashed, as an oracle " +
				"knows; in bags",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 crashes-requesters=1", Property: "deadlock-freedom",
			Remark: "a requester crashes",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 case2=fd crashes-requesters=1",
			Property: "deadlock-freedom",
			Remark:   "likewise, with the oracle",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 crashes-arbiters=1", Property: "units",
			Remark: "safety is not lost"},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 case2=fd crashes-arbiters=1",
			Property: "deadlock-freedom",
			Remark:   "the oracle, FIFO channels, and only nodes crash", Aside: papers.Contrast,
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=gather crashes-arbiters=1",
			Property: "deadlock-freedom",
			Remark:   "the walk anew over all grants, FIFO channels, and only nodes crash",
			Aside:    papers.Contrast,
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=gather crashes-requesters=1",
			Property: "deadlock-freedom",
			Remark:   "and a requester crashes", Aside: papers.Contrast,
		},
		{
			Spec:     "cohorts",
			Args:     "cohorts=1,2 h=1,1 mode=repaired crashes-arbiters=1 crashes-requesters=1 channel=bag",
			Property: "deadlock-freedom", Aside: papers.Repaired,
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=1 mode=repaired crashes-arbiters=2",
			Property: "deadlock-freedom",
			Aside:    papers.Repaired,
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=2,2 mode=repaired crashes-requesters=1",
			Property: "deadlock-freedom",
			Aside:    papers.Repaired,
		},
	},
	Account: `**What happens.** In Coh(1,2) with cohorts {1} and {2,3}, r1 asks 2 and 3. As soon as 3 has granted, case 2 of
Probe stands, and r1 goes on to C_1, whose node has crashed or crashes now. Then the grant of 2 comes in. Now r1 has
all of C_2, which is a quorum, and could enter; but Figure 1 does not come back to C_2, and Probe(C_1) does not
return. One requester is enough for that, and one crash of a node that no quorum needed. With a second requester, that
one waits for ever as well, since r1 keeps both grants.

A requester that crashes keeps its grants, in each reading: nobody takes them back. In the paper every node makes
requests, so that the crash of a node is that of a requester too.`,
	Repair: `**What makes it hold.** mode=repaired: the walk of Figure 1 anew over all grants, with grants given back until it
succeeds, and notices of crashes, by which nodes take back what a crashed requester held. This is a perfect failure
detector, which the paper does not have. Each half alone is not enough, as the rows show.`,
	Statements: []papers.Statement{
		{
			Says: "With case2=fd, FIFO channels and grants that are released, crashes of nodes " +
				"alone do no harm.",
			Spec: "cohorts",
			Where: "case2=fd channel=fifo probe=at-least relinquish=pending surplus=at-exit/at-once " +
				"crashes-requesters=0 stay=0",
			Properties: "deadlock-freedom", Verdict: papers.Everywhere,
		},
		{
			Says: "With mode=gather and FIFO channels they do none either.", Spec: "cohorts",
			Where:      "mode=gather channel=fifo relinquish=pending crashes-requesters=0 stay=0",
			Properties: "deadlock-freedom",
			Verdict:    papers.Everywhere,
		},
		{
			Says:  "A requester that crashes makes others wait for ever in each reading but mode=repaired.",
			Spec:  "cohorts",
			Where: "mode=printed/gather crashes-requesters>=1", Properties: "deadlock-freedom",
			Verdict: papers.Nowhere,
		},
	},
}

var links = papers.Claim{
	Name: "Failures of links", Place: "abstract; sections 1 and 5",
	Text: "The algorithm is resilient to failures of links, also when they lead to partitions " +
		"of the network.",
	Ruling: papers.Erroneous,
	Trials: []papers.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1 partition=r1,2,3", Property: "deadlock-freedom",
			Remark: "the link between r1 and node 1 fails; r1 can reach the quorum {2,3}",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1 case2=fd partition=r1,1,3", Property: "deadlock-freedom",
			Remark: "that between r1 and node 2, of which the oracle of crashes knows nothing",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1 case2=never partition=r1,1,3",
			Property: "deadlock-freedom",
			Remark:   "likewise, and Probe never returns by case 2",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2,2 h=1 partition=r1,2,3,4,5", Property: "deadlock-freedom",
			Remark: "three cohorts, and C_1 on the other side of a partition",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 losses=2", Property: "units",
			Remark: "safety is not lost"},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 partition=r1,2,3", Property: "units",
			Remark: "nor by a partition"},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 partition=r1,2,3 heals=yes",
			Property: "deadlock-freedom",
			Remark:   "nothing is lost by one that heals",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1 mode=gather partition=r1,2,3",
			Property: "deadlock-freedom",
			Remark:   "the walk anew over all grants", Aside: papers.Contrast,
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=gather losses=3 links=r1:1,1:r1",
			Property: "deadlock-freedom",
			Remark:   "likewise, and a second requester, none of whose links fails", Aside: papers.Contrast,
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1 mode=repaired partition=r1,1,3",
			Property: "deadlock-freedom",
			Remark:   "nodes that say when they are busy: the answer is lost", Aside: papers.Contrast,
		},
	},
	Account: `**What happens.** As with a node that crashes. r1 has one grant of C_2, returns by case 2 and asks node 1; the link
fails. The second grant of C_2 comes in, r1 holds the quorum {2,3}, and Probe(C_1) does not return.`,
	Repair: `No change here makes it hold: mode=repaired supposes links that do not fail. Without time-outs, which the
paper avoids, nobody can tell a lost request from a slow one, nor can a node whose release is lost be had again.`,
}

var both = papers.Claim{
	Name: "Every node is requester and arbiter at once", Place: "sections 2 and 3",
	Text:   "A node asks for resources and grants permissions.",
	Ruling: papers.NotJudged,
	Because: "here requesters and arbiters are processes apart, so that either can crash without the " +
		"other; when both of " +
		"a node crash together that is one of the runs explored with crashes-arbiters and " +
		"crashes-requesters, but a " +
		"message of a node to itself is counted here, and could be saved there",
}
