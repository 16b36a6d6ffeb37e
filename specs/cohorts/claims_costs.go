package cohorts

import (
	"fmt"

	"github.com/atmostk/atmostk/model/papers"
)

// What section 4 says of the best and the worst case.

var best = papers.Claim{
	Name: "Primary cohorts in the best case", Place: "section 4", Line: "first paragraph",
	Text:   "Without failures and conflicts the quorums have the last h cohorts as primary cohorts.",
	Ruling: papers.ErroneousUnder, Readings: []string{"case2=any"},
	Trials: []papers.Trial{
		{Spec: "cohorts", Args: "cohorts=1,2 h=1", Property: "best-primaries"},
		{Spec: "cohorts", Args: "cohorts=2,3 h=1", Property: "best-primaries"},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=2", Property: "best-primaries",
			Remark: "h of k=2 units, and there are no more than two cohorts",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1 case2=fd", Property: "best-primaries",
			Aside: papers.Contrast},
		{Spec: "cohorts", Args: "cohorts=1,2,2 h=1 case2=fd", Property: "best-primaries",
			Aside: papers.Contrast},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1 case2=never", Property: "best-primaries",
			Aside: papers.Contrast},
		{Spec: "cohorts", Args: "cohorts=1,2,2 h=1 mode=repaired", Property: "best-primaries",
			Aside: papers.Repaired},
		{Spec: "cohorts", Args: "cohorts=2,3 h=1 mode=repaired channel=bag", Property: "best-primaries",
			Aside: papers.Repaired},
	},
	Account: `**What happens.** One requester, no failure. One node of C_2 has granted, the grant of the other one is on its way.
Case 2 of Probe stands: there are g grants and fewer than case 1 needs. Probe may return, and the requester goes on
to C_1 without need. That a grant will still come cannot be known without a clock or a failure detector.`,
	Repair: `**What makes it hold.** case2=fd, where Probe returns by case 2 only when the nodes that have not granted
have crashed; case2=never, which gives up the fault tolerance; or answers of nodes that are busy (mode=repaired).`,
	Statements: []papers.Statement{{
		Says:       "It holds with one requester where Probe does not go on as long as an answer may come.",
		Spec:       "cohorts",
		Where:      "mode=printed case2=fd/never crashes-arbiters=0 crashes-requesters=0",
		Properties: "best-primaries",
		Verdict:    papers.Everywhere,
	}},
}

var printedRange = papers.Claim{
	Name: "The range of the primary cohorts", Place: "section 4", Line: "first and second paragraph",
	Text:   "The h primary cohorts of the best case are C_m to C_(m-h-1).",
	Ruling: papers.Slip, Because: "the same sentence speaks of h quorums, each with a primary cohort of " +
		"its own, and the " +
		"paragraph counts ch nodes for them",
	Trials: []papers.Trial{
		{Compute: func() papers.Finding { return cohortsIn(-1) },
			Remark: "as printed, for every structure and h up to k"},
		{
			Compute: func() papers.Finding { return cohortsIn(1) }, Remark: "C_m to C_(m-h+1)",
			Aside: papers.Repaired,
		},
	},
	Account: `C_m to C_(m-h-1) are h+2 cohorts. C_m to C_(m-h+1) are meant; C_m is then a supporting cohort of h-1 of the
quorums, and C_(m-h+2) of one. Likewise the cohorts that are asked only in case of need begin with C_(m-h).`,
}

// cohortsIn asks of the structures whether C_m to C_(m-h+shift) are h cohorts.
func cohortsIn(shift int) papers.Finding {
	asked := 0
	for _, s := range structures(mostNodes) {
		m := len(s.Cohorts)
		for h := 1; h <= s.K; h++ {
			asked++
			if last := m - h + shift; m-last+1 != h || last < 1 {
				return papers.Finding{Verdict: "violated", Detail: fmt.Sprintf("m=%d, h=%d: C_%d to C_%d", m,
					h, m, last)}
			}
		}
	}
	return papers.Finding{Verdict: "holds", Detail: fmt.Sprintf("%d structures and h", asked)}
}

var bestCost = papers.Claim{
	Name: "Messages in the best case", Place: "abstract; sections 4 and 5; Table 1",
	Text: "Without failures and conflicts a request for h units takes 3ch messages, where the last h " +
		"cohorts have c nodes " +
		"each; that does not grow with the number of cohorts.",
	Ruling: papers.ErroneousUnder, Readings: []string{"case2=any"},
	Trials: []papers.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1", Property: "best-primaries",
			Remark: "when this is violated, C_1 is asked as well: up to 9 messages, where 3ch is 6",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1", Property: "messages-total", Aside: papers.Contrast},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1 case2=fd", Property: "messages-total"},
		{Spec: "cohorts", Args: "cohorts=1,2,2 h=1 case2=fd", Property: "messages-total"},
		{Spec: "cohorts", Args: "cohorts=1,2,2,2 h=1 case2=fd", Property: "messages-total",
			Remark: "more cohorts, no more messages"},
		{Spec: "cohorts", Args: "cohorts=2,3 h=1 case2=never", Property: "messages-total"},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=2 case2=never", Property: "messages-total",
			Remark: "with h=2 the last two cohorts, of 2 and 3 nodes",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1 mode=repaired", Property: "messages-total",
			Aside: papers.Repaired},
		{Spec: "cohorts", Args: "cohorts=2,3 h=2 mode=repaired", Property: "messages-total",
			Aside: papers.Repaired},
	},
	Repair: `**What makes it hold.** As for the primary cohorts.`,
}

