package vcube

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What sections 5 and 6 claim of the tree and of the broadcast.

var lemma51 = papers.Claim{
	Name: "Lemma 5.1", Place: "section 5.3",
	Ruling: papers.Stands,
	Text:   "A message that a correct source spreads along the tree reaches every correct process.",
	Trials: []papers.Trial{
		{Spec: "vcube-tree", Args: "n=4 crashes=3", Property: "all-reached", Remark: "as printed"},
		{Spec: "vcube-tree", Args: "n=4 crashes=3", Property: "all-accepted", Remark: "as printed"},
		{Spec: "vcube-tree", Args: "n=4 crashes=3 guard=on", Property: "all-accepted"},
		{Spec: "vcube-tree", Args: "n=8 crashes=1 guard=on", Property: "all-accepted"},
		{Spec: "vcube-tree", Args: "n=8 crashes=1", Property: "all-accepted", Remark: "as printed"},
		{Spec: "vcube-tree", Args: "n=8 dead=1,2 crashes=4 guard=on", Property: "all-accepted"},
		{Spec: "vcube-tree", Args: "n=8 dead=4,5 crashes=4", Property: "all-accepted", Remark: "as printed"},
	},
}

var shape = papers.Claim{
	Name: "The tree without failures", Place: "sections 5 and 5.2",
	Ruling: papers.Stands,
	Text: "Without failures every process but the source gets the message once, in n-1 messages over at " +
		"most log2 n hops.",
	Trials: []papers.Trial{
		{Spec: "vcube-tree", Args: "n=8 track=on", Property: "tree-shape"},
		{Spec: "vcube-tree", Args: "n=16 track=on", Property: "tree-shape"},
		{
			Compute: trees, Remark: "all n up to 1024, from every source",
			How: "show vcube-tree n=16 --draw text",
		},
	},
}

var startedOnly = papers.Claim{
	Name: "Only what was started is spread", Place: "section 5.2, with Algorithm 5.1, lines 11-12",
	Ruling: papers.ErroneousUnder, Readings: []string{"guard=off"},
	Text: "A process that learns of a crash sends TREE on to the next one in that cluster: a message that " +
		"the source has started.",
	Trials: []papers.Trial{
		{
			Spec: "vcube-tree", Args: "n=4 crashes=1", Property: "no-creation", Remark: "as printed",
		},
		{Spec: "vcube-tree", Args: "n=4 variant=repaired crashes=3", Property: "no-creation",
			Aside: papers.Repaired},
		{Spec: "vcube-tree", Args: "n=4 crashes=3 guard=on", Property: "no-creation", Aside: papers.Repaired},
		{Spec: "vcube-tree", Args: "n=8 crashes=1 guard=on", Property: "no-creation", Aside: papers.Repaired},
	},
	Account: `**What happens.** p3 crashes before anybody has started anything. p0 is notified, and lines 11-12 have it send TREE
to p2, the process that is left in that cluster, without asking whether there is a message to send. As printed,
every observer of every crash spreads a message that does not exist.`,
	Repair: `**What makes it hold.** Lines 11-12 only at processes that have the message (guard=on). Algorithm 6.1 does it
by itself: it sends again only what is in ack_set. Lemma 5.1 does not need the superfluous messages: it holds with
guard=on as well.`,
}

