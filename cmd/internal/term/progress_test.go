package term

import (
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/explore"
)

// TestProgressBar: what is shown on a terminal fits it, whatever it is, and says more where there is more
// room.
func TestProgressBar(t *testing.T) {
	s := explore.Snapshot{
		States: 12_345_678, Level: 17, Frontier: 100, Memory: 3 << 30, Elapsed: 754 * time.Second,
		Levels: []int64{1, 100, 5_000, 100_000, 1_000_000, 4_000_000, 7_240_577},
	}
	for width := 10; width < 140; width++ {
		bar := progressBar(&s, width)
		if len(bar) > width {
			t.Errorf("%d columns: %q takes %d", width, bar, len(bar))
		}
		if width >= 60 && (!strings.HasPrefix(bar, "[#") || !strings.Contains(bar, "% ") ||
			!strings.Contains(bar, " left (")) {
			t.Errorf("%d columns: %q", width, bar)
		}
	}
	if bar := progressBar(&s, 79); !strings.Contains(bar, "12.3M states") {
		t.Errorf("80 columns: %q", bar)
	}
	merges := s
	merges.Merged, merges.Merging = 3, 64
	bar, line := progressBar(&merges, 79), progressLine(&merges)
	if !strings.Contains(bar, "12.3M states  merging") ||
		!strings.Contains(line, ", 3 of 64 shards of the next one merged, ") {
		t.Errorf("merging: %q, %q", bar, line)
	}
	s.Levels = s.Levels[:3]
	if bar, line := progressBar(&s, 79), progressLine(&s); bar !=
		"12.3M states  16.4k/s  level 17  3.0 GiB  12m34s" || strings.Contains(line, "left") {
		t.Errorf("too early: %q, %q", bar, line)
	}
}
