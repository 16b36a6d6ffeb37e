package ring

import "github.com/atmostk/atmostk/model"

// What the paper claims of AutoList and of other details that can be read in several ways.

var autoLists = model.Claim{
	Name: "AutoList", Place: "section 4",
	Text:   "Lists collected by RUP may be incomplete after a failure, and the condition RUP = UP in OnOutputError prevents that.",
	Within: "start=warm min-k<=n-f",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "n=3 f=1 list=auto", Property: "recoverable", Remark: "as printed"},
		{Spec: "ring-recovery", Args: "n=2 f=1 list=auto start=cold", Property: "recoverable", Remark: "a crash before the first rup is back"},
		{Spec: "ring-recovery", Args: "n=3 f=1 list=auto guard=none", Property: "recoverable", Aside: model.Repaired, Remark: "without the condition"},
		{Spec: "ring-recovery", Args: "n=3 f=2 list=auto guard=none", Property: "recoverable", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "n=3 f=2 list=auto guard=none repair=full", Property: "requests-served", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "n=3 f=2 list=auto-no-self guard=none", Property: "recoverable", Aside: model.Contrast, Remark: "if the initiator does not append itself"},
		{Spec: "ring-recovery", Args: "n=2 f=1 list=auto start=cold guard=none min-k=0", Property: "no-pop-empty", Aside: model.Contrast, Remark: "no condition and MIN_K 0"},
	},
	Account: `**What happens.** The condition prevents everything. A neighbour's crash is noticed as a disconnection first, and
OnOutputDisconnect of RUP makes RUP DOWN; the errors of OnOutputError come after that, when the channel cannot be
opened again. At that time RUP is DOWN, unless an old rup happens to come back in between; so the condition is not
true, and the first crash in a ring that is up ends recovery: scheme 2 with AutoList tolerates no crash.`,
	Repair: `**What makes it hold.** To leave the condition out (guard=none) works from a warm start, with lists that
are complete then. A rup whose sender has died goes on collecting ids without end (n=4, two crashes): lists are
not only incomplete but unbounded, and such instances cannot be judged completely.`,
}

var assignment = model.Claim{
	Name: "ListPIds := list", Place: "section 4, algorithm 2.2",
	Text: "When the own token is back the list is set to what the token collected, whether or not AutoList is on.",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "n=3 f=1 list=literal", Property: "mutual-exclusion"},
		{Spec: "ring-recovery", Args: "n=3 f=1 list=literal", Property: "election-stable"},
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "mutual-exclusion", Aside: model.Contrast, Remark: "the assignment under AutoList only"},
	},
	Account: `**What happens.** list.Add(i) and the assignment stand outside of the condition on AutoList. Without AutoList the
token collects nothing, so the first round leaves every process with a list that names itself alone. The process
before the first crash turns to itself at once, is a ring of one, elects itself and makes its own token,
while the others still have theirs.`,
	Repair: `**What makes it hold.** The assignment belongs under the condition (list=static, the default here).`,
}

