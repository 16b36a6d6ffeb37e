package cluster_test

import (
	"context"
	"testing"

	"github.com/atmostk/atmostk/traces/cluster"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// TestLogsAreExplainedByTheModel: what real processes did is a run of the model.
func TestLogsAreExplainedByTheModel(t *testing.T) {
	for _, c := range []struct {
		args   string
		change func(*cluster.Options)
	}{
		{"raymond n=3 k=2 rounds=15", nil},
		{"raymond n=3 k=1 rounds=inf channel=fifo", nil},
		{"timerfree n=5 k=3 f=2 rp=off rounds=inf", func(o *cluster.Options) { o.RandomKills = 2 }},
		{"timerfree n=5 k=3 f=2 rp=off rounds=5", func(o *cluster.Options) {
			o.RandomKills, o.CrashInside = 2,
				true
		}},
		{"vcube-kmutex n=4 k=2 rounds=5 crashes=1", func(o *cluster.Options) { o.RandomKills = 1 }},
		{"vcube-stack n=4 k=2 rounds=5 crashes=1", func(o *cluster.Options) { o.RandomKills = 1 }},
		{"vcube-broadcast n=4 rounds=5 crashes=1", func(o *cluster.Options) { o.RandomKills = 1 }},
		{"vcube-tree n=8 crashes=2", func(o *cluster.Options) { o.RandomKills = 2 }},
		{"cohorts cohorts=2,3 h=2,2 rounds=10", nil},
		{"arbiter sets=1+2,2+3,1+3 k=1 h=1,1,1 policy=failed rounds=5", nil},
		{"raynal n=3 m=2 h=1,1,2 rounds=10", nil},
		{"lamport-mutex n=3 max-clock=100", nil},
	} {
		t.Run(c.args, func(t *testing.T) {
			opt := options(t, c.args)
			if c.change != nil {
				c.change(&opt)
			}
			for _, r := range start(t, opt) {
				check(t, r)
				if x := explained(t, c.args, r); x.Verdict != explain.Accepted {
					t.Errorf("%s %s: %d of %d lines", x.Verdict, x.Reason, x.Explained, x.Lines)
				}
			}
		})
	}
}

// TestLogsAreNotExplainedByAnotherModel: what they did is no run of another model.
func TestLogsAreNotExplainedByAnotherModel(t *testing.T) {
	const args = "raymond n=3 k=2 rounds=15 variant=0"
	r := start(t, options(t, args))[0]
	for _, other := range []string{"raymond n=3 k=2 rounds=15 variant=H",
		"raymond n=3 k=1 rounds=15 variant=0", "raymond n=3 k=2 rounds=1 variant=0"} {
		if x := explained(t, other, r); x.Verdict != explain.Rejected {
			t.Errorf("%s: %s", other, x.Verdict)
		}
	}
}

// explained looks for a run of the model that explains the logs.
func explained(t *testing.T, args string, r cluster.Run) *explain.Report {
	t.Helper()
	in, err := instance(args)
	if err != nil {
		t.Fatal(err)
	}
	log, err := order.Read(r.Logs, formats.Options{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range log.Findings {
		if f.Kind != formats.Empty { // on a busy machine a process may not come to its first step
			t.Error(f)
		}
	}
	report, err := explain.Run(context.Background(), in, log.History(), explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s %s: %d lines, %d states", report.Verdict, report.Reason, report.Lines, report.States)
	return report
}
