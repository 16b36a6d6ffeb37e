package cohorts

import (
	"github.com/atmostk/atmostk/model/papers"
)

// repairTables are the verdicts on the repairs, in the sizes and surroundings of the other
// tables and harder ones.
var repairTables = []papers.Table{
	{
		Name: "Repairs, one by one", Doc: "case2=fd and mode=gather in bags, and with two nodes down.",
		Spec: "cohorts", Limit: 20_000_000,
		Rows: []string{
			"cohorts=1,2 h=1,1 case2=fd channel=bag crashes-arbiters=1",
			"cohorts=1,2 h=1,1 case2=fd crashes-arbiters=2",
			"cohorts=1,2,2 h=1,1 case2=fd dead=2,4/1,2",
			"cohorts=2,3 h=2/2,2 case2=fd dead=1,3/3,4",
			"cohorts=2,3 h=1/2 case2=fd crashes-arbiters=2",
			"cohorts=1,2 h=1,1 mode=gather channel=bag",
			"cohorts=1,2 h=1,1 mode=gather channel=bag crashes-arbiters=1",
			"cohorts=1,2 h=1,1 mode=gather crashes-arbiters=2",
			"cohorts=1,2,2 h=1,1 mode=gather dead=2,4/1,2",
			"cohorts=2,3 h=2/2,2 mode=gather dead=1/3/1,3/3,4",
			"cohorts=2,3 h=1/2 mode=gather crashes-arbiters=1/2",
		},
	},
	{
		Name: "Repaired: Coh(1,2)", Doc: "mode=repaired, with crashes of nodes, of requesters, and of both.",
		Spec: "cohorts", Limit: 20_000_000,
		Rows: []string{
			"cohorts=1,2 h=1/1,1 mode=repaired channel=fifo/bag",
			"cohorts=1,2 h=1,1 mode=repaired rounds=2 clock=round/lamport",
			"cohorts=1,2 h=1,1 mode=repaired dead=1/2/3/1,2/2,3",
			"cohorts=1,2 h=1,1 mode=repaired crashes-arbiters=1/2/3 channel=fifo/bag",
			"cohorts=1,2 h=1,1 mode=repaired crashes-requesters=1/2 channel=fifo/bag",
			"cohorts=1,2 h=1,1 mode=repaired crashes-arbiters=1 crashes-requesters=1 channel=fifo/bag",
			"cohorts=1,2 h=1,1,1 mode=repaired",
		},
	},
	{
		Name: "Repaired: Coh(1,3)", Doc: "mode=repaired, with crashes of nodes.", Spec: "cohorts",
		Limit: 20_000_000,
		Rows: []string{
			"cohorts=1,2,2 h=1/1,1 mode=repaired",
			"cohorts=1,2,2 h=1,1 mode=repaired dead=1/2/4/2,4/1,2",
			"cohorts=1,2,2 h=1,1 mode=repaired crashes-arbiters=1",
		},
	},
	{
		Name: "Repaired: Coh(2,2)", Doc: "mode=repaired; with stay=1 the first one never leaves, and the " +
			"others have the other unit.", Spec: "cohorts", Limit: 20_000_000,
		Rows: []string{
			"cohorts=2,3 h=1/2 mode=repaired channel=fifo/bag",
			"cohorts=2,3 h=1/2/2,2 mode=repaired dead=1/3/1,3/3,4",
			"cohorts=2,3 h=1/2 mode=repaired crashes-arbiters=1/2",
			"cohorts=2,3 h=2,2 mode=repaired",
			"cohorts=2,3 h=2,2 mode=repaired crashes-requesters=1",
			"cohorts=2,3 h=1,1 mode=repaired dead=3/1,3",
			"cohorts=2,3 h=1,1 mode=repaired stay=1",
			"cohorts=2,3 h=1,2/1,1 mode=repaired",
		},
	},
}
