package cohorts

import (
	_ "embed"

	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/model/papers/paperfile"
)

//go:embed doc.go
var docText string

// claimsFile has the claims, the tables and the inventory.
//
//go:embed claims.yaml
var claimsFile []byte

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
		"crashes-arbiters", "crashes-requesters", "clock",
	},
	Assumes: "partition= fairness!=none",
	Read:    paperfile.Reader(claimsFile, computed),
}
