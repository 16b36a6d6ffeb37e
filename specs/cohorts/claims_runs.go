package cohorts

import "github.com/atmostk/atmostk/model"

// What section 3 claims of the runs of the algorithm, and section 4 of what they cost.

var safety = model.Claim{
	Name: "Safety", Place: "section 3",
	Text: "No more than k resources are accessed concurrently.",
	Trials: []model.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "units",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 rounds=2,2 clock=lamport", Property: "units",
			Full: true,
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=gather", Property: "units",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 crashes-arbiters=1", Property: "units",
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=2,2", Property: "units",
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=1,1", Property: "units",
			Full: true,
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=1,1 surplus=at-once", Property: "units",
			Full: true,
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=1,1 mode=gather", Property: "units",
			Full: true,
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 relinquish=naive", Property: "units",
			Remark: "Maekawa's rule taken literally: any grant is given back before the critical section", Aside: model.Contrast,
		},
	},
	Account: `**What happens** under the literal reading of "the well known conflict resolution mechanism". Probe has returned a
grant of C_2, and the requester goes on to C_1. A node of C_2 is asked for its grant by a request with a smaller
number. The requester is not in the critical section, so Maekawa's rule says to give the grant back, and the node
grants the other. But Figure 1 keeps what Probe has returned in R and never looks at it again: the first requester
still enters when C_1 grants, and the other one enters as well.`,
	Repair: `**What makes it hold.** Give back only what no Probe has returned (relinquish=pending, the default), or go through
the loop of Figure 1 anew over the grants that are still held whenever one comes in (mode=gather).`,
}

var liveness = model.Claim{
	Name: "Liveness", Place: "section 3",
	Within: "crashes-requesters=0",
	Text:   "With the conflict resolution of Maekawa neither deadlock nor starvation is possible.",
	Trials: []model.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "deadlock-freedom",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "all-served",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 rounds=2,1", Property: "deadlock-freedom",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2,2 h=1,1 case2=fd", Property: "deadlock-freedom",
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=2,2", Property: "deadlock-freedom",
		},
		{
			Spec: "cohorts", Args: "cohorts=2 h=1,1,1", Property: "deadlock-freedom",
		},
		{
			Spec: "cohorts", Args: "cohorts=2 h=1,2", Property: "deadlock-freedom",
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=1,1", Property: "deadlock-freedom",
			Full: true,
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 case2=fd stay=1", Property: "deadlock-freedom",
			Remark: "excused are only requesters that the nodes cannot serve; one that stays for ever is not foreseen", Aside: model.Contrast,
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=gather", Property: "deadlock-freedom",
			Aside: model.Repaired,
		},
	},
}

var tolerance = model.Claim{
	Name: "Fault tolerance", Place: "sections 1, 4 and 5",
	Text: "The algorithm is resilient to failures of nodes.",
	Trials: []model.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 crashes-arbiters=1", Property: "deadlock-freedom",
			Remark: "a node crashes",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 crashes-requesters=1", Property: "deadlock-freedom",
			Remark: "a requester crashes",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1 crashes-arbiters=1", Property: "deadlock-freedom",
			Remark: "a node crashes, and there is one requester only",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 case2=never crashes-arbiters=1", Property: "deadlock-freedom",
			Remark: "Probe never returns by case 2",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 crashes-arbiters=1", Property: "units",
			Remark: "safety is not lost",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 case2=fd crashes-arbiters=1", Property: "deadlock-freedom",
			Remark: "case 2 only when all others of the cohort have crashed, as an oracle knows", Aside: model.Repaired,
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=gather crashes-arbiters=1", Property: "deadlock-freedom",
			Aside: model.Repaired,
		},
	},
	Account: `**What happens.** In Coh(1,2) with cohorts {1} and {2,3}, r1 asks 2 and 3. As soon as 3 has granted, case 2 of
Probe stands, and r1 goes on to C_1, whose node has crashed or crashes now. Then the grant of 2 comes in. Now r1 has all
of C_2, which is a quorum, and could enter; but Figure 1 does not come back to C_2, and Probe(C_1) does not return. One
requester is enough for that, and one crash of a node that no quorum needed. With a second requester, that
one waits for ever as well, since r1 keeps both grants. A requester that crashes keeps its grants too: nobody takes
them back.`,
	Repair: `**What makes it hold.** Either of the two repairs, at these sizes: case 2 as the answer to a crash only (this
needs a failure detector, which the paper does not have), or the walk done anew over all grants, with grants
given back until it succeeds. Nothing helps against requesters that crash; the fault model of the paper is about the
nodes that grant.`,
}

