package ring

import (
	_ "embed"
	"slices"

	"github.com/atmostk/atmostk/model/papers"
)

//go:embed doc.go
var docText string

// Paper holds the claims of the paper and what was found of them.
var Paper = papers.Paper{
	Name: "ring",
	Source: papers.Source{
		Authors: "Loukantchevsky", Title: "Distributed ring-based mutual exclusion with graceful degradation",
		Venue: "annual scientific conference of the University of Ruse, session of section 3.2, read 29 " +
			"October 2021",
		Year: "2021", ID: "paper FRI-ONLINE-1-CCT1-02; no DOI is printed in it",
		Further: []string{
			"reference [8] of the paper, the author's repository XME.Ring " +
				"(github.com/milphaser/XME.Ring), of " +
				"which the paper says that it was retrieved on 30 November 2021: of its folder " +
				"1.Scheme 1 the " +
				"handlers as restated for these models; the program 4.3.2.x.XME.GD.Ring of scheme 2 " +
				"(UnitDMChannels.cpp) as of commit a437ab28cc043397b9b382e0b39c6ff0fcaff880; " +
				"ListOfProjects.txt as " +
				"of commit 2beafd607aca23cd8426e9ea35db0b86eb0f8633, which calls 4.3.1.x scheme 1, " +
				"4.3.2.x scheme " +
				"2, and 4.4.3.x and 4.5.4.x scheme 3",
		},
	},
	Doc: docText,
	Sizes: []string{
		"n", "f", "crashable", "breaks", "rounds", "starts", "order", "start", "min-k", "spare",
	},
	Intro: intro, Inventory: inventory,
	Claims: []papers.Claim{
		me1, me2, me3, elects, irrelevant, reliable, starting,
		strict, resumption, stopping, exhausted,
		anyFaults, channels, lastingChannels, oneActive, figure3Claim, resilience, notFewer, rangeOfK,
		onePoint, latency,
		rectified, neighbours, autoLists, incomplete, assignment, examples, printedHandlers, equal,
		stretching, testBed,
	},
	Tables:    slices.Concat(tables, releaseTables, failureTables, repairTables),
	Implement: &implement,
}

const intro = `The paper prints CEH.GD, RUP.GD and one handler of MrkME; the other handlers follow
the author's public specification. Where that and the implementation differ, the implementation is taken
(coordinator-off=yes, after-election=keep), because the printed handlers fail at once; a claim of its own
below shows it. Crashes happen between steps; liveness is judged under weak fairness of every step but
requests and crashes. A warm start is a closed ring with a token under way, a cold start one in which all
channels are still closed. Sections are named by their numbers and lines by their paragraphs: the text that
was read has no page numbers.

What was found, in short: **the recovery keeps neither ME1 nor ME2**, in scheme 1 as in scheme 2, and
without any failure when the ring comes up from a cold start. One cause is behind each run below that
violates ME1 in the default readings with channels that open again (a test looks for it in all of them):
an election makes the coordinator NULL, so that a coordinator whose own *clear* comes back meanwhile
forwards it like a follower; that clear goes round a second time and makes a second token. ME2 fails
already with three processes and one crash, or with two and one broken channel. **MIN_K does not bound the
degradation**: four processes with MIN_K = 3 close a ring of two. With AutoList as printed **no crash at
all is recovered from**. The rectified OnRelease is neither enough nor, for ME1 and ME2, needed. **A
channel that stays broken while its process lives** lets two processes be inside: no repair here helps
against that. Against all else small repairs do, which are put together at the end.`

var me1 = papers.Claim{
	Name: "ME1 of the basic algorithm", Place: "introduction", Line: "fourth paragraph",
	Text:   "Only the process with the token can be in the critical section, so at most one is.",
	Ruling: papers.ErroneousUnder, Readings: []string{"ring-up=all"}, Within: "f=0 breaks=0",
	Trials: []papers.Trial{
		{
			Spec: "ring-basic", Args: "n=3", Property: "mutual-exclusion",
			Remark: "one process starts the election",
		},
		{
			Spec: "ring-basic", Args: "n=2 ring-up=all", Property: "mutual-exclusion",
			Remark: "each starts one when its ring is up",
		},
		{Spec: "ring-basic", Args: "n=3 ring-up=all", Property: "mutual-exclusion", Remark: "likewise"},
		{Spec: "ring-basic", Args: "n=3 ring-up=all after-election=keep", Property: "mutual-exclusion"},
	},
	Account: `**What happens.** The claim supposes one token, and the token is made by whoever ends an
election as the coordinator. When two processes start one, p2 and then p3, p3 answers the smaller id with
its own election and then starts another: two elections of p3 go round. An election of a larger id is
forwarded by everybody, whatever other election is under way, so both come back to p3, and so do both
announcements of its victory. At each p3 sends a token. p1 takes the first one, p2 the second, and both are
inside. Nothing has failed.`,
	Repair: `**What makes it hold.** A single election (ring-up=one). MrkME, which absorbs a token whose
time is not the current one, is the paper's answer for the recovery schemes; see below.`,
	Statements: []papers.Statement{
		{
			Says: "With one election ME1 holds, and there is one token.", Spec: "ring-basic",
			Where: "ring-up=one f=0 breaks=0", Properties: "mutual-exclusion,one-token",
			Verdict: papers.Everywhere,
		},
		{
			Says: "Where each process starts one it does not.", Spec: "ring-basic",
			Where:      "ring-up=all f=0 breaks=0",
			Properties: "mutual-exclusion,one-token", Verdict: papers.Nowhere,
		},
	},
}

