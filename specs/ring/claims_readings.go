package ring

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/figures"
	"github.com/atmostk/atmostk/model/papers"
)

// What the paper claims of OnRelease, of AutoList and of other details that can be read in several ways.

var rectified = papers.Claim{
	Name: "The rectified OnRelease", Place: "section 2", Line: "pseudo-code of OnRelease, and the " +
		"paragraph after it",
	Text: "The change of OnRelease is necessary for correct recovery in case the coordinator " +
		"fails in HELD.",
	Ruling: papers.Erroneous,
	Trials: []papers.Trial{
		{
			Compute: of(neededInHeld, "n=2 f=1 release=code"),
			Remark:  "is it needed after a crash of the coordinator in HELD? as it was, n=2",
		},
		{Compute: of(neededInHeld, "n=3 f=1 release=code"), Remark: "likewise, n=3"},
		{
			Compute: of(neededInHeld, "n=3 f=1 rounds=2 release=code"),
			Remark:  "likewise, n=3 and two requests each",
		},
		{Compute: of(neededInHeld, "n=4 f=1 release=code"), Remark: "likewise, n=4"},
		{Compute: of(neededInHeld, "n=3 f=1 release=prose"), Remark: "as the older text has it, n=3"},
		{
			Spec: "ring-recovery", Args: "n=3 f=1", Property: "requests-served",
			Remark: "is it enough? rectified, one crash",
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "requests-served",
			Remark: "likewise, in scheme 1",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=1 release=code", Property: "requests-served",
			Remark: "as it was",
			Aside:  papers.Contrast,
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=2 release=code repair=drop", Property: "requests-served",
			Aside:  papers.Contrast,
			Remark: "is it needed? as it was, with one repair",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=2 release=code repair=epoch", Property: "requests-served",
			Aside:  papers.Contrast,
			Remark: "likewise, with another one",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=1 release=code repair=epoch", Property: "mutual-exclusion",
			Aside: papers.Contrast,
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=2 release=code repair=full", Property: "requests-served",
			Aside: papers.Contrast, Remark: "as it was, with all repairs of scheme 2",
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=2 release=prose repair=full", Property: "requests-served",
			Aside: papers.Contrast,
		},
		{
			Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 repair=participant+orphan+drop2+epoch",
			Property: "one-token",
			Aside:    papers.Contrast,
			Remark:   "rectified, with repairs that leave a release with a pending clear alone",
		},
		{
			Spec:     "ring-recovery",
			Args:     "scheme=1 n=2 f=2 release=code repair=participant+orphan+drop2+epoch",
			Property: "one-token",
			Aside:    papers.Contrast, Remark: "as it was, with the same: here it makes a difference",
		},
	},
	Account: `**Is it sufficient?** The paper does not say so, and it is not: ME2 fails with it. What is
fatal is another case of the same handler, which the change does not touch: the coordinator itself releases
after its election, when no clear is *pending* because its own clear is under way, and sends token(NULL).

**Is it necessary?** For ME1 and ME2 it is not. When the coordinator crashes in HELD the token is gone with
it, nobody is inside, and no clear is pending: the ring recovers with the handler as it was, in each run
(rows 1 to 5). A clear is pending where another process is in HELD. There, too: with the handler as it was
before, and one repair (drop, or epoch), both hold; without repairs both handlers fail. The additional token
is absorbed wherever a clear has left a time that is not its own. It makes a difference for one-token only,
and only with drop2, which lets a release alone when a clear is pending: there is a second token for a while
with the handler as it was, and none with the change.

So both halves of "necessary for correct recovery" fail: recovery is not correct with the change, and what
is correct does not need it. The table "OnRelease" has each of the three handlers in each combination with
the repairs, for two and three processes and up to two crashes, in both schemes.`,
	Statements: []papers.Statement{
		{
			Says: "Not sufficient: with the change, and neither drop nor epoch, ME2 fails with " +
				"three processes.",
			Spec: "ring-recovery",
			Where: "scheme=2 n=3 f>=1 release=rectified token-time=own list=static " +
				"variant=printed lasting=no " +
				"repair=none/participant/orphan/participant+orphan",
			Properties: "requests-served", Verdict: papers.Nowhere,
		},
		{
			Says: "Nor is it in scheme 1.", Spec: "ring-recovery",
			Where: "scheme=1 f>=1 release=rectified token-time=own variant=printed lasting=no repair=none/" +
				"participant/orphan/participant+orphan/drop/drop2/participant+drop/participant+drop2/" +
				"orphan+drop/orphan+drop2/participant+orphan+drop/participant+orphan+drop2",
			Properties: "requests-served", Verdict: papers.Nowhere,
		},
		{
			Says: "Not necessary: without the change ME1 and ME2 hold with epoch, with and without " +
				"each other repair.",
			Spec: "ring-recovery",
			Where: "n<=3 f<=2 start=warm release=code/prose breaks=0 variant=printed " +
				"coordinator-off=yes after-election=keep token-time=own list=static " +
				"repair=epoch/participant+epoch/" +
				"orphan+epoch/drop+epoch/drop2+epoch/participant+orphan+epoch/participant+drop+epoch/" +
				"participant+drop2+epoch/orphan+drop+epoch/orphan+drop2+epoch/" +
				"participant+orphan+drop+epoch/participant+orphan+drop2+epoch",
			Properties: "mutual-exclusion,requests-served", Verdict: papers.Everywhere,
		},
		{
			Says: "Without failures the handlers are the same.", Spec: "ring-recovery",
			Where:      "scheme=2 n<=3 f=0 start=warm breaks=0 variant=printed",
			Properties: "mutual-exclusion,one-token,requests-served",
			Verdict:    papers.Everywhere,
		},
	},
}

