package ring

import "github.com/atmostk/atmostk/model"

// Paper holds the claims of the paper and what was found of them.
var Paper = model.Paper{
	Name:  "ring",
	Title: paper,
	Intro: intro,
	Claims: []model.Claim{
		me1, me2, me3, elects, oneActive, anyFaults, strict, resilience, onePoint, rectified,
		autoLists, assignment, starting, printedHandlers, stretching,
	},
	Tables: tables,
}

const intro = `The paper prints CEH.GD, RUP.GD and one handler of MrkME; the other handlers follow the author's public
specification. Where that and the implementation differ, the implementation is taken (coordinator-off=yes,
after-election=keep), because the printed handlers fail at once; a claim of its own below shows it. Every
verdict is of an instance that was explored to the end, over all interleavings and all points of a crash
between steps; liveness is judged under weak fairness of every step but requests and crashes. "holds" is said of
these instances and proves nothing of larger ones. A warm start is a closed ring with a token under way, a cold
start one in which all channels are still closed.`

var me1 = model.Claim{
	Name: "ME1 of the basic algorithm", Place: "introduction",
	Text: "Only the process with the token can be in the critical section, so at most one is.",
	Trials: []model.Trial{
		{Spec: "ring-basic", Args: "n=3", Property: "mutual-exclusion", Remark: "one process starts the election", Found: model.Finding{Verdict: "holds", States: 121}},
		{Spec: "ring-basic", Args: "n=3 ring-up=all", Property: "mutual-exclusion", Remark: "each starts one when its ring is up", Trace: "basic-two-tokens.ndjson", Found: model.Finding{Verdict: "violated", States: 11_776, Length: 20}},
		{Spec: "ring-basic", Args: "n=3 ring-up=all after-election=keep", Property: "mutual-exclusion", Found: model.Finding{Verdict: "violated", States: 10_624, Length: 20}},
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
		{Spec: "ring-basic", Args: "n=3", Property: "requests-served", Found: model.Finding{Verdict: "holds", States: 121}},
		{Spec: "ring-basic", Args: "n=2 ring-up=all", Property: "requests-served", Remark: "as printed: an election makes everybody RELEASED", Trace: "basic-forgotten.ndjson", Found: model.Finding{Verdict: "violated", States: 393, Length: 12, Detail: "a cycle of 2 steps"}},
		{Spec: "ring-basic", Args: "n=3 ring-up=all after-election=keep", Property: "requests-served", Repair: true, Found: model.Finding{Verdict: "holds", States: 22_075}},
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
		{Spec: "ring-basic", Args: "n=3 tickets=on", Property: "me3", Trace: "basic-order.ndjson", Found: model.Finding{Verdict: "violated", States: 51, Length: 12}},
	},
	Account: `The paper calls fairness optional and does not say that the ring has it. It has not: the token serves the
process that comes next on the ring. In the run below p2 asks first and p1 second; the coordinator p3 sends the token,
and p1 is before p2 on its way.`,
}

var elects = model.Claim{
	Name: "The election", Place: "introduction",
	Text: "The coordinator is the process with the largest id.",
	Trials: []model.Trial{
		{Spec: "ring-election", Args: "n=4", Property: "e1", Found: model.Finding{Verdict: "holds", States: 2_995}},
		{Spec: "ring-election", Args: "n=4", Property: "e2", Remark: "when all is over", Found: model.Finding{Verdict: "holds", States: 2_995}},
		{Spec: "ring-election", Args: "n=4 order=descending", Property: "e2", Found: model.Finding{Verdict: "holds", States: 5_855}},
		{Spec: "ring-election", Args: "n=3 starts=2", Property: "e2", Found: model.Finding{Verdict: "holds", States: 18_427}},
		{Spec: "ring-election", Args: "n=3 starts=2", Property: "quiescence", Remark: "it ends", Found: model.Finding{Verdict: "holds", States: 18_427}},
		{Spec: "ring-election", Args: "n=4 starts=2", Property: "e2", Full: true, Found: model.Finding{Verdict: "holds", States: 448_264}},
	},
	Account: `The claim stands: whatever the order of the ids and however often elections are started, on a ring without
failures. It does not say that a victory is announced once, which is what the basic algorithm would need; and a
coordinator can forget, by an election of its own in the meantime, that it is one before its announcement is back.`,
}

