package timerfree

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What section 4.1 says of the listing, of variables and of single steps.

var listing = papers.Claim{
	Name: "The listing without timestamps", Place: "Algorithm 1", Page: "7", Line: "lines 18, 29, 32 and 33",
	Ruling: papers.Slip,
	Because: "section 4.1, page 8, first paragraph: a REPLY carries the timestamp of the REQUEST that it " +
		"answers, " +
		"and the listing leaves it out for simplicity",
	Text: "Algorithm 1 as it is printed keeps at most k processes inside.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,1 channel=fifo variant=a rp=off",
			Property: "at-most-k",
			Remark:   "no crash, FIFO channels",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 crashes=0 rounds=2,1,1 channel=fifo variant=a rp=V",
			Property: "at-most-k",
			Remark:   "RP kept",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=1,1,1 channel=fifo variant=a rp=V",
			Property: "at-most-k",
			Aside:    papers.Contrast, Remark: "one request each do not show it",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,1 channel=fifo variant=b rp=V",
			Property: "at-most-k",
			Aside:    papers.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,1 channel=fifo variant=a nodup=on rp=off",
			Property: "at-most-k",
			Aside:    papers.Contrast, Remark: "counting a process once does not help",
		},
	},
	Account: `**What happens.** A REPLY as printed does not say which request it answers, and with k=2 of n=3 one
permission is enough. All three ask. p1 enters with p3's permission and leaves, while p2's permission for the
same request is still under way; having left, p1 gives p3 its permission and asks again. Now p2's old
permission arrives and counts for the new request: p1 enters although both others are ahead of it. p3 enters
with p1's permission, and p2 with p3's. Neither a crash nor a channel in which messages overtake is needed. It
takes k above 1, so that a process can enter before all answers are in, and a second request. The proof of
Lemma 2 takes for granted that a permission answers the request in hand.`,
	Repair: `**What makes it hold.** The timestamps in replies, with late ones dropped (variant=b); and then rp=V,
see Lemma 2.`,
}

var permissions = papers.Claim{
	Name: "What perm_count and have_perm hold", Place: "section 4.1", Page: "8-9", Line: "the list of " +
		"variables, and lines 24-26",
	Ruling: papers.ErroneousUnder, Readings: []string{"variant=a", "variant=b"},
	Text: "perm_count is the number of permissions for the current request, and have_perm says whose; a " +
		"permission of a process found dead does not count.",
	Trials: []papers.Trial{
		{Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,0 variant=a rp=off", Property: "permissions-exact"},
		{Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,0 variant=b rp=off", Property: "permissions-exact"},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=a rp=V",
			Property: "permissions-live",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,0 variant=b nodup=on rp=off",
			Property: "permissions-exact",
			Aside:    papers.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=0 rounds=2,1,0 variant=c rp=off",
			Property: "permissions-exact", Aside: papers.Repaired,
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=repaired rp=T",
			Property: "permissions-exact",
			Aside:    papers.Repaired,
		},
	},
	Account: `**What happens.** Line 40 counts every permission, line 41 notes whose it was. A process that gets
the permission for its first request late, and then the one for its second, counts its neighbour twice:
perm_count is 2, have_perm names one process. Timestamps in replies (variant=b) do not help by themselves: the
clock of line 10 does not move, so that two requests of a process can carry the same time.`,
	Repair: `**What makes it hold.** A clock that moves with each request, as Lamport's rule has it, together with
the timestamps (variant=c); or counting a process once (nodup=on).`,
	Statements: []papers.Statement{
		{
			Says: "With timestamps and a clock that moves permissions are counted right.", Spec: "timerfree",
			Where: "variant=c/d/repaired", Properties: "permissions-exact", Verdict: papers.Everywhere,
		},
		{
			Says: "So they are where a process is counted once.", Spec: "timerfree", Where: "nodup=on",
			Properties: "permissions-exact", Verdict: papers.Everywhere,
		},
		{
			Says: "Nobody counts a permission of one that it takes for dead.", Spec: "timerfree",
			Where:      "rp=off/V/T",
			Properties: "permissions-live", Verdict: papers.Everywhere,
		},
	},
}

var missing = papers.Claim{
	Name: "What not_rec_from holds", Place: "section 4.1", Page: "8", Line: "the list of variables",
	Ruling: papers.Stands,
	Text:   "not_rec_from is a set of at most f processes.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=a rp=off",
			Property: "at-most-f-missing",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=b rp=V",
			Property: "at-most-f-missing",
		},
		{
			Spec: "timerfree", Args: "n=4 k=3 f=1 rounds=1,1,0,0 channel=fifo variant=b rp=V",
			Property: "at-most-f-missing",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=repaired rp=T",
			Property: "at-most-f-missing",
		},
	},
	Account: `By line 36. That these are the processes which did not answer the *last* request, as the list says
too, is not so: until line 36 is true they are those of a request before ("Theorem 1" lives on that), and
where it is true in the middle of a request they are those that have not answered *yet* ("Lemma 1" on that).`,
}