var lemma61 = papers.Claim{
	Name: "Lemma 6.1", Place: "section 6.4 (validity)",
	Ruling: papers.ErroneousUnder, Readings: []string{"line36=literal", "forward=if-new"},
	Text: "What a correct process broadcasts, every correct process delivers, itself included.",
	Trials: []papers.Trial{
		{
			Spec: "vcube-broadcast", Args: "n=4 crashes=1 line36=literal", Property: "validity",
			Remark: "line 36 taken literally",
		},
		{
			Spec: "vcube-broadcast", Args: "n=8 dead=1,2,3,7 crashes=5 forward=if-new", Property: "validity",
			Remark: "lines 22-25 read as a part of the if of line 18",
		},
		{
			Spec: "vcube-broadcast", Args: "n=8 dead=1 crashes=2 forward=if-new crash-sends=none",
			Property: "validity", Remark: "the same, crashes between steps only",
		},
		{Spec: "vcube-broadcast", Args: "n=4 rounds=3 crashes=3 forward=if-new", Property: "validity",
			Aside: papers.Contrast, Remark: "four processes do not show it"},
		{Spec: "vcube-broadcast", Args: "n=4 rounds=3 crashes=3", Property: "validity",
			Aside: papers.Repaired},
		{Spec: "vcube-broadcast", Args: "n=4 sources=0,1 rounds=3 crashes=3", Property: "validity",
			Aside: papers.Repaired},
		{Spec: "vcube-broadcast", Args: "n=8 crashes=1", Property: "validity", Aside: papers.Repaired},
		{Spec: "vcube-broadcast", Args: "n=8 dead=1 crashes=3", Property: "validity", Aside: papers.Repaired},
		{Spec: "vcube-broadcast", Args: "n=16 dead=1,2,3,5,6,7,9,10,11 crashes=10", Property: "validity",
			Aside: papers.Repaired},
	},
	Account: `**What happens** with line 36 as it stands. The null element is in no correct_i, so {source(m), ⊥} is never a subset of
it, and a source drops all its own pending acks at the first crash that it hears of. p0 broadcasts to p1 and p2, and p2
crashes before it forwards anything to p3. When p0 is notified, line 37 has removed the entry for p2 before line
38 could send the message to p3 in its place. p3 never gets it, though nobody but p2 has crashed.

**What happens** if lines 22-25 are read as belonging to the if of line 18, which the printed indentation allows. p4 gets the
message from p0, sends it to p5, and crashes before it sends it to p6. p0 is notified and turns to p5, who
knows the message already and so neither forwards it nor waits for anybody, but acknowledges at once. p6 never
gets it. It takes a process that is reached twice and has somebody below it, which four processes do not have.`,
	Repair: `**What makes it hold.** Let ⊥ count as correct in line 36 (line36=bottom-ok), and forward whatever comes, new or not
(forward=always), which is what the text says: "next, m is retransmitted". Both are the defaults here.`,
}

var lemma62 = papers.Claim{
	Name: "Lemma 6.2", Place: "section 6.4 (integrity)",
	Ruling: papers.Stands,
	Text:   "A correct process delivers a message at most once, and only if its source has broadcast it.",
	Trials: []papers.Trial{
		{Spec: "vcube-broadcast", Args: "n=4 rounds=3 crashes=3", Property: "no-duplication"},
		{Spec: "vcube-broadcast", Args: "n=4 rounds=3 crashes=3", Property: "no-creation"},
		{Spec: "vcube-broadcast", Args: "n=4 rounds=3 crashes=3 line36=literal", Property: "no-duplication",
			Remark: "whatever line 36 means"},
		{Spec: "vcube-broadcast", Args: "n=4 sources=0,1 rounds=3 crashes=3", Property: "no-duplication"},
		{Spec: "vcube-broadcast", Args: "n=4 sources=0,1 rounds=3 crashes=3", Property: "no-creation"},
		{Spec: "vcube-broadcast", Args: "n=8 crashes=1", Property: "no-duplication"},
		{Spec: "vcube-broadcast", Args: "n=16 dead=1,2,3,5,6,7,9,10,11 crashes=10", Property: "no-creation"},
	},
}

var theorem63 = papers.Claim{
	Name: "Theorem 6.3", Place: "section 6.4",
	Ruling: papers.ErroneousUnder, Readings: []string{"line36=literal"},
	Text: "Of a correct source all correct processes deliver the same messages: those that it has broadcast.",
	Trials: []papers.Trial{
		{Spec: "vcube-broadcast", Args: "n=4 rounds=3 crashes=1 line36=literal channel=fifo",
			Property: "no-gap", Remark: "line 36 taken literally: a later message is refused because an " +
				"earlier one was missed"},
		{Spec: "vcube-broadcast", Args: "n=4 rounds=3 crashes=3", Property: "no-gap", Aside: papers.Repaired},
		{Spec: "vcube-broadcast", Args: "n=4 rounds=3 crashes=3 channel=fifo", Property: "validity",
			Aside: papers.Repaired},
		{Spec: "vcube-broadcast", Args: "n=4 sources=0,1,2,3 crashes=1", Property: "validity",
			Aside: papers.Repaired},
	},
	Account: `It is as good as Lemma 6.1. Line 19 takes a message only if its number is the next one, so under the literal line 36 a
process that has missed one message of a source refuses all later ones.`,
	Repair: `**What makes it hold.** As for Lemma 6.1.`,
}

