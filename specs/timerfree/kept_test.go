package timerfree

import (
	"testing"

	"github.com/atmostk/atmostk/traces"
)

// TestRunsTooFarForASearch carries out two runs of the page that no row has, as a search for them takes
// too many states: a crash that is never detected with k=2, for ever from the step that the file names; and a
// process that waits for ever, with no crash.
func TestRunsTooFarForASearch(t *testing.T) {
	for _, name := range []string{"theorem-1-two-units", "lemma-3-no-crash"} {
		trace, err := traces.ReadFile("testdata/" + name + ".ndjson")
		if err != nil {
			t.Fatal(err)
		}
		var args []string
		for key, value := range trace.Parameters {
			if value != "" {
				args = append(args, key+"="+value)
			}
		}
		in, _, err := Spec.Instantiate(args)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := traces.Replay(in, trace); err != nil || trace.Verdict != traces.Violated {
			t.Errorf("%s, %s: %v", name, trace.Verdict, err)
		}
	}
}
