package ring

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What the paper claims of scheme 2, which goes on without the crashed process.

var anyFaults = papers.Claim{
	Name: "Recovery from any kind of multiple faults", Place: "abstract", Line: "second paragraph; " +
		"section 1, paragraphs on scheme 2",
	Text: "Scheme 2 guarantees recovery from multiple faults of any kind: as soon as a crash is detected " +
		"the system recovers, and resumes normal operation.",
	Ruling: papers.Erroneous, Within: "f<=n-min-k",
	Trials: []papers.Trial{
		{Spec: "ring-recovery", Args: "n=2 f=1", Property: "requests-served", Remark: "two processes"},
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "requests-served", Remark: "three, and one crash"},
		{Spec: "ring-recovery", Args: "n=4 f=2", Property: "requests-served", Remark: "two crashes"},
		{
			Spec: "ring-recovery", Args: "n=4 f=2", Property: "no-orphan",
			Remark: "what the dead have sent goes round for ever",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=1 start=cold", Property: "mutual-exclusion",
			Remark: "a crash while the ring comes up",
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=2", Property: "mutual-exclusion",
			Remark: "from a warm start, two crashes",
		},
		{
			Spec: "ring-recovery", Args: "n=5 f=3", Property: "mutual-exclusion",
			Remark: "from a warm start, five processes and three crashes",
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=2 repair=orphan+drop+epoch", Property: "requests-served",
			Aside: papers.Contrast, Remark: "all repairs but participant",
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=2 repair=participant+drop+epoch", Property: "requests-served",
			Aside: papers.Contrast, Remark: "all but orphan",
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=2 repair=participant+orphan+drop",
			Property: "requests-served",
			Aside:    papers.Contrast, Remark: "all but epoch",
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=2 repair=participant+orphan+epoch", Property: "one-token",
			Aside: papers.Contrast, Remark: "all but drop",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=1 start=cold repair=full", Property: "mutual-exclusion",
			Aside: papers.Repaired,
		},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "requests-served",
			Aside: papers.Repaired},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "election-stable",
			Aside: papers.Repaired},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "no-orphan", Aside: papers.Repaired},
		{
			Spec: "ring-recovery", Args: "n=4 f=3 repair=full", Property: "requests-served",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "n=5 f=3 repair=full", Property: "mutual-exclusion",
			Aside: papers.Repaired,
		},
	},
	Account: `**What happens to ME1** (row 7, and row 5 from a cold start). As in scheme 1: a coordinator
that an election makes NULL forwards its own clear like a follower, the clear goes round again and makes a
second token, and those whose MrkME is OFF do not look at times. Crashes are only what starts so many
elections: with channels that break, see the next claim, two processes are enough.

**What happens to ME2** (row 3). After the crash of p1 the ring closes again over p4 and p2, and p4 starts
an election. p2 gets its message when p3 has just crashed, and what it forwards is lost in the broken
channel; p4 stays PARTICIPANT. p2 closes the ring once more, and its RUP starts the next election:
election(p2) comes to p4, which is larger, and a PARTICIPANT swallows the election of a smaller id, since
its own must be under way. It is not. There is no coordinator and no token, for ever. The run of no-orphan
shows an election of a dead process that nobody takes off the ring: each time it passes it makes the
coordinator NULL again, also after the announcement of a victory. The run of one crash is the one of the
next claim but two.`,
	Repair: `**What makes it hold.** participant: a rup that passes makes a process NON_PARTICIPANT.
orphan: the process that replaced a neighbour absorbs what that one had sent. drop and epoch: see the token
below. With any one of them left out some property fails (rows 8 to 11).`,
	Statements: []papers.Statement{
		{
			Says: "With repair=full everything holds in scheme 2 with up to n-k crashes and " +
				"channels that break " +
				"and open again, but that requests are ignored for a while.",
			Spec: "ring-recovery",
			Where: "scheme=2 repair=full list=static coordinator-off=yes after-election=keep " +
				"lasting=no f<=n-min-k",
			Properties: "-no-lost-request", Verdict: papers.Everywhere,
		},
		{
			Says: "Without repairs ME2 fails with three processes or more and a crash, whatever " +
				"OnRelease does.",
			Spec:       "ring-recovery",
			Where:      "scheme=2 repair=none variant=printed n>=3 f>=1 list=static token-time=own",
			Properties: "requests-served",
			Verdict:    papers.Nowhere,
		},
	},
}

