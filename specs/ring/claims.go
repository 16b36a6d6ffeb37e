package ring

import (
	_ "embed"

	"github.com/atmostk/atmostk/model"
)

//go:embed doc.go
var docText string

// Paper holds the claims of the paper and what was found of them.
var Paper = model.Paper{
	Name: "ring",
	Source: model.Source{
		Authors: "Loukantchevsky", Title: "Distributed ring-based mutual exclusion with graceful degradation",
		Venue: "University of Ruse, paper FRI-ONLINE-1-CCT1-02, read 29 October", Year: "2021",
		Further: []string{
			"the author's public specification of Scheme 1 (reference [8] of the paper: XME Ring, as retrieved 30 November 2021), folder 1.Scheme 1, with the implementation beside it",
		},
	},
	Doc: docText,
	Sizes: []string{
		"n", "f", "rounds", "starts", "ring-up", "order", "start", "min-k", "spare",
	},
	Intro: intro,
	Claims: []model.Claim{
		me1, me2, me3, elects, oneActive, anyFaults, strict, resilience, onePoint, rectified,
		autoLists, assignment, starting, printedHandlers, stretching,
	},
	Tables: tables,
}

const intro = `The paper prints CEH.GD, RUP.GD and one handler of MrkME; the other handlers follow the author's public
specification. Where that and the implementation differ, the implementation is taken (coordinator-off=yes,
after-election=keep), because the printed handlers fail at once; a claim of its own below shows it. Crashes
happen between steps; liveness is judged under weak fairness of every step but requests and crashes. A warm start is a closed ring with a token under way, a cold
start one in which all channels are still closed.`

var me1 = model.Claim{
	Name: "ME1 of the basic algorithm", Place: "introduction",
	Text: "Only the process with the token can be in the critical section, so at most one is.",
	Trials: []model.Trial{
		{Spec: "ring-basic", Args: "n=3", Property: "mutual-exclusion", Remark: "one process starts the election"},
		{Spec: "ring-basic", Args: "n=3 ring-up=all", Property: "mutual-exclusion", Remark: "each starts one when its ring is up"},
		{Spec: "ring-basic", Args: "n=3 ring-up=all after-election=keep", Property: "mutual-exclusion"},
	},
	Account: `**What happens.** The claim supposes one token, and the token is made by whoever ends an election as the
coordinator. When two processes start one, p2 and then p3, p3 answers the smaller id with its own election and
then starts another: two elections of p3 go round. An election of a larger id is forwarded by everybody,
whatever other election is under way, so both come back to p3, and so do both announcements of its victory. At each p3
sends a token. p1 takes the first one, p2 the second, and both are inside. Nothing has failed.`,
	Repair: `**What makes it hold.** A single election (ring-up=one). MrkME, which absorbs a token whose time is not the
current one, is the paper's answer for the recovery schemes; see below.`,
}

var me2 = model.Claim{
	Name: "ME2 of the basic algorithm", Place: "introduction",
	Text: "The token comes to every process sooner or later.",
	Trials: []model.Trial{
		{Spec: "ring-basic", Args: "n=3", Property: "requests-served"},
		{Spec: "ring-basic", Args: "n=2 ring-up=all", Property: "requests-served", Remark: "as printed: an election makes everybody RELEASED"},
		{Spec: "ring-basic", Args: "n=3 ring-up=all after-election=keep", Property: "requests-served", Aside: model.Repaired},
	},
	Account: `**What happens.** Both processes start an election. After the first announcement p1 wants to enter. The
second announcement makes p1 RELEASED again, as OnElected is printed, and with that its request is forgotten: the token
passes p1 by for ever.`,
	Repair: `**What makes it hold.** A process becomes RELEASED after an election only if it was in INIT
(after-election=keep).`,
}

var me3 = model.Claim{
	Name: "ME3 of the basic algorithm", Place: "introduction (optional)",
	Text: "Requests are granted in the order in which they are made.",
	Trials: []model.Trial{
		{Spec: "ring-basic", Args: "n=3 tickets=on", Property: "me3"},
	},
	Account: `The paper calls fairness optional and does not say that the ring has it. It has not: the token serves the
process that comes next on the ring. In the run below p2 asks first and p1 second; the coordinator p3 sends the token,
and p1 is before p2 on its way.`,
}

var elects = model.Claim{
	Name: "The election", Place: "introduction",
	Text: "The coordinator is the process with the largest id.",
	Trials: []model.Trial{
		{Spec: "ring-election", Args: "n=4", Property: "e1"},
		{Spec: "ring-election", Args: "n=4", Property: "e2", Remark: "when all is over"},
		{Spec: "ring-election", Args: "n=4 order=descending", Property: "e2"},
		{Spec: "ring-election", Args: "n=3 starts=2", Property: "e2"},
		{Spec: "ring-election", Args: "n=3 starts=2", Property: "quiescence", Remark: "it ends"},
		{Spec: "ring-election", Args: "n=4 starts=2", Property: "e2"},
	},
	Account: `The claim stands: whatever the order of the ids and however often elections are started, on a ring without
failures. It does not say that a victory is announced once, which is what the basic algorithm would need; and a
coordinator can forget, by an election of its own in the meantime, that it is one before its announcement is back.`,
}