var starting = model.Claim{
	Name: "The ring comes up", Place: "section 2, the chain of algorithms",
	Text: "From OnShow on the chain CEH, RUP, E, MrkME, Mx1ME brings the ring up with one token, if nothing fails.",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold", Property: "mutual-exclusion", Remark: "three processes, no failure"},
		{Spec: "ring-recovery", Args: "scheme=0 n=2 start=cold", Property: "requests-served", Remark: "two processes, no failure"},
		{Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold", Property: "requests-served"},
		{Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold", Property: "election-stable"},
		{Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold", Property: "rup-terminates"},
		{Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold repair=epoch", Property: "mutual-exclusion", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold repair=full", Property: "mutual-exclusion", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold repair=full", Property: "requests-served", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=0 n=3 start=cold repair=full", Property: "token-stable", Aside: model.Repaired},
	},
	Account: `**What happens.** Every process runs RUP when its channel opens, and every rup that is back starts an election:
three processes start three. p3 wins several times over, and each announcement that comes back to it starts a
clear of its own. In the run below token 1 goes round and comes back to p3, whose MrkME goes OFF. Another clear is still
under way behind it; when that comes back, p3 makes token 2, and stays OFF. p1 has seen the late clear: it waits for
a token, takes token 1, which p3 has let by, for the one it waits for, and goes OFF. A MrkME that is OFF does not look
at times: p1 enters with token 2, and p3 with token 1. No process and no channel has failed. In the other run, of two
processes, token 1 is absorbed because the time is 2, and token 2 because its holder has released it with the
time 1. The state space of three processes was judged completely: the ring always comes up and the election
always ends well, but both ME1 and ME2 fail.`,
	Repair: `**What makes it hold.** repair=full; see the table "Cold start" for each part.`,
}

var printedHandlers = model.Claim{
	Name: "The handlers as printed", Place: "the specification that section 2 refers to",
	Text: "The coordinator's MrkME goes OFF with the second pass like all others, and an election leaves requests and critical sections alone.",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "scheme=0 n=3 coordinator-off=no", Property: "requests-served"},
		{Spec: "ring-recovery", Args: "n=3 f=1 coordinator-off=no repair=full", Property: "requests-served", Remark: "the repairs are no help"},
		{Spec: "ring-recovery", Args: "n=3 f=1 after-election=reset", Property: "mutual-exclusion"},
		{Spec: "ring-recovery", Args: "n=3 f=1 after-election=reset repair=full", Property: "mutual-exclusion"},
		{Spec: "ring-recovery", Args: "scheme=0 n=3", Property: "requests-served", Aside: model.Contrast, Remark: "as implemented"},
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "mutual-exclusion", Aside: model.Contrast, Remark: "as implemented"},
	},
	Account: `**What happens.** Nothing printed makes the coordinator's MrkME go OFF: when its token comes back it forwards it,
and goes on to do so, while Mx1ME only sees tokens that pass an OFF MrkME. So the coordinator that wants to enter waits
for ever, in a ring without failures. And OnElected makes every process RELEASED, also the one in its critical
section: the clear finds it RELEASED and does not wait, and a second process enters.`,
	Repair: `**What makes it hold.** What the implementation does: coordinator-off=yes and after-election=keep, the defaults here.`,
}

var stretching = model.Claim{
	Name: "Two-way resiliency", Place: "section 1, scheme 3",
	Text: "Scheme 3 takes spare and recovered processes into the ring.",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none", Property: "mutual-exclusion", Remark: "a newcomer, no crash"},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none", Property: "requests-served"},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none", Property: "election-stable"},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none insert=back", Property: "mutual-exclusion", Aside: model.Contrast, Remark: "the newcomer at the end of the list"},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none head=front", Property: "requests-served", Aside: model.Contrast, Remark: "the head stays in the list"},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none f=1 recovered=off", Property: "mutual-exclusion", Remark: "a crash, also during the injection"},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none repair=full", Property: "requests-served", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none repair=full", Property: "token-stable", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none f=1 recovered=off repair=full", Property: "mutual-exclusion", Aside: model.Contrast, Remark: "the repairs of scheme 2 are not enough"},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none f=1 recovered=off rounds=0 repair=full+requeue", Property: "election-stable", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none f=1 recovered=off rounds=0 repair=full+requeue", Property: "token-stable", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none f=1 recovered=off repair=full+requeue", Property: "mutual-exclusion", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rup-start=none f=1 recovered=off repair=full+requeue", Property: "requests-served", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 f=1 rounds=0 rup-start=none", Property: "election-stable", Remark: "a crashed process that comes back"},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 f=1 rounds=0 rup-start=none repair=full", Property: "election-stable", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 f=1 rup-start=none repair=full", Property: "requests-served", Aside: model.Repaired},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rounds=0", Property: "election-stable", Remark: "all processes start RUP when an inj passes"},
		{Spec: "ring-recovery", Args: "scheme=3 n=3 spare=1 rounds=0 repair=full", Property: "token-stable", Aside: model.Repaired},
	},
	Account: `The paper announces scheme 3 and leaves its description to another; INJ is read here as doc.go of specs/ring says.
A newcomer comes in, and the election finds it; the tokens fare as they do from a cold start, because the process that
turns to the newcomer and the newcomer both start elections. Where the newcomer goes in the list of that process
matters: the neighbour's id was popped and is not there any more. Put at the end of the list, the newcomer is not the
head that is taken next, and the process turns past its neighbour: p1, which lives and is in the critical section, is
cut off, and the others make a token of their own. Put at the front it works, until the newcomer crashes:
its predecessor then takes the head of a list in which the old neighbour is missing, and again p1 is cut off. A
crashed process that comes back is taken in like any newcomer. The channel that is closed for it may have an
election in it, whose loss makes the next one be swallowed, as in scheme 2.`,
	Repair: `**What makes it hold.** insert=front and repair=full, without a crash. With a crash, also during the injection, the
process that turns to a newcomer has to put its old neighbour back into its list (repair=full+requeue).`,
}
