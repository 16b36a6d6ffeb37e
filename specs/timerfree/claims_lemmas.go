package timerfree

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What section 4.2 proves, but for the two theorems.

var lemma1 = papers.Claim{
	Name: "Lemma 1", Place: "section 4.2", Page: "10", Line: "Lemma 1 and its proof",
	Ruling: papers.ErroneousUnder, Readings: []string{"rp=T"},
	Text: "Under RP no correct process is ever in the crashed set of a process.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo crashes=0 variant=a rp=T",
			Property: "no-false-suspicion",
			Remark:   "RP in terms of the wait of line 15",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo crashes=0 variant=b rp=T",
			Property: "no-false-suspicion",
			Remark:   "with timestamps in replies",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo crashes=0 variant=d rp=T",
			Property: "no-false-suspicion",
			Remark:   "waiting for n-f replies, which the proof uses, does not help",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo crashes=0 variant=a rp=V",
			Property: "no-false-suspicion",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,1 channel=fifo variant=b rp=V",
			Property: "no-false-suspicion",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,1 channel=fifo variant=c rp=V",
			Property: "no-false-suspicion",
			Limit:    50_000_000,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo crashes=0 variant=a rp=off",
			Property: "no-false-suspicion",
			Remark:   "without RP", Aside: papers.Contrast,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=repaired rp=T",
			Property: "no-false-suspicion",
			Aside:    papers.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,1 channel=fifo crashes=0 variant=repaired rp=T",
			Property: "no-false-suspicion",
			Aside:    papers.Repaired,
		},
	},
	Account: `**What happens.** RP says of each process that more than f others always got its answer "to their
last request terminated". Read as the end of the wait of line 15, this is not what Algorithm 1 looks at: line
37 sets not_rec_from as soon as n-f replies are there, in the middle of a request, and that value travels in
the replies. p1 asks and enters with the permission of p2 alone; it was without p3's answer, once, which RP
allows. p2 has asked too and has p1's answer and not yet p3's: its not_rec_from is {p3} although its request
is not over, so that RP does not speak of it. p1 asks again. Its own entry in X says {p3}, from the first
request, and p2's answer says {p3} as well; line 38 intersects the two and p1 takes p3, which is only slow,
for dead.`,
	Repair: `**What makes it hold.** Either RP is read as a condition on the variable itself (rp=V): whenever line
37 puts a live process into not_rec_from, it counts as an answer missed. That asks more of the system than the
definition in section 2 read with line 15: the answers of more than f processes have to be among the first n-f
at *every* moment. Or line 37 is moved to where the request ends, behind line 15 (variant=repaired): what
travels in replies is then what RP speaks of, and both readings are the same. Line 15 has to wait for n-f
replies then, as section 2 says, so that the sets which line 38 intersects are of n-f processes or more: one
of them is among the more than f that have always heard of p3.`,
	Statements: []papers.Statement{
		{
			Says: "With rp=V nobody is suspected wrongly, in any variant.", Spec: "timerfree", Where: "rp=V",
			Properties: "no-false-suspicion", Verdict: papers.Everywhere,
		},
		{
			Says: "With rp=T somebody is, in each variant but the repaired one.", Spec: "timerfree",
			Where:      "rp=T variant!=repaired f>0 rounds=2,1,0 n=3 channel=fifo",
			Properties: "no-false-suspicion", Verdict: papers.Nowhere,
		},
		{
			Says: "With variant=repaired nobody is, under either reading.", Spec: "timerfree",
			Where:      "variant=repaired",
			Properties: "no-false-suspicion", Verdict: papers.Everywhere,
		},
	},
}

