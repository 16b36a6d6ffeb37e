package starfile

import (
	"fmt"
	"strings"
	"testing"
)

// timed has a lamp that has to be off two ticks after it was lit, by a clock that may be a tick early.
const timed = `
state = record(lit = bool, left = array(["a", "b"], timer(3)), seen = optional(timer(2)))
def light(s):
    when(not s.lit)
    s.lit = True
    s.left["a"] = 2
    s.seen = 1
def off(s):
    when(s.lit and expired(s.left["a"], %d))
    s.lit = False
system(state = state, actions = [light, off, tick(urgent = lambda s: %s)], fairness = "weak",
    properties = [invariant("soon", lambda s: s.left["a"] != 1 or s.lit),
    always_eventually("dark", lambda s: not s.lit), invariant("late", lambda s: not s.lit or s.left["a"] > 0)])
`

// TestTimePassesInTicks: the lamp may go out early, and late unless that is urgent. Lengths were counted by
// hand: light, tick, off; and light, tick, tick.
func TestTimePassesInTicks(t *testing.T) {
	for _, c := range []struct{ drift, urgent, want string }{
		{"0", "False", "5 soon=holds dark=holds late=violated(3)"},
		{"1", "False", "6 soon=violated(3) dark=holds late=violated(3)"},
		{"1", `s.lit and s.left["a"] == 1`, "5 soon=violated(3) dark=holds late=holds"},
	} {
		text := strings.Replace(fmt.Sprintf(timed, 0, c.urgent), "expired(s.left[\"a\"], 0)",
			"expired(s.left[\"a\"], "+c.drift+")", 1)
		if got := found(t, text, ""); got != c.want {
			t.Errorf("drift %s, urgent %s:\n%s\nwant %s", c.drift, c.urgent, got, c.want)
		}
	}
	for text, want := range map[string]string{
		"timer(0)": "m.star:1:6: timer: most is 0; allowed: 1 to 65536 ticks",
		"def go(me):\n    pass\nprocesses(n = 2, local = record(left = timer(2)), steps = [go])": "m.star" +
			":3:10: processes: a timer(...) runs in a system: processes have no clock in common",
		fmt.Sprintf(timed, 0, "s.lit and 1"):     "urgent: 1 is not allowed here; allowed: True and False",
		fmt.Sprintf(timed, 0, "s.lit and s.lef"): "s has no .lef (did you mean",
	} {
		if got := outcome(t, text); !strings.Contains(got, want) {
			t.Errorf("%s\n  got  %s\n  want %s", text, got, want)
		}
	}
}