var neighbours = papers.Claim{
	Name: "The next candidate", Place: "section 3", Line: "first paragraph",
	Text: "When attempts to reconnect are exhausted the neighbour is excluded, and new attempts are made " +
		"with the process after it.",
	Ruling: papers.ErroneousUnder, Readings: []string{"list=auto guard=none"},
	Trials: []papers.Trial{
		{
			Spec: "ring-recovery", Args: "n=3 f=1 list=auto guard=none", Property: "turns-onward",
			Remark: "the list of AutoList begins with the present neighbour",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=2", Property: "turns-onward",
			Remark: "the static list, of which OnInit has taken the head",
		},
		{Spec: "ring-recovery", Args: "n=4 f=3", Property: "turns-onward", Remark: "likewise"},
	},
	Account: `**What happens.** OnInit takes the first id from the static list, so that the head is then
the process after the neighbour. A list that RUP.GD has collected, as in the examples of section 3, still
begins with the neighbour: the first exclusion turns to the process that has just failed, and costs
MAX_CEH_ERR more attempts. Later rounds of RUP collect the new neighbour again, so that this happens at each
exclusion.`,
	Repair: `**What makes it hold.** To take the head away when the list comes from RUP, too. It does no
harm but to latency.`,
}

var autoLists = papers.Claim{
	Name: "The condition on AutoList", Place: "section 4",
	Line: "last paragraph; algorithm 1.2, OnOutputError",
	Text: "The condition RUP = UP in OnOutputError forbids graceful degradation while the ring " +
		"is checked, so " +
		"that it is not done with an incomplete list.",
	Ruling: papers.Erroneous,
	Within: "start=warm min-k<=n-f",
	Trials: []papers.Trial{
		{Spec: "ring-recovery", Args: "n=2 f=1 list=auto", Property: "recoverable", Remark: "as printed"},
		{Spec: "ring-recovery", Args: "n=3 f=1 list=auto", Property: "recoverable", Remark: "likewise"},
		{
			Spec: "ring-recovery", Args: "n=3 f=1 list=auto repair=full", Property: "recoverable",
			Aside: papers.Contrast, Remark: "other repairs do not help",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=1 list=auto guard=none", Property: "recoverable",
			Aside: papers.Repaired, Remark: "without the condition",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=2 list=auto guard=none", Property: "recoverable",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=2 list=auto guard=none repair=full",
			Property: "requests-served",
			Aside:    papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "n=4 f=2 list=auto variant=repaired", Property: "requests-served",
			Aside: papers.Repaired,
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=2 list=auto-no-self guard=none", Property: "recoverable",
			Aside: papers.Contrast, Remark: "if the initiator does not append itself",
		},
	},
	Account: `**What happens.** The condition prevents everything. A neighbour's crash is noticed as a
disconnection first, and OnOutputDisconnect of RUP makes RUP DOWN; the errors of OnOutputError come after
that, when the channel cannot be opened again. At that time RUP is DOWN, unless an old rup happens to come
back in between; so the condition is not true, and the first crash in a ring that is up ends recovery:
scheme 2 with AutoList tolerates no crash. The program of scheme 2 has AutoList off, and no such condition.`,
	Repair: `**What makes it hold.** To leave the condition out (guard=none) works from a warm start,
with lists that are complete then. A rup whose sender has died goes on collecting ids without end where
nobody absorbs it (n=4, two crashes, without repair=orphan): lists are not only incomplete but unbounded,
and such instances cannot be judged completely.`,
	Statements: []papers.Statement{{
		Says: "As printed the first crash ends recovery.", Spec: "ring-recovery",
		Where: "list=auto guard=printed variant=printed f>=1", Properties: "recoverable,requests-served",
		Verdict: papers.Nowhere,
	}},
}

