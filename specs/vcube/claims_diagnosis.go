package vcube

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What section 4 claims of the time that the diagnosis takes.

var latency = papers.Claim{
	Name: "Latency of the diagnosis", Place: "section 4, second paragraph",
	Text:   "Fault-free processes learn of an event in at most the square of log2 n testing rounds.",
	Ruling: papers.Outside,
	Because: "the bound counts from the last event, as in reference [13] from which it comes: a " +
		"crash while the news of another one is under way is a new event",
	Trials: []papers.Trial{
		{Spec: "vcube-rounds", Args: "n=4 crashes=3", Property: "latency-last",
			Remark: "from the last crash"},
		{Spec: "vcube-rounds", Args: "n=8 crashes=2", Property: "latency-last", Remark: "likewise"},
		{Spec: "vcube-rounds", Args: "n=8 crashes=3 offsets=common", Property: "latency-last",
			Remark: "likewise, in step"},
		{Spec: "vcube-rounds", Args: "n=16 crashes=2 offsets=common", Property: "latency-last",
			Remark: "likewise"},
		{
			Spec: "vcube-rounds", Args: "n=4 crashes=3", Property: "latency", Aside: papers.Unassumed,
			Remark: "from each crash, with crashes while the news is under way",
		},
		{
			Spec: "vcube-rounds", Args: "n=4 crashes=3 offsets=common", Property: "latency",
			Aside:  papers.Unassumed,
			Remark: "likewise, in step",
		},
		{
			Spec: "vcube-rounds", Args: "n=4 crashes=2 bound=3", Property: "latency-last",
			Aside:  papers.Contrast,
			Remark: "n=4: one round less is too few, so that the bound of 4 is reached",
		},
		{
			Spec: "vcube-rounds", Args: "n=8 crashes=2 bound=7", Property: "latency-last",
			Aside:  papers.Contrast,
			Remark: "n=8, two crashes: 7 of the 9 rounds suffice",
		},
		{
			Spec: "vcube-rounds", Args: "n=8 crashes=2 bound=6", Property: "latency-last",
			Aside:  papers.Contrast,
			Remark: "and 6 do not",
		},
	},
	Account: `**What happens** if each crash is counted by itself. Four processes, so the bound is four rounds. p2 crashes. p3
tests it and knows after one round; p0 learns it from p3 after two. Then p3 crashes and, a round later, p0: everybody
who knew is gone. p1, the only one left, has had no reason to test p2 itself, because p0 was the first fault-free
process of that cluster, and after four rounds it does not know that p2 is faulty.

**How many rounds suffice.** With four processes and two crashes the bound is reached; with eight and two crashes seven
of the nine rounds do. For one crash see the next claim.`,
	Repair: `The mutual exclusion asks only that each crash becomes known some time, and that the diagnosis does.`,
}

var logarithmicRounds = papers.Claim{
	Name: "A logarithmic number of rounds", Place: "section 4, second paragraph",
	Text: "After a change of the network it takes a logarithmic number of testing rounds until all " +
		"nodes have updated " +
		"what they know.",
	Ruling: papers.ErroneousUnder, Readings: []string{"offsets=own"},
	Trials: []papers.Trial{
		{Compute: logRounds,
			Remark: "one crash, each process starting its cycle where it likes; compared with log2 n"},
		{Spec: "vcube-rounds", Args: "n=4 crashes=1 bound=2", Property: "latency-last",
			Remark: "log2 n rounds"},
		{
			Spec:     "vcube-rounds",
			Args:     "n=4 crashes=1 bound=3",
			Property: "latency-last",
			Aside:    papers.Contrast,
			Remark:   "as computed",
		},
		{
			Spec: "vcube-rounds", Args: "n=8 crashes=1 bound=5", Property: "latency-last",
			Aside:  papers.Contrast,
			Remark: "as computed, less one",
		},
		{
			Spec: "vcube-rounds", Args: "n=8 crashes=1 bound=6", Property: "latency-last",
			Aside:  papers.Contrast,
			Remark: "as computed",
		},
		{
			Spec: "vcube-rounds", Args: "n=16 crashes=1 bound=4 offsets=common", Property: "latency-last",
			Remark: "in step, one crash: log2 n rounds suffice",
		},
		{
			Spec: "vcube-rounds", Args: "n=8 crashes=2 bound=3 offsets=common", Property: "latency-last",
			Remark: "in step, two crashes: log2 n are too few",
		},
	},
	Account: `**What happens.** Processes test one cluster in each round, and nothing keeps them in step. With d = log2 n, news
of one crash can take d(d+1)/2 rounds, for each n up to 1024: d until all that differ from the crashed process in one
bit have tested it; then d-1 until those that differ in two bits have tested one of these, since each may first go through
the d-2 clusters in which nobody knows yet; and so on, down to the one that differs in all bits. So the rounds grow with
the square of log2 n, like the bound that the same paragraph quotes from reference [13], and not with log2 n.`,
	Repair: `**What makes it hold.** All processes in step (offsets=common), for one crash at a time.`,
}