var oneActive = model.Claim{
	Name: "One and only one active token", Place: "section 2, MrkME",
	Text: "MrkME makes sure that there is one token in the ring and not more: a lost one is replaced, a second one is removed.",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "token-recurs", Remark: "a token there is", Trace: "token-lost.ndjson", Found: model.Finding{Verdict: "violated", States: 1_485, Length: 20, Detail: "stuttering"}},
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "one-token", Remark: "and no second one", Found: model.Finding{Verdict: "violated", States: 1_233, Length: 16}},
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "one-usable-token", Remark: "or none that lets anybody in", Found: model.Finding{Verdict: "holds", States: 1_485}},
		{Spec: "ring-recovery", Args: "n=3 f=2 rounds=2", Property: "one-usable-token", Trace: "two-usable.ndjson", Found: model.Finding{Verdict: "violated", States: 5_562, Length: 25}},
		{Spec: "ring-recovery", Args: "n=4 f=2", Property: "one-usable-token", Full: true, Found: model.Finding{Verdict: "violated", States: 64_162, Length: 45}},
		{Spec: "ring-recovery", Args: "n=4 f=2", Property: "mutual-exclusion", Remark: "all the same", Full: true, Found: model.Finding{Verdict: "holds", States: 65_072}},
		{Spec: "ring-recovery", Args: "n=3 f=1 token-time=token", Property: "token-recurs", Contrast: true, Remark: "a release sends the time of the token it entered with", Found: model.Finding{Verdict: "holds", States: 1_539}},
		{Spec: "ring-recovery", Args: "n=3 f=1 repair=drop", Property: "token-recurs", Repair: true, Found: model.Finding{Verdict: "holds", States: 1_401}},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=participant+orphan+drop", Property: "token-recurs", Contrast: true, Remark: "all repairs but epoch", Found: model.Finding{Verdict: "violated", States: 44_942, Length: 31, Detail: "stuttering"}},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "token-recurs", Repair: true, Full: true, Found: model.Finding{Verdict: "holds", States: 47_020}},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "one-token", Repair: true, Full: true, Found: model.Finding{Verdict: "holds", States: 47_020}},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "token-stable", Repair: true, Full: true, Found: model.Finding{Verdict: "holds", States: 47_020}},
		{Spec: "ring-recovery", Args: "n=4 f=3 repair=full", Property: "one-token", Repair: true, Full: true, Found: model.Finding{Verdict: "holds", States: 49_947}},
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
		{Spec: "ring-recovery", Args: "n=2 f=1", Property: "requests-served", Found: model.Finding{Verdict: "holds", States: 112}},
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "requests-served", Remark: "one crash", Found: model.Finding{Verdict: "violated", States: 1_485, Length: 20, Detail: "stuttering"}},
		{Spec: "ring-recovery", Args: "n=4 f=2", Property: "requests-served", Remark: "two", Trace: "swallowed-election.ndjson", Full: true, Found: model.Finding{Verdict: "violated", States: 65_072, Length: 16, Detail: "stuttering"}},
		{Spec: "ring-recovery", Args: "n=4 f=2", Property: "no-orphan", Trace: "orphan.ndjson", Found: model.Finding{Verdict: "violated", States: 65_072, Length: 25, Detail: "a cycle of 2 steps"}},
		{Spec: "ring-recovery", Args: "n=4 f=2", Property: "mutual-exclusion", Full: true, Found: model.Finding{Verdict: "holds", States: 65_072}},
		{Spec: "ring-recovery", Args: "n=3 f=1 start=cold", Property: "mutual-exclusion", Remark: "a crash while the ring comes up", Full: true, Found: model.Finding{Verdict: "violated", States: 258_151, Length: 42}},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=orphan+drop+epoch", Property: "requests-served", Contrast: true, Remark: "all repairs but participant", Full: true, Found: model.Finding{Verdict: "violated", States: 46_933, Length: 16, Detail: "stuttering"}},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=participant+drop+epoch", Property: "requests-served", Contrast: true, Remark: "all but orphan", Full: true, Found: model.Finding{Verdict: "violated", States: 58_069, Length: 26, Detail: "a cycle of 2 steps"}},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=participant+orphan+drop", Property: "requests-served", Contrast: true, Remark: "all but epoch", Full: true, Found: model.Finding{Verdict: "violated", States: 44_942, Length: 32, Detail: "stuttering"}},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=participant+orphan+epoch", Property: "one-token", Contrast: true, Remark: "all but drop", Found: model.Finding{Verdict: "violated", States: 19_201, Length: 18}},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "requests-served", Repair: true, Full: true, Found: model.Finding{Verdict: "holds", States: 47_020}},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "election-stable", Repair: true, Full: true, Found: model.Finding{Verdict: "holds", States: 47_020}},
		{Spec: "ring-recovery", Args: "n=4 f=2 repair=full", Property: "no-orphan", Repair: true, Found: model.Finding{Verdict: "holds", States: 47_020}},
		{Spec: "ring-recovery", Args: "n=4 f=3 repair=full", Property: "requests-served", Repair: true, Full: true, Found: model.Finding{Verdict: "holds", States: 49_947}},
	},
	Account: `**What happens.** After the crash of p1 the ring closes again over p4 and p2, and p4 starts an election. p2 gets its
message when p3 has just crashed, and what it forwards is lost in the broken channel; p4 stays PARTICIPANT. p2
closes the ring once more, and its RUP starts the next election: election(p2) comes to p4, which is larger, and a
PARTICIPANT swallows the election of a smaller id, since its own must be under way. It is not. There is no coordinator
and no token, for ever. The second run shows an election of a dead process that nobody takes off the ring: each time
it passes it makes the coordinator NULL again, also after the announcement of a victory.`,
	Repair: `**What makes it hold.** participant: a rup that passes makes a process NON_PARTICIPANT. orphan: the process that
replaced a neighbour absorbs what that one had sent. drop and epoch: see the token above. With all four every
property but no-lost-request holds, with up to five processes and three crashes (table "Scheme 2"); with any one of
them left out some property does not.`,
}

