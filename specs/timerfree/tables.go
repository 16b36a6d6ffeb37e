package timerfree

import "github.com/atmostk/atmostk/model"

// tables are the verdicts over variants, rounds, channels, crashes and readings
// of RP. Without crashes crash-sends means nothing, and with f=0 RP in
// terms of V demands nothing.
var tables = []model.Table{
	{
		Name: "One unit, two processes", Doc: "n=2 k=1 f=0.", Spec: "timerfree", Limit: 20_000_000,
		Rows: []string{"n=2 k=1 f=0 rounds=1/2 variant=a/b/c/d channel=bag/fifo rp=off/V/T"},
	},
	{
		Name: "One unit, three processes", Doc: "n=3 k=1 f=0.", Spec: "timerfree", Limit: 20_000_000,
		Rows: []string{"n=3 k=1 f=0 rounds=1 variant=a/b/c/d channel=bag/fifo rp=off/V/T"},
	},
	{
		Name: "One unit, three processes, two requests each", Doc: "n=3 k=1 f=0.", Spec: "timerfree", Limit: 20_000_000,
		Rows: []string{"n=3 k=1 f=0 rounds=2 variant=a/b/c/d channel=bag/fifo rp=off/V/T"},
	},
	{
		Name: "Two units, three processes", Doc: "n=3 k=2 f=0.", Spec: "timerfree", Limit: 20_000_000,
		Rows: []string{"n=3 k=2 f=0 rounds=1 variant=a/b/c/d channel=bag/fifo rp=off/V/T"},
	},
	{
		Name: "Two units, three processes, two requests each", Doc: "n=3 k=2 f=0.", Spec: "timerfree", Limit: 20_000_000,
		Rows: []string{"n=3 k=2 f=0 rounds=2 variant=a/b/c channel=bag/fifo rp=off/V/T"},
	},
	{
		Name: "Two units, three processes, two requests each, variant d", Doc: "It waits for more replies, and has fewer states.", Spec: "timerfree", Limit: 20_000_000,
		Rows: []string{"n=3 k=2 f=0 rounds=2 variant=d channel=bag/fifo rp=off/V/T"},
	},
	{
		Name: "A crash", Doc: "n=3 k=2 f=1, with crashes between steps only, and in the loops of lines 13-14 and 17-18.", Spec: "timerfree", Limit: 20_000_000,
		Rows: []string{"n=3 k=2 f=1 rounds=1 variant=a/b/c/d channel=bag/fifo crash-sends=none/prefix/subset rp=off/V/T"},
	},
	{
		Name: "A crash, two requests each", Doc: "n=3 k=2 f=1.", Spec: "timerfree", Limit: 20_000_000,
		Rows: []string{"n=3 k=2 f=1 rounds=2 variant=a/b/c/d channel=bag/fifo crash-sends=none/prefix/subset rp=off/V/T"},
	},
	{
		Name: "Four processes", Doc: "Two of them request.", Spec: "timerfree", Limit: 20_000_000,
		Rows: []string{
			"n=4 k=2 f=1 rounds=1,1,0,0 variant=a/b/c/d channel=bag/fifo rp=off/V/T",
			"n=4 k=3 f=2 rounds=1,1,0,0 variant=a/b/c/d channel=bag/fifo rp=off/V/T",
		},
	},
	{
		Name: "Modifiers", Doc: "The footnote's order, the last of several deferred requests, permissions counted once.", Spec: "timerfree", Limit: 20_000_000,
		Rows: []string{
			"n=2 k=1 f=0 rounds=2 variant=a/b/c/d channel=bag/fifo order=total/footnote rp=off",
			"n=3 k=2 f=0 rounds=2,0,1 variant=a/b/c/d channel=bag/fifo pending=largest/last rp=off",
			"n=3 k=2 f=1 rounds=2,0,1 crashable=2 variant=a/b/c/d channel=bag pending=largest/last rp=V",
			"n=3 k=2 f=0 rounds=2,1,0 variant=a/b/c/d channel=bag/fifo nodup=off/on rp=off",
		},
	},
}
