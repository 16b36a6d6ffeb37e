package validate_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/validate"
)

// TestEachVerdictWithItsWorstFinding has each verdict and its worst finding.
func TestEachVerdictWithItsWorstFinding(t *testing.T) {
	skew := time.Duration(0)
	for _, c := range []struct {
		lines   string
		skew    *time.Duration
		verdict explain.Verdict
		kind    string
		worst   validate.Severity
	}{
		{"1 a acquire\n2 a release\n3 b acquire\n4 b release\n", &skew, explain.Accepted, "", ""},
		{"1 a acquire\n2 b acquire\n3 a release\n4 b release\n", &skew, explain.Rejected, "more-than-k",
			validate.Error},
		{"1 a acquire\n2 b acquire\n3 a release\n4 b release\n", nil, explain.Undecided,
			"possibly-more-than-k",
			validate.Warning},
		{"1 a acquire\n2 a release\n1 b request\n", nil, explain.Accepted, "proves-little", validate.Note},
		{"1 a request\n", nil, explain.Undecided, "proves-little", validate.Note},
	} {
		file := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(file, []byte(c.lines), 0o666); err != nil {
			t.Fatal(err)
		}
		opt := validate.Options{Options: formats.Options{Skew: c.skew}}
		r, err := validate.Run(context.Background(), []string{file}, opt)
		if err != nil {
			t.Fatal(err)
		}
		kind, worst := "", validate.Severity("")
		if fs := r.Findings(); len(fs) > 0 {
			kind, worst = fs[0].Kind, fs[0].Severity
		}
		if r.Verdict() != c.verdict || kind != c.kind || worst != c.worst || r.Ambiguous() ||
			r.Of(r.Use) == explain.Rejected != (c.verdict ==
				explain.Rejected) {
			t.Errorf("%q: %s, %q; want %s, %q", c.lines, r.Verdict(), kind, c.verdict, c.kind)
		}
	}
	file := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(file, []byte("1 a release\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	opt := validate.Options{Options: formats.Options{Strict: true}}
	if _, err := validate.Run(context.Background(), []string{file}, opt); err == nil ||
		!strings.Contains(err.Error(), "strict refuses that") {
		t.Error(err)
	}
}
