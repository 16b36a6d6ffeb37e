package logs_test

import (
	"path/filepath"
	"testing"

	"github.com/atmostk/atmostk/traces/logs"
)

// TestRealRuns judges logs that traces/realruns has captured of etcd, NATS and
// ZooKeeper. Those that work reach k units and never use more, in any order of events
// that fits the log; the others do in every order.
func TestRealRuns(t *testing.T) {
	type use struct{ k, stays, surely, possibly, definite int }
	for name, want := range map[string]use{
		"etcd-mutex":               {1, 80, 1, 1, 0},
		"etcd-mutex-revoked":       {1, 80, 2, 2, 2},
		"nats-semaphore":           {2, 100, 2, 2, 0},
		"nats-semaphore-unchecked": {2, 100, 4, 4, 24},
		"zookeeper-semaphore":      {2, 60, 2, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			log, err := logs.Read([]string{filepath.Join("testdata", "real", name+".ndjson")}, logs.Options{Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			o := log.Occupancy(want.k, logs.Auto, false)
			if got := (use{o.K, o.Stays, o.Surely, o.Possibly, o.Count}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if len(log.Findings) > 0 {
				t.Error(log.Findings)
			}
		})
	}
}