var lemma2 = papers.Claim{
	Name: "Lemma 2", Place: "section 4.2 (safety)", Page: "10-11", Line: "Lemma 2 and its proof",
	Ruling: papers.ErroneousUnder, Readings: []string{"rp=T"},
	Text: "At most k processes execute the critical section at the same time.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,1 crashes=0 channel=fifo variant=b rp=T",
			Property: "at-most-k",
			Remark:   "with timestamps in replies, as section 4.1 says; RP in terms of the wait of line 15",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,1 crashes=0 channel=fifo variant=d rp=T",
			Property: "at-most-k",
			Remark:   "waiting for n-f replies as well",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,1 channel=fifo variant=b rp=V",
			Property: "at-most-k",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,1 channel=fifo variant=b rp=V",
			Property: "at-most-k",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,1 crashes=0 channel=fifo variant=b rp=V",
			Property: "at-most-k",
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=2 rounds=1,1,0,0 channel=bag variant=b rp=V",
			Property: "at-most-k",
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=2 rounds=1,1,1,0 crashes=0 channel=fifo variant=b rp=V",
			Property: "at-most-k",
			Remark:   "of runs in which at most two of the three are answered: see \"The bound on f\"",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,1 crashes=0 channel=fifo variant=repaired rp=T",
			Property: "at-most-k",
			Aside:    papers.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=1 rounds=1,1,0,0 channel=bag variant=repaired rp=T",
			Property: "at-most-k",
			Aside:    papers.Repaired,
		},
	},
	Account: `**What happens.** A false suspicion costs a unit (Lemma 1). p1 has been served without p2's answer.
When it asks again, p3 has p1's permission and not yet p2's answer, and says so; p1 takes p2, which is only
slow, for dead, needs one permission less, and enters while p2 and p3 are inside. No one has crashed.

The listing, whose replies have no timestamps, is unsafe under either reading: see "The listing without
timestamps".`,
	Repair: `**What makes it hold.** What makes Lemma 1 hold: rp=V, or variant=repaired. With the timestamps of
section 4.1 nothing else is needed: two requests of equal time (variant=b) do no harm to it, since whoever has
given a permission for the first of them asks later than both.`,
	Statements: []papers.Statement{
		{
			Says: "With timestamps in replies and rp=V at most k are inside.", Spec: "timerfree",
			Where: "variant=b/c/d rp=V order=total", Properties: "at-most-k", Verdict: papers.Everywhere,
		},
		{
			Says: "Without a crash to tolerate RP does not matter.", Spec: "timerfree",
			Where: "variant=b/c/d f=0 order=total", Properties: "at-most-k", Verdict: papers.Everywhere,
		},
		{
			Says:  "With variant=repaired at most k are inside, under either reading of RP.",
			Spec:  "timerfree",
			Where: "variant=repaired order=total", Properties: "at-most-k", Verdict: papers.Everywhere,
		},
	},
}

var lemma3 = papers.Claim{
	Name: "Lemma 3", Place: "section 4.2 (liveness)", Page: "11-12", Line: "Lemma 3 and its proof",
	Ruling: papers.Stands, Within: "f<k pending=largest",
	Text: "With f < k, a correct process that requests enters eventually.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,1 channel=fifo variant=a rp=V",
			Property: "no-starvation",
		},
		{Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,2,0 dead=3 variant=a rp=V",
			Property: "no-starvation"},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=b rp=V",
			Property: "no-starvation",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=b rp=T",
			Property: "no-starvation",
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=2 rounds=1,1,0,0 channel=bag variant=c rp=V",
			Property: "no-starvation",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=repaired rp=T",
			Property: "no-starvation",
		},
		{
			Spec: "timerfree", Args: "n=2 k=1 f=0 variant=c rounds=inf max-skew=6",
			Property: "requests-served",
			Aside:    papers.Contrast, Remark: "runs without end, weak fairness",
		},
		{
			Spec: "timerfree",
			Args: "n=3 k=2 f=1 variant=c rounds=inf max-skew=2 max-in-flight=4 crashes=1 " +
				"crash-sends=none",
			Property: "requests-served",
			Aside:    papers.Contrast, Remark: "the same with a crash",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=2 rounds=1 channel=fifo variant=c rp=V",
			Property: "no-starvation",
			Remark:   "the bound is needed: f = k", Aside: papers.Unassumed,
		},
	},
	Account: `The bound is sharp: with as many crashes as units nobody is left to give the missing permission, and
nobody is found dead either, since line 36 waits for n-f replies of the living. The run below shows it: two
processes die before they could answer, and the third waits for ever. A wrong suspicion costs safety and not
liveness: who is taken for dead is waited for no longer.`,
	Statements: []papers.Statement{
		{
			Says:  "With f < k nobody waits for ever, under any reading of RP, or without it.",
			Spec:  "timerfree",
			Where: "f<k pending=largest", Properties: "no-starvation", Verdict: papers.Everywhere,
		},
		{
			Says: "With f = k somebody does.", Spec: "timerfree", Where: "f>=k", Properties: "no-starvation",
			Verdict: papers.Nowhere,
		},
	},
}

