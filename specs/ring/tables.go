package ring

import (
	"github.com/atmostk/atmostk/model/papers"
)

// tables are the verdicts over sizes, readings, repairs and crashes.
var tables = []papers.Table{
	{
		Name: "Election", Doc: "One and two starts, both orders of the ids.", Spec: "ring-election",
		Limit: limit,
		Rows:  []string{"n=2/3/4 starts=1/2 order=ascending/descending"},
	},
	{
		Name: "Basic algorithm", Doc: "One ring-up and all of them.", Spec: "ring-basic", Limit: limit,
		Rows: []string{
			"n=2/3 ring-up=one/all after-election=reset/keep rounds=1/2",
			"n=3 ring-up=one/all order=descending",
			"n=2/3 f=1",
			"n=2/3 breaks=1",
			"n=3 f=1 breaks=1",
		},
	},
	{
		Name: "Order of requests", Doc: "ME3, with the requests numbered.", Spec: "ring-basic", Limit: limit,
		Rows: []string{"n=2/3 tickets=on rounds=1/2"}, Properties: []string{"me3"},
	},
	{
		Name: "Scheme 0", Doc: "No failures, from a warm and from a cold start.", Spec: "ring-recovery",
		Limit: limit,
		Rows:  []string{"scheme=0 n=2/3 start=warm/cold rounds=1/2"},
	},
	{
		Name: "Cold start", Doc: "No failures: each reading, and the repairs with one left out.",
		Spec: "ring-recovery", Limit: limit,
		Rows: []string{
			"scheme=0 n=2/3 start=cold repair=none/full/participant/orphan/drop/drop2/epoch/drop+epoch/" +
				"participant+drop",
			"scheme=0 n=2/3 start=cold release=code/prose",
			"scheme=0 n=2/3 start=cold after-election=reset",
			"scheme=0 n=2/3 start=cold coordinator-off=no",
			"scheme=0 n=2/3 start=cold token-time=token",
		},
	},
	{
		Name: "Scheme 1", Doc: "Crashes with recovery.", Spec: "ring-recovery", Limit: limit,
		Rows: []string{
			"scheme=1 n=2/3 f=1 rounds=1/2 repair=none/full",
			"scheme=1 n=2 f=2 rounds=1/2 repair=none/full",
			"scheme=1 n=2/3 f=1 release=code/prose",
			"scheme=1 n=2/3 f=1 after-election=reset",
			"scheme=1 n=2/3 f=1 coordinator-off=no",
			"scheme=1 n=2/3 f=1 token-time=token",
			"scheme=1 n=2/3 f=1 repair=orphan+drop+epoch/participant+drop+epoch/participant+orphan+epoch/" +
				"participant+orphan+drop",
		},
	},
	{
		Name: "Scheme 2", Doc: "Up to three crashes, warm.", Spec: "ring-recovery", Limit: limit,
		Rows: []string{
			"n=2 f=1 rounds=1/2 repair=none/full",
			"n=3 f=1/2 rounds=1/2 repair=none/full",
			"n=4 f=1/2/3 repair=none/full",
			"n=4 f=1/2 rounds=2 repair=none/full",
			"n=5 f=1/2/3 repair=none/full",
		},
	},
	{
		Name: "Scheme 2, cold start", Doc: "Crashes while the ring comes up.", Spec: "ring-recovery",
		Limit: limit,
		Rows:  []string{"n=2/3 f=1 start=cold repair=none/full"},
	},
	{
		Name: "Readings", Doc: "Each reading, as it is and with the full repair.", Spec: "ring-recovery",
		Limit: limit,
		Rows: []string{
			"n=3 f=1/2 release=rectified/code/prose repair=none/full",
			"n=3 f=1/2 after-election=keep/reset repair=none/full",
			"n=3 f=1/2 coordinator-off=yes/no repair=none/full",
			"n=3 f=1/2 token-time=own/token repair=none/full",
			"n=3 f=1/2 list=static/auto/auto-no-self/literal repair=none/full",
			"n=3 f=1/2 list=auto/auto-no-self guard=none repair=none/full",
			"n=4 f=2 release=code/prose repair=none/full",
			"n=4 f=2 token-time=token repair=none/full",
		},
	},
	{
		Name: "Repairs", Doc: "Each repair, and the full repair without each of its parts.",
		Spec:  "ring-recovery",
		Limit: limit,
		Rows: []string{
			"n=3 f=1/2 repair=participant/orphan/drop/drop2/epoch",
			"n=3/4 f=2 repair=orphan+drop+epoch/participant+drop+epoch/participant+orphan+epoch/" +
				"participant+orphan+drop/participant+orphan+drop2+epoch/full",
		},
	},
	{
		Name: "MIN_K", Doc: "From 0 to n.", Spec: "ring-recovery", Limit: limit,
		Rows: []string{
			"n=3 f=2 min-k=0/1/2/3 list=static/auto/literal",
			"n=3 f=2 min-k=0/1/2/3 list=auto guard=none",
			"n=2 f=1 min-k=0/1/2 list=auto guard=none start=cold",
			"n=4 f=3 min-k=0/1/2/3/4",
			"n=4 f=1/2 min-k=2/3",
			"n=3 f=1 min-k=2",
			"n=5 f=2 min-k=4",
			"n=5 f=3 min-k=3",
		},
	},
	{
		Name: "Scheme 3",
		Doc:  "Three processes and a newcomer, and three of which one crashes and comes back.",
		Spec: "ring-recovery", Limit: limit,
		Rows: []string{
			"scheme=3 n=3 spare=1 rup-start=none insert=front/back head=pop/front " +
				"repair=none/full/full+requeue",
			"scheme=3 n=3 spare=1 rounds=0 rup-start=all repair=none/full",
			"scheme=3 n=3 spare=1 rounds=0 f=1 recovered=off rup-start=none insert=front/back " +
				"repair=none/full/" +
				"full+requeue",
			"scheme=3 n=3 f=1 rounds=0 rup-start=none repair=none/full/full+requeue",
			"scheme=3 n=3 spare=1 f=1 recovered=off rup-start=none repair=none/full/full+requeue",
		},
	},
}
