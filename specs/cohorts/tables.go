package cohorts

import (
	"github.com/atmostk/atmostk/model/papers"
)

// tables are the verdicts over structures, units, requesters, rounds, readings and
// crashes.
var tables = []papers.Table{
	{
		Name: "Coh(1,2)", Doc: "Cohorts of 1 and 2 nodes, one to three requesters.", Spec: "cohorts",
		Limit: 20_000_000,
		Rows: []string{
			"cohorts=1,2 h=1/1,1 case2=any/fd/never surplus=at-exit/at-once/never " +
				"relinquish=pending/naive/none",
			"cohorts=1,2 h=1/1,1 mode=gather surplus=at-exit/at-once/never relinquish=pending/none",
			"cohorts=1,2 h=1/1,1 probe=more-than case2=any/fd/never",
			"cohorts=1,2 h=1,1 channel=bag case2=any/fd/never",
			"cohorts=1,2 h=1,1 rounds=2 clock=round/lamport",
			"cohorts=1,2 h=1,1 dead=1/2/3 case2=any/fd/never",
			"cohorts=1,2 h=1,1 mode=gather dead=1/2/3",
			"cohorts=1,2 h=1,1 crashes-arbiters=1 case2=any/fd/never",
			"cohorts=1,2 h=1,1 mode=gather crashes-arbiters=1",
			"cohorts=1,2 h=1,1 crashes-requesters=1 case2=any/fd/never",
			"cohorts=1,2 h=1,1 mode=gather crashes-requesters=1",
			"cohorts=1,2 h=1,1,1 case2=any/never",
		},
	},
	{
		Name: "Coh(1,3)", Doc: "Cohorts of 1, 2 and 2 nodes.", Spec: "cohorts", Limit: 20_000_000,
		Rows: []string{
			"cohorts=1,2,2 h=1/1,1 case2=any/fd/never surplus=at-exit/at-once/never",
			"cohorts=1,2,2 h=1/1,1 case2=any/never relinquish=naive/none",
			"cohorts=1,2,2 h=1/1,1 mode=gather surplus=at-exit/at-once",
			"cohorts=1,2,2 h=1,1 dead=1/2/4 case2=any/fd/never",
			"cohorts=1,2,2 h=1,1 crashes-arbiters=1 case2=fd/never",
		},
	},
	{
		Name: "Coh(2,2)", Doc: "Cohorts of 2 and 3 nodes, one or two units each.", Spec: "cohorts",
		Limit: 45_000_000,
		Rows: []string{
			"cohorts=2,3 h=1/2/2,2 case2=any/fd/never surplus=at-exit/at-once/never",
			"cohorts=2,3 h=1/2/2,2 mode=gather surplus=at-exit/at-once",
			"cohorts=2,3 h=2,2 relinquish=naive/none",
			"cohorts=2,3 h=1,2/1,1 case2=any/fd/never",
			"cohorts=2,3 h=1,1 surplus=at-once",
			"cohorts=2,3 h=1,1 mode=gather surplus=at-exit/at-once",
			"cohorts=2,3 h=1/2/2,2 dead=1/3 case2=any/fd/never",
			"cohorts=2,3 h=1/2 crashes-arbiters=1 case2=any/fd/never",
			"cohorts=2,3 h=2,2 crashes-arbiters=1 case2=fd/never",
			"cohorts=2,3 h=2,2 crashes-requesters=1",
			"cohorts=2,3 h=1,1,1 case2=never",
		},
	},
	{
		Name: "Jiang 2002", Doc: "The majority-like coteries of three nodes, and of five for k=2.",
		Spec: "jiang2002", Limit: 20_000_000,
		Rows: []string{
			"h=1/1,1 timeout=any/never relinquish=all/none",
			"h=1,1 timeout=any/never crashes-arbiters=1",
			"h=1,1 timeout=any/never crashes-requesters=1",
			"h=1,1 timeout=any/never dead=1",
			"h=1,1,1 timeout=any/never",
			"quorums=1+2,1+3,2+3,1+4,2+4,3+4,1+5,2+5,3+5,4+5 k=2 h=1/2/1,1/1,2 timeout=any/never",
		},
	},
	{
		Name: "Raynal", Doc: "Every accounting; h that changes; a crash.", Spec: "raynal", Limit: 20_000_000,
		Rows: []string{
			"n=2 m=1/2/3 rounds=1/2 accounting=add/overwrite/reset/addm",
			"n=2 m=2/3 h=1+2,1+1 rounds=2 accounting=add/overwrite/reset/addm",
			"n=2 m=3 h=1+3,2+1 rounds=2/3 accounting=add/overwrite/reset/addm",
			"n=3 m=1/2/3 rounds=1 accounting=add/overwrite/reset/addm",
			"n=3 m=2 h=1,1,2 rounds=1 accounting=add/overwrite/reset/addm",
			"n=3 m=2 h=1+2,1,1 rounds=2,1,1 accounting=add/overwrite/reset/addm",
			"n=2/3 m=1/2 crashes=1 accounting=add/overwrite/reset/addm",
			"n=2/3 m=1/2 entry=larger",
		},
	},
	{
		Name: "Arbiters", Doc: "Maekawa's three sites, and two units; every policy.", Spec: "arbiter",
		Limit: 20_000_000,
		Rows: []string{
			"sets=1+2,2+3,1+3 policy=fifo/skip/prio/inquire/failed85/failed channel=fifo/bag",
			"sets=1+2,1+2,1+2 k=2 h=1,1,2/1,2,1 policy=fifo/skip/prio/inquire/failed85/failed",
			"sets=1,1,1 k=1/2 policy=fifo/skip/prio/inquire/failed85/failed",
			"sets=1+2,2+3,1+3 crashes-arbiters=1 policy=inquire/failed",
			"sets=1+2,2+3,1+3 crashes-requesters=1 policy=inquire/failed",
			"sets=1+2,2+3,1+3 rounds=2,1,1 policy=inquire/failed",
		},
	},
}
