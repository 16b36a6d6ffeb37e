package vcube

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What section 7 claims of the mutual exclusion, and sections 1, 2 and 8 of those that are compared.

var lemma71 = papers.Claim{
	Name: "Lemma 7.1", Place: "section 7.4 (safety)",
	Ruling: papers.Erroneous,
	Text:   "At most k processes use a unit at the same time.",
	Trials: []papers.Trial{
		{Spec: "vcube-kmutex", Args: "n=2 k=1 rounds=2 crashes=1", Property: "at-most-k",
			Aside: papers.Contrast, Remark: "lines 9-14 in one step, one-to-all sending"},
		{Spec: "vcube-kmutex", Args: "n=3 k=2 rounds=1 crashes=2", Property: "at-most-k",
			Aside: papers.Contrast, Remark: "lines 9-14 in one step, one-to-all sending"},
		{Spec: "vcube-kmutex", Args: "n=3 k=1 rounds=2 crashes=2", Property: "at-most-k",
			Aside: papers.Contrast, Remark: "lines 9-14 in one step, one-to-all sending"},
		{Spec: "vcube-kmutex", Args: "n=4 k=2 requesters=0,1 crashes=3", Property: "at-most-k",
			Aside: papers.Contrast, Remark: "lines 9-14 in one step, one-to-all sending"},
		{
			Spec: "vcube-stack", Args: "n=4 k=2 rounds=2,1,1,0 channel=fifo", Property: "at-most-k",
			Remark: "over Algorithm 6.1, as printed; no crash",
		},
		{
			Spec: "vcube-kmutex", Args: "n=3 k=2 rounds=2,1,1 channel=fifo request=blocked",
			Property: "at-most-k", Remark: "one-to-all sending that may wait before line 13; no crash",
		},
		{Spec: "vcube-kmutex", Args: "n=3 k=2 rounds=2,1,1 request=line", Property: "at-most-k",
			Remark: "lines 13 and 14 apart; no crash"},
		{Spec: "vcube-kmutex", Args: "n=3 k=1 rounds=1 crashes=2 request=line crash-order=printed",
			Property: "at-most-k", Aside: papers.Contrast, Remark: "one request each do not show it"},
		{Spec: "vcube-stack", Args: "n=2 k=1 rounds=2 crashes=1", Property: "at-most-k",
			Aside: papers.Contrast, Remark: "nor does k=1, which waits for all replies"},
		{Spec: "vcube-stack", Args: "n=4 k=2 rounds=2,2,0,0", Property: "at-most-k", Aside: papers.Contrast,
			Remark: "nor two requesters with two units"},
		{
			Spec: "vcube-kmutex", Args: "n=3 k=1 rounds=1,1,0 crashes=1 crash-order=swapped",
			Property: "at-most-k", Aside: papers.Unassumed,
			Remark: "line 38 before lines 36-37, which section 7.2 excludes",
		},
		{Spec: "vcube-kmutex", Args: "n=3 k=2 rounds=2,1,1 request=count-first", Property: "at-most-k",
			Aside: papers.Repaired},
		{Spec: "vcube-kmutex", Args: "n=3 k=2 rounds=2,1,1 crashes=2 channel=fifo request=count-first",
			Property: "at-most-k", Aside: papers.Repaired},
		{Spec: "vcube-stack", Args: "n=4 k=1 rounds=1,1,0,0 crashes=1 request=count-first",
			Property: "at-most-k", Aside: papers.Repaired},
		{Spec: "vcube-stack", Args: "n=4 k=2 rounds=2,1,1,0 channel=fifo request=count-first",
			Property: "at-most-k", Aside: papers.Repaired},
	},
	Account: `**What happens** in the stack. k=2 of four processes: two permissions are enough, so p0 enters with those of p1 and p2 while
that of p3 is still on its way. p0 leaves and asks again. BROADCAST waits at its line 5 for the acknowledgements of the first request,
and line 14 stands after it; but p0 is requesting already and perm_count is 0. In this gap p3's old REPLY arrives: reply_count[3]
goes to 0, and line 34 counts it as a permission for a request of which p3 has not heard. Then the broadcast goes out and line 14 expects one
more reply of p3. p3 replies again, line 34 counts it again, and p0 enters with two permissions that are both
p3's, while p1 is inside with those of p2 and p3, and p2 with those of p0 and p3. Three units are in use. That p0 gave p2
its permission is right, for p2's request is before its second one; what is wrong is its own count.

The proof counts replies to the request in hand and does not ask which request a reply answers. It takes k above 1, so that a process can enter
before all replies are in, and a second request.

For contrast: with line 38 before lines 36-37 (crash-order=swapped) safety is lost with one request each. p2 gives its permission to p0 and to
p1 and crashes; each takes p2 out of correct_i, so that one permission less is enough, and enters with the one that p2
gave, before taking it back. Section 7.2 excludes that: line 15 is looked at only after the permission has been taken back. In the
printed order it does no harm if line 15 is passed between the two halves.`,
	Repair: `**What makes it hold.** Line 14 before line 13 (request=count-first): a process that asks again expects another reply of everybody
before it waits for anything, so that an old REPLY leaves reply_count at 1 and does not count. Or lines 9-14 without
interruption, which a BROADCAST that waits does not allow.`,
}

