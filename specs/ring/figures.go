package ring

import (
	"regexp"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/figures"
)

// plain is ring-recovery without what a page needs.
var plain = model.Spec{Name: "ring-recovery", Params: recoveryParams, Build: buildRecovery}

// places are where the specification has a step, behind its name.
var places = regexp.MustCompile(` \([A-Za-z0-9.]+::[A-Za-z0-9]+\)`)

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
var figure3 = figures.Figure{
	Spec: plain, Args: "n=6 f=3 crashable=2,4,5 rounds=0", Places: places, Steps: append([]string{
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
var figure3Consecutive = figures.Figure{
	Spec: plain, Args: "n=6 f=3 crashable=2,4,5 rounds=0", Places: places, Steps: append([]string{
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
