package cohorts

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What sections 1, 2 and 4 claim of the algorithms that are compared with: those of Raynal,
// arbiters, and Jiang 2002.

var raynalCost = papers.Claim{
	Name: "Messages of Raynal's algorithm", Place: "sections 2 and 4, Table 1",
	Text:   "A request takes between 2(n-1) and 3(n-1) messages.",
	Ruling: papers.Quoted, Because: "reference [10], Raynal 1991",
	Trials: []papers.Trial{
		{
			Spec: "raynal", Args: "n=2 m=1", Property: "messages",
		},
		{
			Spec: "raynal", Args: "n=2 m=1 rounds=2,2", Property: "messages",
		},
		{
			Spec: "raynal", Args: "n=3 m=2 h=1,1,2", Property: "messages",
		},
		{
			Spec: "raynal", Args: "n=3 m=2 h=1,1,2", Property: "messages-total",
		},
		{
			Spec: "raynal", Args: "n=3 m=2 channel=bag", Property: "messages-total",
		},
		{
			Spec: "raynal", Args: "n=3 m=1", Property: "messages-total",
		},
	},
}

var raynalSafe = papers.Claim{
	Name: "Raynal's algorithm", Place: "section 2",
	Within: "crashes=0",
	Ruling: papers.Quoted, Because: "reference [10], Raynal 1991, in the words of section 2",
	Text: "A process enters when the units not in use, by its estimate, are more than it asks for; at most " +
		"M units are in use, and everybody is served.",
	Trials: []papers.Trial{
		{
			Spec: "raynal", Args: "n=3 m=2 h=1,1,2", Property: "units",
		},
		{
			Spec: "raynal", Args: "n=3 m=2 h=1,1,2", Property: "deadlock-freedom",
		},
		{
			Spec: "raynal", Args: "n=2 m=1 entry=larger", Property: "deadlock-freedom",
			Remark: "larger, as the words are: all M units are never granted",
		},
		{
			Spec: "raynal", Args: "n=2 m=2 h=1+2,1+1 rounds=2", Property: "deadlock-freedom",
			Remark: "replies and notices added up",
		},
		{
			Spec: "raynal", Args: "n=2 m=2 h=1+2,1+1 rounds=2 accounting=reset", Property: "units",
			Remark: "estimates reset at a request",
		},
		{
			Spec: "raynal", Args: "n=2 m=2 h=1+2,1+1 rounds=2 accounting=overwrite", Property: "units",
			Aside: papers.Repaired,
		},
		{
			Spec: "raynal", Args: "n=2 m=2 h=1+2,1+1 rounds=2 accounting=overwrite",
			Property: "deadlock-freedom",
			Aside:    papers.Repaired,
		},
		{
			Spec: "raynal", Args: "n=2 m=2 h=1+2,1+1 rounds=2 accounting=addm", Property: "units",
			Aside: papers.Repaired,
		},
		{
			Spec: "raynal", Args: "n=2 m=2 h=1+2,1+1 rounds=2 accounting=addm", Property: "deadlock-freedom",
			Aside: papers.Repaired,
		},
		{
			Spec: "raynal", Args: "n=2 m=1 dead=2", Property: "deadlock-freedom",
			Remark: "the paper says that it is not fault-tolerant", Aside: papers.Contrast,
		},
	},
	Account: `**What happens.** "Larger" excludes the request for all units, which waits for ever even alone. When requests
follow each other, the notice for the first one can come after the second one was sent. If everything is added up, a
process is told twice that the same units are in use, and once that they are free; when it later asks for more it
waits for ever. If a request resets the estimate, the late notice frees units that have been taken again since.`,
	Repair: `**What makes it hold.** A reply that overwrites the estimate (accounting=overwrite), or a process that replies M
to those to whom a notice is still due (addm). Both with "at least".`,
}

var arbiterCost = papers.Claim{
	Name: "Messages with arbiter sets", Place: "section 4, Table 1",
	Text:   "A request takes between 3q and (3h+3)q messages, where q is the size of the sets.",
	Ruling: papers.Quoted, Because: "reference [5], Jiang 2002",
	Trials: []papers.Trial{
		{
			Spec: "arbiter", Args: "sets=1+2+3", Property: "messages-total",
		},
		{
			Spec: "arbiter", Args: "sets=1+2,2+3,1+3 policy=inquire", Property: "messages-total",
		},
		{
			Spec: "arbiter", Args: "sets=1+2,1+2,1+2 k=2 h=1,1,2 policy=inquire", Property: "messages-total",
		},
		{
			Spec: "arbiter", Args: "sets=1+2+3,1+2+3,1+2+3 k=2 h=1,1,1 policy=inquire",
			Property: "messages-total",
			Remark:   "the uniform 2-arbiter of three nodes: q = floor(2*3/3)+1 = 3",
		},
		{
			Spec: "arbiter", Args: "sets=1+2,1+3 k=2 h=2,2 policy=inquire", Property: "messages-total",
			Remark: "the uniform (2,2)-arbiter of three nodes: q = floor(2*3/4)+1 = 2",
		},
		{
			Spec: "arbiter", Args: "sets=1+2+3,1+2+4 k=1 policy=inquire", Property: "messages-total",
			Remark: "two quorums of the cube 1-arbiter of 2*2 nodes: 3, where 2*4^(1/2) is 4",
		},
		{
			Spec: "arbiter", Args: "sets=1+2,2+3,1+3 policy=inquire", Property: "messages",
			Aside:  papers.Contrast,
			Remark: "what a requester itself sends and gets",
		},
		{
			Spec: "arbiter", Args: "sets=1,1,1 policy=inquire", Property: "messages-total",
		},
		{
			Spec: "arbiter", Args: "sets=1,1,1 policy=inquire", Property: "messages", Aside: papers.Contrast,
			Remark: "what a requester itself sends and gets",
		},
	},
	Account: `As with 6n: the bound holds of whole runs, where who causes a message is charged with it. A
requester of low priority sends and gets more: three for each time that it has to give its grant back.`,
}