var logarithmicTests = papers.Claim{
	Name: "A logarithmic number of tests", Place: "section 4, second paragraph",
	Text: "After a change of the network it takes a logarithmic number of messages (tests) until " +
		"all nodes know.",
	Ruling: papers.Erroneous,
	Trials: []papers.Trial{
		{Compute: fewestTests,
			Remark: "each process that has to learn executes a test of its own; compared with log2 n"},
		{
			Compute: func() papers.Finding { return sent(false) }, Aside: papers.Contrast,
			Remark: "of one process in one cycle: at most log2 n tests, as many as it has children",
		},
	},
	Account: `**What happens.** Who does not test learns nothing, so that n-1 processes take n-1 tests at least. What is
logarithmic is the number of tests of one process in one cycle without failures.`,
}

var linear = papers.Claim{
	Name: "Logarithmic message complexity of the broadcast", Place: "section 1",
	Text:   "The dissemination over the spanning tree has logarithmic message complexity.",
	Ruling: papers.Erroneous,
	Trials: []papers.Trial{
		{
			Compute: func() papers.Finding { return sent(true) },
			Remark:  "messages of Algorithm 5.1 from every source, without failures; compared with log2 n",
		},
		{Spec: "vcube-broadcast", Args: "n=4", Property: "messages-total",
			Remark: "Algorithm 6.1: n-1 TREE and n-1 ACK"},
		{Spec: "vcube-broadcast", Args: "n=8", Property: "messages-total", Remark: "likewise"},
		{Spec: "vcube-broadcast", Args: "n=16", Property: "messages-total", Remark: "likewise"},
		{
			Compute: func() papers.Finding { return sent(false) }, Aside: papers.Contrast,
			Remark: "what one process sends on is at most log2 n messages",
		},
	},
	Account: `**What happens.** Each of the n-1 others gets a message of its own, so that n-1 are the least for any broadcast;
Algorithm 6.1 adds as many acknowledgements. Logarithmic are the depth of the tree and what one process sends, which is
what relieves a source.`,
}

var clusters = papers.Claim{
	Name: "Clusters from both sides", Place: "section 5.1, first item",
	Text:   "For any i and j, cluster_i(j) = cluster_i(i).",
	Ruling: papers.Slip, Because: "the same item defines cluster_i(j) for i other than j only",
	Trials: []papers.Trial{
		{Compute: ownCluster, Remark: "as printed"},
		{Compute: symmetric, Remark: "cluster_i(j) = cluster_j(i)", Aside: papers.Repaired},
	},
	Account: `The last index is a misprint: cluster_i(j) = cluster_j(i) is meant, and line 7 of Algorithm 5.1 relies on it.`,
}

var leaf = papers.Claim{
	Name: "Who is a leaf of the tree", Place: "section 5.2, first paragraph",
	Text: "A process i that is reached from j is a leaf if cluster_i(j) = 1, or if there is no " +
		"correct process in " +
		"c_{i,s} with s = cluster_i(j)-1.",
	Ruling:  papers.Slip,
	Because: "line 7 of Algorithm 5.1 and the next paragraph send to the clusters 1 to cluster_i(j)-1",
	Trials:  []papers.Trial{{Compute: leaves, Remark: "n=8, every set of faulty processes and every source"}},
	Account: `**What happens.** p4 sends to p2, whose cluster 2 is p0 and p1. Both are faulty, but p3 is not, and p2 sends to
it. The condition has to be asked of all s up to cluster_i(j)-1.`,
}

var figures12 = papers.Claim{
	Name: "Figures 1 and 2", Place: "sections 4 and 5.2",
	Text: "The clusters of the 3-VCube, whom p0 tests, and the trees of p0 without failures " +
		"and without p4.",
	Ruling: papers.Stands,
	Trials: []papers.Trial{{Compute: pictures, Remark: "as far as the text tells the figures",
		How: "show vcube-tree n=8 dead=4 --draw text"}},
}

var figure4Claim = papers.Claim{
	Name: "Figure 4", Place: "section 6.3",
	Text:   "Two broadcasts of p0 among four processes, the second with a crash of p2, of eleven messages.",
	Ruling: papers.Stands,
	Trials: []papers.Trial{{Compute: figure4.Follow, Remark: "step by step",
		How: "validate docs/claims/vcube/figure4.log"}},
	Account: `The run is one of Algorithm 6.1; p3 has to be notified of the crash before it gets message 10, or it would
send to p2 as well. The log has the messages under their numbers.`,
}

var figure5Claim = papers.Claim{
	Name: "Figure 5", Place: "section 7.3",
	Text:   "p0 and p2 of four processes get the two units, and p1 that of p0 when it leaves.",
	Ruling: papers.Stands,
	Trials: []papers.Trial{{Compute: figure5.Follow, Remark: "step by step",
		How: "validate docs/claims/vcube/figure5.log"}},
}

var synchronous = papers.Claim{
	Name: "Only in a synchronous system", Place: "sections 1 and 3",
	Text: "T is the weakest failure detector for fault-tolerant mutual exclusion; so that can only be " +
		"implemented in a " +
		"synchronous system.",
	Ruling: papers.NotJudged,
	Because: "it speaks of all algorithms and is another paper's (reference [11]), where a majority is " +
		"supposed to be " +
		"correct; here notices are perfect from the start",
}

var related = papers.Claim{
	Name: "Costs of other algorithms", Place: "section 2",
	Text: "3(n-1) messages for Lamport's algorithm, d 2^d and 2d for Naimi's on hypercubes, up to 2(n-1) " +
		"for Raymond's " +
		"token algorithm on a tree.",
	Ruling: papers.NotJudged,
	Because: "they are other papers' (references [21], [25] and [29]), whose algorithms are described in " +
		"a sentence each",
}
