package vcube

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
	Assumes: "partition= fairness!=none",
	Read:    paperfile.Reader(claimsFile, computed),
}
