package ring

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
	Name: "ring",
	Source: papers.Source{
		Authors: "Loukantchevsky", Title: "Distributed ring-based mutual exclusion with graceful degradation",
		Venue: "annual scientific conference of the University of Ruse, session of section 3.2, read 29 " +
			"October 2021",
		Year: "2021", ID: "paper FRI-ONLINE-1-CCT1-02; no DOI is printed in it",
		Further: []string{
			"reference [8] of the paper, the author's repository XME.Ring " +
				"(github.com/milphaser/XME.Ring), of " +
				"which the paper says that it was retrieved on 30 November 2021: of its folder " +
				"1.Scheme 1 the " +
				"handlers as restated for these models; the program 4.3.2.x.XME.GD.Ring of scheme 2 " +
				"(UnitDMChannels.cpp) as of commit a437ab28cc043397b9b382e0b39c6ff0fcaff880; " +
				"ListOfProjects.txt as " +
				"of commit 2beafd607aca23cd8426e9ea35db0b86eb0f8633, which calls 4.3.1.x scheme 1, " +
				"4.3.2.x scheme " +
				"2, and 4.4.3.x and 4.5.4.x scheme 3",
		},
	},
	Doc: docText,
	Sizes: []string{
		"n", "f", "crashable", "breaks", "rounds", "starts", "order", "start", "min-k", "spare",
	},
	Assumes: "fairness!=none",
	Read:    paperfile.Reader(claimsFile, computed),
}
