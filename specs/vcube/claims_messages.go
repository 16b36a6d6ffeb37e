package vcube

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What sections 1 and 8 claim of the number of messages.

var messagesPerRequest = papers.Claim{
	Name: "Messages of a request", Place: "sections 1, 2 and 8",
	Ruling: papers.Stands,
	Text: "Without failures Raymond's algorithm and BAS send the same number of messages, at most 2(n-1) " +
		"for a request; VCube sends more, because the broadcast is acknowledged.",
	Trials: []papers.Trial{
		{Spec: "raymond", Args: "n=4 k=1 rounds=1,1,0,0", Property: "messages-total"},
		{Spec: "bas", Args: "n=4 k=1 rounds=1,1,0,0", Property: "messages-total"},
		{Spec: "vcube-stack", Args: "n=4 k=1 rounds=1,1,0,0", Property: "messages-total",
			Remark: "at most 3(n-1)"},
		{Spec: "raymond", Args: "n=3 k=2 rounds=2,2,0", Property: "messages-total",
			Remark: "several units and requests: one REPLY can be for several"},
		{Spec: "bas", Args: "n=3 k=2 rounds=2,2,0", Property: "messages-total"},
		{Spec: "vcube-stack", Args: "n=4 k=2 rounds=2,1,0,0", Property: "messages-total",
			Remark: "at most 3(n-1)"},
		{Spec: "vcube-stack", Args: "n=8 k=1 requesters=0", Property: "messages-total",
			Remark: "at most 3(n-1)"},
		{Spec: "raymond", Args: "n=3 k=1", Property: "messages-total",
			Remark: "k=1: Ricart and Agrawala's 2(n-1), section 2"},
	},
	Account: `Over the tree a request costs n-1 TREE, n-1 ACK and, if no REPLY answers two requests at once, n-1 REPLY.`,
}
