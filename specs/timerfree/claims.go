package timerfree

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
	Assumes: "crashes<=f fairness!=none partition=",
	Read:    paperfile.Reader(claimsFile, computed),
}
