package ring

import (
	"github.com/atmostk/atmostk/model/papers"
)

// every is each combination of the repairs that bear on tokens and elections: drop2 is a part of drop.
const every = "none/participant/orphan/participant+orphan/drop/participant+drop/orphan+drop/" +
	"participant+orphan+drop/drop2/participant+drop2/orphan+drop2/participant+orphan+drop2/epoch/" +
	"participant+epoch/orphan+epoch/participant+orphan+epoch/drop+epoch/participant+drop+epoch/" +
	"orphan+drop+epoch/participant+orphan+drop+epoch/drop2+epoch/participant+drop2+epoch/" +
	"orphan+drop2+epoch/participant+orphan+drop2+epoch"

// limit is where an instance is given up.
const limit = 20_000_000

// releaseTables ask of each reading of OnRelease what it is worth in each combination with the repairs.
var releaseTables = []papers.Table{
	{
		Name: "OnRelease", Doc: "Each handler with each combination of repairs.", Spec: "ring-recovery",
		Limit: limit,
		Rows: []string{
			"n=2/3 f=0 release=rectified/code/prose repair=none/full",
			"n=2 f=1 release=rectified/code/prose repair=" + every,
			"n=3 f=1/2 release=rectified/code/prose repair=" + every,
		},
		Properties: []string{"mutual-exclusion", "one-token", "one-usable-token", "requests-served"},
	},
	{
		Name: "OnRelease in scheme 1", Doc: "The same.", Spec: "ring-recovery", Limit: limit,
		Rows: []string{
			"scheme=1 n=2 f=1/2 release=rectified/code/prose repair=" + every,
			"scheme=1 n=3 f=1 release=rectified/code/prose repair=none/drop/epoch/drop+epoch/full",
		},
		Properties: []string{"mutual-exclusion", "one-token", "one-usable-token", "requests-served"},
	},
}

// failureTables are the verdicts on failures of channels, and on MAX_CEH_ERR.
var failureTables = []papers.Table{
	{
		Name: "Channels that break and open again", Doc: "Nobody crashes, or somebody crashes as well.",
		Spec: "ring-recovery", Limit: limit,
		Rows: []string{
			"n=2 breaks=1/2/3 repair=none/full",
			"n=2 f=1 breaks=1/2 repair=none/full",
			"n=3 breaks=1/2 repair=none/full",
			"n=3 f=1 breaks=1 repair=none/full",
			"scheme=1 n=2 breaks=1/2 repair=none/full",
			"scheme=1 n=2 f=1 breaks=1/2 repair=none/full",
		},
	},
	{
		Name: "Channels that stay broken", Doc: "Nobody crashes.", Spec: "ring-recovery", Limit: limit,
		Rows: []string{
			"n=2/3 breaks=1 lasting=yes repair=none/full",
			"n=2/3 breaks=1 lasting=yes variant=repaired min-k=1/2",
		},
	},
	{
		Name: "MAX_CEH_ERR", Doc: "Attempts until the neighbour is given up, or replaced.",
		Spec:  "ring-recovery",
		Limit: limit,
		Rows: []string{
			"scheme=1 n=2 f=1 max-err=1/2/3 repair=none/full",
			"scheme=1 n=3 f=1 max-err=1/2 repair=none/full",
			"n=3 f=1 max-err=2/3 repair=none/full",
		},
	},
}

// repairTables are the verdicts on variant=repaired, in the sizes and surroundings of the other tables
// and harder ones.
var repairTables = []papers.Table{
	{
		Name: "Repaired: no failures", Doc: "From a warm and from a cold start.", Spec: "ring-recovery",
		Limit: limit,
		Rows:  []string{"scheme=0 n=2/3 start=warm/cold rounds=1/2 variant=repaired"},
	},
	{
		Name: "Repaired: scheme 1", Doc: "Crashes, and channels that break.", Spec: "ring-recovery",
		Limit: limit,
		Rows: []string{
			"scheme=1 n=2 f=1/2/3 rounds=1/2 variant=repaired",
			"scheme=1 n=3 f=1 rounds=1/2 variant=repaired",
			"scheme=1 n=3 f=2 variant=repaired",
			"scheme=1 n=2 f=1 start=cold variant=repaired",
			"scheme=1 n=2 f=0/1 breaks=1/2 variant=repaired",
			"scheme=1 n=2 f=1 release=code/prose variant=repaired",
			"scheme=1 n=2 f=1 token-time=token variant=repaired",
		},
	},
	{
		Name: "Repaired: scheme 2", Doc: "Up to n-1 crashes, also from a cold start.", Spec: "ring-recovery",
		Limit: limit,
		Rows: []string{
			"n=2 f=1 rounds=1/2 start=warm/cold variant=repaired",
			"n=3 f=1/2 rounds=1/2 variant=repaired",
			"n=3 f=1/2 start=cold variant=repaired",
			"n=4 f=1/2/3 variant=repaired",
			"n=4 f=2/3 rounds=2 variant=repaired",
			"n=5 f=1/2/3/4 variant=repaired",
			"n=6 f=3 crashable=2,4,5 rounds=0 variant=repaired",
			"n=3/4 f=2 release=code/prose variant=repaired",
			"n=3/4 f=2 token-time=token variant=repaired",
			"n=3 f=1/2 list=auto variant=repaired",
			"n=4 f=2 list=auto variant=repaired",
			"n=3 f=1 max-err=2/3 variant=repaired",
		},
	},
	{
		Name: "Repaired: channels", Doc: "Channels that break and open again.", Spec: "ring-recovery",
		Limit: limit,
		Rows: []string{
			"n=2 breaks=1/2/3 variant=repaired",
			"n=2 f=1 breaks=1/2 variant=repaired",
			"n=3 breaks=1/2 variant=repaired",
			"n=3 f=1/2 breaks=1 variant=repaired",
			"n=4 breaks=1 variant=repaired",
			"n=2 breaks=1 start=cold variant=repaired",
		},
	},
	{
		Name: "Repaired: MIN_K", Doc: "With up to n-k crashes, and with more.", Spec: "ring-recovery",
		Limit: limit,
		Rows: []string{
			"n=3 f=1/2 min-k=2 variant=repaired",
			"n=4 f=1/2/3 min-k=2/3 variant=repaired",
			"n=5 f=2/3 min-k=3 variant=repaired",
		},
	},
	{
		Name: "Repaired: scheme 3", Doc: "A newcomer, and a process that comes back.", Spec: "ring-recovery",
		Limit: limit,
		Rows: []string{
			"scheme=3 n=3 spare=1 rup-start=none variant=repaired",
			"scheme=3 n=3 f=1 rounds=0 rup-start=none variant=repaired",
			"scheme=3 n=3 spare=1 rounds=0 f=1 recovered=off rup-start=none variant=repaired",
			"scheme=3 n=3 spare=1 f=1 recovered=off rup-start=none variant=repaired",
		},
	},
}
