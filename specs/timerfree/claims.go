package timerfree

import (
	_ "embed"
	"slices"

	"github.com/atmostk/atmostk/model/papers"
)

//go:embed doc.go
var docText string

// Paper holds the claims of the report and what was found of them.
var Paper = papers.Paper{
	Name: "timerfree",
	Source: papers.Source{
		Authors: "Bouillaguet, Arantes, Sens",
		Title:   "A timer-free fault tolerant k-mutual exclusion algorithm",
		Venue: "INRIA research report, theme COM, project Regal, 19 pages; ISSN 0249-6399, its " +
			"number is left " +
			"open on the cover",
		Year: "2009",
		ID:   "HAL inria-00394918, version 1, submitted on 12 June 2009",
		URL:  "inria.hal.science/inria-00394918v1",
	},
	Doc: docText,
	Sizes: []string{
		"n", "k", "f", "rounds", "crashes", "crashable", "dead", "channel", "crash-sends", "losses",
		"max-skew",
		"max-in-flight", "max-owed", "last",
	},
	Intro: intro, Inventory: inventory,
	Claims: []papers.Claim{
		lemma1, lemma2, lemma3, theorem1, theorem2, proof2, proof3,
		listing, permissions, missing, footnote, deferred, toldOf,
		responsive, bounds, ringExample, gridExample, lossless,
		capacity, fewer, noExtra, surplus, raymondTolerates, raymondLoses,
		figure1, figure2, figure3, overhead, figure4, efficiency, related,
	},
	Tables:    slices.Concat(tables, repairTables),
	Implement: &implement,
}

const intro = `The algorithm is Raymond's, with crashes detected from who is missing in the answers of all
others. Two things are open. The listing leaves out the timestamps that section 4.1 puts into replies:
variant=a is the listing, variant=b the text. And the text does not say when a request is over, on which the
Responsiveness Property RP rests: rp=V takes RP in terms of the variable not_rec_from of Algorithm 1, rp=T in
terms of the wait of line 15. Variants c and d add what the text can be read to ask for besides: a clock that
a request advances, and a wait for n-f replies.

What was found, in short. **Lemmas 1 and 2, and so Theorem 2, depend on what it is for a request to be over:**
with the end of the wait of line 15 a slow process is taken for dead, and one too many enters, in every
variant and without a crash; with the variable of line 37 both hold. **Theorem 1 fails with k=3 already**, and
section 2 admits nothing below: processes enter again and again, everything is received, and a crash is never
detected. **The listing without timestamps is unsafe** without a crash. **RP leaves less room than f < k:** as
long as nobody has crashed it can be kept only if n > 2f. **Messages for the detection alone are sent**,
though the abstract says that there are none. All but the last is put right by few changes of Algorithm 1, put
together at the end, which cost no message.

**What "holds" means where steps are pruned.** RP is an assumption: a step that would break it is not taken.
With rp=V a process is without f answers as soon as it has n-f, so that with n <= 2f runs in which all request
without a crash cannot go on: with n=4 and f=2 the third process to get an answer has no step left. What holds
there holds of those runs in which at most two processes are answered before somebody crashes. With f=1 RP can
be kept from n=3 on, with f=2 from n=5 on.

Pages are those of the report, as its bibliography tells on which page each source is cited; lines are those
of Algorithm 1, on page 7, or else paragraphs.`