var channels = papers.Claim{
	Name: "Failures of channels", Place: "section 1", Line: "first paragraph, figure 2; abstract",
	Text: "The failure of a section of a channel counts as the failure of the process that it leads to, " +
		"or of the one that is responsible for it; the schemes recover from any such faults.",
	Ruling: papers.Erroneous, Within: "f<=n-min-k lasting=no",
	Trials: []papers.Trial{
		{
			Spec: "ring-recovery", Args: "n=2 breaks=1", Property: "requests-served",
			Remark: "one channel breaks and opens again, nobody crashes",
		},
		{Spec: "ring-recovery", Args: "n=2 breaks=2", Property: "election-stable", Remark: "two breaks"},
		{Spec: "ring-recovery", Args: "n=2 breaks=3", Property: "mutual-exclusion", Remark: "three"},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 breaks=1", Property: "requests-served",
			Remark: "scheme 1"},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1 breaks=1", Property: "mutual-exclusion",
			Remark: "scheme 1, a break and a crash",
		},
		{Spec: "ring-recovery", Args: "n=3 breaks=1", Property: "requests-served"},
		{
			Spec: "ring-recovery", Args: "n=2 breaks=3 repair=full", Property: "mutual-exclusion",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "n=2 breaks=3 repair=full", Property: "requests-served",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "n=3 breaks=2 repair=full", Property: "requests-served",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=1 breaks=1 repair=full", Property: "requests-served",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1 breaks=1 repair=full", Property: "requests-served",
			Aside: papers.Repaired,
		},
	},
	Account: `A channel that breaks loses what is in it, is noticed by its owner, and opens again: CEH,
RUP and an election follow, as after a crash, but everybody is alive and remembers what it was doing. So
this is the shortest way to each of the errors.

**What happens to ME1** (row 3, two processes of which none fails). The channel of p2 breaks twice and opens
twice, and RUP starts an election each time. p2 wins both. For the first announcement it sends a clear; the
channel breaks a third time, and opens; for the second announcement it sends another clear. The first clear
is back and makes token 1. Then the rup of the third opening is back and starts an election, **which makes
p2's coordinator NULL, and p2 forwards its own second clear like a follower**. Token 1 follows that clear
round the ring; both processes take it over and go OFF. p2 is elected, its clear comes back a second time
and makes token 2. p1 enters with token 2 and p2 with token 1.

**What happens to ME2** (row 1). The channel breaks while p2 is about to get the token. p2 is inside when
its rup is back, wins the election that follows, and releases while its clear is under way: it sends
token(NULL), which p1 takes for the new token. The new token comes to p1, which is OFF and has no time, and
is absorbed. In row 2 an election is lost in a channel that breaks, and a PARTICIPANT swallows the next one,
as after two crashes.`,
	Repair: `**What makes it hold.** The repairs for crashes: epoch and drop, and participant for an
election that is cut short.`,
	Statements: []papers.Statement{
		{
			Says: "With repair=full everything holds where channels break and open again, but " +
				"that requests are " +
				"ignored for a while.",
			Spec: "ring-recovery", Where: "breaks>=1 repair=full lasting=no", Properties: "-no-lost-request",
			Verdict: papers.Everywhere,
		},
		{
			Says: "As implemented one break is enough for a request to wait for ever.", Spec: "ring-recovery",
			Where:      "breaks>=1 repair=none variant=printed lasting=no",
			Properties: "requests-served,token-recurs",
			Verdict:    papers.Nowhere,
		},
	},
}