var oneActive = model.Claim{
	Name: "One and only one active token", Place: "section 2, MrkME",
	Text: "MrkME makes sure that there is one token in the ring and not more: a lost one is replaced, a second one is removed.",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "token-recurs", Remark: "a token there is"},
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "one-token", Remark: "and no second one"},
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "one-usable-token", Remark: "or none that lets anybody in"},
		{Spec: "ring-recovery", Args: "n=3 f=2 rounds=2", Property: "one-usable-token"},
		{Spec: "ring-recovery", Args: "n=4 f=2", Property: "one-usable-token"},
		{Spec: "ring-recovery", Args: "n=4 f=2", Property: "mutual-exclusion", Remark: "all the same"},
		{Spec: "ring-recovery", Args: "n=3 f=1 token-time=token", Property: "token-recurs", Aside: model.Contrast, Remark: "a release sends the time of the token it entered with"},
		{Spec: "ring-recovery", Args: "n=3 f=1 repair=drop", Property: "token-recurs", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=participant+orphan+drop", Property: "token-recurs", Aside: model.Contrast, Remark: "all repairs but epoch"},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "token-recurs", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "one-token", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "token-stable", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "n=4 f=3 repair=full", Property: "one-token", Aside: model.Repaired},
	},
	Account: `**What happens.** p2 is in the critical section when the coordinator p3 crashes, and wins the new election there.
After an election the coordinator forgets the time of the token and sends the clear; it does not wait for its own
release, only for clears that arrive. When p2 then releases, it sends the token with its present time: token(NULL). That
message follows the clear round the ring. p1, in the second pass, waits for the time of the new token and takes
this one for it: it goes OFF with the time NULL. When the real token comes, p1 is OFF and WANTED, and without a
time, and absorbs it. There is no token any more, nobody has failed since, and nothing starts another election.`,
	Repair: `**What makes it hold.** A release while MrkME is ON sends no token, since the election has made a new one
(repair=drop); with two crashes also a clear that carries the time of its token, so that tokens and clears of
different elections cannot be taken for each other (repair=epoch).`,
}

var anyFaults = model.Claim{
	Name: "Recovery from any kind of multiple faults", Place: "abstract; section 1, scheme 2",
	Text: "Scheme 2 recovers from any crashes, as long as enough processes are left.",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "n=2 f=1", Property: "requests-served"},
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "requests-served", Remark: "one crash"},
		{Spec: "ring-recovery", Args: "n=4 f=2", Property: "requests-served", Remark: "two"},
		{Spec: "ring-recovery", Args: "n=4 f=2", Property: "no-orphan"},
		{Spec: "ring-recovery", Args: "n=4 f=2", Property: "mutual-exclusion"},
		{Spec: "ring-recovery", Args: "n=3 f=1 start=cold", Property: "mutual-exclusion", Remark: "a crash while the ring comes up"},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=orphan+drop+epoch", Property: "requests-served", Aside: model.Contrast, Remark: "all repairs but participant"},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=participant+drop+epoch", Property: "requests-served", Aside: model.Contrast, Remark: "all but orphan"},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=participant+orphan+drop", Property: "requests-served", Aside: model.Contrast, Remark: "all but epoch"},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=participant+orphan+epoch", Property: "one-token", Aside: model.Contrast, Remark: "all but drop"},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "requests-served", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "election-stable", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "no-orphan", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "n=4 f=3 repair=full", Property: "requests-served", Aside: model.Repaired},
	},
	Account: `**What happens.** After the crash of p1 the ring closes again over p4 and p2, and p4 starts an election. p2 gets its
message when p3 has just crashed, and what it forwards is lost in the broken channel; p4 stays PARTICIPANT. p2
closes the ring once more, and its RUP starts the next election: election(p2) comes to p4, which is larger, and a
PARTICIPANT swallows the election of a smaller id, since its own must be under way. It is not. There is no coordinator
and no token, for ever. The second run shows an election of a dead process that nobody takes off the ring: each time
it passes it makes the coordinator NULL again, also after the announcement of a victory.`,
	Repair: `**What makes it hold.** participant: a rup that passes makes a process NON_PARTICIPANT. orphan: the process that
replaced a neighbour absorbs what that one had sent. drop and epoch: see the token above. With any one of
them left out some property fails (rows 7 to 10).`,
}

