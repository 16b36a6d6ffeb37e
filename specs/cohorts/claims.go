package cohorts

import (
	_ "embed"

	"github.com/atmostk/atmostk/model"
)

//go:embed doc.go
var docText string

// Paper holds the claims of the paper and what was found of them.
var Paper = model.Paper{
	Name: "cohorts",
	Source: model.Source{
		Authors: "Jiang", Title: "A fault-tolerant h-out of-k mutual exclusion algorithm using cohorts coteries for distributed systems",
	},
	Doc: docText,
	Sizes: []string{
		"cohorts", "quorums", "sets", "n", "k", "m", "h", "rounds", "crashes", "crashable", "dead", "channel", "crash-sends", "crashes-requesters", "stay",
	},
	Intro: intro,
	Claims: []model.Claim{
		isCoterie, nondominated, available, walkFinds, sizes,
		safety, liveness, tolerance, best, bestCost,
		worstCost, raynalCost, raynalSafe, arbiterCost, arbiterLive,
		others, jiangCost,
	},
	Tables: tables,
}

const intro = `The paper leaves open how conflicts are resolved and when Probe may return by its second
case, and says of the predecessors only what it needs to compare them. So there are readings; the defaults are those
in which the algorithm of Figure 1 does most of what is claimed, and the others are parameters. Claims about sets of
nodes are judged for all cohorts structures of at most 8 nodes, by enumeration and not by search. Claims about
runs are judged on the instances named. Messages are counted exactly, as the least and the most over all
runs of an instance: messages-total those of a whole run without crashes, for each request served, and messages
those that a requester sends or is sent for one request.`
