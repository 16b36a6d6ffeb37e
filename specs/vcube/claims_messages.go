package vcube

import (
	"fmt"
	"math"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/bas"
	"github.com/atmostk/atmostk/specs/raymond"
)

var messagesPerRequest = model.Claim{
	Name: "Messages of a request", Place: "sections 1 and 8",
	Text: "Without failures Raymond's algorithm and BAS send the same number of messages, at most 2(n-1) for a request; VCube sends more, because the broadcast is acknowledged.",
	Trials: []model.Trial{
		{
			Compute: func() model.Finding { return sameCost(4, 1, 0, 0, 0) }, Remark: "one request, n=4: least and most messages of any run",
			Found: model.Finding{Verdict: "holds", Detail: "Raymond 6, BAS 6, VCube 9"},
		},
		{
			Compute: func() model.Finding { return sameCost(4, 1, 1, 0, 0) }, Remark: "two requests at any time, n=4", Full: true,
			Found: model.Finding{Verdict: "holds", Detail: "Raymond 12, BAS 12, VCube 18"},
		},
		{
			Compute: func() model.Finding { return sameCost(8, 1, 0, 0, 0, 0, 0, 0, 0) }, Remark: "one request, n=8",
			Full: true, Found: model.Finding{Verdict: "holds", Detail: "Raymond 14, BAS 14, VCube 21"},
		},
	},
	Account: `Over the tree a request costs n-1 TREE, n-1 ACK and n-1 REPLY: 3(n-1), in every run, against 2(n-1).`,
}

// sameCost compares the messages of whole runs with k=1: Raymond's and those of BAS
// are to be as many, and at most 2(n-1) for each request; VCube's are to be more.
func sameCost(n int, rounds ...int) model.Finding {
	args := []string{fmt.Sprintf("n=%d", n), "k=1", "rounds=" + strings.Trim(fmt.Sprint(rounds), "[]")}
	args[2] = strings.ReplaceAll(args[2], " ", ",")
	requests := 0
	for _, r := range rounds {
		requests += r
	}
	s := &stack{
		broadcast: &broadcast{cube: cube{n}, bottomOK: true},
		mutex:     &mutex{n: n, k: 1, rounds: rounds}, waiting: splits["blocked"],
	}
	ray, b, v := costOf(raymond.Spec, args), costOf(bas.Spec, args), costs(model.Compose(s.composition(model.Network{})))
	verdict := "holds"
	if ray != b || ray.most > 2*(n-1)*requests || v.least <= ray.most {
		verdict = "violated"
	}
	return model.Finding{Verdict: verdict, Detail: fmt.Sprintf("Raymond %v, BAS %v, VCube %v", ray, b, v)}
}

func costOf(spec model.Spec, args []string) cost {
	in, _, err := spec.Instantiate(args)
	if err != nil {
		panic(err) // the arguments are ours
	}
	return costs(in)
}

// cost is the number of messages from a state to the end of a run.
type cost struct{ least, most int }

func (c cost) String() string {
	if c.least == c.most {
		return fmt.Sprint(c.most)
	}
	return fmt.Sprintf("%d to %d", c.least, c.most)
}

// costs goes through all runs of an instance, which have to end.
func costs(in model.Instance) cost {
	known := map[string]cost{}
	var from func(s model.State) cost
	from = func(s model.State) cost {
		key := s.Key()
		if c, ok := known[key]; ok {
			return c
		}
		steps := in.Plain.Steps(s)
		c := cost{least: math.MaxInt}
		for _, t := range steps {
			rest := from(t.Next)
			c.least, c.most = min(c.least, len(t.Sent)+rest.least), max(c.most, len(t.Sent)+rest.most)
		}
		if len(steps) == 0 {
			c.least = 0
		}
		known[key] = c
		return c
	}
	return from(in.Plain.Init()[0].Next)
}