var incomplete = papers.Claim{
	Name: "Failures during RUP.GD", Place: "section 4", Line: "last paragraph",
	Text: "A failure while the ring is checked under AutoList leaves a list incomplete, and degradation " +
		"impossible.",
	Ruling: papers.Stands,
	Trials: []papers.Trial{
		{Compute: incompleteList, Remark: "a crash before the first rup is back: some run gives up"},
		{
			Spec: "ring-recovery", Args: "n=2 f=1 list=auto start=cold", Property: "recoverable",
			Aside: papers.Contrast, Remark: "as printed",
		},
		{
			Spec: "ring-recovery", Args: "n=2 f=1 list=auto start=cold guard=none", Property: "recoverable",
			Aside: papers.Contrast, Remark: "without the condition",
		},
		{
			Spec: "ring-recovery", Args: "n=2 f=1 start=cold", Property: "recoverable",
			Aside:  papers.Contrast,
			Remark: "with lists known from the start",
		},
		{
			Spec: "ring-recovery", Args: "n=2 f=1 list=auto start=cold guard=none min-k=0",
			Property: "no-pop-empty",
			Aside:    papers.Contrast, Remark: "with MIN_K 0 the head of an empty list is taken",
		},
	},
	Account: `The list is empty until the first rup is back. A process whose neighbour crashes before
that has nobody to turn to, with the condition and without. Lists that are known from the start have no such
time.`,
}

// incompleteList asks whether a crash in a cold start under AutoList can make a process give up.
func incompleteList() papers.Finding {
	run := figures.Figure{
		Spec: plain, Args: "n=2 f=1 list=auto start=cold guard=none", Places: places,
		Steps: []string{"p2 crash", "p1 open-error"},
	}
	f := run.Follow()
	if f.Verdict == "holds" {
		f.Detail = "p2 crashes, p1 cannot connect, its list is empty"
	}
	return f
}

var assignment = papers.Claim{
	Name: "ListPIds := list", Place: "section 4, algorithm 2.2", Line: "OnReceiptOf, third and fourth line",
	Text: "When the own token is back the list is set to what the token collected, whether or not " +
		"AutoList is on.",
	Ruling: papers.Slip, Because: "the comments in algorithms 1.1 and 2.1 say that with AutoList off the " +
		"list is known in advance and RUP is used, which collects nothing",
	Trials: []papers.Trial{
		{Spec: "ring-recovery", Args: "n=3 f=1 list=literal", Property: "mutual-exclusion"},
		{Spec: "ring-recovery", Args: "n=3 f=1 list=literal", Property: "election-stable"},
		{
			Spec: "ring-recovery", Args: "n=3 f=1", Property: "mutual-exclusion", Aside: papers.Contrast,
			Remark: "the assignment under AutoList only",
		},
	},
	Account: `**What happens.** list.Add(i) and the assignment stand outside of the condition on
AutoList. Without AutoList the token collects nothing, so the first round leaves every process with a list
that names itself alone. The process before the first crash turns to itself at once, is a ring of one,
elects itself and makes its own token, while the others still have theirs. The program of scheme 2 has no
such assignment.`,
	Repair: `**What makes it hold.** The assignment belongs under the condition (list=static, the default here).`,
	Statements: []papers.Statement{{
		Says:  "Executed as it stands it breaks ME1 after one crash, with and without the repairs.",
		Spec:  "ring-recovery",
		Where: "list=literal min-k<=1 f>=1", Properties: "mutual-exclusion,requests-served",
		Verdict: papers.Nowhere,
	}},
}

