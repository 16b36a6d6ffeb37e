package lockcheck

import (
	"testing"

	"github.com/atmostk/atmostk/traces/explain"
)

// Verdict is the verdict on the record as a log.
func (r *Recorder) Verdict(t testing.TB) explain.Verdict {
	report, _, err := r.judge(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return report.Verdict()
}

// Unwritten takes a place of the record and does not write there, as a goroutine that has not ended.
func (r *Recorder) Unwritten() { r.last.Add(1) }
