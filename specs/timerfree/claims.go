package timerfree

import (
	_ "embed"

	"github.com/atmostk/atmostk/model"
)

//go:embed doc.go
var docText string

// Paper holds the claims of the report and what was found of them.
var Paper = model.Paper{
	Name: "timerfree",
	Source: model.Source{
		Authors: "Bouillaguet, Arantes, Sens", Title: "A timer-free fault tolerant k-mutual exclusion algorithm",
		Venue: "INRIA research report", Year: "2009", ID: "HAL inria-00394918, version 1", URL: "inria.hal.science/inria-00394918v1",
	},
	Doc: docText,
	Sizes: []string{
		"n", "k", "f", "rounds", "crashes", "crashable", "dead", "channel", "crash-sends", "max-skew", "max-in-flight", "max-owed", "last",
	},
	Intro: intro,
	Claims: []model.Claim{
		lemma1, lemma2, lemma3, theorem1, theorem2, capacity,
		raymondTolerates, raymondLoses, permissions, footnote, deferred, responsive,
	},
	Tables: tables,
}

const intro = `The algorithm is Raymond's, with crashes detected from who is missing in the answers of all
others. The paper prints it without the timestamps that its text puts into replies, and leaves
open when a process is without an answer; so each claim is asked of the printed algorithm
(variant a) and, where that fails, of the repaired readings (variants b, c, d), and with the
Responsiveness Property RP in terms of the variable not_rec_from (rp=V) or of the wait of line 15
(rp=T). The claims of section 5 about
speed, bandwidth and waiting queues are about simulations and are not judged.`

var lemma1 = model.Claim{
	Name: "Lemma 1", Place: "section 4.2",
	Text: "Under RP no correct process is ever taken for dead.",
	Trials: []model.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo crashes=0 variant=a rp=T", Property: "no-false-suspicion",
			Remark: "RP in terms of the wait of line 15",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo crashes=0 variant=d rp=T", Property: "no-false-suspicion",
			Remark: "waiting for n-f replies, which the proof uses, does not help",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo crashes=0 variant=a rp=off", Property: "no-false-suspicion",
			Remark: "without RP", Aside: model.Contrast,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo crashes=0 variant=a rp=V", Property: "no-false-suspicion",
			Aside: model.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,1 channel=fifo variant=c rp=V", Property: "no-false-suspicion",
			Aside: model.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,1 channel=fifo variant=c rp=V", Property: "no-false-suspicion",
			Aside: model.Repaired, Limit: 50_000_000,
		},
	},
	Account: `**What happens.** RP says of each process that more than f others always got its answer "to their last
request terminated". Read as the end of the wait of line 15, this is not what Algorithm 1 looks at: line 37
sets not_rec_from as soon as n-f replies are there, in the middle of a request, and that value travels in
the replies. p1 asks and enters with the permission of p2 alone; it was without p3's answer, once, which RP
allows. p2 has asked too and has p1's answer and not yet p3's: its not_rec_from is {p3} although its request is
not over, so that RP does not speak of it. p1 asks again. Its own entry in X says {p3}, from the first request,
and p2's answer says {p3} as well; line 38 intersects the two and p1 takes p3, which is only slow, for dead.`,
	Repair: `**What makes it hold.** Read RP as a condition on the variable itself (rp=V): whenever line 37 puts a live
process into not_rec_from, it counts as an answer missed. Under that reading no false suspicion was found in
any variant. It asks more of the system than the definition in section 2:
the answers of more than f processes have to be among the first n-f at *every* moment.`,
}

