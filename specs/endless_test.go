package specs_test

import (
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/timerfree"
)

// TestEndlessRunsHaveKnownVerdicts judges liveness where processes request for ever: "unknown" stands for
// no violation within the bounds, and stem is the one of the violating run.
func TestEndlessRunsHaveKnownVerdicts(t *testing.T) {
	const served, detected = "requests-served", "detected-at-last"
	for _, row := range []struct {
		spec     model.Spec
		args     string
		property string
		want     explore.Verdict
		stem     int
		large    bool
	}{
		{raymond.Spec, "n=2 k=1 last=forgotten", served, explore.Holds, 0, false},
		{raymond.Spec, "n=2 k=1 last=forgotten channel=fifo", served, explore.Holds, 0, false},
		{raymond.Spec, "n=3 k=1 last=forgotten channel=fifo", served, explore.Holds, 0, false},
		{raymond.Spec, "n=2 k=1 max-skew=6", served, explore.Unknown, 0, false},
		{raymond.Spec, "n=2 k=2 max-skew=2 max-in-flight=2 max-owed=2 crashes=1", served, explore.Unknown, 0,
			false},
		{raymond.Spec, "n=3 k=2 max-skew=2 max-in-flight=4 max-owed=2", served, explore.Unknown, 0, false},
		{raymond.Spec, "n=3 k=2 max-skew=2 max-in-flight=3 max-owed=2 crashes=1 crash-sends=none", served,
			explore.Unknown, 0, true},
		{raymond.Spec, "n=3 k=1 max-skew=4", served, explore.Unknown, 0, true},
		// With k crashes the request of whoever is left is never granted.
		{raymond.Spec, "n=2 k=1 max-skew=2 crashes=1 max-owed=2", served, explore.Violated, 2, false},
		{raymond.Spec, "n=3 k=2 max-skew=1 max-in-flight=2 max-owed=1 crashes=2 crash-sends=none", served,
			explore.Violated, 3, false},

		{timerfree.Spec, "n=2 k=1 f=0 variant=c max-skew=6", served, explore.Unknown, 0, false},
		{timerfree.Spec, "n=2 k=2 f=1 variant=c max-skew=2 max-in-flight=2 crashes=1", served,
			explore.Unknown, 0, false},
		{timerfree.Spec, "n=3 k=1 f=0 variant=c max-skew=2 max-in-flight=6", served, explore.Unknown, 0,
			false},
		{timerfree.Spec, "n=3 k=2 f=1 variant=c max-skew=2 max-in-flight=4 crashes=0", served,
			explore.Unknown, 0, true},
		{timerfree.Spec, "n=3 k=2 f=1 variant=c max-skew=2 max-in-flight=4 crashes=1 crash-sends=none",
			served, explore.Unknown, 0, true},

		// Theorem 1, with a process that is dead from the start.
		{timerfree.Spec, "n=3 k=2 f=1 variant=c dead=3 max-skew=4 max-in-flight=4 channel=fifo", detected,
			explore.Unknown, 0, false},
		{timerfree.Spec, "n=3 k=2 f=1 variant=c dead=3 max-skew=4 max-in-flight=4", detected, explore.Unknown,
			0, true},
		{timerfree.Spec, "n=4 k=2 f=1 variant=c dead=4 max-skew=2 max-in-flight=3", detected, explore.Unknown,
			0, false},
		{timerfree.Spec, "n=4 k=2 f=1 variant=c dead=4 max-skew=3 max-in-flight=4 channel=fifo", detected,
			explore.Unknown, 0, true},
		{timerfree.Spec, "n=4 k=2 f=1 variant=c dead=4 max-skew=3 max-in-flight=4", detected, explore.Unknown,
			0, true},
		{timerfree.Spec, "n=4 k=3 f=1 variant=c dead=4 max-skew=2 max-in-flight=3", detected, explore.Unknown,
			0, false},
		{timerfree.Spec, "n=4 k=3 f=1 variant=c dead=4 max-skew=3 max-in-flight=4 channel=fifo", detected,
			explore.Violated, 23, true},
		{timerfree.Spec, "n=4 k=3 f=1 variant=c dead=4 max-skew=3 max-in-flight=4", detected,
			explore.Violated, 23, true},
		{timerfree.Spec, "n=4 k=3 f=2 variant=c dead=4 max-skew=2 max-in-flight=3 channel=fifo", detected,
			explore.Violated, 23, true},
		{timerfree.Spec, "n=4 k=3 f=2 variant=c dead=4 max-skew=2 max-in-flight=3", detected,
			explore.Violated, 22, true},
		{timerfree.Spec, "n=4 k=3 f=1 variant=a last=forgotten dead=4 max-skew=2 " +
			"max-in-flight=3 channel=fifo", detected, explore.Violated, 25, true},
		{timerfree.Spec, "n=2 k=2 f=1 variant=d dead=2 channel=fifo", detected, explore.Violated, 1, false},
		{timerfree.Spec, "n=2 k=2 f=1 variant=repaired dead=2 channel=fifo", detected, explore.Holds, 0,
			false},
		{timerfree.Spec, "n=4 k=3 f=1 variant=repaired dead=4 max-skew=2 max-in-flight=3", detected,
			explore.Unknown, 0, false},
	} {
		t.Run(row.spec.Name+" "+row.args, func(t *testing.T) {
			if row.large && !sweep {
				t.Skip("part of the larger sweep")
			}
			p := live(t, row.spec, row.args+" rounds=inf", row.property, row.want)
			if p.Verdict != row.want || p.Verdict == explore.Violated && p.CycleAt != row.stem {
				t.Errorf("%s %s %s after %d steps, want %s after %d", p.Name, p.Verdict, p.Undecided,
					p.CycleAt, row.want, row.stem)
			}
		})
	}
}
