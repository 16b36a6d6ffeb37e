package timerfree

import (
	"github.com/atmostk/atmostk/model/papers"
)

// limit is the number of states after which an instance of the tables is given up.
const limit = 20_000_000

// tables are the verdicts over variants, rounds, channels, crashes and readings
// of RP. Without crashes crash-sends means nothing, and with f=0 RP in
// terms of V demands nothing.
var tables = []papers.Table{
	{
		Name: "One unit, two processes", Doc: "n=2 k=1 f=0.", Spec: "timerfree", Limit: limit,
		Rows: []string{"n=2 k=1 f=0 rounds=1/2 variant=a/b/c/d channel=bag/fifo rp=off/V/T"},
	},
	{
		Name: "One unit, three processes", Doc: "n=3 k=1 f=0.", Spec: "timerfree", Limit: limit,
		Rows: []string{
			"n=3 k=1 f=0 rounds=1 variant=a/b/c/d channel=bag/fifo rp=off/V/T",
			"n=3 k=1 f=0 rounds=2 variant=a/b/c/d channel=fifo rp=off",
		},
	},
	{
		Name: "Two units, three processes", Doc: "n=3 k=2 f=0.", Spec: "timerfree", Limit: limit,
		Rows: []string{
			"n=3 k=2 f=0 rounds=1 variant=a/b/c/d channel=bag/fifo rp=off",
			"n=3 k=2 f=0 rounds=2,1,0 variant=a/b/c/d channel=bag/fifo rp=off/V/T",
		},
	},
	{
		Name: "A crash to tolerate, and none", Doc: "n=3 k=2 f=1.", Spec: "timerfree", Limit: limit,
		Rows: []string{"n=3 k=2 f=1 rounds=2,1,0 crashes=0 variant=a/b/c/d channel=bag/fifo rp=off/V/T"},
	},
	{
		Name: "A crash",
		Doc: "n=3 k=2 f=1, with crashes between steps only, and in the loops of lines 13-14 and " +
			"17-18.", Spec: "timerfree", Limit: limit,
		Rows: []string{
			"n=3 k=2 f=1 rounds=1,1,0 variant=a/b/c/d channel=bag/fifo " +
				"crash-sends=none/prefix/subset rp=off/V/T",
			"n=3 k=2 f=1 rounds=2,1,0 variant=a/b/c/d channel=fifo crash-sends=subset rp=V/T",
			"n=3 k=2 f=1 rounds=1 variant=a/b/d channel=fifo crash-sends=subset rp=V/T",
		},
	},
	{
		Name: "Dead from the start",
		Doc: "One or two of three or four processes; each survivor requests three " +
			"times.", Spec: "timerfree", Limit: limit,
		Rows: []string{
			"n=3 k=2 f=1 dead=3 rounds=3,3,0 variant=a/b/c/d channel=bag/fifo rp=V/T",
			"n=3 k=3 f=1 dead=3 rounds=3,3,0 variant=a/b/c/d channel=fifo rp=V/T",
			"n=4 k=3 f=2 dead=3,4 rounds=3,3,0,0 variant=a/b/c/d channel=fifo rp=V/T",
			"n=2 k=2 f=1 dead=2 rounds=3,0 variant=a/b/c/d channel=fifo rp=V/T",
		},
	},
	{
		Name: "Four processes", Doc: "Two of them request.", Spec: "timerfree", Limit: limit,
		Rows: []string{
			"n=4 k=2 f=1 rounds=1,1,0,0 variant=a/b/c/d channel=bag/fifo rp=off/V/T",
			"n=4 k=3 f=1 rounds=1,1,0,0 variant=a/b/c/d channel=fifo rp=V/T",
			"n=4 k=3 f=2 rounds=1,1,0,0 variant=a/b/c/d channel=fifo rp=V/T",
		},
	},
	{
		Name: "As many crashes as units", Doc: "Outside of what the paper assumes.", Spec: "timerfree",
		Limit: limit,
		Rows: []string{
			"n=2 k=1 f=1 rounds=1 variant=a/b/c/d channel=bag/fifo rp=off",
			"n=3 k=2 f=2 rounds=1,1,0 variant=a/b/c/d channel=bag/fifo rp=off/V",
		},
	},
	{
		Name: "Modifiers", Doc: "The footnote's order, the last of several deferred requests, permissions " +
			"counted once.", Spec: "timerfree", Limit: limit,
		Rows: []string{
			"n=2 k=1 f=0 rounds=2 variant=a/b/c/d channel=bag/fifo order=total/footnote rp=off",
			"n=3 k=2 f=0 rounds=2,0,1 variant=a/b/c/d channel=bag/fifo pending=largest/last rp=off",
			"n=3 k=2 f=1 rounds=2,0,1 crashable=2 variant=a/b/c/d channel=bag pending=largest/last rp=V",
			"n=3 k=2 f=0 rounds=2,1,0 variant=a/b/c/d channel=bag/fifo nodup=off/on rp=off",
		},
	},
	{
		Name: "Runs without end",
		Doc: "Theorem 1, with all crashes at the beginning, within bounds on clocks " +
			"and on messages under way.",
		Spec: "timerfree", Limit: limit, Properties: []string{"detected-at-last"},
		Rows: []string{
			"n=2 k=2 f=1 variant=a last=forgotten dead=2 rounds=inf max-skew=2 max-in-flight=3 channel=fifo",
			"n=3 k=2/3 f=1 variant=a last=forgotten dead=3 rounds=inf max-skew=3 " +
				"max-in-flight=4 channel=fifo",
			"n=3 k=3 f=2 variant=a last=forgotten dead=2,3 rounds=inf max-skew=2 " +
				"max-in-flight=3 channel=fifo",
			"n=4 k=2/3/4 f=1 variant=a last=forgotten dead=4 rounds=inf max-skew=2 " +
				"max-in-flight=3 channel=fifo",
			"n=4 k=3/4 f=2 variant=a last=forgotten dead=3,4 rounds=inf max-skew=3 " +
				"max-in-flight=4 channel=fifo",
			"n=4 k=4 f=3 variant=a last=forgotten dead=2,3,4 rounds=inf max-skew=2 " +
				"max-in-flight=3 channel=fifo",
			"n=5 k=3/4 f=2 variant=a last=forgotten dead=4,5 rounds=inf max-skew=2 " +
				"max-in-flight=3 channel=fifo",
			"n=5 k=4 f=3 variant=a last=forgotten dead=3,4,5 rounds=inf max-skew=3 " +
				"max-in-flight=4 channel=fifo",
			"n=5 k=5 f=4 variant=a last=forgotten dead=2,3,4,5 rounds=inf max-skew=2 " +
				"max-in-flight=3 channel=fifo",
			"n=3 k=2/3 f=1 variant=c dead=3 rounds=inf max-skew=3 max-in-flight=4 channel=fifo",
			"n=4 k=2/3 f=1 variant=c dead=4 rounds=inf max-skew=3 max-in-flight=4 channel=fifo",
			"n=4 k=3/4 f=2 variant=c dead=3,4 rounds=inf max-skew=3 max-in-flight=4 channel=fifo",
			"n=5 k=3 f=2 variant=c dead=4,5 rounds=inf max-skew=3 max-in-flight=4 channel=fifo",
			"n=5 k=4/5 f=3 variant=c dead=3,4,5 rounds=inf max-skew=3 max-in-flight=4 channel=fifo",
		},
	},
}