var lemma2 = model.Claim{
	Name: "Lemma 2", Place: "section 4.2 (safety)",
	Text: "At most k processes execute the critical section at the same time.",
	Trials: []model.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,1 channel=fifo variant=a rp=off", Property: "at-most-k",
			Remark: "as printed; no crash, FIFO channels",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,1 channel=fifo variant=a rp=V", Property: "at-most-k",
			Remark: "as printed; one request each",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,1 channel=fifo variant=b rp=V", Property: "at-most-k",
			Aside: model.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,1 channel=fifo variant=c rp=V", Property: "at-most-k",
			Aside: model.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,1 channel=fifo variant=c rp=V", Property: "at-most-k",
			Aside: model.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=2 rounds=1,1,0,0 channel=bag variant=c rp=V", Property: "at-most-k",
			Aside: model.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,1 channel=bag variant=c rp=off", Property: "at-most-k",
			Aside: model.Repaired, Limit: 30_000_000,
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=2 rounds=1,1,1,0 channel=fifo variant=c rp=V", Property: "at-most-k",
			Aside: model.Repaired, Limit: 200_000_000, Remark: "the largest, 113 million states in 4.8 GB",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,1 crashes=0 channel=fifo variant=d rp=T", Property: "at-most-k", Aside: model.Contrast,
			Remark: "repaired, but with RP in terms of the wait of line 15",
		},
	},
	Account: `**What happens.** A REPLY as printed does not say which request it answers, and with k=2 of n=3 one
permission is enough. All three ask. p1 enters with p3's permission and leaves, while p2's permission for the same
request is still under way; having left, p1 gives p3 its permission and asks again. Now p2's old
permission arrives and counts for the new request: p1 enters although both others are ahead of it. p3 enters
with p1's permission, and p2 with p3's. Neither a crash nor a channel in which messages overtake is needed.
Subcase 1 of the proof takes for granted that a permission answers the request in hand.

**What happens** in the repaired variants under the reading of RP that does not imply Lemma 1. A false suspicion costs a unit. p1 has
been served without p2's answer. When it asks again, p3 has p1's permission and not yet p2's answer, and says so; p1 takes
p2, which is only slow, for dead, needs one permission less, and enters while p2 and p3 are inside. No one has crashed.`,
	Repair: `**What makes it hold.** The timestamp that the text of section 4.1 puts into every REPLY, with late ones
dropped (variant=b), suffices in the rows above; Subcase 1 also supposes that a process's clock is past its
own request, which line 10 does not do and variant=c adds.`,
}

var lemma3 = model.Claim{
	Name: "Lemma 3", Place: "section 4.2 (liveness)",
	Text: "With f < k, a correct process that requests enters eventually.",
	Trials: []model.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,1 channel=fifo variant=a rp=V", Property: "no-starvation",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,2,0 dead=3 variant=a rp=V", Property: "no-starvation",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=c rp=V", Property: "no-starvation",
			Remark: "repaired safety keeps liveness",
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=2 rounds=1,1,0,0 channel=bag variant=c rp=V", Property: "no-starvation",
		},
		{
			Spec: "timerfree", Args: "n=2 k=1 f=0 variant=c rounds=inf max-skew=6", Property: "requests-served",
			Aside: model.Contrast, Remark: "runs without end, weak fairness",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 variant=c rounds=inf max-skew=2 max-in-flight=4 crashes=1 crash-sends=none", Property: "requests-served",
			Aside: model.Contrast, Remark: "the same with a crash",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=2 rounds=1 channel=fifo variant=c rp=V", Property: "no-starvation",
			Remark: "the bound is needed: f = k", Aside: model.Contrast,
		},
	},
	Account: `The claim stands where it was tried. Its bound is sharp: with as many crashes as units nobody is left to
give the missing permission, and nobody is found dead either, since line 36 waits for n-f replies of the living.
The run below shows it: two processes die before they could answer, and the third waits for ever.`,
}

var theorem1 = model.Claim{
	Name: "Theorem 1", Place: "section 4.2",
	Text: "Every crashed process is eventually in the crashed set of every correct process.",
	Trials: []model.Trial{
		{
			Spec: "timerfree", Args: "n=4 k=3 f=1 variant=c dead=4 rounds=inf max-skew=3 max-in-flight=4 channel=fifo", Property: "detected-at-last",
			Remark: "a fair run without end, in which everybody enters again and again",
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=2 variant=c dead=4 rounds=inf max-skew=2 max-in-flight=3 channel=fifo", Property: "detected-at-last",
			Remark: "with a second crash",
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=2 variant=c dead=4 rounds=inf max-skew=2 max-in-flight=3", Property: "detected-at-last",
			Remark: "the same in bags",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 variant=c dead=3 rounds=inf max-skew=4 max-in-flight=4 channel=fifo", Property: "detected-at-last",
			Aside: model.Contrast, Remark: "where a process has to hear of everybody alive, no such run was found",
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=1 variant=d dead=4 rounds=inf max-skew=3 max-in-flight=4 channel=fifo", Property: "detected-at-last",
			Aside: model.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=3,3,0 dead=3 channel=bag variant=c rp=V", Property: "all-detected",
			Aside: model.Contrast, Remark: "runs that end: three requests of each survivor suffice",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,2,0 dead=3 channel=fifo variant=c rp=V", Property: "all-detected",
			Aside: model.Contrast, Remark: "two do not",
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=1 rounds=3,3,0,0 dead=4 channel=fifo variant=c rp=V", Property: "all-detected",
			Aside: model.Contrast, Remark: "nor any number, if one process never requests",
		},
	},
	Account: `**What happens.** Line 15 lets a process go with n-k permissions; it does not wait for n-f replies, as section 2
demands and the proof takes for granted. With k=3 of n=4 one permission is enough: p3 asks, enters with p1's
permission, leaves, and asks again before p2's answer arrives, which is then late. So line 36 is never true at p3, its
not_rec_from stays empty, and every REPLY of p3 says that it misses nobody. The others know well that p4 does not
answer; but the intersection of line 38 runs over p3's empty set too, and nobody ever takes p4 for dead. The run
goes on for ever, every message is received, and everybody enters again and again.

A process that never requests has the same effect: its empty set is in every intersection. Section 4.1 says that
requests spread the knowledge to those that request seldom; they cannot if nobody has it.`,
	Repair: `**What makes it hold.** With variant=d, which waits for n-f replies as section 2 says, no such run was found
within the same bounds on clocks and channels; nor was one with n=3 and k=2, where n-k permissions are n-f replies.`,
}

