package explore

import (
	"strings"
	"testing"
)

// TestOutermost: what the search itself calls is not taken for a function of a model, whoever wrote it; what
// the model calls is.
func TestOutermost(t *testing.T) {
	const (
		search     = module + "/explore.(*Expander).deal(0x1)\n\t/src/explore/ranges.go:66 +0x1\n"
		compresses = "github.com/klauspost/compress/s2.Encode(0x1)\n\t/src/s2/encode.go:48 +0x1\n"
		runs       = module + "/model.(*runner[...]).react(0x1)\n\t/src/model/runner.go:9 +0x1\n"
		handles    = "example.org/ring.enter(0x1)\n\t/src/ring/ring.go:35 +0x1\n"
	)
	for trace, want := range map[string]string{
		search:                                         "",
		compresses + search:                            "",
		handles + runs + search:                        "ring/ring.go:35",
		compresses + handles + runs + search:           "ring/ring.go:35",
		compresses + runs + search:                     "s2/encode.go:48",
		handles + "created by x in goroutine 1\n\tx:1": "ring/ring.go:35",
	} {
		if got := outermost(strings.Split(strings.TrimSpace(trace), "\n")); got != want {
			t.Errorf("%q: %q, want %q", trace, got, want)
		}
	}
}