var strict = model.Claim{
	Name: "Scheme 1 keeps ME1 and ME2", Place: "section 1, scheme 1",
	Text: "When the crashed process has been restored all others resume, and both requirements are strictly kept.",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "mutual-exclusion", Found: model.Finding{Verdict: "holds", States: 4_145}},
		{Spec: "ring-recovery", Args: "scheme=1 n=3 f=1", Property: "mutual-exclusion", Found: model.Finding{Verdict: "holds", States: 46_596}},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "requests-served", Trace: "scheme1-token-lost.ndjson", Found: model.Finding{Verdict: "violated", States: 4_145, Length: 31, Detail: "stuttering"}},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=1", Property: "no-lost-request", Remark: "requests are ignored meanwhile", Found: model.Finding{Verdict: "violated", States: 566, Length: 11}},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=2", Property: "one-usable-token", Remark: "two crashes", Contrast: true, Found: model.Finding{Verdict: "violated", States: 18_463, Length: 43}},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=1 repair=full", Property: "requests-served", Repair: true, Found: model.Finding{Verdict: "holds", States: 3_456}},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 repair=full", Property: "requests-served", Repair: true, Full: true, Found: model.Finding{Verdict: "holds", States: 27_881}},
		{Spec: "ring-recovery", Args: "scheme=1 n=3 f=1 repair=full", Property: "requests-served", Repair: true, Full: true, Found: model.Finding{Verdict: "holds", States: 38_548}},
		{Spec: "ring-recovery", Args: "scheme=1 n=3 f=1 repair=full", Property: "mutual-exclusion", Repair: true, Found: model.Finding{Verdict: "holds", States: 38_548}},
	},
	Account: `**What happens.** Safety was not seen to fail. p2 crashes and recovers, and both processes check the ring and
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
		{Spec: "ring-recovery", Args: "n=4 f=2 min-k=2", Property: "recoverable", Full: true, Found: model.Finding{Verdict: "holds", States: 65_072}},
		{Spec: "ring-recovery", Args: "n=4 f=1 min-k=3", Property: "recoverable", Found: model.Finding{Verdict: "holds", States: 10_554}},
		{Spec: "ring-recovery", Args: "n=4 f=3 min-k=2", Property: "min-k", Remark: "not with fewer", Found: model.Finding{Verdict: "holds", States: 66_368}},
		{Spec: "ring-recovery", Args: "n=4 f=3 min-k=2", Property: "recoverable", Contrast: true, Remark: "one crash more", Found: model.Finding{Verdict: "violated", States: 1_303, Length: 7}},
		{Spec: "ring-recovery", Args: "n=4 f=2 min-k=2 repair=full", Property: "requests-served", Contrast: true, Remark: "with the repairs it is also of use", Found: model.Finding{Verdict: "holds", States: 47_020}},
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
		{Spec: "ring-recovery", Args: "n=3 f=2", Property: "recoverable", Found: model.Finding{Verdict: "holds", States: 2_059}},
		{Spec: "ring-recovery", Args: "n=3 f=2", Property: "rup-terminates", Found: model.Finding{Verdict: "holds", States: 2_059}},
		{Spec: "ring-recovery", Args: "n=2 f=1", Property: "requests-served", Found: model.Finding{Verdict: "holds", States: 112}},
		{Spec: "ring-recovery", Args: "n=3 f=2 repair=full", Property: "requests-served", Repair: true, Found: model.Finding{Verdict: "holds", States: 2_060}},
	},
	Account: `The last process turns to itself, its rup, election, clear and token come back to it, and it enters. With three