var theorem2 = model.Claim{
	Name: "Theorem 2", Place: "section 4.2",
	Text: "Algorithm 1 solves fault-tolerant k-mutual exclusion with f < k crashes under RP.",
	Trials: []model.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 crashes=0 rounds=2,1,1 channel=fifo variant=a rp=V", Property: "at-most-k",
			Remark: "as printed, RP kept",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=c rp=V", Property: "at-most-k",
			Aside: model.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=c rp=V", Property: "no-starvation",
			Aside: model.Repaired,
		},
	},
	Account: `As printed it inherits the violation of Lemma 2, also with f=1 and with RP kept by every step.`,
	Repair:  `Variant c under rp=V satisfies both halves in the rows above.`,
}

var capacity = model.Claim{
	Name: "Capacity in spite of crashes", Place: "section 1",
	Text: "It is always possible to have k processes in the critical section at once, in spite of crashes.",
	Trials: []model.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,2,0 dead=3 variant=c rp=V", Property: "can-reach-min",
			Lost: true, Remark: "with a request left after the detection",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=3,3,0 dead=3 channel=fifo variant=c rp=V", Property: "can-reach-min",
			Lost: true,
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=1 rounds=1,1,1,0 dead=4 channel=fifo variant=c rp=V", Property: "can-reach-min",
			Lost: true, Aside: model.Contrast, Remark: "before anybody was found dead",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1 channel=fifo variant=c rp=V", Property: "can-reach-min",
			Lost: true, Aside: model.Contrast, Remark: "one request each: no time to learn of a crash",
		},
	},
	Account: `The figures count, among the states in which k processes live and each has so many requests left, those from
which min(k, live) can no longer be inside at once. The algorithm regains what a crash took as soon as requests
are left after the crash was found out: from 0 states it is out of reach. Until then it is worth one unit less, as
Raymond's algorithm for ever; with a single request each there is no "after".`,
}

var raymondTolerates = model.Claim{
	Name: "Raymond's algorithm tolerates k-1 crashes", Place: "section 5",
	Text: "With up to k-1 crashes a process that asks in Raymond's algorithm still enters.",
	Trials: []model.Trial{
		{Spec: "raymond", Args: "n=3 k=2 rounds=1 crashes=1", Property: "no-starvation"},
		{Spec: "raymond", Args: "n=4 k=3 rounds=1,1,0,0 crashes=2", Property: "no-starvation"},
		{
			Spec: "raymond", Args: "n=3 k=2 rounds=1 crashes=2", Property: "no-starvation",
			Remark: "and not with k", Aside: model.Contrast,
		},
	},
}

var raymondLoses = model.Claim{
	Name: "Raymond's algorithm loses a unit with each crash", Place: "sections 1 and 5.3",
	Text: "In Raymond's algorithm the number of processes that can be inside at once falls by one with each crash.",
	Trials: []model.Trial{
		{
			Spec: "raymond", Args: "n=3 k=2 rounds=1 crashes=1", Property: "capacity-epoch",
			Remark: "counting requests made after the last crash",
		},
		{
			Spec: "raymond", Args: "n=3 k=2 rounds=1 crashes=1", Property: "capacity-naive",
			Remark: "counting everybody inside", Aside: model.Contrast,
		},
		{
			Spec: "raymond", Args: "n=3 k=2 rounds=2,2,0 dead=3 crashes=1", Property: "can-reach-min", Lost: true,
			Remark: "side by side with the timer-free algorithm above", Aside: model.Contrast,
		},
		{
			Spec: "raymond", Args: "n=4 k=3 rounds=1,1,1,0 dead=4 crashes=1", Property: "can-reach-min", Lost: true,
			Aside: model.Contrast,
		},
	},
	Account: `True of requests made after the crash, and lost for good: with one process dead from the start, k inside at
once is out of reach from every state. Of all processes inside it is not true at once, as section 5.3 says
itself: permissions that a process gave before it died still count, so that k can be inside after a crash.`,
}