var me2 = papers.Claim{
	Name: "ME2 of the basic algorithm", Place: "introduction", Line: "fourth paragraph",
	Text:   "By the topology alone the token comes to every process sooner or later.",
	Ruling: papers.ErroneousUnder, Readings: []string{"ring-up=all after-election=reset"},
	Within: "f=0 breaks=0",
	Trials: []papers.Trial{
		{Spec: "ring-basic", Args: "n=3", Property: "requests-served"},
		{
			Spec: "ring-basic", Args: "n=2 ring-up=all", Property: "requests-served",
			Remark: "as printed: an election makes everybody RELEASED",
		},
		{
			Spec: "ring-basic", Args: "n=3 ring-up=all after-election=keep", Property: "requests-served",
			Aside: papers.Repaired,
		},
	},
	Account: `**What happens.** Both processes start an election. After the first announcement p1 wants
to enter. The second announcement makes p1 RELEASED again, as OnElected is printed, and with that its
request is forgotten: the token passes p1 by for ever.`,
	Repair: `**What makes it hold.** A process becomes RELEASED after an election only if it was in INIT
(after-election=keep).`,
	Statements: []papers.Statement{{
		Says:  "With after-election=keep every request is served, whoever starts elections.",
		Spec:  "ring-basic",
		Where: "after-election=keep f=0 breaks=0", Properties: "requests-served", Verdict: papers.Everywhere,
	}},
}

var me3 = papers.Claim{
	Name: "ME3 of the basic algorithm", Place: "introduction", Line: "second paragraph",
	Text:   "Fairness (ME3): requests are granted in the order in which they are made. It is optional.",
	Ruling: papers.Outside,
	Because: "the paper does not claim ME3, of its algorithms or of others; it lists it as a requirement " +
		"that is optional",
	Trials: []papers.Trial{
		{Spec: "ring-basic", Args: "n=2 tickets=on", Property: "me3", Aside: papers.Unassumed},
		{Spec: "ring-basic", Args: "n=3 tickets=on", Property: "me3", Aside: papers.Unassumed},
	},
	Account: `The ring has no ME3: the token serves the process that comes next on the ring. In the run
of two processes below p2 asks first and p1 second; the coordinator p2 sends the token on, and p1 is the
next that it comes to.`,
}

var elects = papers.Claim{
	Name: "The election", Place: "introduction", Line: "fourth paragraph",
	Text:   "The coordinator is the process with the largest id, and a distributed election finds it.",
	Ruling: papers.Stands,
	Trials: []papers.Trial{
		{Spec: "ring-election", Args: "n=4", Property: "e1"},
		{Spec: "ring-election", Args: "n=4", Property: "e2", Remark: "when all is over"},
		{Spec: "ring-election", Args: "n=3 starts=2", Property: "e2"},
		{Spec: "ring-election", Args: "n=3 starts=2", Property: "quiescence", Remark: "it ends"},
		{Spec: "ring-election", Args: "n=4 starts=2", Property: "e2"},
	},
	Account: `The claim stands, however often elections are started, on a ring without failures. It does
not say that a victory is announced once, which is what the basic algorithm would need; and a coordinator
can forget, by an election of its own in the meantime, that it is one before its announcement is back. From
that come the violations of ME1 below, in the default readings.`,
}

var irrelevant = papers.Claim{
	Name: "The order of the processes is irrelevant", Place: "introduction", Line: "fourth paragraph",
	Text:   "In which order the processes stand in the ring makes no difference.",
	Ruling: papers.Stands,
	Trials: []papers.Trial{
		{
			Spec: "ring-election", Args: "n=3 starts=2 order=descending", Property: "e2",
			Remark: "of three processes there are two orders",
		},
		{Spec: "ring-election", Args: "n=4 order=descending", Property: "e2"},
		{
			Spec: "ring-basic", Args: "n=3 order=descending", Property: "mutual-exclusion",
			Remark: "the basic algorithm over it",
		},
		{
			Spec: "ring-basic", Args: "n=3 order=descending", Property: "requests-served",
			Aside:  papers.Contrast,
			Remark: "likewise",
		},
	},
	Account: `Where the ids descend elections have more states, since the largest one meets nobody who
answers it, and no verdict is another one. Of four processes two of the six orders are asked.`,
	Statements: []papers.Statement{{
		Says: "In both orders the basic algorithm keeps ME1 and ME2 with one election.", Spec: "ring-basic",
		Where: "ring-up=one f=0 breaks=0", Properties: "mutual-exclusion,requests-served",
		Verdict: papers.Everywhere,
	}},
}

