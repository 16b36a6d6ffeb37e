package cohorts

import (
	"github.com/atmostk/atmostk/model/papers"
)

// inventory lists what the paper claims under a number, a letter or a name of its own, its
// bounds and its figures, each with the claim of the page that judges it.
var inventory = papers.Inventory{
	{What: "abstract: resilient to failures of nodes", Claim: &tolerance},
	{What: "abstract: resilient to failures of links; section 1: and to partitions", Claim: &links},
	{What: "abstract: constant message cost in the best case", Claim: &bestCost},
	{What: "abstract: candidate for the highest availability", Claim: &available},
	{What: "section 2: 2(n-1) to 3(n-1) messages (Raynal)", Claim: &raynalCost},
	{What: "section 2: how Raynal's algorithm counts units", Claim: &raynalSafe},
	{What: "section 2: any k arbiter sets have a common member", Claim: &sharing},
	{What: "section 2: n^(k/(k+1)) is a lower bound for arbiter sets (Baldoni)", Claim: &leastSize},
	{What: "section 2: sizes of uniform and cube arbiters", Claim: &sizes},
	{What: "section 2: intersection, non-intersection, minimality", Claim: &isCoterie},
	{What: "section 3: P1, P2, P3 and m >= k; the example Coh(2,3)", Claim: &isCoterie},
	{What: "section 3: the nine quorums of Coh(2,2)", Claim: &isCoterie},
	{What: "section 3: cohorts coteries are nondominated", Claim: &nondominated},
	{What: "section 3: cases 1, 2 and 3 of Probe", Claim: &cases},
	{What: "section 3: the notes in cases 2 and 3", Claim: &walkFinds},
	{What: "Figure 1: Get_Quorum", Claim: &walkFinds},
	{What: "section 3: h1+h2 > k excludes; safety", Claim: &safety},
	{What: "section 3: deadlock and starvation free; section 4: by five types of messages", Claim: &liveness},
	{What: "section 4: primary cohorts of the best case", Claim: &best},
	{What: "section 4: C_m to C_(m-h-1)", Claim: &printedRange},
	{What: "section 4: 3ch messages in the best case", Claim: &bestCost},
	{What: "section 4: 6n messages in the worst case, and all n nodes asked", Claim: &worstCost},
	{What: "section 4: 6fn messages by a probability", Claim: &coin},
	{What: "section 4: the others are of Maekawa's type as well", Claim: &arbiterLive},
	{What: "section 4: 3q to (3h+3)q messages", Claim: &arbiterCost},
	{What: "section 4: 3hq to 6en messages", Claim: &jiangCost},
	{What: "Table 1, message complexity: Raynal", Claim: &raynalCost},
	{What: "Table 1, message complexity: k-arbiters and (h,k)-arbiters, with their sizes",
		Claim: &arbiterCost},
	{What: "Table 1, message complexity: Jiang 2002", Claim: &jiangCost},
	{What: "Table 1, message complexity: the proposed algorithm", Claim: &fewer},
	{What: "Table 1: reselection, time-outs, fault tolerance", Claim: &others},
	{What: "section 2, Table 1: Raynal's algorithm and arbiters do not tolerate failures",
		Claim: &intolerant},
	{What: "section 5: k-mutual exclusion and mutual exclusion as special cases", Claim: &special},
	{What: "nodes that ask and grant", Claim: &both},
}
