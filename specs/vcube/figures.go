package vcube

import (
	"regexp"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/figures"
)

// The figures are runs, told step by step in the words of the model. A REPLY that the figure does not
// show the way of is received where the text needs it.

// figure4 is section 6.3: a broadcast of p0 among four, and another one in which p2 fails. The
// numbers are those of the messages in the figure.
var figure4 = figures.Figure{
	Spec: model.Spec{Name: "vcube-broadcast", Params: broadcastParams, Build: buildBroadcast},
	Args: "n=4 rounds=2 crashes=1", Places: places, Steps: []string{
		"p0 broadcast, sends TREE(p0,1) to p1; TREE(p0,1) to p2", // 1, 2
		"p1 receives TREE(p0,1) from p0, sends ACK(p0,1) to p0",  // 3
		"p2 receives TREE(p0,1) from p0, sends TREE(p0,1) to p3", // 4
		"p3 receives TREE(p0,1) from p2, sends ACK(p0,1) to p2",  // 5
		"p2 receives ACK(p0,1) from p3, sends ACK(p0,1) to p0",   // 6
		"p0 receives ACK(p0,1) from p1",
		"p0 receives ACK(p0,1) from p2",
		"p2 crash",
		"p0 broadcast, sends TREE(p0,2) to p1; TREE(p0,2) to p2", // 7, 8
		"p1 receives TREE(p0,2) from p0, sends ACK(p0,2) to p0",  // 9
		"p0 receives ACK(p0,2) from p1",
		"p0 notify of p2, sends TREE(p0,2) to p3", // 10
		"p3 notify of p2",
		"p3 receives TREE(p0,2) from p0, sends ACK(p0,2) to p0", // 11
		"p0 receives ACK(p0,2) from p3",
	},
}

// figure5 is section 7.3: p0 and p2 get the two units of four processes, and p1 that of p0. The
// figure leaves out the acknowledgements, and so are they here: they are on their way yet.
var figure5 = figures.Figure{
	Spec: model.Spec{Name: "vcube-stack", Params: stackParams, Build: buildStack},
	Args: "n=4 k=2 rounds=1,1,1,0", Places: places, Steps: []string{
		"p0 request, sends TREE(p0,1,1) to p1; TREE(p0,1,1) to p2",
		"p1 receives TREE(p0,1,1) from p0, sends REPLY(1) to p0; ACK(p0,1,1) to p0",
		"p2 receives TREE(p0,1,1) from p0, sends REPLY(1) to p0; TREE(p0,1,1) to p3",
		"p3 receives TREE(p0,1,1) from p2, sends REPLY(1) to p0; ACK(p0,1,1) to p2",
		"p0 receives REPLY(1) from p1",
		"p0 receives REPLY(1) from p2",
		"p0 receives REPLY(1) from p3",
		"p0 enter",
		"p2 request, sends TREE(p2,1,2) to p3; TREE(p2,1,2) to p0",
		"p3 receives TREE(p2,1,2) from p2, sends REPLY(1) to p2; ACK(p2,1,2) to p2",
		"p0 receives TREE(p2,1,2) from p2, sends TREE(p2,1,2) to p1", // it defers its REPLY
		"p1 receives TREE(p2,1,2) from p0, sends REPLY(1) to p2; ACK(p2,1,2) to p0",
		"p2 receives REPLY(1) from p3",
		"p2 receives REPLY(1) from p1",
		"p2 enter",
		"p1 request, sends TREE(p1,1,3) to p0; TREE(p1,1,3) to p3",
		"p0 receives TREE(p1,1,3) from p1, sends ACK(p1,1,3) to p1", // it defers its REPLY
		"p3 receives TREE(p1,1,3) from p1, sends REPLY(1) to p1; TREE(p1,1,3) to p2",
		"p2 receives TREE(p1,1,3) from p3, sends ACK(p1,1,3) to p3", // it defers its REPLY
		"p1 receives REPLY(1) from p3",
		"p0 release, sends REPLY(1) to p1; REPLY(1) to p2",
		"p1 receives REPLY(1) from p0",
		"p1 enter",
	},
}

// places are where the paper has a step, behind its name.
var places = regexp.MustCompile(` \([67., 1]*lines? [^)]*\)`)