// repairTables are the verdicts on variant=repaired, in the sizes and surroundings of the other
// tables.
var repairTables = []papers.Table{
	{
		Name: "Repaired, no crash to tolerate", Doc: "f=0.", Spec: "timerfree", Limit: limit,
		Rows: []string{
			"n=2 k=1 f=0 rounds=1/2/3 variant=repaired channel=bag/fifo rp=V/T",
			"n=3 k=1 f=0 rounds=1 variant=repaired channel=bag/fifo rp=V/T",
			"n=3 k=1 f=0 rounds=2 variant=repaired channel=fifo rp=T",
			"n=3 k=2/3 f=0 rounds=1 variant=repaired channel=bag/fifo rp=V/T",
			"n=3 k=2/3 f=0 rounds=2,1,0 variant=repaired channel=bag/fifo rp=V/T",
			"n=3 k=2 f=0 rounds=2,1,1 variant=repaired channel=fifo rp=T",
			"n=3 k=2 f=0 rounds=2,0,1 variant=repaired channel=bag/fifo pending=largest/last rp=T",
		},
	},
	{
		Name: "Repaired, with crashes", Doc: "f from 1 to 3, f < k.", Spec: "timerfree", Limit: limit,
		Rows: []string{
			"n=2 k=2 f=1 rounds=1/2/3 variant=repaired channel=bag/fifo rp=V/T",
			"n=3 k=2/3 f=1 rounds=2,1,0 crashes=0 variant=repaired channel=bag/fifo rp=V/T",
			"n=3 k=2 f=1 rounds=2,1,1 crashes=0 variant=repaired channel=fifo rp=T",
			"n=3 k=2/3 f=1 rounds=1,1,0 variant=repaired channel=bag/fifo " +
				"crash-sends=none/prefix/subset rp=V/T",
			"n=3 k=2/3 f=1 rounds=2,1,0 variant=repaired channel=fifo crash-sends=subset rp=V/T",
			"n=3 k=2 f=1 rounds=1 variant=repaired channel=fifo crash-sends=subset rp=T",
			"n=3 k=2 f=1 rounds=2,0,1 crashable=2 variant=repaired channel=bag pending=largest rp=V/T",
			"n=3 k=3 f=2 rounds=1,1,0 variant=repaired channel=bag/fifo rp=V/T",
			"n=4 k=2/3 f=1 rounds=1,1,0,0 variant=repaired channel=bag/fifo rp=T",
			"n=4 k=3/4 f=2 rounds=1,1,0,0 variant=repaired channel=fifo rp=T",
			"n=4 k=4 f=3 rounds=1,0,0,0 variant=repaired channel=fifo rp=T",
			"n=5 k=3 f=2 rounds=1,1,0,0,0 crashes=0 variant=repaired channel=fifo rp=T",
		},
	},
	{
		Name: "Repaired, dead from the start", Doc: "One to three of up to five processes; each survivor " +
			"requests three times.", Spec: "timerfree", Limit: limit,
		Rows: []string{
			"n=2 k=2 f=1 dead=2 rounds=3,0 variant=repaired channel=bag/fifo rp=V/T",
			"n=3 k=2/3 f=1 dead=3 rounds=3,3,0 variant=repaired channel=bag/fifo rp=V/T",
			"n=3 k=3 f=2 dead=2,3 rounds=3,0,0 variant=repaired channel=bag/fifo rp=V/T",
			"n=4 k=3/4 f=2 dead=3,4 rounds=3,3,0,0 variant=repaired channel=bag/fifo rp=V/T",
			"n=5 k=4/5 f=3 dead=3,4,5 rounds=3,3,0,0,0 variant=repaired channel=bag/fifo rp=V/T",
		},
	},
	{
		Name: "Repaired, runs without end",
		Doc: "Theorem 1, with all crashes at the beginning, within bounds on " +
			"clocks and on messages under way.",
		Spec: "timerfree", Limit: limit, Properties: []string{"detected-at-last"},
		Rows: []string{
			"n=2 k=2 f=1 variant=repaired dead=2 rounds=inf channel=fifo",
			"n=3 k=2/3 f=1 variant=repaired dead=3 rounds=inf max-skew=4 max-in-flight=5 channel=bag/fifo",
			"n=3 k=3 f=2 variant=repaired dead=2,3 rounds=inf channel=fifo",
			"n=4 k=2/3/4 f=1 variant=repaired dead=4 rounds=inf max-skew=3 max-in-flight=4 channel=fifo",
			"n=4 k=3/4 f=2 variant=repaired dead=3,4 rounds=inf max-skew=4 max-in-flight=5 channel=bag/fifo",
			"n=4 k=3/4 f=2 variant=repaired dead=4 rounds=inf max-skew=2 max-in-flight=3 channel=fifo",
			"n=5 k=3/4 f=2 variant=repaired dead=4,5 rounds=inf max-skew=3 max-in-flight=4 channel=fifo",
			"n=5 k=4/5 f=3 variant=repaired dead=3,4,5 rounds=inf max-skew=4 max-in-flight=5 channel=fifo",
		},
	},
}
