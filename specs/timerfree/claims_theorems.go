package timerfree

import (
	"github.com/atmostk/atmostk/model/papers"
)

// The theorems of section 4.2, and what sections 1, 4.1 and 7 say of efficiency after a crash.

var theorem1 = papers.Claim{
	Name: "Theorem 1", Place: "section 4.2", Page: "10", Line: "Theorem 1 and its proof",
	Ruling: papers.ErroneousUnder, Readings: []string{"variant=a", "variant=b", "variant=c"},
	Text: "Every crashed process is eventually in the crashed set of every correct process, " +
		"where all request " +
		"again and again.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree",
			Args: "n=4 k=3 f=1 variant=a last=forgotten dead=4 rounds=inf max-skew=2 " +
				"max-in-flight=3 channel=fifo",
			Property: "detected-at-last",
			Remark:   "as printed: a fair run without end, in which everybody enters again and again",
		},
		{
			Spec:     "timerfree",
			Args:     "n=4 k=3 f=1 variant=b dead=4 rounds=inf max-skew=3 max-in-flight=4 channel=fifo",
			Property: "detected-at-last",
			Remark:   "with timestamps in replies",
		},
		{
			Spec:     "timerfree",
			Args:     "n=4 k=3 f=1 variant=c dead=4 rounds=inf max-skew=3 max-in-flight=4 channel=fifo",
			Property: "detected-at-last",
			Remark:   "and with a clock that moves",
		},
		{
			Spec:     "timerfree",
			Args:     "n=4 k=3 f=2 variant=c dead=4 rounds=inf max-skew=2 max-in-flight=3 channel=fifo",
			Property: "detected-at-last",
			Remark:   "with a second crash",
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=2 variant=c dead=4 rounds=inf max-skew=2 max-in-flight=3",
			Property: "detected-at-last",
			Remark:   "the same in bags",
		},
		{
			Spec: "timerfree",
			Args: "n=5 k=3 f=2 variant=a last=forgotten dead=5 rounds=inf,inf,inf,0,0 " +
				"crashable=4 max-skew=2 " +
				"max-in-flight=3 channel=fifo",
			Property: "detected-at-last",
			Remark:   "as printed, p5 is found dead and p4 crashes, which has never requested",
		},
		{
			Spec: "timerfree",
			Args: "n=2 k=2 f=1 variant=a last=forgotten dead=2 rounds=inf max-skew=2 " +
				"max-in-flight=3 channel=fifo",
			Property: "detected-at-last",
			Remark:   "a process that is left alone: nobody answers, and line 38 is never reached",
		},
		{
			Spec: "timerfree",
			Args: "n=3 k=2 f=1 variant=a last=forgotten dead=3 rounds=inf max-skew=3 " +
				"max-in-flight=4 channel=fifo",
			Property: "detected-at-last",
			Aside:    papers.Contrast, Remark: "as printed with k=2: no such run was found",
		},
		{
			Spec:     "timerfree",
			Args:     "n=3 k=2 f=1 variant=c dead=3 rounds=inf max-skew=4 max-in-flight=4 channel=fifo",
			Property: "detected-at-last",
			Aside:    papers.Contrast, Remark: "likewise",
		},
		{
			Spec:     "timerfree",
			Args:     "n=4 k=3 f=1 variant=d dead=4 rounds=inf max-skew=3 max-in-flight=4 channel=fifo",
			Property: "detected-at-last",
			Aside:    papers.Contrast, Remark: "line 15 waits for n-f replies: no such run was found",
		},
		{
			Spec:     "timerfree",
			Args:     "n=2 k=2 f=1 variant=d dead=2 rounds=inf max-skew=2 max-in-flight=3 channel=fifo",
			Property: "detected-at-last",
			Aside:    papers.Contrast, Remark: "but where that is the own one alone",
		},
		{
			Spec: "timerfree", Args: "n=2 k=2 f=1 variant=repaired dead=2 rounds=inf channel=fifo",
			Property: "detected-at-last",
			Aside:    papers.Repaired, Remark: "line 38 also at the end of the wait; no bounds are needed",
		},
		{
			Spec: "timerfree",
			Args: "n=4 k=3 f=1 variant=repaired dead=4 rounds=inf max-skew=3 " +
				"max-in-flight=4 channel=fifo",
			Property: "detected-at-last",
			Aside:    papers.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=3,3,0 dead=3 channel=bag variant=repaired rp=T",
			Property: "all-detected",
			Aside:    papers.Repaired, Remark: "runs that end: three requests of each survivor suffice",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=3,3,0 dead=3 channel=bag variant=c rp=V",
			Property: "all-detected",
			Aside:    papers.Contrast, Remark: "runs that end: three requests of each survivor suffice",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,2,0 dead=3 channel=fifo variant=c rp=V",
			Property: "all-detected",
			Aside:    papers.Unassumed, Remark: "two do not; the paper's processes request infinitely often",
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=1 rounds=3,3,0,0 dead=4 channel=fifo variant=c rp=V",
			Property: "all-detected",
			Aside:    papers.Unassumed,
			Remark: "one process never requests; section 4.1 assumes that all request " +
				"infinitely often",
		},
	},
	Account: `**What happens.** Line 15 lets a process go with n-k permissions; it does not wait for n-f replies,
which the proof takes for granted. With k=3 of n=4 one permission is enough. As printed, p2 asks, is answered
by p1, enters, leaves, and asks again before p3's answer arrives. That then counts for the new request and
lets it enter, while p1's answer to this one is late in turn. So in each request p2 hears of one process only,
of p1 and of p3 alternately: line 36 is never true at p2, its not_rec_from stays empty, and every REPLY of p2
says that it misses nobody. The others know well that p4 does not answer; but the intersection of line 38 runs
over p2's empty set too, and nobody ever takes p4 for dead. The run goes on for ever, every message is
received, at most three are under way, and everybody enters again and again. With timestamps in replies
(variants b and c) the late answers are dropped, which makes it simpler.

**When.** A process that waits needs n-k-c permissions if it knows of c crashes, and line 36 needs n-1-f
answers. With k=2 and f=1 the first cannot be less than the second, and Theorem 1 stands. With k > 2 it can:
at once if f < k-1; and if f = k-1, for the last crash when the others are known (rows 4 to 6). Section 2
admits 1 < f < k only, so k > 2: **the theorem fails in all that it is stated for**, if one answer is not all
that line 36 needs. It is, as printed, where n = f+2: an answer always comes between two requests. With
timestamps even that fails if no permission is needed, as late answers do not count. And it fails in every
variant but the repaired one if f = n-1 and all others have crashed: then nobody answers at all, and line 38
stands in the code for answers. The statements below hold these sentences against searches, for n up to 5 but
for n=5 with f=1: four live processes were too many.

A process that never requests has the same effect: its empty set is in every intersection. Section 4.1 says
that requests spread the knowledge to those that request seldom; they cannot if nobody has it.`,
	Repair: `**What makes it hold.** Line 15 waits for n-f replies, the own one included, as section 2 says; and
line 38 is executed once more when the wait ends (variant=repaired). No such run was found then within the
same bounds; where all others have crashed the search needs no bounds, and it holds.`,
	Statements: []papers.Statement{
		{
			Says:  "As printed it fails wherever line 36 needs two answers and line 15 fewer permissions.",
			Spec:  "timerfree",
			Where: "variant=a rounds=inf f<k-1 n>=f+3", Properties: "detected-at-last",
			Verdict: papers.Nowhere,
		},
		{
			Says: "As printed it fails where all others have crashed.", Spec: "timerfree",
			Where: "variant=a rounds=inf f>=n-1", Properties: "detected-at-last", Verdict: papers.Nowhere,
		},
		{
			Says: "As printed no such run was found where one answer is enough for line 36, and " +
				"somebody is left.", Spec: "timerfree",
			Where: "variant=a rounds=inf n<=f+2 f<n-1", Properties: "detected-at-last",
			Verdict: papers.NotSeen,
		},
		{
			Says: "As printed none was found with all crashes at the beginning, if line 15 needs as many " +
				"permissions as line 36 answers.", Spec: "timerfree",
			Where: "variant=a rounds=inf f>=k-1 f<n-1", Properties: "detected-at-last",
			Verdict: papers.NotSeen,
		},
		{
			Says: "With timestamps and a clock that moves it fails wherever line 15 needs fewer " +
				"permissions than " +
				"line 36 answers.", Spec: "timerfree",
			Where: "variant=c rounds=inf f<k-1", Properties: "detected-at-last", Verdict: papers.Nowhere,
		},
		{
			Says: "With variant=repaired no such run was found.", Spec: "timerfree",
			Where: "variant=repaired rounds=inf", Properties: "detected-at-last", Verdict: papers.NotSeen,
		},
	},
}