var proof2 = papers.Claim{
	Name: "Steps in the proof of Lemma 2", Place: "section 4.2", Page: "11", Line: "the cases of the proof",
	Ruling: papers.Erroneous,
	Text: "Line 24 prevents that a waiting process takes one for dead that has given it its permission for " +
		"the current " +
		"request; a process in state requesting with the greater timestamp sends no permission; a crashed " +
		"process cannot have replied.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,3,0 crashable=3 channel=fifo variant=a",
			Property: "granters-not-suspected",
			Remark:   "line 24",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,3,0 crashable=3 channel=fifo variant=b",
			Property: "granters-not-suspected",
			Remark:   "line 24, with timestamps in replies",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,3,0 crashable=3 channel=fifo variant=c",
			Property: "granters-not-suspected",
			Remark:   "line 24, with a clock that moves",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,3,0 crashable=3 channel=fifo variant=d",
			Property: "granters-not-suspected",
			Remark:   "line 24, waiting for n-f replies",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,3,0 crashable=3 channel=fifo variant=c",
			Property: "permissions-live",
			Aside:    papers.Contrast, Remark: "what lines 24-26 do is to take the permission back",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=c",
			Property: "permissions-exact",
			Aside:    papers.Contrast,
			Remark:   "permissions are those of so many processes, which the first case needs",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,0 channel=fifo variant=b rp=off",
			Property: "permissions-exact",
			Aside:    papers.Contrast, Remark: "they are not where two requests have the same time",
		},
	},
	Account: `**What happens.** p3 has given p1 its permission and dies. p2 finds that out, and its next REQUEST
says so to p1, which waits: lines 24-26 take p3's permission back, and line 27 puts p3 into crashed. So the
process *is* taken for dead; what saves the lemma is that perm_count and the number on the right of line 15
fall by one together, so that p1 may not enter by it.

Of the other steps: **Subcase 3 names its two parts the wrong way round.** p_X with the smaller timestamp
defers its permission, which is Subcase 2; with the greater one it *gives* it by line 32, and is then not
among those inside with smaller timestamps, which is Subcase 1. **Subcase 4 is not obvious:** a process can
reply and crash afterwards. It is then not inside at the time looked at. **That one of the k processes inside
has replied** takes for granted that perm_count counts different processes, which it does not in variants a
and b ("What perm_count and have_perm hold"). Subcase 1 stands as it is: line 22 puts the clock of p_X past
the request, and line 10 the next one behind it.`,
}

var proof3 = papers.Claim{
	Name: "A step in the proof of Lemma 3", Place: "section 4.2", Page: "12", Line: "first paragraph",
	Ruling: papers.Erroneous,
	Text: "If fewer than k processes are inside, the first of those that wait gets from the " +
		"correct processes " +
		"that are " +
		"not inside all permissions that it needs.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,0 channel=fifo variant=a",
			Property: "first-enters-below-k",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,0 channel=fifo variant=b",
			Property: "first-enters-below-k",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,0 channel=fifo variant=c",
			Property: "first-enters-below-k",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,0 channel=fifo variant=d",
			Property: "first-enters-below-k",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=1 channel=fifo variant=b rp=off",
			Property: "first-enters-below-k",
			Aside:    papers.Contrast, Remark: "true without crashes",
		},
		{
			Spec: "timerfree", Args: "n=4 k=2 f=0 rounds=1,1,1,0 channel=fifo variant=b rp=off",
			Property: "first-enters-below-k",
			Aside:    papers.Contrast, Remark: "true without crashes",
		},
	},
	Account: `**What happens.** k=2 of n=3; p3 has crashed and nobody knows yet. p2 is inside, one process and not
two. p1 waits, is the first, and all messages have come; it has no permission, and needs one. With f crashes
unknown and c processes inside n-1-f-c others are left to give a permission, which is less than n-k as soon as
f+c >= k. The lemma does not suffer: p1 enters when p2 has left. What is lost until the crash is known is a
unit, as in Raymond's algorithm.`,
}