var acknowledged = papers.Claim{
	Name: "A broadcast is concluded", Place: "section 6.2, first paragraph, on line 5",
	Ruling: papers.ErroneousUnder, Readings: []string{"line36=literal", "line28=any"},
	Text: "A new broadcast is started only after the one before is concluded, that is when all " +
		"acknowledgements are in; and they come in.",
	Trials: []papers.Trial{
		{
			Spec: "vcube-broadcast", Args: "n=4 crashes=1 line36=literal", Property: "synchronous-ack",
			Remark: "line 36 taken literally: line 5 is free too early",
		},
		{
			Spec: "vcube-broadcast", Args: "n=16 dead=1,2,3,4,5,6,7,9,10,11,13 crashes=12",
			Property: "broadcast-terminates", Remark: "line 5 is never free again",
		},
		{Spec: "vcube-broadcast", Args: "n=16 dead=1,2,3,5,6,7,9,10,11 crashes=10 channel=fifo",
			Property: "broadcast-terminates", Remark: "the same with seven live and FIFO channels"},
		{Spec: "vcube-broadcast", Args: "n=4 rounds=3 crashes=3", Property: "broadcast-terminates",
			Aside: papers.Contrast, Remark: "four processes do not show it"},
		{Spec: "vcube-broadcast", Args: "n=8 crashes=1", Property: "broadcast-terminates",
			Aside: papers.Contrast, Remark: "nor eight with one crash"},
		{Spec: "vcube-broadcast", Args: "n=16 dead=1,2,3,4,5,6,7,9,10,11,13 crashes=12 line28=all",
			Property: "broadcast-terminates", Aside: papers.Repaired},
		{Spec: "vcube-broadcast", Args: "n=16 dead=1,2,3,5,6,7,9,10,11 crashes=10 line28=all",
			Property: "broadcast-terminates", Aside: papers.Repaired},
		{Spec: "vcube-broadcast", Args: "n=16 dead=1,2,3,5,6,7,9,10,11 crashes=10 line28=all",
			Property: "no-leftover", Aside: papers.Repaired},
		{Spec: "vcube-broadcast", Args: "n=4 sources=0,1 rounds=3 crashes=3 line28=all",
			Property: "broadcast-terminates", Aside: papers.Repaired},
		{Spec: "vcube-broadcast", Args: "n=16 dead=1,2,3,5,6,7,9,10,11 crashes=10 line28=all",
			Property: "synchronous-ack", Aside: papers.Repaired},
	},
	Account: `**What happens** under line28=any. Only p0, p8, p12, p14 and p15 of sixteen are live. p0 sends to p8, p8 to p12, and p8 crashes; p0 is
notified and sends to p12 as well. p12 is reached twice, from p8 and from p0, and sends to p14 each time: its ack_set has
⟨p8,p14,m⟩ and ⟨p0,p14,m⟩. The first TREE has p14 wait for p15. The second one adds nothing, for ⟨p12,p15,m⟩ is in
p14's ack_set already (line 23), and is not acknowledged by itself, for that entry is pending (line 12). So when
p15 answers, p14 sends *one* ACK for two TREEs. p12 has two entries that fit and line 28 takes one of them. If it
is that of p8, nothing is left to remove the other, and p0 waits at line 5 for ever. A smaller chain does not do:
a process that answers late, below one that is reached twice, below the one that crashes, below the source,
takes four clusters. Of the 1,365 ways to leave five of sixteen processes with the source among them, four
show it with one crash. Eight processes did not, with one crash after any set of dead processes, nor with
two after any set of two, three or four.`,
	Repair: `**What makes it hold.** An ACK counts for everybody who waits for it (line28=all): all x with ⟨x,j,m⟩ in ack_set are removed, and
each is answered. That is right because an ACK says that the branch below j is done, whoever asked. With
line 36 as for Lemma 6.1 everything above holds in the rows above.`,
}
