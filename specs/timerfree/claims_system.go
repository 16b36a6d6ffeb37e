package timerfree

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What sections 2 and 3 say of the system.

var responsive = papers.Claim{
	Name: "RP is an assumption", Place: "sections 1 and 2", Page: "4-5",
	Ruling: papers.Stands, Line: "what the approach relies on",
	Text: "Reliable channels and f crashes do not imply RP: the system has to guarantee it.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=1 channel=fifo variant=b rp=V rp-as=check",
			Property: "responsiveness",
			Remark:   "with f = 0 it asks for nothing",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,0 variant=b rp=V rp-as=check",
			Property: "responsiveness",
			Aside:    papers.Contrast, Remark: "the shortest run that breaks it, in terms of not_rec_from",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,0 variant=b rp=T rp-as=check",
			Property: "responsiveness",
			Aside:    papers.Contrast, Remark: "in terms of the wait of line 15",
		},
	},
	Account: `**What the runs show.** Two processes ask and have one answer each, of p3 in neither case: then p3
itself is the only one that was never without p3's answer, and with f=1 there have to be two.`,
}

var bounds = papers.Claim{
	Name: "The bound on f", Place: "sections 1, 2, 4, 4.2 and 7", Page: "4, 5, 6, 12 and 17",
	Line:   "Theorem 2 and the sentences before and after",
	Ruling: papers.ErroneousUnder, Readings: []string{"rp=V"},
	Text: "The algorithm tolerates f crashes for each f < k (section 1, Theorem 2); sections 2 " +
		"and 4 have 1 < " +
		"f < k, and section 7 has 1 <= f < k.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=3 f=2 rounds=1,0,0 crashes=0 channel=fifo variant=b rp=V",
			Property: "can-serve-all",
			Remark:   "f=2 < k=3, n=3: no run keeps RP in which one request is answered before a crash",
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=2 rounds=1,1,1,0 crashes=0 channel=fifo variant=b rp=V",
			Property: "can-serve-all",
			Remark:   "f=2 < k=3, n=4: no run keeps RP in which three requests are served before a crash",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1 crashes=0 channel=fifo variant=b rp=V",
			Property: "can-serve-all",
			Remark:   "f=1, n=3",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=1 channel=fifo variant=b rp=V",
			Property: "can-serve-all",
			Remark:   "f=0",
		},
		{
			Spec: "timerfree", Args: "n=3 k=3 f=2 rounds=1 crashes=0 channel=fifo variant=repaired rp=T",
			Property: "can-serve-all",
			Aside:    papers.Repaired,
		},
		{
			Compute: satisfiable,
			Remark: "RP can be kept by runs in which all request and nobody has crashed, " +
				"exactly where n > 2f",
			Aside: papers.Contrast,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=2 rounds=1 channel=fifo variant=b rp=V",
			Property: "no-starvation",
			Aside:    papers.Unassumed, Remark: "f = k",
		},
	},
	Account: `The three bounds contradict each other. **What f < k is needed for** is Lemma 3, and there it is
sharp. **What 1 < f would be needed for** nothing shows: f=0 and f=1 are served as well, and Theorem 1 is even
worse off with it, as k > 2 follows.

**What is missing is a bound by n.** Section 2 has each process wait for n-f replies, so that it is without f
answers when a request is over, as long as nobody has crashed. RP allows each process to be missed by at most
n-f-1 others. If all n request these are n times f misses, and at most n times n-f-1 are allowed: so n > 2f.
With n=4 and f=2 there is room for four misses, and three requests make six. A run in which everybody is
served first and somebody crashes afterwards does not keep RP there, whatever the latencies; what the lemmas
say of it is nothing. The rows show how many steps are pruned and how many states are stuck. The example of
section 5.1 (n=100, f <= 9) is far from this bound, the ring of section 3 (f=2) meets it from n=5 on.`,
	Repair: `**What makes it hold.** With variant=repaired a process is without the answers that are missing when
it enters; it may have waited for more than n-f of them, so that RP can be kept for every f < n by systems
that are slow enough to enter.`,
}

