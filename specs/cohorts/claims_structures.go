package cohorts

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What section 3 claims of cohorts structures as sets, and of their availability.

var isCoterie = papers.Claim{
	Name: "Cohorts coteries are k-coteries", Place: "section 3",
	Line: "third paragraph after P3, with its example",
	Text: "The quorums under any cohorts structure Coh(k,m), m >= k, have the intersection, " +
		"non-intersection and minimality properties of section 2; for the sizes 2 and 3 they are the " +
		"nine sets listed.",
	Ruling: papers.Quoted, Because: "reference [4], Jiang, Huang and Kuo 1997",
	Trials: []papers.Trial{
		{
			Compute: judgeSets(mostNodes, notCoterie), How: "quorums cohorts=2,3",
			Remark: "every structure of P1 to P3 with m >= k",
		},
		{Compute: nineQuorums, How: "quorums cohorts=2,3", Remark: "the nine sets of the example"},
	},
	Account: `A structure needs m >= k cohorts. Eight more families of up to eight nodes keep P1 to P3 with m < k, all with
C_1 alone; theirs are k-coteries as well, but they are not cohorts structures and are not counted here.`,
}

var nondominated = papers.Claim{
	Name: "Cohorts coteries are nondominated", Place: "section 3", Line: "fourth paragraph after P3",
	Text:   "No other k-coterie has in every quorum of a cohorts coterie one of its own.",
	Ruling: papers.Quoted, Because: "reference [6], Jiang 2004",
	Trials: []papers.Trial{
		{
			Compute: judgeSets(mostNodes, dominated), How: "quorums cohorts=2,3",
			Remark: "every structure; exhaustive over the sets that another k-coterie could have",
		},
		{
			Compute: judgeSets(mostNodes, dominated, several), How: "quorums cohorts=2,4",
			Remark: "only those with k > 1",
		},
		{
			Compute: judgeSets(2*mostNodes, notExtended, several), How: "quorums cohorts=2,3,3",
			Remark: "k > 1: with the set H of the argument as one more quorum they are a k-coterie " +
				"that dominates",
		},
		{
			Compute: judgeSets(mostNodes, dominated, single), How: "quorums cohorts=1,2,2",
			Remark: "only those with k=1", Aside: papers.Repaired,
		},
		{
			Compute: judgeSets(12, undivided, single), How: "quorums cohorts=1,2,2",
			Remark: "k=1: each set of nodes, or else the rest of them, contains a quorum",
			Aside:  papers.Repaired,
		},
	},
	Account: `**It is wrong for every k > 1, and right for k=1.** Take the paper's own example, ({1,2},{3,4,5}) with k=2. The
set {1,2} contains none of the nine quorums. Outside of it there are only 3, 4 and 5, which contain one quorum but
not two disjoint ones. So {1,2} can be made a tenth quorum: still no three are disjoint, each still has a disjoint
partner ({1,2} has {3,4}), and none contains another. The ten sets are a 2-coterie and contain the nine, which is
domination as section 3 defines it. They are all pairs of five nodes.

**The argument for every Coh(k,m), k > 1, m >= k.** Let H be C_1 with one node of each of C_3, ..., C_m.

1. *H contains no quorum.* One whose primary cohort is C_1 or C_2 needs a node of C_2, and H has none. One with
   C_i, i > 2, needs |C_i|-(k-1) nodes of C_i, by P2 at least k, and H has one.
2. *Outside of H there are no k disjoint quorums.* None of them could have C_1 as its primary cohort, and no two the
   same C_i, since 2(|C_i|-(k-1)) > |C_i| by P2. So the last of their primary cohorts is some C_i with i > k. Of
   its |C_i|-1 nodes outside of H the quorum takes |C_i|-(k-1) and leaves k-2, but each of the k-1 others needs
   one as a supporting node.
3. *Outside of H, fewer than k-1 disjoint quorums leave room for one more.* Of C_2, ..., C_m some are primary to none
   of them; let C_i be the last such. At most k-2 of its nodes are taken as supporting ones and one is in H, which
   leaves the |C_i|-(k-1) that are needed. Each C_j behind it is primary to one of them, and of its nodes outside
   of H at least one is left to be the supporting one.

So the quorums together with H, without those that contain H, are again a k-coterie: no k+1 of them are disjoint by 2,
and fewer than k of them can always be extended, by 3 if H is one of them, and if not by H in the place of a quorum
that was taken away. It is another one by 1, and each quorum contains one of its sets.

**The argument for k=1.** A coterie is nondominated if each set of nodes or else the rest of them contains a quorum.
Let X be a set. If all of C_m is in X, or none, then X or the rest contains C_m, which is a quorum. If not, both have a
supporting node in C_m, and the same question is asked of C_(m-1), down to C_1, which is one node.`,
	Repair: `**What makes it hold.** k=1; with several units H would have to be a quorum.`,
}

