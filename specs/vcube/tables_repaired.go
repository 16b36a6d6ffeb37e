package vcube

import (
	"github.com/atmostk/atmostk/model/papers"
)

// repairTables are the verdicts on variant=repaired, in the sizes and surroundings of the other
// tables.
var repairTables = []papers.Table{
	{
		Name: "Repaired tree", Doc: "Algorithm 5.1.", Spec: "vcube-tree", Limit: limit,
		Rows: []string{
			"n=4 variant=repaired crashes=0/1/2/3 channel=bag/fifo",
			"n=8 variant=repaired crashes=1 channel=bag",
			"n=8 variant=repaired dead=4 crashes=1/2",
			"n=8 variant=repaired dead=1,2/4,5 crashes=2/3/4",
		},
	},
	{
		Name: "Repaired broadcast", Doc: "Algorithm 6.1, with four, eight and sixteen processes.",
		Spec: "vcube-broadcast", Limit: limit,
		Rows: []string{
			"n=4 variant=repaired rounds=1/2/3 crashes=0/1/2/3 channel=bag/fifo",
			"n=4 variant=repaired sources=0,1 rounds=1/2 crashes=0/1/2/3 channel=bag/fifo",
			"n=4 variant=repaired sources=0,1 rounds=3 crashes=3 channel=bag/fifo",
			"n=8 variant=repaired crashes=1 channel=bag",
			"n=8 variant=repaired dead=1/4 crashes=2 channel=bag/fifo",
			"n=8 variant=repaired dead=1,2/4,6 crashes=3 rounds=1/2 channel=bag/fifo",
			"n=16 variant=repaired dead=1,2,3,5,6,7,9,10,11 crashes=10 channel=bag/fifo",
			"n=16 variant=repaired dead=4,5,6,7,8,9,10,12,13,14 crashes=11 channel=bag/fifo",
			"n=16 variant=repaired dead=1,2,3,4,5,6,7,9,10,11,13 crashes=12 rounds=1/2 channel=bag/fifo",
		},
	},
	{
		Name: "Repaired mutual exclusion", Doc: "Algorithm 7.1 over one-to-all sending. Given up after " +
			"five million states.", Spec: "vcube-kmutex", Limit: 5_000_000,
		Rows: []string{
			"n=2 k=1/2 variant=repaired rounds=1/2 crashes=0/1 crash-order=atomic/printed channel=bag/fifo",
			"n=3 k=1/2/3 variant=repaired crashes=0/1/2 crash-order=atomic/printed channel=bag/fifo",
			"n=3 k=1/2/3 variant=repaired rounds=2 crashes=0 channel=fifo",
			"n=3 k=1 variant=repaired rounds=2 crashes=1/2 channel=fifo",
			"n=3 k=2/3 variant=repaired rounds=2,1,1 crashes=0 channel=bag/fifo",
			"n=3 k=2 variant=repaired rounds=2,1,1 crashes=2 channel=fifo",
			"n=4 k=1/2/3 variant=repaired requesters=0,1 crashes=0/1/2/3 channel=bag",
			"n=4 k=1/2/3 variant=repaired requesters=0,1 crashes=3 crash-order=atomic/printed channel=fifo",
			"n=4 k=1/2/3 variant=repaired requesters=0,1 rounds=2 crashes=0/1 channel=fifo",
			"n=4 k=1/2/3 variant=repaired crashes=0 channel=bag",
		},
	},
	{
		Name: "Repaired stack", Doc: "Algorithm 7.1 over Algorithm 6.1. Given up after ten million states.",
		Spec: "vcube-stack", Limit: 10_000_000,
		Rows: []string{
			"n=2 k=1/2 variant=repaired rounds=1/2 crashes=0/1 channel=bag/fifo",
			"n=4 k=1/2/3 variant=repaired rounds=1,1,0,0 crashes=0 channel=bag/fifo",
			"n=4 k=1/2 variant=repaired rounds=1,1,0,0 crashes=1 channel=bag",
			"n=4 k=1/2 variant=repaired rounds=2,0,0,0 crashes=0/1/3 channel=bag/fifo",
			"n=4 k=1/2/3 variant=repaired rounds=2,1,0,0 crashes=0 channel=bag",
			"n=4 k=1/2 variant=repaired rounds=2,2,0,0 crashes=0 channel=bag/fifo",
			"n=4 k=2 variant=repaired rounds=2,1,1,0 crashes=0 channel=fifo",
			"n=16 k=1 variant=repaired requesters=0 rounds=2 dead=1,2,3,4,5,6,7,9,10,11,13 crashes=12",
		},
	},
}