var lemma72 = papers.Claim{
	Name: "Lemma 7.2", Place: "section 7.4 (liveness)",
	Ruling: papers.Erroneous,
	Text:   "Every request of a correct process is satisfied in the end.",
	Trials: []papers.Trial{
		{Spec: "vcube-kmutex", Args: "n=3 k=1 rounds=1 crashes=2", Property: "no-starvation",
			Aside: papers.Contrast, Remark: "lines 9-14 in one step, one-to-all sending"},
		{
			Spec: "vcube-stack", Args: "n=2 k=1 rounds=2,0 crashes=1", Property: "no-starvation",
			Remark: "over Algorithm 6.1, as printed",
		},
		{
			Spec: "vcube-stack", Args: "n=4 k=1 rounds=2,0,0,0 crashes=1 crashable=1,2,3 channel=fifo",
			Property: "no-starvation",
			Remark:   "over Algorithm 6.1, as printed; four processes, FIFO channels",
		},
		{Spec: "vcube-kmutex", Args: "n=2 k=1 crashes=1 request=blocked", Property: "no-starvation",
			Remark: "one-to-all sending that may wait before line 13"},
		{
			Spec: "vcube-kmutex", Args: "n=2 k=1 request=line", Property: "no-starvation",
			Remark: "replies between line 13 and line 14; no crash",
		},
		{
			Spec: "vcube-stack", Args: "n=4 k=1 rounds=1,1,0,0 crashes=1 line36=literal",
			Property: "no-starvation", Remark: "line 36 of 6.1 taken literally: a REQUEST is lost",
		},
		{
			Spec: "vcube-stack", Args: "n=16 k=1 requesters=0 rounds=2 dead=1,2,3,4,5,6,7,9,10,11,13 " +
				"crashes=12 request=count-first", Property: "no-starvation",
			Remark: "line 14 before line 13; the first broadcast is never concluded",
		},
		{Spec: "vcube-kmutex", Args: "n=3 k=1 rounds=1 crashes=2 request=count-first crash-order=printed",
			Property: "no-starvation", Aside: papers.Repaired},
		{Spec: "vcube-stack", Args: "n=2 k=1 rounds=2 crashes=1 request=count-first line28=all",
			Property: "no-starvation", Aside: papers.Repaired},
		{Spec: "vcube-stack", Args: "n=4 k=1 rounds=2,0,0,0 crashes=1 crashable=1,2,3 channel=fifo " +
			"request=count-first line28=all", Property: "no-starvation", Aside: papers.Repaired},
		{Spec: "vcube-stack", Args: "n=4 k=1 rounds=1,1,0,0 crashes=1 request=count-first line28=all",
			Property: "no-starvation", Aside: papers.Repaired},
		{Spec: "vcube-stack", Args: "n=16 k=1 requesters=0 rounds=2 dead=1,2,3,4,5,6,7,9,10,11,13 " +
			"crashes=12 request=count-first line28=all", Property: "no-starvation", Aside: papers.Repaired},
	},
	Account: `**What happens** in the stack. BROADCAST can wait at its line 5 for the acknowledgements of the request before, and line 14 stands
after it. p0 asks, gets p1's permission, enters, leaves, and asks again; the acknowledgement of p1, which has crashed, is
still missing, so p0 stands between lines 12 and 13: it is requesting, perm_count is 0 and reply_count[1] is still 0,
because line 14 has not been reached. Now it is notified of the crash. Lines 36-37 see a process that is requesting
and whose correspondent owes nothing, take that for a permission that was given, and take it back: perm_count is -1.
From then on p0 lacks a permission that nobody can give. With two processes it lacks it although nobody else is left.

**What happens** with request=line, without any crash: the REPLY comes between line 13 and line 14. reply_count goes to -1, which is not 0, so
that line 34 does not count the permission; then line 14 makes it 0. All replies are in and none has been counted.

**What happens** at sixteen processes is the missing acknowledgement of "A broadcast is concluded" below the request: p0 has been
served once, and its second request waits at line 5 of Algorithm 6.1 for ever.`,
	Repair: `**What makes it hold.** Two changes. Line 14 before line 13 (request=count-first): what is expected is counted before anything is sent, and
before anything can wait. And line 28 of Algorithm 6.1 for all who wait (line28=all), with its line 36 as for
Lemma 6.1. In a program that runs lines 9-14 without interruption and sends to all, as in the model
vcube-kmutex with request=atomic, the lemma holds as printed.`,
}