var available = papers.Claim{
	Name: "A candidate for the highest availability", Place: "abstract; sections 3, 4 and 5",
	Text: "Since no k-coterie dominates it, a cohorts coterie is a candidate for the highest " +
		"availability among all " +
		"k-coteries: none has an available quorum whenever it has one, and at other times too.",
	Ruling: papers.Erroneous,
	Trials: []papers.Trial{
		{
			Compute: judgeSets(mostNodes, lessAvailable(dominating), several),
			How:     "quorums cohorts=2,3 majority=5 p=0.9",
			Remark:  "k > 1, against the k-coterie that dominates, each node up with probability 9/10",
		},
		{
			Compute: judgeSets(12, undivided, single), How: "quorums cohorts=1,2,2 p=0.9",
			Aside:  papers.Repaired,
			Remark: "k=1: no coterie is available whenever it is, and at other times too",
		},
		{
			Compute: judgeSets(mostNodes, lessAvailable(majorities)), Aside: papers.Contrast,
			How:    "quorums cohorts=1,2,2 majority=5 p=0.9",
			Remark: "against majorities, which need not dominate; nothing is claimed of them",
		},
	},
	Account: `**What happens.** It follows from nondomination, and falls with it. Over five nodes with k=2, each up with
probability 0.9, the cohorts coterie of sizes 2,3 has a quorum that is up with probability 0.99873 and two disjoint
ones with probability 0.91854. For all pairs of five nodes, which dominate it, these are 0.99954 and again 0.91854.

A *candidate* is what is not dominated. That another coterie is more available where it does not dominate, as majorities
are with k=1 where nodes are mostly up, is not against the claim.`,
	Repair: `**What makes it hold.** k=1.`,
}

var walkFinds = papers.Claim{
	Name: "Figure 1 finds the quorums", Place: "section 3", Line: "Figure 1 and the paragraph after it",
	Text: "When the nodes that grant contain h disjoint quorums, Get_Quorum returns a set that " +
		"contains h disjoint " +
		"quorums; the notes in cases 2 and 3 of Probe are right.",
	Ruling: papers.Stands,
	Trials: []papers.Trial{
		{
			Compute: judgeSets(mostNodes, misses), How: "quorums cohorts=2,3",
			Remark: "the walk over every set of nodes, for every h, with \"at least\" in the cases of Probe",
		},
		{Compute: judgeSets(mostNodes, notedWrongly), Remark: "the notes in the cases, for every g up to k"},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "has-quorums"},
		{Spec: "cohorts", Args: "cohorts=1,2,2 h=1,1 case2=never", Property: "has-quorums"},
		{Spec: "cohorts", Args: "cohorts=2,3 h=2,2", Property: "has-quorums"},
	},
}

var cases = papers.Claim{
	Name: "The cases of Probe", Place: "section 3", Line: "cases 1 to 3",
	Within: "crashes-arbiters=0 crashes-requesters=0 stay=0",
	Text: "Probe returns when more than |C_i|-(k-1)+(g-1) nodes have granted, when more than g have, " +
		"or in C_1 when " +
		"more than g have.",
	Ruling: papers.Slip, Because: "case 1 returns |C_i|-(k-1)+(g-1) nodes and case 3 g of them, which are " +
		"there with as " +
		"many grants; in the best case of section 4 exactly the nodes asked grant",
	Trials: []papers.Trial{
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1 probe=more-than", Property: "deadlock-freedom",
			Remark: "one requester, no failure: it waits for ever",
		},
		{Spec: "cohorts", Args: "cohorts=1,2 h=1", Property: "deadlock-freedom", Aside: papers.Repaired,
			Remark: "at least"},
	},
	Account: `**What happens.** C_2 has two nodes and both have granted. Case 1 asks for more than two. Nobody else is there.`,
	Repair:  `**What makes it hold.** "At least" (probe=at-least), which is the default here.`,
}