var examples = papers.Claim{
	Name: "The lists of figure 1", Place: "section 3", Line: "after the second paragraph; figure 1",
	Text:   "In the ring of six the list of each process goes from its successor round to itself.",
	Ruling: papers.Stands,
	Trials: []papers.Trial{{Compute: listsOfSix,
		Remark: "AutoList_1 to AutoList_6, against what RUP.GD collects"}},
	Account: `In a ring that is up and complete the rup of a process passes the others in their order,
each appends itself, and the process does so when its rup is back. So the examples are what RUP.GD collects,
and what the static list is before OnInit takes its head away; see the next candidate for what that
difference does.`,
}

// listsOfSix compares the lists of a ring of six with the examples of section 3.
func listsOfSix() papers.Finding {
	r := &ring{n: 6, members: 6}
	for p := range model.Proc(6) {
		want := "("
		for k := range 6 {
			want += fmt.Sprintf("p%d ", (int(p)+1+k)%6+1)
		}
		if got := r.round(p).String(); got != want[:len(want)-1]+")" {
			return papers.Finding{Verdict: "violated", Detail: fmt.Sprintf("p%d has %s", p+1, got)}
		}
	}
	return papers.Finding{Verdict: "holds", Detail: "six lists of six"}
}

var printedHandlers = papers.Claim{
	Name: "The handlers as printed", Place: "the specification that section 2 refers to", Line: "MrkME " +
		"and Mx1ME, OnElected and OnReceiptOf",
	Text: "The coordinator's MrkME goes OFF with the second pass like all others, and an election leaves " +
		"requests and critical sections alone.",
	Ruling: papers.Slip, Because: "section 1 has the others resume from the state they were in, and the " +
		"author's program of scheme 2 does both: it makes MrkME of the coordinator OFF when its token is " +
		"back, and RELEASED only of INIT",
	Trials: []papers.Trial{
		{Spec: "ring-recovery", Args: "scheme=0 n=2 coordinator-off=no", Property: "requests-served"},
		{Spec: "ring-recovery", Args: "scheme=0 n=3 coordinator-off=no", Property: "requests-served"},
		{
			Spec: "ring-recovery", Args: "n=3 f=1 coordinator-off=no repair=full",
			Property: "requests-served",
			Remark:   "the repairs are no help",
		},
		{Spec: "ring-recovery", Args: "n=3 f=1 after-election=reset", Property: "mutual-exclusion"},
		{Spec: "ring-recovery", Args: "n=3 f=1 after-election=reset repair=full",
			Property: "mutual-exclusion"},
		{
			Spec: "ring-recovery", Args: "scheme=0 n=3", Property: "requests-served", Aside: papers.Contrast,
			Remark: "as implemented",
		},
		{
			Spec: "ring-recovery", Args: "n=3 f=1", Property: "mutual-exclusion", Aside: papers.Contrast,
			Remark: "as implemented",
		},
	},
	Account: `**What happens.** Nothing printed makes the coordinator's MrkME go OFF: when its token
comes back it forwards it, and goes on to do so, while Mx1ME only sees tokens that pass an OFF MrkME. So the
coordinator that wants to enter waits for ever, in a ring without failures. And OnElected makes every
process RELEASED, also the one in its critical section: the clear finds it RELEASED and does not wait, and a
second process enters.`,
	Repair: `**What makes it hold.** What the implementation does: coordinator-off=yes and
after-election=keep, the defaults here.`,
	Statements: []papers.Statement{
		{
			Says: "As printed the coordinator's request is never served.", Spec: "ring-recovery",
			Where:      "coordinator-off=no",
			Properties: "requests-served", Verdict: papers.Nowhere,
		},
		{
			Says:  "An election that resets breaks ME1 wherever there is one after the first.",
			Spec:  "ring-recovery",
			Where: "after-election=reset", Properties: "mutual-exclusion", Verdict: papers.Nowhere,
		},
	},
}

var equal = papers.Claim{
	Name: "Scheme 2 changes CEH and RUP only", Place: "section 2", Line: "last paragraph",
	Text:   "The chain of scheme 2 is that of scheme 1 with CEH.GD and RUP.GD; Mx1ME.GD equals Mx1ME.",
	Ruling: papers.NotJudged,
	Because: "it is a definition. The models keep to it: E, MrkME and Mx1ME are the same handlers in all " +
		"schemes, and so the same errors are found in both",
}

