package explain_test

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// The heap of these tests may grow as the command lets it for searches: many small ones would
// pay more for its collection than for themselves.
var _ = debug.SetGCPercent(1000)

// A source is an instance of a model.
type source struct{ spec, args string }

// small are instances of compositions; those that have none here are tried as they are
// by default.
var small = []source{
	{"raymond", "n=3 k=2 rounds=2 crashes=1"},
	{"raymond", "n=4 k=2 rounds=3 channel=fifo"},
	{"bas", "n=3 k=1 rounds=2 crashes=1"},
	{"timerfree", "n=3 k=2 f=1 rounds=2 variant=c"},
	{"timerfree", "n=4 k=2 f=1 rounds=2 variant=d rp=off"},
	{"cohorts", "cohorts=1,2 h=1 crashes-arbiters=1"},
	{"cohorts", "cohorts=1,2 h=1 crashes-arbiters=1 case2=fd"},
	{"raynal", "n=2 m=2 h=1+2,1+1 rounds=2,2 accounting=addm"},
	{"arbiter", "sets=1+2,2+3 k=1 h=1,1"},
	{"vcube-tree", "n=4 crashes=1"},
	{"vcube-broadcast", "n=4 crashes=1"},
	{"vcube-kmutex", "n=3 k=2 crashes=1"},
	{"vcube-stack", "n=2 rounds=2,0 crashes=1"},
	{"lamport-mutex", "n=3 max-clock=20"},
	{"ring-recovery", "n=3 f=1"},
	{"ring-recovery", "scheme=1 n=2 f=2 rounds=2"},
	{"ring-recovery", "scheme=3 n=2 f=1 spare=1 repair=full"},
	{"ring-basic", "n=3 f=1"},
}

func explained(t testing.TB, in model.Instance, h *order.History, opt explain.Options) *explain.Report {
	t.Helper()
	r, err := explain.Run(context.Background(), in, h, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLogOfARunIsExplained: a log of a run is explained by a run, whatever it says of it.
func TestLogOfARunIsExplained(t *testing.T) {
	all, runs := small, uint64(2)
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		runs = 30
	}
	for _, s := range specs.All {
		listed := slices.ContainsFunc(small, func(m source) bool { return m.spec == s.Name })
		if instance(t, s.Name, "").Interp != nil && !listed {
			all = append(all, source{s.Name, ""})
		}
	}
	for _, m := range all {
		t.Run(m.spec+" "+m.args, func(t *testing.T) {
			in := instance(t, m.spec, m.args)
			for seed := range runs {
				h := walk(t, in, rand.New(rand.NewPCG(seed, 1)), 120)
				for _, d := range []detail{full, full | seq, ids | sends, texts | sends, texts, state, 0} {
					r := explained(t, in, only(h, d), explain.Options{States: 20_000})
					if r.Verdict == explain.Rejected || d&texts != 0 && r.Verdict != explain.Accepted {
						t.Fatalf("seed %d, detail %b: %s %s, %d of %d lines explained\n%+v", seed, d,
							r.Verdict, r.Reason, r.Explained, r.Lines, r.Furthest)
					}
					if !in.Interp.Medium.Links && d == full &&
						int(r.States) > len(h.Events)+1 {
						t.Errorf("seed %d: %d states for %d lines", seed, r.States, len(h.Events))
					}
				}
			}
		})
	}
}