var footnote = papers.Claim{
	Name: "The order of the footnote", Place: "section 4.1", Page: "7", Line: "footnote 1",
	Ruling: papers.Slip,
	Because: "the sentence that the footnote belongs to says that the order is total, and " +
		"section 4.2 too",
	Text: "Requests are totally ordered by clock and, where clocks are equal, by \"i = j\".",
	Trials: []papers.Trial{
		{Spec: "timerfree", Args: "n=2 k=1 f=0 rounds=1 variant=a order=footnote rp=off",
			Property: "at-most-k"},
		{Spec: "timerfree", Args: "n=2 k=1 f=0 rounds=1 variant=b order=footnote rp=off",
			Property: "at-most-k"},
		{
			Spec: "timerfree", Args: "n=2 k=1 f=0 rounds=2 variant=b order=total rp=V",
			Property: "at-most-k", Aside: papers.Repaired,
		},
	},
	Account: `**What happens.** Taken literally the footnote orders nothing: a process never compares its request
with its own. Two processes that ask at the same time, with the same clock, each find that the other's request
is not behind their own, and each gives its permission. Both enter.`,
	Repair: `**What makes it hold.** i < j, as the words "total order" demand: order=total, the default.`,
	Statements: []papers.Statement{{
		Says: "With the footnote's order more than k are inside.", Spec: "timerfree", Where: "order=footnote",
		Properties: "at-most-k", Verdict: papers.Nowhere,
	}},
}

var deferred = papers.Claim{
	Name: "What a deferred permission answers", Place: "section 4.1", Page: "8-9", Line: "lines 17-19 and 30",
	Ruling: papers.ErroneousUnder, Readings: []string{"pending=last"},
	Text: "A process remembers whom it owes a permission and gives it on leaving; each " +
		"request is so served " +
		"in the end.",
	Trials: []papers.Trial{
		{
			Spec:     "timerfree",
			Args:     "n=3 k=2 f=1 rounds=2,0,1 crashable=2 channel=bag variant=b pending=last rp=V",
			Property: "no-starvation",
			Remark:   "the permission carries the timestamp of the request received last",
		},
		{
			Spec:     "timerfree",
			Args:     "n=3 k=2 f=1 rounds=2,0,1 crashable=2 channel=bag variant=c pending=last rp=V",
			Property: "no-starvation",
			Remark:   "the same, with a clock that moves",
		},
		{
			Spec:     "timerfree",
			Args:     "n=3 k=2 f=1 rounds=2,0,1 crashable=2 channel=bag variant=b pending=largest rp=V",
			Property: "no-starvation",
		},
		{
			Spec: "timerfree",
			Args: "n=3 k=2 f=1 rounds=2,0,1 crashable=2 channel=bag variant=repaired " +
				"pending=largest rp=T",
			Property: "no-starvation",
			Aside:    papers.Repaired,
		},
		{
			Spec:     "timerfree",
			Args:     "n=3 k=2 f=1 rounds=2,0,1 crashable=2 channel=fifo variant=c pending=last rp=V",
			Property: "no-starvation",
			Aside:    papers.Contrast, Remark: "in FIFO channels the last received is the latest",
		},
	},
	Account: `**What happens.** pending is a set of processes; once replies carry timestamps (which the text
wants) it has to be known for which request a deferred permission is. If requests overtake each other, the one
that arrives last can be the older one. The permission then answers that, is dropped as late, and the younger
request, which was deferred too, is never answered. When the third process dies nobody is left whose
permission would do.`,
	Repair: `**What makes it hold.** Answer the largest timestamp deferred (pending=largest, the default), or FIFO
channels.`,
}

var toldOf = papers.Claim{
	Name:  "When a REQUEST tells of a crash",
	Place: "section 4.1", Page: "9", Line: "third paragraph, condition (1)",
	Ruling: papers.Slip,
	Because: "lines 24-27, and the two sentences before it on the same page: the permission of " +
		"such a process " +
		"is taken back, and crashed grows in any case",
	Text: "A process learns of a crash from a REQUEST of one that knows of it if it has not " +
		"received a REPLY " +
		"of the crashed process to its " +
		"current request; or else when it executes line 38.",
	Trials: []papers.Trial{
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,3,0 crashable=3 channel=fifo variant=a",
			Property: "told-of-silent",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,3,0 crashable=3 channel=fifo variant=b",
			Property: "told-of-silent",
		},
		{
			Spec: "timerfree", Args: "n=3 k=2 f=1 rounds=2,3,0 crashable=3 channel=fifo variant=d",
			Property: "told-of-silent",
		},
	},
	Account: `**What happens.** Line 27 adds all that the REQUEST names, whether they have answered or not: p3 has
answered p1's second request and died, p2 finds that out, and its third REQUEST tells p1. It is right to do
so, and it is for this case that lines 24-26 are there.`,
}