var stretching = papers.Claim{
	Name: "Two-way resiliency", Place: "section 1", Line: "paragraph on scheme 3; abstract; conclusion, " +
		"last paragraph",
	Text:   "Scheme 3 takes spare and recovered processes into the ring.",
	Ruling: papers.NotJudged,
	Because: "the paper leaves the description of scheme 3 to later publications, so that there is no " +
		"statement to fail. What is shown is INJ of the specification, read as doc.go of specs/ring says",
	Trials: []papers.Trial{
		{
			Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none", Property: "mutual-exclusion",
			Aside: papers.Unassumed, Remark: "a newcomer, no crash",
		},
		{
			Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none", Property: "requests-served",
			Aside: papers.Unassumed,
		},
		{
			Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none", Property: "election-stable",
			Aside: papers.Unassumed,
		},
		{
			Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none insert=back",
			Property: "mutual-exclusion", Aside: papers.Unassumed,
			Remark: "the newcomer at the end of the list",
		},
		{
			Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none f=1 recovered=off",
			Property: "mutual-exclusion", Aside: papers.Unassumed,
			Remark: "a crash, also during the injection",
		},
		{
			Spec: "ring-recovery", Args: "scheme=3 n=3 f=1 rounds=0 rup-start=none",
			Property: "election-stable",
			Aside:    papers.Unassumed, Remark: "a crashed process that comes back",
		},
		{
			Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none f=1 recovered=off repair=full",
			Property: "mutual-exclusion", Aside: papers.Contrast,
			Remark: "the repairs of scheme 2 are not enough",
		},
		{
			Spec:     "ring-recovery",
			Args:     "scheme=3 n=3 spare=1 rup-start=none f=1 recovered=off rounds=0 repair=full+requeue",
			Property: "election-stable", Aside: papers.Repaired,
		},
		{
			Spec:     "ring-recovery",
			Args:     "scheme=3 n=3 spare=1 rup-start=none f=1 recovered=off rounds=0 repair=full+requeue",
			Property: "token-stable", Aside: papers.Repaired,
		},
		{
			Spec:     "ring-recovery",
			Args:     "scheme=3 n=3 spare=1 rup-start=none f=1 recovered=off repair=full+requeue",
			Property: "mutual-exclusion", Aside: papers.Repaired,
		},
		{
			Spec:     "ring-recovery",
			Args:     "scheme=3 n=3 spare=1 rup-start=none f=1 recovered=off repair=full+requeue",
			Property: "requests-served", Aside: papers.Repaired,
		},
	},
	Account: `A newcomer comes in, and the election finds it; the tokens fare as they do from a cold
start, because the process that turns to the newcomer and the newcomer both start elections. Where the
newcomer goes in the list of that process matters: the neighbour's id was popped and is not there any more.
Put at the end of the list, the newcomer is not the head that is taken next, and the process turns past its
neighbour: p1, which lives and is in the critical section, is cut off, and the others make a token of their
own. Put at the front it works, until the newcomer crashes: its predecessor then takes the head of a list in
which the old neighbour is missing, and again p1 is cut off. A crashed process that comes back is taken in
like any newcomer. The channel that is closed for it may have an election in it, whose loss makes the next
one be swallowed, as in scheme 2.`,
	Repair: `**What makes it hold.** insert=front and repair=full, without a crash. With a crash, also
during the injection, the process that turns to a newcomer has to put its old neighbour back into its list
(repair=full+requeue).`,
	Statements: []papers.Statement{{
		Says:  "With repair=full+requeue everything holds but that requests are ignored for a while.",
		Spec:  "ring-recovery",
		Where: "scheme=3 repair=full+requeue", Properties: "-no-lost-request", Verdict: papers.Everywhere,
	}},
}

var testBed = papers.Claim{
	Name: "The test bed", Place: "conclusion", Line: "third to fifth paragraph",
	Text: "An implementation has all schemes, alone and together; its local mode maps one to one to the " +
		"distributed one (reference [7]).",
	Ruling: papers.NotJudged, Because: "it is about a program and not about the algorithms, and the second " +
		"half is quoted from reference [7]",
}
