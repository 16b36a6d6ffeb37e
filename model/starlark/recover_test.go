package starfile

import (
	"fmt"
	"testing"
)

// votes are processes that vote in ballots. A crash loses everything but the fields that are durable.
const votes = `
n = param("n", 2, range(1, 4), doc = "processes")
VOTE = message("VOTE", ballot = range(3))
local = record(ballot = range(3), voted = range(3), seen = set_of(range(3)))
def vote(me):
    when(me.ballot < 2 and me.id == 1)
    me.ballot += 1
    send([p for p in range(1, n + 1)], VOTE(me.ballot))
def receive(me, sender, m):
    when(m.ballot > me.voted)
    me.voted = m.ballot
    me.seen.add(m.ballot)
def _again(me):
    me.seen = [me.voted]
processes(n = n, local = local, steps = [vote], receive = [on(VOTE, receive)], %s
    network = network_params(n, crashes = 1, recover = True),
    properties = [step_property("grows", lambda a, b, p: b[p].voted >= a[p].voted, steps = ["crash"]),
        invariant("seen", each = lambda me: me.voted in me.seen or me.voted == 0),
        at_end("up", lambda g: not g.dead)])
`

// TestRecoveryInFiles: what is durable outlives a crash, and the plain semantics has the same counts.
func TestRecoveryInFiles(t *testing.T) {
	for _, c := range [][3]string{
		{"", "", "35 grows=violated(3) seen=holds up=violated(1)"},
		{`recover = _again,`, "", "141 grows=violated(3) seen=holds up=holds"},
		{`recover = _again, durable = ["voted", "ballot"],`, "", "156 grows=holds seen=holds up=holds"},
		{`recover = step(_again, kind = "fault"), durable = ["voted"],`, "crashes=2 crashable=1",
			"451 grows=holds seen=holds up=violated(1)"},
		{`durable = ["voted"],`, "n=1 crashes=3", "55 grows=holds seen=violated(4) up=holds"},
		{`durable = ["voted"],`, "channel=fifo losses=1", "391 grows=holds seen=violated(4) up=holds"},
	} {
		if got := found(t, fmt.Sprintf(votes, c[0]), c[1]); got != c[2] {
			t.Errorf("%s %s\n%s\nwant %s", c[0], c[1], got, c[2])
		}
	}
	const want = `m.star:15:10: processes: durable: there is no field "vote" (did you mean "voted"?); ` +
		"there are ballot, voted, seen"
	if got := outcome(t, fmt.Sprintf(votes, `durable = ["vote"],`)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