var theorem2 = papers.Claim{
	Name: "Theorem 2", Place: "section 4.2", Page: "12", Line: "Theorem 2",
	Ruling: papers.ErroneousUnder, Readings: []string{"rp=T"},
	Text: "Algorithm 1 solves fault-tolerant k-mutual exclusion with f < k crashes under RP.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 crashes=0 rounds=2,1,1 channel=fifo variant=c rp=T",
			Property: "at-most-k",
			Remark:   "safety, RP in terms of the wait of line 15",
		},
		{Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=b rp=V",
			Property: "at-most-k"},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=b rp=V",
			Property: "no-starvation",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=repaired rp=T",
			Property: "at-most-k",
			Aside:    papers.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=repaired rp=T",
			Property: "no-starvation",
			Aside:    papers.Repaired,
		},
	},
	Account: `It stands and falls with Lemmas 1 and 2: with RP in terms of the wait of line 15 one too many is
inside, without a crash. The listing without timestamps is unsafe under either reading. And with rp=V it says
nothing of n <= 2f ("The bound on f").`,
	Repair: `**What makes it hold.** As for Lemmas 1 and 2.`,
}

var capacity = papers.Claim{
	Name: "Capacity in spite of crashes", Place: "sections 1, 4.1 and 7", Page: "3, 10 and 17",
	Line: "where " +
		"it is compared with Raymond's algorithm",
	Ruling: papers.Stands, Within: "f<k",
	Text: "It is always possible to have k processes in the critical section at once, in spite of crashes; " +
		"what a crash takes comes " +
		"back as soon as it is detected.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,2,0 dead=3 variant=c rp=V",
			Property: "can-reach-min",
			Lost:     true, Remark: "with a request left after the detection",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=3,3,0 dead=3 channel=fifo variant=b rp=V",
			Property: "can-reach-min", Lost: true,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=3,3,0 dead=3 channel=fifo variant=repaired rp=T",
			Property: "can-reach-min", Lost: true,
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=1 rounds=1,1,1,0 dead=4 channel=fifo variant=c rp=V",
			Property: "can-reach-min",
			Lost:     true, Aside: papers.Contrast, Remark: "before anybody was found dead",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1 channel=fifo variant=c rp=V",
			Property: "can-reach-min",
			Lost:     true, Aside: papers.Contrast, Remark: "one request each: no time to learn of a crash",
		},
	},
	Account: `The figures count, among the states in which k processes live and each has so many requests left,
those from which min(k, live) can no longer be inside at once. The algorithm regains what a crash took as soon
as requests are left after the crash was found out: from 0 states it is out of reach. Until then it is worth
one unit less, as Raymond's algorithm for ever; with a single request each there is no "after". The word
"always" of section 1 is so too much, and section 7 says it better. Where Theorem 1 fails the unit may stay
away for ever; it can always come back.`,
}

var fewer = papers.Claim{
	Name: "Fewer permissions after a crash is known", Place: "section 1", Page: "3", Line: "the third remark",
	Ruling: papers.Stands,
	Text: "When crashes are detected, the number of REQUESTs of a request and of the replies that it waits " +
		"for fall with the number of live processes.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=3,3,0 dead=3 channel=fifo variant=a",
			Property: "can-enter-with-fewer", Remark: "the shortest run",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=3,3,0 dead=3 channel=fifo variant=b",
			Property: "can-enter-with-fewer",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=3,3,0 dead=3 channel=fifo variant=repaired",
			Property: "can-enter-with-fewer",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,1 crashes=0 channel=fifo variant=repaired rp=T",
			Property: "can-enter-with-fewer",
			Aside:    papers.Contrast, Remark: "without a crash nobody enters so",
		},
	},
	Account: `By lines 13 and 15: n-1-c REQUESTs and n-k-c permissions at a process that knows of c crashes. The
rows ask whether one that waits for fewer permissions ever comes to be.`,
}