var lemma73 = papers.Claim{
	Name: "Lemma 7.3", Place: "section 7.4 (fairness)",
	Ruling: papers.Erroneous,
	Text:   "Requests are satisfied in the order of their timestamps.",
	Trials: []papers.Trial{
		{Spec: "vcube-kmutex", Args: "n=2 k=2", Property: "fair-order"},
		{Spec: "vcube-kmutex", Args: "n=3 k=2", Property: "fair-order"},
		{Spec: "vcube-kmutex", Args: "n=3 k=3", Property: "fair-order"},
		{Spec: "vcube-kmutex", Args: "n=4 k=2 requesters=0,1", Property: "fair-order"},
		{Spec: "vcube-kmutex", Args: "n=4 k=3 requesters=0,1", Property: "fair-order"},
		{Spec: "vcube-stack", Args: "n=4 k=2 rounds=1,1,0,0", Property: "fair-order"},
		{Spec: "vcube-stack", Args: "n=4 k=3 rounds=1,1,0,0", Property: "fair-order"},
		{Spec: "vcube-kmutex", Args: "n=2 k=2 variant=repaired", Property: "fair-order",
			Aside: papers.Repaired},
		{Spec: "vcube-kmutex", Args: "n=3 k=2 variant=repaired crashes=1", Property: "fair-order",
			Aside: papers.Repaired},
		{Spec: "vcube-stack", Args: "n=4 k=3 variant=repaired rounds=1,1,0,0", Property: "fair-order",
			Aside: papers.Repaired},
		{Spec: "vcube-kmutex", Args: "n=2 k=1 rounds=2 crashes=1", Property: "fair-order",
			Aside: papers.Contrast, Remark: "with one unit it holds"},
		{Spec: "vcube-kmutex", Args: "n=3 k=1 rounds=1 crashes=2", Property: "fair-order",
			Aside: papers.Contrast, Remark: "with one unit it holds"},
		{Spec: "vcube-stack", Args: "n=4 k=1 rounds=1,1,0,0 crashes=1", Property: "fair-order",
			Aside: papers.Contrast, Remark: "with one unit it holds"},
	},
	Account: `**What happens.** A process enters with the permissions of all but k of the correct ones, itself among those k. With k above 1 it
can do without the permission of a process that asked before it. p0 and p1 ask at the same time, so that p0 is
first, (1,0) before (1,1). With k=2 of n=2 nothing at all is needed and p1 enters, p0 still waiting; with k=2 of n=3, the
permission of p2 is enough. Nothing unsafe comes of it, and p0 enters too as soon as it has its own replies: with k units
to give away, permissions decide who gets in at all and not in which order.`,
	Repair: `**What makes it hold.** With k=1 it holds. For k above 1 a process has to know of each other one that it has no
smaller request waiting: it gave its permission, or it is inside. So a process that enters tells those whose requests it
has deferred, with the timestamp of the request, and one that is inside tells those that ask meanwhile; and line 15
waits for everybody to be the one or the other (variant=repaired). That is up to n-1 messages more for a request.`,
	Statements: []papers.Statement{
		{
			Says:  "It fails wherever two processes ask and there is more than one unit.",
			Spec:  "vcube-kmutex",
			Where: "variant=printed k>1 rounds=1/2", Properties: "fair-order", Verdict: papers.Nowhere,
		},
		{
			Says: "With variant=repaired it holds.", Spec: "vcube-kmutex", Where: "variant=repaired",
			Properties: "fair-order",
			Verdict:    papers.Everywhere,
		},
		{
			Says: "And over Algorithm 6.1.", Spec: "vcube-stack", Where: "variant=repaired",
			Properties: "fair-order",
			Verdict:    papers.Everywhere,
		},
	},
}

