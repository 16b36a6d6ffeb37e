package cohorts

import "github.com/atmostk/atmostk/model"

// What section 3 claims of cohorts structures as sets, and of their availability.

var isCoterie = model.Claim{
	Name: "Cohorts coteries are k-coteries", Place: "section 3",
	Text: "The quorums under any cohorts structure Coh(k,m) have the intersection, non-intersection and minimality properties.",
	Trials: []model.Trial{
		{
			Compute: judgeSets(mostNodes, notCoterie),
			How:     "atmostk quorums cohorts=2,3",
			Remark:  "every structure that P1 to P3 allow",
		},
	},
}

var nondominated = model.Claim{
	Name: "Cohorts coteries are nondominated", Place: "section 3",
	Text: "No other k-coterie has in every quorum of a cohorts coterie one of its own.",
	Trials: []model.Trial{
		{
			Compute: judgeSets(mostNodes, dominated),
			How:     "atmostk quorums cohorts=2,3",
			Remark:  "every structure; exhaustive over the sets that another k-coterie could have",
		},
		{
			Compute: judgeSets(mostNodes, dominated, single),
			How:     "atmostk quorums cohorts=1,2,2",
			Remark:  "only those with k=1, or with C_1 alone",
			Aside:   model.Repaired,
		},
	},
	Account: `**What happens.** Take the paper's own example, ({1,2},{3,4,5}) with k=2. The set {1,2}, all of the first
cohort, contains none of the nine quorums. Outside of it there are only 3, 4 and 5, which contain one quorum but not
two disjoint ones. So {1,2} can be made a tenth quorum: still no three are disjoint, each still has a disjoint
partner ({1,2} has {3,4}), and none contains another. The ten sets are a 2-coterie and contain the nine, which is
domination as section 3 defines it. They are all pairs of five nodes, that is, the majority-like 2-coterie. In the
five other structures with k > 1 and more than one cohort, too, a set that can be added consists of members of the
cohort before the last: none of its subsets is a quorum, and too little is left outside for k disjoint ones.`,
	Repair: `**What makes it hold.** With k=1 no structure of at most 8 nodes is dominated, nor is one that consists of C_1
alone. That all of 2^n sets were gone through makes this exact for these structures; nothing is said of larger ones.`,
}

var available = model.Claim{
	Name: "Highest availability", Place: "sections 3 and 4",
	Text: "As nondominated k-coteries, cohorts coteries are candidates for the highest availability among all k-coteries.",
	Trials: []model.Trial{
		{
			Compute: judgeSets(mostNodes, lessAvailable(majorities)),
			How:     "atmostk quorums cohorts=2,3 majority=5 p=0.9",
			Remark:  "against the majority-like k-coterie over the same nodes, each node up with probability 9/10",
		},
	},
	Account: `**What happens.** Over five nodes with k=2, each up with probability 0.9, the cohorts coterie of sizes 2,3 has a
quorum that is up with probability 0.99873 and two disjoint ones with probability 0.91854. For all pairs of five nodes,
which dominate it, these are 0.99954 and again 0.91854. With k=1 majorities do not dominate; they are more available
where nodes are mostly up.`,
}

var walkFinds = model.Claim{
	Name: "Figure 1 finds the quorums", Place: "section 3",
	Text: "When the nodes that grant contain h disjoint quorums, Get_Quorum returns a set that contains h disjoint quorums.",
	Trials: []model.Trial{
		{
			Compute: judgeSets(mostNodes, misses),
			How:     "atmostk quorums cohorts=2,3",
			Remark:  "the walk over every set of nodes, for every h, with \"at least\" in the cases of Probe",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1,1", Property: "has-quorums",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2,2 h=1,1 case2=never", Property: "has-quorums",
		},
		{
			Spec: "cohorts", Args: "cohorts=2,3 h=2,2", Property: "has-quorums",
		},
		{
			Spec: "cohorts", Args: "cohorts=1,2 h=1 probe=more-than", Property: "deadlock-freedom",
			Remark: "the words \"more than\" of the three cases: a requester that is alone waits for ever", Aside: model.Contrast,
		},
	},
}

var sizes = model.Claim{
	Name: "Sizes of arbiters", Place: "section 2",
	Text: "Uniform (h,k)-arbiters have quorums of floor(kn/(k+h))+1 nodes, cube ones of (k+2-h) n^((k+1-h)/(k+1)).",
	Trials: []model.Trial{
		{
			Compute: uniform,
			How:     "atmostk quorums arbiter=8 k=3 h=2",
			Remark:  "uniform: any floor(k/h)+1 quorums have a common member",
		},
		{
			Compute: printedCube,
			Remark:  "cube, as printed",
		},
		{
			Compute: cubes,
			How:     "atmostk quorums cube=2 k=3 h=2",
			Remark:  "cube, with the exponent (k+1-h)/(k+2-h)",
			Aside:   model.Repaired,
		},
	},
	Account: `**What happens.** With h=k any two quorums have to meet. If all have the same size q and all nodes are in the
same number of quorums, q*q is at least n; 2 n^(1/3) is less than that from n=125 on.`,
	Repair: `**What makes it hold.** A cube of k+2-h dimensions has n^((k+1-h)/(k+2-h)) nodes on a face, and a quorum is made of
k+2-h faces. With h=1 that is the exponent printed. The faces overlap, so the size is an upper bound.`,
}