var sizes = papers.Claim{
	Name: "Sizes of arbiters", Place: "section 2", Line: "last paragraph but two",
	Text: "Uniform (h,k)-arbiters have quorums of floor(kn/(k+h))+1 nodes, cube ones of (k+2-h) " +
		"n^((k+1-h)/(k+1)); " +
		"with h=1 these are the sizes of k-arbiters.",
	Ruling: papers.Quoted,
	Because: "references [2], Baldoni and others 1998, and [9], Manabe and Tajima 2004; whether the " +
		"exponent is theirs or " +
		"a slip of the quotation cannot be told from this paper",
	Trials: []papers.Trial{
		{
			Compute: uniform, How: "quorums arbiter=8 k=3 h=2",
			Remark: "uniform: any floor(k/h)+1 quorums have a common member",
		},
		{Compute: printedCube, Remark: "cube, as printed"},
		{
			Compute: cubes, How: "quorums cube=2 k=3 h=2", Aside: papers.Repaired,
			Remark: "cube, with the exponent (k+1-h)/(k+2-h)",
		},
	},
	Account: `**What happens.** With h=k any two quorums have to meet. If all have the same size q and all nodes are in the
same number of quorums, q*q is at least n; 2 n^(1/3) is less than that from n=125 on.`,
	Repair: `**What makes it hold.** A cube of k+2-h dimensions has n^((k+1-h)/(k+2-h)) nodes on a face, and a quorum is made
of k+2-h faces. With h=1 that is the exponent printed. The faces overlap, so the size is an upper bound.`,
}

var leastSize = papers.Claim{
	Name: "The least size of arbiter sets", Place: "section 2", Line: "second paragraph",
	Text: "Arbiter sets of equal size, with each node in equally many, have at least about " +
		"n^(k/(k+1)) nodes.",
	Ruling: papers.Quoted, Because: "reference [1], Baldoni 1994",
	Trials: []papers.Trial{
		{Compute: baldoni,
			Remark: "n sets, any k+1 of which have a common member, cannot be smaller: by counting"},
		{Compute: cyclic, Remark: "all translates of a set modulo n, up to 13 nodes: none is smaller, some " +
			"are that small"},
	},
	Account: `**The argument.** Each of the C(n,k+1) choices of k+1 of the n sets has a common member. A node that is in q sets
is one of C(q,k+1) choices. So C(n,k+1) <= n C(q,k+1), and with q <= n that gives q^(k+1) >= n^k. The
paper writes O( ) for a lower bound.`,
}

var sharing = papers.Claim{
	Name: "The requirement on arbiter sets", Place: "section 2", Line: "second paragraph",
	Text:   "Any k arbiter sets have a common member.",
	Ruling: papers.Slip,
	Because: "the same paragraph argues with a common member of any k+1 arbiter sets, and the next " +
		"one defines k-arbiters so",
	Trials: []papers.Trial{
		{
			Spec: "arbiter", Args: "sets=1,2 k=1", Property: "units",
			Remark: "k=1: any one set has a member in common with itself",
		},
		{
			Spec: "arbiter", Args: "sets=1+2,2+3,1+3 k=2 h=1,1,1", Property: "units",
			Remark: "k=2: any two have one, and not all three",
		},
		{Spec: "arbiter", Args: "sets=1+2,2+3,1+3 k=1", Property: "units", Aside: papers.Repaired,
			Remark: "k+1"},
		{Spec: "arbiter", Args: "sets=1+2,1+3,1+4 k=2 h=1,1,1", Property: "units", Aside: papers.Repaired,
			Remark: "k+1"},
	},
	Account: `**What happens.** With k=1 there are sets without any common node, and both requesters enter. With k=2 each
node has given at most two units, and three are in use.`,
}