var lastingChannels = papers.Claim{
	Name: "A channel that stays broken", Place: "section 1", Line: "first paragraph, figure 2; section 3, " +
		"first paragraph",
	Text: "Whoever cannot be reached is excluded as faulty, since a failed channel is a failure of the " +
		"process; the simplest class of failures, fail-stop, is supposed.",
	Ruling: papers.Outside,
	Because: "fail-stop: a process whose input channel has failed would have to stop. Nothing stops it, " +
		"so that the assumption is one that no implementation over a network can rely on",
	Trials: []papers.Trial{
		{
			Spec: "ring-recovery", Args: "n=2 breaks=1 lasting=yes", Property: "mutual-exclusion",
			Aside: papers.Unassumed,
		},
		{
			Spec: "ring-recovery", Args: "n=3 breaks=1 lasting=yes", Property: "mutual-exclusion",
			Aside: papers.Unassumed,
		},
		{
			Spec: "ring-recovery", Args: "n=2 breaks=1 lasting=yes variant=repaired",
			Property: "mutual-exclusion",
			Aside:    papers.Unassumed, Remark: "with all repairs",
		},
		{
			Spec: "ring-recovery", Args: "n=3 breaks=1 lasting=yes variant=repaired",
			Property: "mutual-exclusion",
			Aside:    papers.Unassumed, Remark: "likewise",
		},
		{
			Spec: "ring-recovery", Args: "n=2 breaks=1 lasting=yes variant=repaired min-k=2",
			Property: "mutual-exclusion",
			Aside:    papers.Contrast,
			Remark:   "with all repairs, and rings of more than half of the processes only",
		},
		{
			Spec: "ring-recovery", Args: "n=3 breaks=1 lasting=yes variant=repaired min-k=2",
			Property: "mutual-exclusion",
			Aside:    papers.Contrast, Remark: "likewise",
		},
	},
	Account: `**What happens.** p1 is in the critical section. The channel from p2 to p1 fails for good.
p2 turns to the process after p1, which with two processes is p2 itself: it is a ring of its own, is
elected, makes a token and enters. p1 lives, and is still inside. With three processes the excluded one
still sends into the ring, which it does not belong to any more.

No repair of this page helps, since each supposes that who is excluded is dead. A ring that needs a majority
(MIN_K more than half of n) does not help either, as the last row shows: a process that was excluded is inside
and knows nothing. (Two processes with MIN_K = 2 are safe, since nobody is ever excluded.) What is needed is a
process that stops by itself when it hears nothing from its predecessor (a lease), which is a matter of clocks
and outside of these models.`,
}

var figure3Claim = papers.Claim{
	Name: "Figure 3", Place: "figure 3; section 1", Line: "second paragraph on scheme 2",
	Text: "After consecutive or simultaneous failures of P2, P4 and P5 the ring of six shrinks to P1, P3 " +
		"and P6, which resume operation.",
	Ruling: papers.Stands, Within: "f<=n-min-k",
	Trials: []papers.Trial{
		{
			Compute: figure3.Follow, Remark: "simultaneous failures, step by step",
			How: "check ring-recovery n=6 f=3 crashable=2,4,5 rounds=0 --property can-recover",
		},
		{Compute: figure3Consecutive.Follow, Remark: "consecutive failures, step by step"},
		{
			Spec: "ring-recovery", Args: "n=6 f=3 crashable=2,4,5 rounds=0", Property: "can-recover",
			Remark: "the shortest run to the ring of three with its token",
		},
		{
			Spec: "ring-recovery", Args: "n=6 f=3 crashable=2,4,5 rounds=0 variant=repaired",
			Property: "can-recover",
			Aside:    papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "n=6 f=3 crashable=2,4,5 rounds=0 variant=repaired",
			Property: "token-stable",
			Aside:    papers.Repaired, Remark: "and every run comes there",
		},
	},
	Account: `The figure is a run of the model: P1 turns to P3, and P3 past P4 and P5 to P6; then the
ring is checked, P6 is elected, and a clear and a token go round. That it *can* recover so is no guarantee
that it does: see the claims above.`,
}

var latency = papers.Claim{
	Name: "Latency", Place: "section 1", Line: "first paragraph on scheme 2; abstract",
	Text: "The latency of scheme 2 is the time to detect the failure, the time to isolate the process and " +
		"the time to recover the token; against scheme 1 the time to repair the process is saved.",
	Ruling: papers.NotJudged,
	Because: "the models have no durations, and the paper leaves timing analysis to other publications; " +
		"what recovery takes in messages is told with what to implement",
}
