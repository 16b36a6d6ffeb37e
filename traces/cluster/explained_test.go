package cluster_test

import (
	"context"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/cluster"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
)

// TestExplained: what real processes did is a run of the model.
func TestExplained(t *testing.T) {
	for _, c := range []struct {
		args   string
		change func(*cluster.Options)
	}{
		{"raymond n=3 k=2 rounds=15", nil},
		{"raymond n=3 k=1 rounds=15 channel=fifo", nil},
		{"timerfree n=5 k=3 f=2 rp=off rounds=5", func(o *cluster.Options) { o.RandomKills = 2 }},
		{"timerfree n=5 k=3 f=2 rp=off rounds=5", func(o *cluster.Options) { o.RandomKills, o.CrashInside = 2, true }},
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
				explained(t, c.args, r)
			}
		})
	}
}

// explained looks for a run of the model that explains the logs.
func explained(t *testing.T, args string, r cluster.Run) {
	t.Helper()
	in, err := instance(args)
	if err != nil {
		t.Fatal(err)
	}
	log, err := logs.Read(r.Logs, logs.Options{Keep: true, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(log.Findings) > 0 {
		t.Error(log.Findings)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	report, err := explain.Run(ctx, in, log.History(), explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s %s: %d lines, %d states", report.Verdict, report.Reason, report.Lines, report.States)
	if report.Verdict != explain.Accepted {
		t.Errorf("%s %s: %d of %d lines", report.Verdict, report.Reason, report.Explained, report.Lines)
		for _, f := range report.Frontiers {
			t.Logf("%+v", f)
		}
	}
}