var fewer = papers.Claim{
	Name: "No request takes fewer than 3ch messages", Place: "Table 1",
	Text:   "The message complexity is between 3ch and 6fn.",
	Ruling: papers.Erroneous,
	Trials: []papers.Trial{
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=1,1 case2=never", Property: "messages-total",
			Remark: "two requesters, k=2, Probe never returns by case 2",
		},
		{Spec: "cohorts", Args: "cohorts=2,3 h=1,1 case2=fd", Property: "messages-total", Remark: "likewise"},
		{Spec: "cohorts", Args: "cohorts=2,3 h=2,2", Property: "messages-total",
			Remark: "case2=any, two units each"},
		{
			Spec: "cohorts", Args: "cohorts=2 h=1,1", Property: "messages-total", Aside: papers.Unassumed,
			Remark: "one cohort and k=2: not m >= k",
		},
		{Spec: "cohorts", Args: "cohorts=2,3 h=2,2 mode=repaired", Property: "messages-total",
			Aside: papers.Contrast},
	},
	Account: `**What happens.** 3ch is what a request takes when every node that is asked grants. Two requesters ask the three
nodes of C_2 for one unit each, which takes two grants. One of them is granted by two nodes, enters, leaves, and
cancels its request at the third node before its turn has come: three requests, three releases, two grants. Together
the two take 17 messages, an inquire included that comes too late, where twice 3ch is 18.`,
}

var worstCost = papers.Claim{
	Name: "Messages in the worst case", Place: "section 4", Line: "second paragraph",
	Text: "A request takes at most 6n messages, when the inquire, the relinquish and the second grant of " +
		"a holder that " +
		"gives way are counted for the request that is the reason; in an extreme case all n nodes are asked.",
	Ruling: papers.Stands,
	Trials: []papers.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "messages-total",
			Remark: "all messages of a run, for each request",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=gather", Property: "messages-total",
			Aside: papers.Contrast},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 surplus=at-once", Property: "messages-total"},
		{Spec: "cohorts", Args: "cohorts=1 h=1,1,1", Property: "messages-total"},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1", Property: "messages-total",
			Remark: "one requester that asks everybody: 3n",
		},
		{
			Spec: "cohorts", Args: "cohorts=1 h=1,1,1", Property: "messages", Aside: papers.Contrast,
			Remark: "what a requester itself sends and gets, which is not how section 4 counts",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "messages", Aside: papers.Contrast,
			Remark: "likewise"},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 mode=repaired", Property: "messages-total",
			Aside: papers.Repaired},
		{Spec: "cohorts", Args: "cohorts=2,3 h=2,2 mode=repaired", Property: "messages-total",
			Aside: papers.Repaired},
	},
	Account: `It depends on whose message it is. Section 4 charges a request with the inquire, the relinquish and the second
grant of the holder that has to give way: six messages for each node, and as an average over whole runs that holds.
A requester itself can have more to do: with one node, r3 is granted and inquired and gives the grant back twice, once
for r2 and once for r1, and is granted a third time: nine messages sent or received for one request, where 6n is six.

The section describes the exchange with slips: it is u that asks, the node that sends the inquire to w, and w that gets
the grant again.`,
}

var coin = papers.Claim{
	Name: "6fn by a probability", Place: "section 4; Table 1",
	Text: "If a node goes on to the further cohorts with probability p only, the worst case is 6fn " +
		"messages for a " +
		"constant f between 0 and 1.",
	Ruling: papers.NotJudged,
	Because: "f is not defined: as long as 0 < p < 1 each way in which the coins fall stays possible, so " +
		"that the most over " +
		"all runs is what it is without p; for a mean one would have to know how often requests " +
		"are in conflict",
	Trials: []papers.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "messages-total",
			Remark: "the most over all runs, in each of which Probe may go on or wait",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1 case2=never", Property: "messages-total",
			Remark: "p=0: no fault tolerance"},
	},
}

var special = papers.Claim{
	Name: "Special cases", Place: "section 5",
	Text:   "With k > h = 1 it is a k-mutual exclusion algorithm, with k = h = 1 one of mutual exclusion.",
	Ruling: papers.Stands, Within: "crashes-arbiters=0 crashes-requesters=0 stay=0",
	Trials: []papers.Trial{
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "units"},
		{Spec: "cohorts", Args: "cohorts=2,3 h=1,1", Property: "units"},
	},
}
