package claims

import (
	"path/filepath"
	"testing"

	"github.com/atmostk/atmostk/traces"
)

// TestViolationsOfME1HaveOneCause: in the kept runs of the ring that violate ME1 in the default readings,
// with channels that open again, a process forwards its own clear while an election has set its coordinator
// to NULL.
func TestViolationsOfME1HaveOneCause(t *testing.T) {
	files, err := filepath.Glob(root + "/docs/claims/ring/ring-recovery-*-mutual-exclusion.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, file := range files {
		run, err := traces.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := run.Parameters
		if p["scheme"] == "3" || p["list"] != "static" || p["after-election"] != "keep" ||
			p["token-time"] != "own" ||
			p["lasting"] == "yes" {
			continue
		}
		if asked++; !forwardsOwnClear(run) {
			t.Errorf("%s: no process forwards its own clear", file)
		}
	}
	if asked < 7 {
		t.Errorf("%d runs, where the page shows seven", asked)
	}
}

// forwardsOwnClear reports whether a process forwards a clear while its coordinator is NULL, and the
// last one that it named was itself.
func forwardsOwnClear(run *traces.Trace) bool {
	named := map[string]string{} // by process: its coordinator, or NULL
	last := map[string]string{}  // the last that was not NULL
	for _, s := range run.Steps {
		if s.Received != nil && s.Received.Text == "clear" && len(s.Sent) == 1 && s.Sent[0].Text == "clear" &&
			named[s.Node] == "NULL" && last[s.Node] == s.Node {
			return true
		}
		for _, v := range s.Changed {
			if v.Name != "coordinator" {
				continue
			}
			if named[v.Owner] = v.Value; v.Value != "NULL" {
				last[v.Owner] = v.Value
			}
		}
	}
	return false
}
