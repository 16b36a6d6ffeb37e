package ring

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What the paper claims of scheme 1, which waits until a crashed process has been repaired.

var strict = papers.Claim{
	Name: "Scheme 1 keeps ME1 and ME2", Place: "section 1", Line: "paragraph on scheme 1; abstract",
	Text: "Scheme 1 recovers from multiple faults of any kind. When the crashed process has been restored " +
		"the token is, too, and ME1 and ME2 are strictly complied with.",
	Ruling: papers.Erroneous,
	Trials: []papers.Trial{
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 rounds=2", Property: "mutual-exclusion",
			Remark: "two crashes of the same process, two requests each",
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1 breaks=1", Property: "mutual-exclusion",
			Remark: "one crash and one channel that breaks, one request each",
		},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "requests-served", Remark: "one crash"},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "token-recurs",
			Remark: "the token is not restored",
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "mutual-exclusion",
			Remark: "one crash is not enough",
		},
		{Spec: "ring-recovery", Args: "scheme=1 n=3 f=1", Property: "mutual-exclusion", Remark: "likewise"},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=3 f=1 token-time=token", Property: "mutual-exclusion",
			Remark: "it is, if a release sends the time of the token that it entered with",
		},
		{Spec: "ring-recovery", Args: "scheme=1 n=3 f=1", Property: "requests-served"},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 rounds=2 repair=full",
			Property: "mutual-exclusion",
			Aside:    papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1 breaks=1 repair=full",
			Property: "mutual-exclusion",
			Aside:    papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1 repair=full", Property: "requests-served",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 repair=full", Property: "requests-served",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=3 f=1 repair=full", Property: "requests-served",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=3 f=1 repair=full", Property: "mutual-exclusion",
			Aside: papers.Repaired,
		},
	},
	Account: `**What happens to ME1** (row 1, 47 steps). p1 is in the critical section; the coordinator
p2 crashes, recovers, is elected and sends a clear, which waits in p1. p2 crashes again, recovers, and is
elected again. p1 releases, so that the old clear goes out as well: two clears are under way to p2. The
first one makes token 1. Then a rup of p2 is back and starts another election, **which makes p2's
coordinator NULL. The second clear comes back to p2 at this moment, and p2 forwards its own clear like a
follower.** It goes round with token 1 behind it; both processes take token 1 over and go OFF. The election
ends, p2 is the coordinator again, and the same clear comes back once more: now it makes token 2. Both
processes want to enter, are OFF and do not look at times: p2 takes token 1 and p1 takes token 2.

**What happens to ME2** (row 3). p2 crashes and recovers, and both processes check the ring and start
elections; p2 wins both, and its announcements come back one after the other. For each it sends a clear. The
first clear makes token 1, the second token 2, while token 1 is under way. Each pass overwrites what the one
before has stored: token 1 reaches p2 when its time is 2 and is absorbed; p1 has taken over the time 1,
enters with token 2, and releases a token with its own time, 1, which p2 absorbs as well. The ring is up,
the election is over, and there is no token.`,
	Repair: `**What makes it hold.** repair=epoch: of two clears only the coordinator's latest becomes a
token, and a token whose time is another one is absorbed by a MrkME that is OFF, too. For never more than
one token also drop.`,
	Statements: []papers.Statement{
		{
			Says: "With repair=full everything holds in scheme 1 that the page asks, but that requests are " +
				"ignored for a while.",
			Spec: "ring-recovery", Where: "scheme=1 repair=full lasting=no max-err=0",
			Properties: "-no-lost-request",
			Verdict:    papers.Everywhere,
		},
		{
			Says: "As printed, and as implemented, ME2 fails after one crash.", Spec: "ring-recovery",
			Where: "scheme=1 f>=1 repair=none variant=printed token-time=own", Properties: "requests-served",
			Verdict: papers.Nowhere,
		},
		{
			Says: "As implemented there are two tokens for a while after one crash.", Spec: "ring-recovery",
			Where: "scheme=1 f>=1 repair=none variant=printed", Properties: "one-token",
			Verdict: papers.Nowhere,
		},
	},
}