processes a request can still be lost on the way there, by the run of one crash.`,
}

var rectified = model.Claim{
	Name: "The rectified OnRelease", Place: "section 2",
	Text: "OnRelease has to run a pending clear in place of sending the token, for recovery after the coordinator fails in HELD.",
	Trials: []model.Trial{
		{Spec: "ring-recovery", Args: "n=3 f=1", Property: "requests-served", Remark: "rectified", Found: model.Finding{Verdict: "violated", States: 1_485, Length: 20, Detail: "stuttering"}},
		{Spec: "ring-recovery", Args: "n=3 f=1 release=code", Property: "requests-served", Remark: "as it was", Contrast: true, Found: model.Finding{Verdict: "violated", States: 1_485, Length: 20, Detail: "stuttering"}},
		{Spec: "ring-recovery", Args: "n=4 f=2 release=code", Property: "mutual-exclusion", Contrast: true, Full: true, Found: model.Finding{Verdict: "holds", States: 65_266}},
		{Spec: "ring-recovery", Args: "n=4 f=2 release=code", Property: "one-usable-token", Contrast: true, Full: true, Found: model.Finding{Verdict: "violated", States: 64_413, Length: 45}},
		{Spec: "ring-recovery", Args: "n=4 f=2 release=code repair=full", Property: "requests-served", Contrast: true, Remark: "as it was, with the repairs", Full: true, Found: model.Finding{Verdict: "holds", States: 47_224}},
		{Spec: "ring-recovery", Args: "n=4 f=2 release=prose repair=full", Property: "requests-served", Contrast: true, Full: true, Found: model.Finding{Verdict: "holds", States: 47_215}},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 repair=participant+orphan+drop2+epoch", Property: "one-token", Contrast: true, Remark: "rectified, with repairs that leave a release with a pending clear alone", Found: model.Finding{Verdict: "holds", States: 27_881}},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 release=code repair=participant+orphan+drop2+epoch", Property: "one-token", Contrast: true, Remark: "as it was, with the same", Found: model.Finding{Verdict: "violated", States: 5_589, Length: 18}},
		{Spec: "ring-recovery", Args: "scheme=1 n=3 f=1 release=code", Property: "requests-served", Contrast: true, Full: true, Found: model.Finding{Verdict: "violated", States: 46_794, Length: 32, Detail: "stuttering"}},
	},
	Account: `The change is not enough, and without other repairs it changes no verdict: in the tables the three readings of
OnRelease differ only in the numbers of states and the lengths of a few counterexamples. The additional token is
absorbed wherever a clear has left a time that is not its own. It makes a difference where everything else is repaired
and a release is let alone when a clear is pending (drop2): there is a second token for a while with release=code, and
none with rectified. What is fatal is another case of the same handler, which the change does not touch: the coordinator itself releases after its
election, when no clear is *pending* because its own clear is under way, and sends token(NULL).`,
}
