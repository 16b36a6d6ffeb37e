package computed

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/specs/ring"
	"github.com/atmostk/atmostk/specs/vcube"
)

// A figure is a run in a paper, step by step in the words of a model. What the paper
// leaves out is filled in where the text needs it.
type figure struct {
	Spec  model.Spec
	Args  string
	Steps []string // as lts.Transition.Text has them, without what Places matches
	// Places matches the place of a step in the paper; nil: nothing is left out.
	Places *regexp.Regexp
}

// Follow takes the steps one after the other. The finding holds if each is one of the model.
func (f *figure) Follow() finding {
	in, _, err := f.Spec.Instantiate(strings.Fields(f.Args))
	if err != nil {
		return finding{Verdict: "violated", Detail: err.Error()}
	}
	at := in.Plain.Init()[0].Next
	for n, want := range f.Steps {
		next := lts.State(nil)
		var texts []string
		for _, t := range in.Plain.Steps(at) {
			text := t.Text()
			if f.Places != nil {
				text = f.Places.ReplaceAllString(text, "")
			}
			if texts = append(texts, text); text == want {
				next = t.Next
			}
		}
		if next == nil {
			return finding{
				Verdict: "violated", Length: n,
				Detail: fmt.Sprintf("step %d cannot be %q: %s", n+1, want, strings.Join(texts, "; ")),
			}
		}
		at = next
	}
	return finding{Verdict: "holds", Length: len(f.Steps), Detail: "every step is one of the model"}
}

// ringPlaces are where the specification has a step, behind its name.
var ringPlaces = regexp.MustCompile(` \([A-Za-z0-9.]+::[A-Za-z0-9]+\)`)

// recovery is how the ring of P1, P3 and P6 goes on once it is closed: election and token.
var recovery = []string{
	"p3 receives election(p6) from p1, sends election(p6) to p6",
	"p6 receives election(p6) from p3, sends elected(p6) to p1",
	"p1 receives elected(p6) from p6, sends elected(p6) to p3",
	"p3 receives elected(p6) from p1, sends elected(p6) to p6",
	"p6 receives elected(p6) from p3, sends clear to p1",
	"p1 receives clear from p6, sends clear to p3",
	"p3 receives clear from p1, sends clear to p6",
	"p6 receives clear from p3, sends token(1) to p1",
	"p1 receives token(1) from p6, sends token(1) to p3",
	"p3 receives token(1) from p1, sends token(1) to p6",
	"p6 receives token(1) from p3, sends token(1) to p1",
}

// figure3 is the shrinking after simultaneous failures. The old token is lost with p2.
var figure3 = figure{
	Spec: ring.Recovery, Args: "n=6 f=3 crashable=2,4,5 rounds=0", Places: ringPlaces, Steps: append([]string{
		"p1 receives token(1) from p6, sends token(1) to p2",
		"p2 crash",
		"p4 crash",
		"p5 crash",
		"p3 detect",
		"p3 open-error",
		"p3 open-error",
		"p3 connect, sends rup(p3) to p6",
		"p6 receives rup(p3) from p3, sends rup(p3) to p1",
		"p1 detect",
		"p1 open-error",
		"p1 connect, sends rup(p1) to p3",
		"p1 receives rup(p3) from p6, sends rup(p3) to p3",
		"p3 receives rup(p1) from p1, sends rup(p1) to p6",
		"p3 receives rup(p3) from p1, sends election(p3) to p6",
		"p6 receives rup(p1) from p3, sends rup(p1) to p1",
		"p6 receives election(p3) from p3, sends election(p6) to p1",
		"p1 receives rup(p1) from p6, sends election(p1) to p3",
		"p1 receives election(p6) from p6, sends election(p6) to p3",
		"p3 receives election(p1) from p1",
	}, recovery...),
}

// figure3Consecutive is the same after one failure after the other: p3 turns to p5 before that fails.
var figure3Consecutive = figure{
	Spec: ring.Recovery, Args: "n=6 f=3 crashable=2,4,5 rounds=0", Places: ringPlaces, Steps: append([]string{
		"p1 receives token(1) from p6, sends token(1) to p2",
		"p2 crash",
		"p1 detect",
		"p1 open-error",
		"p1 connect, sends rup(p1) to p3",
		"p4 crash",
		"p3 receives rup(p1) from p1",
		"p3 detect",
		"p3 open-error",
		"p3 connect, sends rup(p3) to p5",
		"p5 crash",
		"p3 detect",
		"p3 open-error",
		"p3 connect, sends rup(p3) to p6",
		"p1 rup-timeout, sends rup(p1) to p3",
		"p3 receives rup(p1) from p1, sends rup(p1) to p6",
		"p6 receives rup(p3) from p3, sends rup(p3) to p1",
		"p1 receives rup(p3) from p6, sends rup(p3) to p3",
		"p3 receives rup(p3) from p1, sends election(p3) to p6",
		"p6 receives rup(p1) from p3, sends rup(p1) to p1",
		"p1 receives rup(p1) from p6, sends election(p1) to p3",
		"p3 receives election(p1) from p1",
		"p6 receives election(p3) from p3, sends election(p6) to p1",
		"p1 receives election(p6) from p6, sends election(p6) to p3",
	}, recovery...),
}

// The figures, step by step in the words of the model. A REPLY that the figure does not
// show the way of is received where the text needs it.

// figure4 is section 6.3: a broadcast of p0 among four, and another one in which p2 fails. The
// numbers are the figure's numbers of messages.
var figure4 = figure{
	Spec: vcube.Broadcast,
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

// figure5 is section 7.3: p0 and p2 of four processes get the two units, and p1 the unit of p0. The
// figure leaves out the acknowledgements, and so are they here: they are on their way yet.
var figure5 = figure{
	Spec: vcube.Stack,
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