var permissions = model.Claim{
	Name: "What perm_count and have_perm hold", Place: "section 4.1",
	Text: "perm_count is the number of permissions for the current request, and have_perm says whose; a permission of a process found dead does not count (lines 24-26).",
	Trials: []model.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,0 variant=a rp=off", Property: "permissions-exact",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,0 variant=b rp=off", Property: "permissions-exact",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=a rp=V", Property: "permissions-live",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,0 variant=a nodup=on rp=off", Property: "permissions-exact",
			Aside: model.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,0 variant=c rp=off", Property: "permissions-exact",
			Aside: model.Repaired,
		},
	},
	Account: `**What happens.** Line 40 counts every permission, line 41 notes whose it was. A process that gets the
permission for its first request late, and then the one for its second, counts its neighbour twice: perm_count is
2, have_perm names one process. Timestamps in replies (variant=b) do not help by themselves: the clock of
line 10 does not move, so that two requests of a process can carry the same time.`,
	Repair: `**What makes it hold.** Counting a process once (nodup=on), or a clock that moves with each request together
with the timestamps (variant=c).`,
}

var footnote = model.Claim{
	Name: "The order of the footnote", Place: "section 4.1, footnote 1",
	Text: "Requests are totally ordered by clock and, where clocks are equal, by \"i = j\".",
	Trials: []model.Trial{
		{
			Spec: "timerfree", Args: "n=2 k=1 f=0 rounds=1 variant=c order=footnote rp=off", Property: "at-most-k",
		},
		{
			Spec: "timerfree", Args: "n=2 k=1 f=0 rounds=2 variant=c order=total rp=V", Property: "at-most-k",
			Aside: model.Repaired,
		},
	},
	Account: `**What happens.** Taken literally the footnote orders nothing: a process never compares its request with its
own. Two processes that ask at the same time, with the same clock, each find that the other's request is not
behind their own, and each gives its permission. Both enter.`,
	Repair: `**What makes it hold.** i < j, as the words "total order" demand: order=total, the default.`,
}

var deferred = model.Claim{
	Name: "What a deferred permission answers", Place: "section 4.1, with lines 17-19 and 30",
	Text: "A process remembers whom it owes a permission and gives it on leaving; each request is so served in the end.",
	Trials: []model.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,0,1 crashable=2 channel=bag variant=c pending=last rp=V", Property: "no-starvation",
			Remark: "the permission carries the timestamp of the request received last",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,0,1 crashable=2 channel=bag variant=c pending=largest rp=V", Property: "no-starvation",
			Aside: model.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,0,1 channel=fifo variant=c pending=last rp=off", Property: "no-starvation",
			Aside: model.Contrast, Remark: "in FIFO channels the last received is the latest",
		},
	},
	Account: `**What happens.** pending is a set of processes; once replies carry timestamps (which the text wants) it has to
be known for which request a deferred permission is. If requests overtake each other, the one that arrives last
can be the older one. The permission then answers that, is dropped as late, and the younger request, which was
deferred too, is never answered. When the third process dies nobody is left whose permission would do.`,
	Repair: `**What makes it hold.** Answer the largest timestamp deferred (pending=largest, the default), or FIFO channels.`,
}

var responsive = model.Claim{
	Name: "RP is an assumption", Place: "section 2",
	Text: "Reliable channels and f crashes do not imply RP: a system has to guarantee it.",
	Trials: []model.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,0 variant=c rp=T rp-as=check", Property: "responsiveness",
			Remark: "shortest run that breaks it, reading T", Aside: model.Contrast,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,0 variant=c rp=V rp-as=check", Property: "responsiveness",
			Remark: "reading V", Aside: model.Contrast,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=1 channel=fifo variant=c rp=V rp-as=check", Property: "responsiveness",
			Remark: "with f = 0 reading V demands nothing",
		},
	},
}