var best = model.Claim{
	Name: "Primary cohorts in the best case", Place: "section 4",
	Text: "Without failures and conflicts the quorums have the last h cohorts as primary cohorts.",
	Trials: []model.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1", Property: "best-primaries",
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=2", Property: "best-primaries",
			Remark: "h of k=2 units, two cohorts",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1 case2=fd", Property: "best-primaries",
			Aside: model.Repaired,
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2,2 h=1 case2=fd", Property: "best-primaries",
			Aside: model.Repaired,
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1 case2=never", Property: "best-primaries",
			Aside: model.Repaired,
		},
	},
	Account: `**What happens.** One requester, no failure. One node of C_2 has granted, the grant of the other one is on its way.
Case 2 of Probe stands: there are g grants and fewer than case 1 needs. Probe may return, and the requester goes on
to C_1 without need. That a grant will still come cannot be known without a clock or a failure detector. (The printed
range C_m to C_(m-h-1) has h+2 cohorts; C_m to C_(m-h+1) is meant.)`,
	Repair: `**What makes it hold.** case2=fd, where Probe returns by case 2 only when the nodes that have not granted
have crashed; or case2=never, which gives up the fault tolerance.`,
}

var bestCost = model.Claim{
	Name: "Messages in the best case", Place: "section 4",
	Text: "Without failures and conflicts a request for h units takes 3ch messages, where c is the size of the cohorts; no request takes fewer.",
	Trials: []model.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1 case2=fd", Property: "messages-total",
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=2 case2=never", Property: "messages-total",
			Remark: "with h=2 the last two cohorts, of 2 and 3 nodes",
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=1 case2=never", Property: "messages-total",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1", Property: "messages-total",
			Remark: "case 2 taken without need costs 3 messages more",
		},
		{
			Spec: "cohorts", Args: "cohorts=2 h=1,1", Property: "messages-total",
			Remark: "two requesters, one cohort",
		},
	},
	Account: `**What happens.** 3ch is what a request takes when every node that is asked grants. It is not the least. Two
requesters ask both nodes of C_1, and each is granted by one of them. One grant is enough for h=1, so each enters, leaves
and cancels its request at the other node before its turn has come. That makes four requests, four releases, an inquire
that comes too late, and only two grants: 11 messages for two requests, where 12 would be the least.`,
}

var worstCost = model.Claim{
	Name: "Messages in the worst case", Place: "section 4",
	Text: "A request takes at most 6n messages.",
	Trials: []model.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "messages-total",
			Remark: "all messages of a run, for each request",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=gather", Property: "messages-total",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1 surplus=at-once", Property: "messages-total",
		},
		{
			Spec: "cohorts", Args: "cohorts=1 h=1,1,1", Property: "messages-total",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "messages",
			Remark: "the messages that a requester sends or gets for one request",
		},
		{
			Spec: "cohorts", Args: "cohorts=1 h=1,1,1", Property: "messages",
			Remark: "likewise, three requesters and one node",
		},
	},
	Account: `**What happens.** It depends on whose message it is. Section 4 charges a request with the inquire, the relinquish
and the second grant of the holder that has to give way: six messages for each node, and as an average over
whole runs that holds in the rows above. A requester itself can have more to do: with one node, r3 is granted and
inquired and gives the grant back twice, once for r2 and once for r1, and is granted a third time: nine messages sent or
received for one request, where 6n is six.`,
}