var resumption = papers.Claim{
	Name: "The others resume from the state they were in", Place: "section 1", Line: "paragraph on scheme 1",
	Text: "After the repair all other processes resume normal operation from the state they were in at " +
		"the time of the failure.",
	Ruling: papers.ErroneousUnder, Readings: []string{"after-election=reset"},
	Trials: []papers.Trial{
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1 after-election=reset", Property: "resumes",
			Remark: "as printed: an election makes every process RELEASED",
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=3 f=1 after-election=reset", Property: "resumes",
			Remark: "likewise",
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "resumes",
			Remark: "as implemented: only from INIT",
		},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 rounds=2", Property: "resumes", Remark: "likewise"},
		{Spec: "ring-recovery", Args: "scheme=1 n=3 f=1", Property: "resumes", Remark: "likewise"},
		{Spec: "ring-recovery", Args: "n=4 f=2", Property: "resumes", Remark: "scheme 2"},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "no-lost-request",
			Aside:  papers.Contrast,
			Remark: "what a process asks for meanwhile is ignored",
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1 variant=repaired", Property: "no-lost-request",
			Aside: papers.Repaired, Remark: "it is remembered",
		},
	},
	Account: `resumes asks of each step of CEH, RUP, E and MrkME whether it leaves the state of Mx1ME as
it was. As implemented it does: WANTED stays WANTED, and HELD stays HELD until the release. As printed,
OnElected makes RELEASED of both, and the request is forgotten, or the process is in its critical section
without knowing.

"Normal operation" is another matter: from the clear to the new token a process in RELEASED has no time, and
Enter ignores its requests.`,
	Repair: `**What makes it hold.** after-election=keep; and a request that comes meanwhile makes the
process WANTED, to be served by the new token (repair=remember).`,
}

var stopping = papers.Claim{
	Name: "The whole system stops", Place: "section 1", Line: "paragraph on scheme 1",
	Text:   "While a process is down the whole system stops, at least as far as mutual exclusion goes.",
	Ruling: papers.Erroneous,
	Trials: []papers.Trial{
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "halts",
			Remark: "with two processes there is nobody left to pass the token on"},
		{Spec: "ring-recovery", Args: "scheme=1 n=3 f=1", Property: "halts", Remark: "with three processes"},
	},
	Account: `The others do not know. Whoever is in the critical section stays there and leaves, and
whoever the token reaches before it comes to the break enters. That does no harm by itself: a clear waits
for the release.`,
}

var exhausted = papers.Claim{
	Name: "MAX_CEH_ERR in scheme 1", Place: "section 3", Line: "first paragraph",
	Text: "In scheme 1 recovery has failed when the limit MAX_CEH_ERR of attempts to " +
		"reconnect is exhausted.",
	Ruling: papers.Outside,
	Because: "the guarantee of section 1 supposes that a process is repaired before its neighbour has " +
		"failed to reconnect MAX_CEH_ERR times",
	Trials: []papers.Trial{
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "recoverable",
			Remark: "the neighbour tries as long as it takes",
		},
		{Spec: "ring-recovery", Args: "scheme=1 n=3 f=1", Property: "recoverable", Remark: "likewise"},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1 max-err=1", Property: "recoverable",
			Aside: papers.Unassumed,
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1 max-err=2", Property: "recoverable",
			Aside: papers.Unassumed,
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1 max-err=2", Property: "requests-served",
			Aside:  papers.Unassumed,
			Remark: "and nobody enters any more",
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=3 f=1 max-err=2 repair=full", Property: "rup-terminates",
			Aside: papers.Unassumed, Remark: "the others are not told, and check the ring for ever",
		},
	},
	Account: `When the limit is exhausted nothing opens the channel again, though the process comes back.
So MAX_CEH_ERR times MAX_CEH_PERIOD has to be longer than any repair, or scheme 1 needs a person at the
neighbour as well. Only the neighbour knows that it has given up.`,
	Statements: []papers.Statement{
		{
			Says: "Without a limit nobody gives up.", Spec: "ring-recovery",
			Where:      "scheme=1 lasting=no max-err=0",
			Properties: "recoverable",
			Verdict:    papers.Everywhere,
		},
		{
			Says: "With one, some run ends in a ring that stays open.", Spec: "ring-recovery",
			Where:      "scheme=1 max-err=1/2/3",
			Properties: "recoverable,rup-terminates,requests-served", Verdict: papers.Nowhere,
		},
	},
}