var arbiterLive = papers.Claim{
	Name: "Arbiter sets are deadlock-free with inquire and relinquish", Place: "sections 2 and 4",
	Ruling: papers.Stands, Within: "crashes-arbiters=0 crashes-requesters=0 stay=0 channel=fifo",
	Text: "As an algorithm of Maekawa's type with request, grant, release, inquire and relinquish, the one " +
		"with arbiter sets has neither deadlock nor starvation.",
	Trials: []papers.Trial{
		{
			Spec: "arbiter", Args: "sets=1+2,2+3,1+3 policy=inquire", Property: "deadlock-freedom",
			Remark: "k=1: Maekawa's algorithm with three sites",
		},
		{
			Spec: "arbiter", Args: "sets=1+2,2+3,1+3 policy=inquire", Property: "all-served",
		},
		{
			Spec: "arbiter", Args: "sets=1+2,1+2,1+2 k=2 h=1,1,2 policy=inquire",
			Property: "deadlock-freedom",
		},
		{
			Spec: "arbiter", Args: "sets=1+2,1+2,1+2 k=2 h=1,2,1 policy=inquire", Property: "units",
		},
		{
			Spec: "arbiter", Args: "sets=1+2,2+3,1+3 policy=fifo", Property: "deadlock-freedom",
			Remark: "section 2 alone: in the order of arrival", Aside: papers.Contrast,
		},
		{
			Spec: "arbiter", Args: "sets=1+2,2+3,1+3 policy=prio", Property: "deadlock-freedom",
			Remark: "by priority, without inquire", Aside: papers.Contrast,
		},
		{
			Spec: "arbiter", Args: "sets=1+2,1+2,1+2,1+2 policy=failed85", Property: "deadlock-freedom",
			Remark: "Maekawa's FAILED of 1985", Aside: papers.Contrast,
		},
		{
			Spec: "arbiter", Args: "sets=1+2,1+2,1+2,1+2 policy=failed", Property: "deadlock-freedom",
			Remark: "FAILED also to requests that are overtaken", Aside: papers.Contrast,
		},
		{
			Spec: "arbiter", Args: "sets=1+2,1+2,1+2 k=2 h=1,2,1 policy=failed", Property: "deadlock-freedom",
			Remark: "the same with two units", Aside: papers.Contrast,
		},
	},
}

var others = papers.Claim{
	Name: "Who tolerates failures", Place: "Table 1",
	Ruling: papers.Stands, Within: "crashes-requesters=0 stay=0 channel=fifo",
	Text: "Jiang's algorithm of 2002 tolerates the failure of a node, by time-outs and by selecting " +
		"quorums again.",
	Trials: []papers.Trial{
		{
			Spec: "jiang2002", Args: "crashes-arbiters=1", Property: "deadlock-freedom",
		},
		{
			Spec: "jiang2002", Args: "crashes-arbiters=1", Property: "units",
		},
		{
			Spec: "jiang2002", Args: "timeout=never crashes-arbiters=1", Property: "deadlock-freedom",
			Remark: "without time-outs it does not", Aside: papers.Contrast,
		},
		{
			Spec: "jiang2002", Args: "crashes-requesters=1", Property: "deadlock-freedom",
			Remark: "a requester that crashes is not foreseen", Aside: papers.Contrast,
		},
	},
}

var intolerant = papers.Claim{
	Name: "Who does not tolerate failures", Place: "section 2; Table 1",
	Text: "Raynal's algorithm and those with arbiter sets do not tolerate the failure of a node: " +
		"somebody waits for ever.",
	Ruling: papers.Stands,
	Trials: []papers.Trial{
		{
			Spec: "arbiter", Args: "sets=1+2,1+2 policy=inquire crashes-arbiters=1",
			Property: "deadlock-freedom",
			Remark:   "as the table says", Aside: papers.Contrast,
		},
		{
			Spec: "raynal", Args: "n=2 m=1 crashes=1", Property: "deadlock-freedom",
			Remark: "as the table says", Aside: papers.Contrast,
		},
		{
			Spec: "arbiter", Args: "sets=1+2,1+2 policy=inquire crashes-arbiters=1", Property: "units",
			Remark: "nothing worse happens",
		},
		{Spec: "raynal", Args: "n=2 m=1 crashes=1", Property: "units", Remark: "likewise"},
	},
}

var jiangCost = papers.Claim{
	Name: "Messages of Jiang's algorithm of 2002", Place: "section 4, Table 1",
	Ruling: papers.Quoted, Because: "reference [5], Jiang 2002",
	Text: "A request takes between 3hq and 6en messages, e at most 1, where q is the size of the quorums.",
	Trials: []papers.Trial{
		{
			Spec: "jiang2002", Args: "h=1 timeout=never", Property: "messages-total",
		},
		{
			Spec: "jiang2002", Args: "h=1", Property: "messages-total",
			Remark: "time-outs that come too early",
		},
		{
			Spec: "jiang2002", Args: "", Property: "messages-total",
		},
		{
			Spec: "jiang2002", Args: "quorums=1 h=1,1,1", Property: "messages-total",
		},
		{
			Spec: "jiang2002", Args: "quorums=1 h=1,1,1", Property: "messages", Aside: papers.Contrast,
			Remark: "what a requester itself sends and gets, as with 6n above",
		},
	},
}