var theorem74 = papers.Claim{
	Name: "Theorem 7.4", Place: "section 7.4",
	Ruling: papers.Erroneous,
	Text:   "The algorithm solves k-mutual exclusion with up to n-1 crashes.",
	Trials: []papers.Trial{
		{Spec: "vcube-kmutex", Args: "n=4 k=1 requesters=0,1 crashes=3", Property: "no-starvation",
			Aside: papers.Contrast, Remark: "one-to-all sending, lines 9-14 in one step"},
		{Spec: "vcube-kmutex", Args: "n=4 k=1 requesters=0,1 crashes=3", Property: "at-most-k",
			Aside: papers.Contrast, Remark: "one-to-all sending, lines 9-14 in one step"},
		{Spec: "vcube-stack", Args: "n=4 k=1 requesters=0 rounds=2 crashes=3", Property: "no-starvation",
			Remark: "as printed, over Algorithm 6.1"},
		{Spec: "vcube-stack", Args: "n=4 k=1 requesters=0 rounds=2 crashes=3 request=count-first line28=all",
			Property: "no-starvation", Aside: papers.Repaired},
		{Spec: "vcube-stack", Args: "n=4 k=1 rounds=1,1,0,0 crashes=2 request=count-first line28=all",
			Property: "no-starvation", Aside: papers.Repaired},
		{Spec: "vcube-stack", Args: "n=4 k=1 rounds=1,1,0,0 crashes=2 request=count-first line28=all",
			Property: "at-most-k", Aside: papers.Repaired},
	},
	Account: `It stands and falls with Lemmas 7.1 and 7.2: over Algorithm 6.1, as printed, it is neither safe nor live.`,
	Repair:  `**What makes it hold.** As for Lemmas 7.1 and 7.2.`,
}

