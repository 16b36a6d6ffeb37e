package term

import (
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/explore"
)

// TestProgressLine: a line fits its width, and has more where there is more room.
func TestProgressLine(t *testing.T) {
	s := explore.Snapshot{
		States: 12_345_678, Level: 17, Frontier: 100, Memory: 3 << 30, Elapsed: 754 * time.Second,
		Levels: []int64{1, 100, 5_000, 100_000, 1_000_000, 4_000_000, 7_240_577},
	}
	for width := 10; width < 140; width++ {
		line := progressLine(&s, width)
		if len(line) > width {
			t.Errorf("%d columns: %q takes %d", width, line, len(line))
		}
		if width >= 60 && (!strings.Contains(line, "%, about ") || !strings.Contains(line, " left (")) {
			t.Errorf("%d columns: %q", width, line)
		}
	}
	if line := progressLine(&s, 79); !strings.Contains(line, "12,345,678 states") {
		t.Errorf("80 columns: %q", line)
	}
	merges := s
	merges.Merged, merges.Merging = 3, 64
	if line := progressLine(&merges, 200); !strings.Contains(line,
		", 3 of 64 shards of the next one merged, ") {
		t.Errorf("merging: %q", line)
	}
	merges.Read = 5 << 30
	if line := progressLine(&merges, 200); !strings.Contains(line, ", 5.0 GiB of files read to resume, ") {
		t.Errorf("resuming: %q", line)
	}
	s.Levels = s.Levels[:3]
	if line := progressLine(&s, 79); line !=
		"12,345,678 states, 16,373/s, level 17, 100 to expand in it, 3.0 GiB, 12m34s" {
		t.Errorf("too early: %q", line)
	}
	s.Memory = 0 // of a cluster
	if line := progressLine(&s, 79); !strings.HasSuffix(line, ", 100 to expand in it, 12m34s") {
		t.Errorf("unknown memory: %q", line)
	}
}