var strict = model.Claim{
	Name: "Scheme 1 keeps ME1 and ME2", Place: "section 1, scheme 1",
	Text: "When the crashed process has been restored all others resume, and both requirements are strictly kept.",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "mutual-exclusion"},
		{Spec: "ring-recovery", Args: "scheme=1 n=3 f=1", Property: "mutual-exclusion"},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "requests-served"},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "no-lost-request", Remark: "requests are ignored meanwhile"},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=2", Property: "one-usable-token", Remark: "two crashes", Aside: model.Contrast},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=1 repair=full", Property: "requests-served", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 repair=full", Property: "requests-served", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=1 n=3 f=1 repair=full", Property: "requests-served", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=1 n=3 f=1 repair=full", Property: "mutual-exclusion", Aside: model.Repaired},
	},
	Account: `**What happens.** p2 crashes and recovers, and both processes check the ring and
start elections; p2 wins both, and its announcements come back one after the other. For each it sends a clear. The
first clear makes token 1, the second token 2, while token 1 is under way. Each pass overwrites what the
one before has stored: token 1 reaches p2 when its time is 2 and is absorbed; p1 has taken over the time 1, enters with
token 2, and releases a token with its own time, 1, which p2 absorbs as well. The ring is up, the election is over,
and there is no token.`,
	Repair: `**What makes it hold.** repair=epoch: of two clears only the coordinator's latest becomes a token.`,
}

var resilience = model.Claim{
	Name: "(n-k)-resilience", Place: "section 1, scheme 2",
	Text: "With MIN_K = k the ring survives n-k crashes, and does not close with fewer than k processes.",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "n=4 f=2 min-k=2", Property: "recoverable"},
		{Spec: "ring-recovery", Args: "n=4 f=1 min-k=3", Property: "recoverable"},
		{Spec: "ring-recovery", Args: "n=4 f=3 min-k=2", Property: "min-k", Remark: "not with fewer"},
		{Spec: "ring-recovery", Args: "n=4 f=3 min-k=2", Property: "recoverable", Aside: model.Contrast, Remark: "one crash more"},
		{Spec: "ring-recovery", Args: "n=4 f=2 min-k=2 repair=full", Property: "requests-served", Aside: model.Contrast, Remark: "with the repairs it is also of use"},
	},
	Account: `The channels are recovered as often as the claim says: the condition on the size of the list counts the
process itself and all behind its neighbour, whether they live or not. That the algorithm above them goes on is
another claim, and fails (see above). When MIN_K is not met only the process next to the crash gives up; the others
stay in a ring that never closes, and nobody tells them.`,
}

var onePoint = model.Claim{
	Name: "The ring can collapse into one point", Place: "section 1, scheme 2",
	Text: "At most n-1 crashes are survived: the last process is a ring of its own.",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "n=3 f=2", Property: "recoverable"},
		{Spec: "ring-recovery", Args: "n=3 f=2", Property: "rup-terminates"},
		{Spec: "ring-recovery", Args: "n=2 f=1", Property: "requests-served"},
		{Spec: "ring-recovery", Args: "n=3 f=2 repair=full", Property: "requests-served", Aside: model.Repaired},
	},
	Account: `The last process turns to itself, its rup, election, clear and token come back to it, and it enters. With three
processes a request can still be lost on the way there, by the run of one crash.`,
}

var rectified = model.Claim{
	Name: "The rectified OnRelease", Place: "section 2",
	Text: "OnRelease has to run a pending clear in place of sending the token, for recovery after the coordinator fails in HELD.",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "requests-served", Remark: "rectified"},
		{Spec: "ring-recovery", Args: "n=3 f=1 release=code", Property: "requests-served", Remark: "as it was", Aside: model.Contrast},
		{Spec: "ring-recovery", Args: "n=4 f=2 release=code", Property: "mutual-exclusion", Aside: model.Contrast},
		{Spec: "ring-recovery", Args: "n=4 f=2 release=code", Property: "one-usable-token", Aside: model.Contrast},
		{Spec: "ring-recovery", Args: "n=4 f=2 release=code repair=full", Property: "requests-served", Aside: model.Contrast, Remark: "as it was, with the repairs"},
		{Spec: "ring-recovery", Args: "n=4 f=2 release=prose repair=full", Property: "requests-served", Aside: model.Contrast},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 repair=participant+orphan+drop2+epoch", Property: "one-token", Aside: model.Contrast, Remark: "rectified, with repairs that leave a release with a pending clear alone"},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 release=code repair=participant+orphan+drop2+epoch", Property: "one-token", Aside: model.Contrast, Remark: "as it was, with the same"},
		{Spec: "ring-recovery", Args: "scheme=1 n=3 f=1 release=code", Property: "requests-served", Aside: model.Contrast},
	},
	Account: `The change is not enough, and without other repairs it changes no verdict: the three readings of
OnRelease differ only in the numbers of states and the lengths of a few counterexamples. The additional token is
absorbed wherever a clear has left a time that is not its own. It makes a difference where everything else is repaired
and a release is let alone when a clear is pending (drop2): there is a second token for a while with release=code, and
none with rectified. What is fatal is another case of the same handler, which the change does not touch: the coordinator itself releases after its
election, when no clear is *pending* because its own clear is under way, and sends token(NULL).`,
}