var permissions = papers.Claim{
	Name: "What perm_count holds", Place: "section 7.2",
	Ruling: papers.Erroneous,
	Text: "perm_count is the number of permissions that count: those of correct processes, for the " +
		"current request.",
	Trials: []papers.Trial{
		{Spec: "vcube-kmutex", Args: "n=3 k=2 rounds=1 crashes=2", Property: "permissions-exact",
			Aside: papers.Contrast, Remark: "one-to-all sending, lines 9-14 in one step"},
		{Spec: "vcube-kmutex", Args: "n=2 k=1 request=line", Property: "permissions-exact",
			Remark: "replies between line 13 and line 14; no crash"},
		{Spec: "vcube-kmutex", Args: "n=2 k=1 request=line", Property: "reply-count-natural",
			Remark: "replies between line 13 and line 14; no crash"},
		{Spec: "vcube-stack", Args: "n=4 k=2 rounds=2,0,0,0", Property: "permissions-exact",
			Remark: "over Algorithm 6.1, no crash"},
		{Spec: "vcube-stack", Args: "n=4 k=2 rounds=2,0,0,0 crashes=1 request=count-first",
			Property: "permissions-exact", Aside: papers.Repaired},
		{Spec: "vcube-stack", Args: "n=2 k=1 rounds=2 crashes=1 request=count-first",
			Property: "permissions-exact", Aside: papers.Repaired},
	},
	Account: `**What happens** is the first half of the counterexample to Lemma 7.1: a late REPLY to the request before comes between lines 12 and
14 and is counted for the new one. From line 14 on perm_count says one more than there are processes that owe nothing.`,
	Repair: `**What makes it hold.** Line 14 before line 13 (request=count-first), as for Lemmas 7.1 and 7.2.`,
}

var raymondTolerates = papers.Claim{
	Name: "Raymond's algorithm tolerates k-1 crashes", Place: "sections 1 and 8",
	Ruling: papers.Quoted, Because: "reference [28], Raymond 1989, of which this is said here",
	Text: "With up to k-1 crashes a process that asks in Raymond's algorithm still enters; each crash " +
		"takes a unit away.",
	Trials: []papers.Trial{
		{Spec: "raymond", Args: "n=3 k=2 rounds=1,1,0 crashes=1", Property: "no-starvation"},
		{Spec: "raymond", Args: "n=4 k=3 rounds=1,1,0,0 crashes=2", Property: "no-starvation"},
		{Spec: "raymond", Args: "n=3 k=2 rounds=1,1,0 crashes=1", Property: "capacity-epoch",
			Remark: "of requests made after the last crash"},
		{Spec: "raymond", Args: "n=3 k=2 rounds=1,1,0 crashes=2", Property: "no-starvation",
			Aside: papers.Contrast, Remark: "and not with k"},
	},
}

var basTolerates = papers.Claim{
	Name: "BAS tolerates n-1 crashes", Place: "sections 2 and 8",
	Ruling: papers.Quoted, Because: "reference [8], Bouillaguet, Arantes and Sens 2008",
	Text: "Raymond's algorithm with a failure detector (Bouillaguet, Arantes and Sens, 2008) works with up " +
		"to n-1 crashes, and no crash takes a unit away.",
	Trials: []papers.Trial{
		{Spec: "bas", Args: "n=3 k=1 rounds=1 crashes=2", Property: "at-most-k"},
		{Spec: "bas", Args: "n=3 k=1 rounds=1 crashes=2", Property: "no-starvation"},
		{Spec: "bas", Args: "n=3 k=2 rounds=1 crashes=2", Property: "no-starvation"},
		{Spec: "bas", Args: "n=4 k=2 rounds=1,1,0,0 crashes=3", Property: "at-most-k"},
		{Spec: "bas", Args: "n=4 k=2 rounds=1,1,0,0 crashes=3", Property: "no-starvation"},
		{Spec: "bas", Args: "n=4 k=2 rounds=1,1,1,0 dead=4", Property: "can-reach-min", Lost: true,
			Remark: "k at once, with one dead"},
		{Spec: "raymond", Args: "n=4 k=2 rounds=1,1,1,0 dead=4", Property: "can-reach-min", Lost: true,
			Aside: papers.Contrast, Remark: "Raymond's algorithm beside it"},
	},
	Account: `BAS is modelled from the two sentences that this paper says about it (doc.go of the model), so this judges our reading
of it. In one step the permission of the crashed process is taken back and the threshold falls; each alone would not do.`,
}
