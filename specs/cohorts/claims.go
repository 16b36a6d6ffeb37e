package cohorts

import (
	_ "embed"
	"slices"

	"github.com/atmostk/atmostk/model/papers"
)

//go:embed doc.go
var docText string

// Paper holds the claims of the paper and what was found of them.
var Paper = papers.Paper{
	Name: "cohorts",
	Source: papers.Source{
		Authors: "Jiang", Title: "A fault-tolerant h-out of-k mutual exclusion algorithm using cohorts " +
			"coteries for distributed systems",
		Venue: "Parallel and Distributed Computing: Applications and Technologies (PDCAT), Lecture Notes " +
			"in Computer Science 3320",
		Year: "2004", ID: "doi:10.1007/978-3-540-30501-9_57",
	},
	Doc: docText,
	Sizes: []string{
		"cohorts", "quorums", "sets", "n", "k", "m", "h", "rounds", "crashes", "crashable", "dead", "channel",
		"crash-sends",
		"crashes-arbiters", "crashes-requesters", "stay", "clock",
	},
	Intro: intro, Inventory: inventory,
	Claims: []papers.Claim{
		isCoterie, nondominated, available, walkFinds, cases,
		safety, liveness, tolerance, links, both, special,
		best, printedRange, bestCost, fewer, worstCost, coin,
		sizes, leastSize, sharing, raynalCost, raynalSafe, arbiterCost, arbiterLive, others, intolerant,
		jiangCost,
	},
	Tables:    slices.Concat(tables, repairTables),
	Implement: &implement,
}

const intro = `The paper leaves open how conflicts are resolved and when Probe may return by its second
case, and says of the predecessors only what it needs to compare them. So there are readings, which are parameters.
Claims about sets of nodes are judged for all cohorts structures of at most 8 nodes, by enumeration and not by
search; where an argument covers larger ones it is given. Messages are counted exactly, as the least and the most over
all runs of an instance: messages-total those of a whole run without crashes, for each request served, and messages
those that a requester sends or is sent for one request. Sections are named by their numbers and lines by their
paragraphs: the text that was read has no page numbers.

What was found, in short: **cohorts coteries are dominated for every k > 1**, so that they are no candidates for the
highest availability there; with k=1 they are not dominated. **The algorithm does not tolerate the failure of a node**:
one requester and one crash are enough to wait for ever. Maekawa's rule taken literally loses safety. The repairs
are small, and put together at the end.`
