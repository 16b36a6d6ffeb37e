package vcube

import (
	"github.com/atmostk/atmostk/model/papers"
)

const limit = 20_000_000

// tables are the verdicts over sizes, units, crashes, channels and readings. Without
// crashes line36= and crash-order= mean nothing, and with one request of each process
// the two values of request= in the stack are the same.
var tables = []papers.Table{
	{
		Name: "Diagnosis", Doc: "Rounds of section 4.", Spec: "vcube-rounds", Limit: limit,
		Rows: []string{
			"n=4 crashes=1/2/3 offsets=own/common", "n=8 crashes=1/2 offsets=own/common",
			"n=8 crashes=3 offsets=common", "n=16 crashes=1/2 offsets=common",
		},
	},
	{
		Name: "Tree, four processes", Doc: "Algorithm 5.1.", Spec: "vcube-tree", Limit: limit,
		Rows: []string{"n=4 guard=off/on crashes=0/1/2/3 channel=bag/fifo"},
	},
	{
		Name: "Tree, eight processes", Doc: "One crash, and more with processes dead from the start.",
		Spec: "vcube-tree", Limit: limit,
		Rows: []string{
			"n=8 guard=off/on crashes=1 channel=bag/fifo", "n=8 guard=off/on dead=4 crashes=1/2",
			"n=8 guard=off/on dead=1,2/4,5 crashes=2/3/4",
		},
	},
	{
		Name: "Broadcast, four processes", Doc: "Algorithm 6.1 with one source.", Spec: "vcube-broadcast",
		Limit: limit,
		Rows: []string{
			"n=4 rounds=1/2/3 crashes=0 channel=bag/fifo",
			"n=4 rounds=1/2/3 crashes=1/2/3 line36=bottom-ok/literal channel=bag/fifo",
			"n=4 rounds=3 crashes=1/2/3 line28=any/all forward=always/if-new channel=bag/fifo",
		},
	},
	{
		Name: "Broadcast, two sources", Doc: "Four processes.", Spec: "vcube-broadcast", Limit: limit,
		Rows: []string{
			"n=4 sources=0,1 rounds=1/2 crashes=0 channel=bag/fifo",
			"n=4 sources=0,1 rounds=1/2 crashes=1/2/3 line36=bottom-ok/literal channel=bag/fifo",
			"n=4 sources=0,1 rounds=3 crashes=3 line28=any/all channel=bag/fifo",
		},
	},
	{
		Name: "Broadcast, eight processes", Doc: "Six or seven of them live.", Spec: "vcube-broadcast",
		Limit: limit,
		Rows: []string{
			"n=8 dead=1/4 crashes=2 line36=bottom-ok/literal line28=any/all forward=always/if-new " +
				"channel=bag/fifo",
			"n=8 dead=1,2/4,6 crashes=3 rounds=1/2 line36=bottom-ok/literal line28=any/all " +
				"forward=always/if-new channel=bag/fifo",
		},
	},
	{
		Name: "Broadcast, sixteen processes", Doc: "Seven, six or five of them live.",
		Spec: "vcube-broadcast", Limit: limit,
		Rows: []string{
			"n=16 dead=1,2,3,5,6,7,9,10,11 crashes=10 line36=bottom-ok/literal line28=any/all " +
				"forward=always/if-new channel=bag/fifo",
			"n=16 dead=4,5,6,7,8,9,10,12,13,14 crashes=11 line36=bottom-ok/literal line28=any/all " +
				"forward=always/if-new channel=bag/fifo",
			"n=16 dead=1,2,3,4,5,6,7,9,10,11,13 crashes=12 rounds=1/2 line28=any/all forward=always/if-new " +
				"channel=bag/fifo",
		},
	},
	{
		Name: "Mutual exclusion, two processes", Doc: "Algorithm 7.1 over one-to-all sending.",
		Spec: "vcube-kmutex", Limit: limit,
		Rows: []string{
			"n=2 k=1/2 rounds=1/2 crashes=0 request=atomic/blocked/line/count-first channel=bag/fifo",
			"n=2 k=1/2 rounds=1/2 crashes=1 request=atomic/blocked/line/count-first " +
				"crash-order=atomic/printed/swapped channel=bag/fifo",
		},
	},
	{
		Name: "Mutual exclusion, three processes, a request each",
		Doc:  "Algorithm 7.1 over one-to-all sending.", Spec: "vcube-kmutex", Limit: limit,
		Rows: []string{
			"n=3 k=1/2/3 crashes=0 request=atomic/blocked/line/count-first channel=bag/fifo",
			"n=3 k=1/2/3 crashes=1/2 request=atomic/blocked/count-first crash-order=atomic/printed/swapped " +
				"channel=bag/fifo",
			"n=3 k=1/2/3 crashes=1/2 request=line crash-order=atomic channel=bag/fifo",
			"n=3 k=1/2 crashes=1/2 request=line crash-order=printed/swapped channel=bag/fifo",
			"n=3 k=3 crashes=1/2 request=line crash-order=printed/swapped channel=fifo",
		},
	},
	{
		Name: "Mutual exclusion, three processes, two requests", Doc: "All ask twice, or only p0.",
		Spec: "vcube-kmutex", Limit: limit,
		Rows: []string{
			"n=3 k=1 rounds=2 crashes=0/1/2 request=atomic/blocked/line/count-first channel=bag",
			"n=3 k=1 rounds=2 crashes=0/1/2 channel=fifo",
			"n=3 k=1 rounds=2 crashes=2 request=count-first crash-order=printed/swapped channel=fifo",
			"n=3 k=2 rounds=2 crashes=0 channel=fifo",
			"n=3 k=2 rounds=2 crashes=0/1/2 request=blocked/line/count-first channel=bag",
			"n=3 k=2/3 rounds=2,1,1 crashes=0 request=atomic/blocked/line/count-first channel=fifo",
			"n=3 k=2 rounds=2,1,1 crashes=0 request=atomic/blocked/line/count-first channel=bag",
			"n=3 k=2 rounds=2,1,1 crashes=2 request=atomic/blocked/count-first channel=fifo",
		},
	},
	{
		Name: "Mutual exclusion, four processes", Doc: "Two ask, or all four without crashes.",
		Spec: "vcube-kmutex", Limit: limit,
		Rows: []string{
			"n=4 k=1/2/3 requesters=0,1 crashes=0/1/2/3 channel=bag",
			"n=4 k=1/2/3 requesters=0,1 crashes=0/3 request=blocked/line/count-first channel=fifo",
			"n=4 k=1/2/3 requesters=0,1 crashes=3 crash-order=printed/swapped channel=fifo",
			"n=4 k=1/2/3 requesters=0,1 rounds=2 crashes=0 " +
				"request=atomic/blocked/line/count-first channel=fifo",
			"n=4 k=1/2/3 crashes=0 channel=bag",
		},
	},
	{
		Name: "Mutual exclusion, larger families", Doc: "Two requests each, every reading with crashes. " +
			"Given up after five million states.", Spec: "vcube-kmutex", Limit: 5_000_000,
		Rows: []string{
			"n=3 k=3 rounds=2 crashes=0/1/2 request=atomic/blocked/line/count-first channel=fifo",
			"n=3 k=1/2/3 rounds=2 crashes=1/2 request=atomic/blocked/line/count-first " +
				"crash-order=printed/swapped channel=fifo",
			"n=4 k=1/2/3 requesters=0,1 crashes=1/2/3 request=blocked/line/count-first " +
				"crash-order=atomic/printed/swapped channel=fifo",
			"n=4 k=1/2/3 requesters=0,1 rounds=2 crashes=1/2/3 " +
				"request=atomic/blocked/line/count-first channel=fifo",
		},
	},
	{
		Name: "Mutual exclusion, larger families in bags",
		Doc: "The same in bags, and with two requests each of two among four. Given up after two " +
			"million states.", Spec: "vcube-kmutex", Limit: 2_000_000,
		Rows: []string{
			"n=3 k=3 rounds=2 crashes=0/1/2 request=atomic/blocked/line/count-first channel=bag",
			"n=3 k=1/2/3 rounds=2 crashes=1/2 request=atomic/blocked/line/count-first " +
				"crash-order=printed/swapped channel=bag",
			"n=4 k=1/2/3 requesters=0,1 crashes=1/2/3 request=blocked/line/count-first " +
				"crash-order=atomic/printed/swapped channel=bag",
			"n=4 k=1/2/3 requesters=0,1 rounds=2 crashes=1/2/3 " +
				"request=atomic/blocked/line/count-first channel=bag",
			"n=4 k=1/2/3 requesters=0,1 rounds=2 crashes=1/3 request=atomic/count-first " +
				"crash-order=printed/swapped channel=bag/fifo",
		},
	},
	{
		Name: "Stack, two processes", Doc: "Algorithm 7.1 over Algorithm 6.1.", Spec: "vcube-stack",
		Limit: limit,
		Rows: []string{
			"n=2 k=1/2 rounds=1/2 crashes=0 request=atomic/count-first channel=bag/fifo",
			"n=2 k=1/2 rounds=1/2 crashes=1 request=atomic/count-first line36=bottom-ok/literal " +
				"channel=bag/fifo",
		},
	},
	{
		Name: "Stack, four processes", Doc: "Algorithm 7.1 over Algorithm 6.1.", Spec: "vcube-stack",
		Limit: limit,
		Rows: []string{
			"n=4 k=1/2/3 rounds=1,1,0,0 crashes=0 channel=bag/fifo",
			"n=4 k=1/2 rounds=1,1,0,0 crashes=1 line36=bottom-ok/literal channel=bag/fifo",
			"n=4 k=3 rounds=1,1,0,0 crashes=1 line36=literal channel=fifo",
			"n=4 k=1 rounds=1,1,0,0 crashes=2/3 channel=bag",
			"n=4 k=1/2 rounds=2,0,0,0 crashes=0 request=atomic/count-first channel=bag/fifo",
			"n=4 k=1/2 rounds=2,0,0,0 crashes=1/3 request=atomic/count-first line36=bottom-ok/literal " +
				"channel=bag/fifo",
			"n=4 k=1/2/3 rounds=2,1,0,0 crashes=0 channel=bag",
			"n=4 k=1/2 rounds=2,1,0,0 crashes=1 channel=bag",
			"n=4 k=1 rounds=2,1,0,0 crashes=1 request=count-first line28=all channel=fifo",
			"n=4 k=1/2 rounds=2,2,0,0 crashes=0 request=atomic/count-first channel=bag/fifo",
			"n=4 k=2 rounds=2,1,1,0 crashes=0 request=atomic/count-first channel=fifo",
			"n=4 k=1 rounds=1 crashes=0 channel=bag",
		},
	},
	{
		Name: "Raymond with a failure detector", Doc: "BAS, with which the paper compares.", Spec: "bas",
		Limit: limit,
		Rows: []string{"n=2/3 k=1/2 rounds=1 crashes=0/1/2 channel=bag/fifo",
			"n=4 k=1/2/3 rounds=1,1,0,0 crashes=0/1/2/3 channel=fifo"},
	},
}
