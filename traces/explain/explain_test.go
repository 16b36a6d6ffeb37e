package explain_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
)

// small are instances of all compositions.
var small = []struct{ spec, args string }{
	{"raymond", "n=3 k=2 rounds=2 crashes=1"},
	{"raymond", "n=4 k=2 rounds=3 channel=fifo"},
	{"bas", "n=3 k=1 rounds=2 crashes=1"},
	{"timerfree", "n=3 k=2 f=1 rounds=2 variant=c"},
	{"timerfree", "n=4 k=2 f=1 rounds=2 variant=d rp=off"},
	{"cohorts", "cohorts=1,2 h=1 crashes-arbiters=1"},
	{"raynal", "n=2 m=2 h=1+2,1+1 rounds=2,2 accounting=addm"},
	{"arbiter", "sets=1+2,2+3 k=1 h=1,1"},
	{"vcube-tree", "n=4 crashes=1"},
	{"vcube-broadcast", "n=4 crashes=1"},
	{"vcube-kmutex", "n=3 k=2 crashes=1"},
	{"vcube-stack", "n=2 rounds=2,0 crashes=1"},
	{"bas", ""},
	{"lamport-mutex", "n=3 max-clock=20"},
}

func explained(t testing.TB, in model.Instance, h *logs.History, opt explain.Options) *explain.Report {
	t.Helper()
	r, err := explain.Run(context.Background(), in, h, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRuns: a log of a run is explained by a run, whatever it says of it.
func TestRuns(t *testing.T) {
	covered := map[string]bool{}
	for _, m := range small {
		covered[m.spec] = true
		t.Run(m.spec+" "+m.args, func(t *testing.T) {
			in := instance(t, m.spec, m.args)
			for seed := range uint64(30) {
				h := walk(t, in, rand.New(rand.NewPCG(seed, 1)), 120)
				for _, d := range []detail{full, full | seq, ids | sends, texts | sends, texts, state, 0} {
					r := explained(t, in, only(h, d), explain.Options{States: 20_000})
					if r.Verdict == explain.Rejected || d&texts != 0 && r.Verdict != explain.Accepted {
						t.Fatalf("seed %d, detail %b: %s %s, %d of %d lines explained\n%+v", seed, d, r.Verdict, r.Reason, r.Explained, r.Lines, r.Frontiers)
					}
					if d == full && int(r.States) > len(h.Events)+1 {
						t.Errorf("seed %d: %d states for %d lines", seed, r.States, len(h.Events))
					}
				}
			}
		})
	}
	for _, s := range specs.All {
		in := instance(t, s.Name, "")
		if _, ok := in.Plain.(model.Composed); ok && !covered[s.Name] {
			t.Errorf("%s is a composition and not among the small instances", s.Name)
		}
	}
}
