package vcube

import "github.com/atmostk/atmostk/model"

// What sections 1 and 8 claim of the number of messages.

var messagesPerRequest = model.Claim{
	Name: "Messages of a request", Place: "sections 1 and 8",
	Text: "Without failures Raymond's algorithm and BAS send the same number of messages, at most 2(n-1) for a request; VCube sends more, because the broadcast is acknowledged.",
	Trials: []model.Trial{
		{Spec: "raymond", Args: "n=4 k=1 rounds=1,1,0,0", Property: "messages-total", Found: model.Finding{Verdict: "holds", States: 2_210, Detail: "least: 12 messages for 2 requests, 6.00 each; most: 12 messages for 2 requests, 6.00 each"}},
		{Spec: "bas", Args: "n=4 k=1 rounds=1,1,0,0", Property: "messages-total", Found: model.Finding{Verdict: "holds", States: 2_210, Detail: "least: 12 messages for 2 requests, 6.00 each; most: 12 messages for 2 requests, 6.00 each"}},
		{Spec: "vcube-stack", Args: "n=4 k=1 rounds=1,1,0,0", Property: "messages-total", Remark: "at most 3(n-1)", Found: model.Finding{Verdict: "holds", States: 11_326, Detail: "least: 18 messages for 2 requests, 9.00 each; most: 18 messages for 2 requests, 9.00 each"}},
		{Spec: "raymond", Args: "n=3 k=2 rounds=2,2,0", Property: "messages-total", Remark: "several units and requests: one REPLY can be for several", Full: true, Found: model.Finding{Verdict: "holds", States: 155_247, Detail: "least: 14 messages for 4 requests, 3.50 each; most: 16 messages for 4 requests, 4.00 each"}},
		{Spec: "bas", Args: "n=3 k=2 rounds=2,2,0", Property: "messages-total", Full: true, Found: model.Finding{Verdict: "holds", States: 155_247, Detail: "least: 14 messages for 4 requests, 3.50 each; most: 16 messages for 4 requests, 4.00 each"}},
		{Spec: "vcube-stack", Args: "n=4 k=2 rounds=2,1,0,0", Property: "messages-total", Remark: "at most 3(n-1)", Full: true, Found: model.Finding{Verdict: "holds", States: 248_517, Detail: "least: 26 messages for 3 requests, 8.67 each; most: 27 messages for 3 requests, 9.00 each"}},
		{Spec: "vcube-stack", Args: "n=8 k=1 requesters=0", Property: "messages-total", Remark: "at most 3(n-1)", Found: model.Finding{Verdict: "holds", States: 12_610, Detail: "least: 21 messages; most: 21 messages"}},
	},
	Account: `Over the tree a request costs n-1 TREE, n-1 ACK and, if no REPLY answers two requests at once, n-1 REPLY.`,
}
