package traces_test

import (
	"path/filepath"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces"
)

// TestHeadlineNamesTheOffence replays runs of the claims: each headline names the process that waits, the
// message that was missed, or the units that are too many.
func TestHeadlineNamesTheOffence(t *testing.T) {
	const ended = " is violated for "
	for file, want := range map[string]string{
		"vcube/vcube-kmutex-n3-k2-fair-order": "fair-order" + ended +
			"p0 after step 5: p1 enters, and a smaller request waits",
		"vcube/vcube-broadcast-n4-rounds3-crashes1-line36literal-channelfifo-no-gap": "no-gap" + ended +
			"p3 after step 11: it gets message 3 of p0 and has missed message 2; crashed: p2",
		"timerfree/raymond-n3-k2-rounds1-crashes1-capacity-naive": "capacity-naive is violated by " +
			"p2 and p3: 2 inside after step 9; at most 1 is allowed; crashed: p1",
		"ring/ring-recovery-n3-f1-one-token": "one-token is violated after step 16: there are 2 tokens; " +
			"crashed: p3",
		"cohorts/cohorts-cohorts12-h11-relinquishnaive-units": "units is violated by r1 and r2: 2 inside " +
			"after step 15; at most 1 is allowed",
		"cohorts/cohorts-cohorts12-h11-crashes-requesters1-deadlock-freedom": "deadlock-freedom" + ended +
			"r2 after step 7: nothing is left to do; crashed: r1",
		"cohorts/arbiter-sets111-policyinquire-messages": "messages is violated after step 23: 9 messages; " +
			"at most 6 are allowed for each",
		"vcube/vcube-kmutex-n2-k1-requestline-no-starvation": "no-starvation" + ended +
			"p0 after step 5: nothing is left to do",
	} {
		tr, err := traces.ReadFile(filepath.Join("../docs/claims", file+".ndjson"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := traces.Replay(instanceOf(t, tr), tr)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Sentence(); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", file, got, want)
		}
	}
}

// instanceOf returns the model of a trace.
func instanceOf(t *testing.T, tr *traces.Trace) model.Instance {
	t.Helper()
	for i := range specs.All {
		if specs.All[i].Name != tr.Spec {
			continue
		}
		var args []string
		for name, value := range tr.Parameters {
			if value != "" {
				args = append(args, name+"="+value)
			}
		}
		in, _, err := specs.All[i].Instantiate(args)
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	t.Fatalf("there is no model %s", tr.Spec)
	return model.Instance{}
}
