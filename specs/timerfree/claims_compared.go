package timerfree

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What is said of messages and of other algorithms.

var noExtra = papers.Claim{
	Name:  "No extra messages for detecting failures",
	Place: "abstract and section 1", Page: "1 and 3", Line: "abstract; third paragraph",
	Ruling: papers.Erroneous,
	Text: "Crashes are detected from the messages of the mutual exclusion algorithm; no " +
		"message is sent for " +
		"that alone.",
	Trials: []papers.Trial{
		{Spec: "timerfree", Args: "n=2 k=1 f=0 rounds=1 variant=a", Property: "messages-as-raymond"},
		{Spec: "timerfree", Args: "n=2 k=1 f=0 rounds=1 variant=b", Property: "messages-as-raymond"},
		{Spec: "timerfree", Args: "n=2 k=1 f=0 rounds=1 variant=c", Property: "messages-as-raymond"},
		{Spec: "timerfree", Args: "n=2 k=1 f=0 rounds=1 variant=d", Property: "messages-as-raymond"},
		{
			Spec: "timerfree", Args: "n=2 k=2 f=1 rounds=1 crashes=0 variant=b",
			Property: "messages-as-raymond",
			Aside:    papers.Contrast, Remark: "also with a unit for everybody, where nobody has to wait",
		},
	},
	Account: `**What happens.** A request that meets one of higher priority, or a process inside, is answered
twice: at once by REPLY(NOPERM), and by REPLY(PERM) later. The mutual exclusion has no use for the first; in
Raymond's algorithm it is not sent. It is there for lines 34 to 38 alone, so that who waits is not taken for
dead. So the messages are extra, though their kind is not. Section 5.2 says itself that more are sent than by
Raymond's algorithm.`,
}

var surplus = papers.Claim{
	Name: "More messages than Raymond's algorithm", Place: "section 5.2", Page: "15", Line: "last paragraph",
	Ruling: papers.Stands, Within: "f<k",
	Text: "The algorithm sends more messages per critical section than Raymond's on the " +
		"average (X, Y and Z% " +
		"are left open in the text).",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=2 k=1 f=0 rounds=1",
			Property: "messages-total", Remark: "from 2(n-1) to 3(n-1) for a request",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=1 channel=fifo variant=b",
			Property: "messages-total",
		},
		{Spec: "timerfree", Args: "n=3 k=1 f=0 rounds=1 channel=fifo variant=b", Property: "messages-total"},
		{
			Spec: "raymond", Args: "n=2 k=1 rounds=1",
			Property: "messages-total", Aside: papers.Contrast, Remark: "Raymond's algorithm: up to 2(n-1)",
		},
		{
			Spec: "raymond", Args: "n=3 k=2 rounds=1 channel=fifo",
			Property: "messages-total", Aside: papers.Contrast, Remark: "Raymond's algorithm",
		},
		{
			Spec: "raymond", Args: "n=3 k=1 rounds=1 channel=fifo",
			Property: "messages-total", Aside: papers.Contrast, Remark: "Raymond's algorithm",
		},
	},
	Account: `For each other process a REQUEST and a REPLY, and one REPLY more if it is in the way: 2(n-1) to
3(n-1) messages for a request, where Raymond's algorithm takes 2(n-1) at most. The rows give the least and the
most over all runs in which all are served. The average of section 5.2 is one of simulations; here it is
judged only that no run takes fewer than Raymond's with one request each, and some take more.`,
}

var raymondTolerates = papers.Claim{
	Name: "Raymond's algorithm tolerates k-1 crashes", Place: "section 5", Page: "12",
	Line:   "second paragraph",
	Ruling: papers.Quoted, Because: "[Ray89], Raymond 1989, of which this is said here",
	Text: "With up to k-1 crashes a process that asks in Raymond's algorithm still enters.",
	Trials: []papers.Trial{
		{Spec: "raymond", Args: "n=3 k=2 rounds=1 crashes=1", Property: "no-starvation"},
		{Spec: "raymond", Args: "n=4 k=3 rounds=1,1,0,0 crashes=2", Property: "no-starvation"},
		{
			Spec: "raymond", Args: "n=3 k=2 rounds=1 crashes=2",
			Property: "no-starvation", Remark: "and not with k", Aside: papers.Unassumed,
		},
	},
}

var raymondLoses = papers.Claim{
	Name:  "Raymond's algorithm loses a unit with each crash",
	Place: "sections 1, 5 and 5.3", Page: "3, 12 and 15",
	Line:   "third, second and second paragraph",
	Ruling: papers.Quoted, Because: "[Ray89], Raymond 1989, of which this is said here",
	Text: "In Raymond's algorithm the number of processes that can be inside at once falls by " +
		"one with each " +
		"crash, not at once but when those are out that were inside.",
	Trials: []papers.Trial{
		{
			Spec: "raymond", Args: "n=3 k=2 rounds=1 crashes=1", Property: "capacity-epoch",
			Remark: "counting requests made after the last crash",
		},
		{
			Spec: "raymond", Args: "n=3 k=2 rounds=1 crashes=1", Property: "capacity-naive",
			Remark: "counting everybody inside", Aside: papers.Contrast,
		},
		{
			Spec: "raymond", Args: "n=3 k=2 rounds=2,2,0 dead=3 crashes=1", Property: "can-reach-min",
			Lost:   true,
			Remark: "side by side with the timer-free algorithm above", Aside: papers.Contrast,
		},
		{
			Spec: "raymond", Args: "n=4 k=3 rounds=1,1,1,0 dead=4 crashes=1", Property: "can-reach-min",
			Lost:  true,
			Aside: papers.Contrast,
		},
	},
	Account: `True of requests made after the crash, and lost for good: with one process dead from the start, k
inside at once is out of reach from every state. Of all processes inside it is not true at once, as section
5.3 says itself: permissions that a process gave before it died still count, so that k can be inside after a
crash.`,
}

var related = papers.Claim{
	Name: "Of other algorithms", Place: "section 6", Page: "16-17", Line: "all",
	Ruling: papers.Quoted, Because: "[BAS08], [SR92], [CC97] and others, of which this is said here",
	Text: "The algorithm of 2008 with a failure detector (BAS) tolerates n-1 crashes, and no crash takes a " +
		"unit away; Srimani and Reddy's loses one with each; a binary " +
		"tree of quorums tolerates up to n - k log2(2n/k) failures.",
	Trials: []papers.Trial{
		{Spec: "bas", Args: "n=3 k=1 rounds=1 crashes=2", Property: "at-most-k"},
		{Spec: "bas", Args: "n=3 k=1 rounds=1 crashes=2", Property: "no-starvation"},
		{
			Spec: "bas", Args: "n=4 k=2 rounds=1,1,1,0 dead=4",
			Property: "can-reach-min", Lost: true, Remark: "k at once, with one dead",
		},
	},
	Account: `BAS is judged in our own model of it, which is made from what two papers say (see the page on
VCube). The others are not modelled; of the k-coteries that the section mentions see the page on cohorts
coteries.`,
}