var reliable = papers.Claim{
	Name: "The basic algorithm needs absolute reliability", Place: "introduction", Line: "last paragraph " +
		"but one",
	Text:   "Neither processes nor channels may fail.",
	Ruling: papers.Outside,
	Because: "this is the paper's own objection to the basic algorithm: that it holds without failures, " +
		"and not with one",
	Within: "f=0 breaks=0",
	Trials: []papers.Trial{
		{Spec: "ring-basic", Args: "n=3", Property: "requests-served", Remark: "without failures"},
		{
			Spec: "ring-basic", Args: "n=2 f=1", Property: "requests-served", Aside: papers.Unassumed,
			Remark: "one crash",
		},
		{
			Spec: "ring-basic", Args: "n=3 f=1", Property: "requests-served", Aside: papers.Unassumed,
			Remark: "likewise",
		},
		{
			Spec: "ring-basic", Args: "n=2 breaks=1", Property: "requests-served", Aside: papers.Unassumed,
			Remark: "one channel breaks",
		},
		{
			Spec: "ring-basic", Args: "n=3 f=1 breaks=1", Property: "mutual-exclusion",
			Aside:  papers.Unassumed,
			Remark: "ME1 is not lost",
		},
	},
	Account: `What is in a broken channel is lost, the token too, and nobody makes another one. ME1 is
kept, with one election: there is never a second token.`,
	Statements: []papers.Statement{{
		Says:  "One crash or one broken channel is enough to make a request wait for ever.",
		Spec:  "ring-basic",
		Where: "ring-up=one f>=1-breaks", Properties: "requests-served", Verdict: papers.Nowhere,
	}},
}

var starting = papers.Claim{
	Name: "The ring comes up", Place: "section 2, the chain of algorithms; section 4",
	Line: "first paragraph",
	Text: "From OnShow on the chain CEH, RUP, E, MrkME, Mx1ME brings the ring up with one token, if " +
		"nothing fails; each algorithm of the chain starts when the one before it is over.",
	Ruling: papers.Erroneous, Within: "f=0 breaks=0",
	Trials: []papers.Trial{
		{
			Spec: "ring-recovery", Args: "scheme=0 n=2 start=cold", Property: "requests-served",
			Remark: "two processes, no failure",
		},
		{
			Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold", Property: "mutual-exclusion",
			Remark: "three processes, no failure",
		},
		{Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold", Property: "requests-served"},
		{Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold", Property: "election-stable"},
		{Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold", Property: "rup-terminates"},
		{
			Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold repair=drop", Property: "mutual-exclusion",
			Aside: papers.Contrast,
		},
		{
			Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold repair=epoch", Property: "mutual-exclusion",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold repair=full", Property: "mutual-exclusion",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold repair=full", Property: "requests-served",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold repair=full", Property: "token-stable",
			Aside: papers.Repaired,
		},
	},
	Account: `**What happens** to ME1, with three processes of which none fails. Every process runs RUP
when its channel opens, and every rup that is back starts an election. p3 wins twice, and each announcement
that comes back to it starts a clear of its own. The first clear makes token 1. Then an election that p2 has
started in the meantime reaches p3 and makes its coordinator NULL. **p3's second clear comes back just now.
Clear() asks whether the process is the coordinator; it is not, at this moment, so p3 forwards its own clear
like a follower** and forgets the time of the token it has made. Token 1 goes round behind that clear, each
process takes it for the one that it waits for, p3 as well, and all go OFF. The election ends, p3 is the
coordinator again, and the late clear comes back a second time: p3 makes token 2, and stays OFF. A MrkME
that is OFF does not look at times: p1 enters with token 2, and p3 with token 1.

In the run of two processes token 1 is absorbed because the time is 2, and token 2 because its holder has
released it with the time 1.`,
	Repair: `**What makes it hold.** repair=epoch: a clear carries the time of its token, a coordinator
ends the first pass with its latest clear only, and a MrkME that is OFF looks at times. That is enough for
ME1 and ME2; for never more than one token, which one-token asks, a release while MrkME is ON has to send
none as well (drop).`,
	Statements: []papers.Statement{
		{
			Says: "The ring always comes up, and the election ends well.", Spec: "ring-recovery",
			Where:      "scheme=0 start=cold",
			Properties: "election-stable,rup-terminates,recoverable", Verdict: papers.Everywhere,
		},
		{
			Says:       "Without repair=epoch no reading and no other repair keeps ME1 with three processes.",
			Spec:       "ring-recovery",
			Where:      "scheme=0 start=cold n=3 variant=printed repair!=epoch/drop+epoch/full",
			Properties: "mutual-exclusion", Verdict: papers.Nowhere,
		},
		{
			Says: "With it ME1 and ME2 hold.", Spec: "ring-recovery",
			Where: "scheme=0 start=cold repair=epoch/" +
				"drop+epoch/full",
			Properties: "mutual-exclusion,requests-served,token-stable", Verdict: papers.Everywhere,
		},
	},
}