var ringExample = papers.Claim{
	Name: "A ring keeps RP", Place: "section 3", Page: "5-6", Line: "first paragraph",
	Ruling: papers.Stands,
	Text: "With f=2 a fully connected system keeps RP if it is a logical ring in which the channels to a " +
		"process's two neighbours are never the " +
		"slowest ones of its channels.",
	Trials: []papers.Trial{
		{
			Compute: func() papers.Finding { return rings(5, 7, 2) },
			Remark:  "the neighbours are not among the two slowest to answer, in rings of five to seven",
		},
		{
			Compute: func() papers.Finding { return rings(5, 5, 1) }, Aside: papers.Contrast,
			Remark: "neither neighbour is the very slowest: not enough",
		},
		{
			Compute: func() papers.Finding { return rings(4, 4, 2) }, Aside: papers.Contrast,
			Remark: "in a ring of four only one other can be none of the two slowest",
		},
	},
	Account: `A process has n-3 answers of others when line 36 becomes true for the first time, and is without
two. Both neighbours are in time if they are not among the two slowest; then they and the process itself are
three, more than f. "Never the slowest ones" has to be read so: if merely neither of the two is the very
slowest, one can be last but one, be missed, and be heard of by one neighbour alone. And n has to be 5 or
more, of which the paper says nothing. The order of answers is taken to be that of the latencies; a receiver
that is slow itself, or requests that are sent one after the other, can change it.`,
}

var gridExample = papers.Claim{
	Name: "A grid of clusters keeps RP", Place: "section 3", Page: "6", Line: "second paragraph",
	Ruling: papers.Slip,
	Because: "the paragraph itself speaks of several clusters, whose messages are slower " +
		"between than within " +
		"them; its \"1 <= c\" admits one, " +
		"and then f < n is all that is asked",
	Text: "A system of c >= 1 clusters, of more than one node each, in which messages are slower between " +
		"clusters than within them, " +
		"keeps RP for each f below the size of the smallest cluster.",
	Trials: []papers.Trial{
		{Compute: func() papers.Finding { return grids(1, 7) }, Remark: "one cluster or more"},
		{Compute: func() papers.Finding { return grids(2, 8) }, Aside: papers.Repaired,
			Remark: "two clusters or " +
				"more"},
	},
	Account: `**What happens.** With a single cluster there are no slower messages, and nothing says whose answers
come first; f may be n-1. With two or more, those of the own cluster are all among the first n-1-f, as the
others of n nodes are more than f; so each process is heard of by its cluster, which has more than f nodes.
That each process has an answer of every other cluster, as the paragraph says too, is so: f nodes are missing,
and no cluster is so small.`,
	Repair: `**What makes it hold.** c >= 2.`,
}

var lossless = papers.Claim{
	Name: "Channels that lose messages", Place: "section 2", Page: "4",
	Line:   "first paragraph",
	Ruling: papers.Outside, Because: "section 2 supposes reliable channels", Within: "f<k pending=largest",
	Text: "The algorithm is correct over reliable channels; failures of channels are not claimed to be " +
		"tolerated, and section 6 mentions them of other algorithms only.",
	Trials: []papers.Trial{
		{Spec: "timerfree", Args: "n=2 k=1 f=0 rounds=2 channel=fifo variant=b", Property: "no-starvation"},
		{Spec: "timerfree", Args: "n=2 k=1 f=0 rounds=2 channel=fifo variant=b", Property: "at-most-k"},
		{
			Spec: "timerfree", Args: "n=2 k=1 f=0 rounds=1 channel=fifo losses=1 variant=b",
			Property: "no-starvation",
			Aside:    papers.Unassumed, Remark: "one message lost: somebody waits for ever",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=1 channel=fifo losses=1 variant=b",
			Property: "no-starvation",
			Aside:    papers.Contrast, Remark: "where one permission of two is enough, one may be lost",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=1 channel=fifo losses=2 variant=b",
			Property: "no-starvation",
			Aside:    papers.Unassumed, Remark: "and not two",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,0 channel=fifo losses=1 variant=b",
			Property: "at-most-k",
			Aside:    papers.Unassumed, Remark: "safety does not suffer",
		},
		{
			Spec:     "timerfree",
			Args:     "n=3 k=2 f=1 rounds=1,1,0 crashes=0 channel=fifo losses=2 variant=b rp=V",
			Property: "no-false-suspicion",
			Aside:    papers.Unassumed, Remark: "nor does Lemma 1, if RP is kept in spite of what is lost",
		},
	},
	Account: `Nothing is sent twice, so a permission that is lost is waited for. With k=2 one can be done without,
as after a crash; what is lost after that is waited for in vain.`,
}
