package vcube

import (
	_ "embed"
	"slices"

	"github.com/atmostk/atmostk/model/papers"
)

//go:embed doc.go
var docText string

// Paper holds the claims of the paper and what was found of them.
var Paper = papers.Paper{
	Name: "vcube",
	Source: papers.Source{
		Authors: "Rodrigues, Duarte, Arantes",
		Title:   "A distributed k-mutual exclusion algorithm based on autonomic spanning trees",
		Venue:   "Journal of Parallel and Distributed Computing 115, pages 41-55", Year: "2018",
		ID: "doi:10.1016/j.jpdc.2018.01.008",
	},
	Doc: docText,
	Sizes: []string{
		"n", "k", "sources", "rounds", "requesters", "crashes", "crashable", "dead", "channel", "crash-sends",
		"offsets",
	},
	Intro: intro, Inventory: inventory,
	Claims: []papers.Claim{
		logarithmic, selfHealing, latency, logarithmicRounds, logarithmicTests, tests, figures12,
		clusters, examples, leaf, lemma51, shape, startedOnly, linear,
		lemma61, lemma62, theorem63, acknowledged, figure4Claim,
		lemma71, lemma72, lemma73, theorem74, permissions, figure5Claim,
		raymondTolerates, basTolerates, messagesPerRequest,
		figure6, figure7, figure8, figure9, figure10, figure11, figure12, synchronous, related,
	},
	Tables:    slices.Concat(tables, repairTables),
	Implement: &implement,
}

const intro = `The paper builds k-mutual exclusion in layers: diagnosis over a virtual hypercube (section 4), a
spanning tree over it (Algorithm 5.1), a best-effort broadcast along that tree (6.1), mutual exclusion over
the broadcast (7.1). Each layer is judged by itself and the last two also together (vcube-stack). Crashes are
known through perfect notices, as section 3 assumes, at any later moment and independently of what is on its
way. Where the listing leaves something open (line 36 with the null element, line 28 with several candidates,
where the if of line 18 ends, what may happen between lines 9 and 14) each reading is a parameter; the end of this
page says which. Crashes happen at any point, also inside a send loop. Lines are those of the algorithms, or
paragraphs of sections: the text that was read has no page numbers.

What was found, in short: **Algorithm 7.1 over Algorithm 6.1, as printed, is neither safe nor live.** A request that waits
for its broadcast already counts permissions, before it has said whose replies it expects; so a late reply is
counted twice (Lemma 7.1, four processes, no crash, FIFO channels) and a permission never given is taken back
(Lemma 7.2, two processes, one crash). Exchanging lines 13 and 14 repairs both. **Algorithm 6.1 can wait for
ever** with sixteen processes of which five are live, after one more crash. **Lemma 7.3 is false** for every k
above 1. **The rounds and tests of the diagnosis are not logarithmic**, nor are the messages of the broadcast. Everything
that is needed to make the lemmas hold, the third included, is put together at the end.`
