package starfile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/naive"
)

// found returns what a search of a file finds: states, and of each property the verdict and the length.
func found(t *testing.T, text string, args string) string {
	t.Helper()
	dir := t.TempDir()
	shared := "def up(x):\n    return x + 1\nLIMIT = 2\n"
	for name, text := range map[string]string{"m.star": text, "shared.star": shared} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	spec, err := Load(filepath.Join(dir, "m.star"))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	in, _, err := spec.Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true, MaxStates: 100_000})
	if err != nil || r.Mistake != nil {
		t.Fatalf("%v %v\n%s", err, r, text)
	}
	want, ok := naive.Explore(in.Plain, in.Space.Actions(), in.Space.Properties(), 100_000)
	if how := want.Differs(r); !ok || how != "" {
		t.Errorf("the plain semantics: %s\n%s", how, text)
	}
	all := fmt.Sprint(r.States)
	for _, p := range r.Properties {
		all += fmt.Sprintf(" %s=%s", p.Name, p.Verdict)
		if p.Length >= 0 {
			all += fmt.Sprintf("(%d)", p.Length)
		}
	}
	return all
}

// pinging are two processes: the first sends messages, which the second counts.
const pinging = `
n = 2
PING = message("PING", number = int)
local = record(sent = range(4), seen = dict_of(range(4), range(1, 9)), last = optional(range(4)), %s)
def ping(me):
    when(me.id == 1 and me.sent < 2)
    me.sent += 1
    send(2, PING(me.sent))
def receive(me, sender, m):
    put(me.seen, m.number)
    me.last = m.number
%s
processes(n = n, local = local, steps = [step(ping, lines = "1-3")%s], receive = [on(PING, receive, lines = "4")], %s)
`

// switching is a system of one variable that goes up to 2 and may go back to 0.
const switching = `
load("shared.star", "up", "LIMIT")
def go(s):
    when(s.x < LIMIT)
    s.x = up(s.x)
def back(s):
    when(s.x == LIMIT)
    s.x = 0
system(state = record(x = range(3)), actions = [go, back], %s)
`

// TestDocumentedNames uses the names of docs/files.md in small files: lengths were worked out by hand, and
// the plain semantics has the same counts.
func TestDocumentedNames(t *testing.T) {
	ping := func(field, more, steps, rest string) string {
		return fmt.Sprintf(pinging, field, more, steps, rest)
	}
	sys := func(rest string) string { return fmt.Sprintf(switching, rest) }
	weak, none := `fairness = "weak", `, `fairness = "none", `
	for _, c := range [][3]string{
		{ping("", "", "",
			`properties = [invariant("in-order", each = lambda me: me.last != 1 or len(me.seen) < 2)]`),
			"", "8 in-order=violated(4)"},
		{ping("", "", "", `channel = "fifo", properties = [
			invariant("in-order", each = lambda me: me.last != 1 or len(me.seen) < 2)]`), "", "6 in-order=holds"},
		{ping("", "", "", `channel = "fifo", properties = [invariant("order", lambda g: all([
			ahead(e, f) == (e.message.number < f.message.number) for e in g.messages for f in g.messages])),
			invariant("alone", lambda g: not any([ahead(e, f) for e in g.messages for f in g.messages]))]`),
			"", "6 order=holds alone=violated(2)"},
		{ping("", "", "", `network = network_params(2), properties = [
			invariant("two", each = lambda me: me.seen.get(1, 0) < 2), at_end("arrived",
			lambda g: len(g[2].seen) == 2)]`), "channel=fifo losses=1", "10 two=holds arrived=violated(4)"},
		{ping("", "", "", `network = network_params(2), properties = [at_end("arrived",
			lambda g: len(g[2].seen) == 2)]`), "channel=fifo partition=1", "12 arrived=violated(3)"},
		{ping("", "", "", `network = network_params(2), properties = [at_end("arrived",
			lambda g: len(g[2].seen) == 2)]`), "channel=fifo partition=1 heals=yes", "18 arrived=holds"},
		{ping("", "", "", `network = network_params(2), properties = [
			invariant("once", each = lambda me: me.seen.get(1, 0) < 2)]`), "copies=1", "27 once=violated(4)"},
		{ping("", "", "", `properties = [invariant("few", messages = lambda e: e.kind == "PING", most = 1)]`),
			"", "8 few=violated(2)"},
		{ping("", "", "",
			`properties = [messages("cost", opens = ["ping"], closes = ["receive PING"], most = 2)]`),
			"", "8 cost=holds"},
		{ping("", "", "",
			`properties = [messages_total("all", served = lambda g: g[1].sent, least = 1, most = 1)]`),
			"", "8 all=holds"},
		{ping("", "", "",
			`properties = [messages_total("all", served = lambda g: g[1].sent, least = 2, most = 3)]`),
			"", "8 all=violated(4)"},
		{ping("told = set_of(range(1, 3))", "def told(me, dead):\n    me.told.add(dead)\n", "",
			`notice = step(told),
			network = network_params(2, crashes = 1), properties = [reachable("known",
			lambda g: 1 in g[2].told)]`), "", "30 known=holds(2)"},
		{ping("", "def seen(h, event):\n    h.notes = min(3, h.notes + int(event.note > 0))\n"+
			"def tell(me):\n    when(me.id == 2 and len(me.seen) == 2)\n    me.seen = {}\n    note(1, [2])\n",
			", tell", `history = history(record(notes = range(4)), seen), properties = [
			invariant("told", lambda g: g.history.notes < 1)]`), "", "10 told=violated(5)"},
		{ping("", "def seen(h, event):\n    if event.note:\n        h.notes += 1\n"+
			"        return h.notes < 2\n"+
			"def tell(me):\n    when(me.id == 2)\n    note(1)\n    me.last = 0\n",
			", tell", `history = history(record(notes = int), seen, guards = True), properties = [
			invariant("once", lambda g: g.history.notes < 2), reachable("told",
			lambda g: g.history.notes == 1)]`), "", "20 once=holds told=holds(1)"},
		{ping("next = proc(range(1, 3))", "", "", `properties = [
			invariant("named", each = lambda me: me.next == 1)]`), "", "8 named=holds"},
		{ping("", "def first(id):\n    if id == 1:\n        send(2, PING(3))\n", "", `under_way = first,
			constraint = lambda me: me.sent < 2, properties = [reachable("three",
			lambda g: g[2].last == 3)]`), "", "7 three=holds(1)"},
		{`
ME = range(1, 3)
local = record(left = (int, 1), does = enum("idle", "waits", "uses"), seen = array(ME, int), spare = (int, 1))
ASK, FREE = message("ASK", clock = array(ME, int)), message("FREE")
def start(me):
    when(me.does == "idle" and me.left > 0)
    me.left -= 1
    me.does = "waits"
    me.seen[me.id] += 1
    send(3 - me.id, ASK(me.seen))
def use(me):
    when(me.does == "waits" and me.spare > 0)
    me.does = "uses"
def done(me):
    when(me.does == "uses")
    me.does = "idle"
def asked(me, sender, m):
    if before(me.seen, m.clock) and quorums(ME)[0] == set([1, 2]):
        me.seen = joined(me.seen, m.clock)
def dies(me):
    me.does = "idle"
processes(n = 2, local = local, steps = [step(start, request = True), use, step(done, kind = "spontaneous")],
    receive = [on(ASK, asked)], units = lambda me: me.does == "uses", capacity = 2, crash = dies,
    network = network_params(2, crashes = 1), charge = lambda sender, to, m: sender,
    properties = [at_most(1), can_reach(2), no_starvation(lambda me: me.does == "waits"),
        invariant("each", each = lambda me, dead: me.id not in dead),
        invariant("inbox", inbox = lambda all: len(all) < 2),
        invariant("count", count = lambda me: me.does == "waits", most = 1),
        invariant("use", use = lambda used, live: used <= live),
        invariant("clear", lambda g: g.in_use < 2, clear = lambda me: me.does != "uses")])
`, "crashes=0", "76 at-most-k=violated(4) can-reach-k=holds(4) no-starvation=holds each=holds inbox=holds " +
			"count=violated(2) use=holds clear=violated(4)"},

		// With recovery a process may be dead at first, and as many more as may crash.
		{`"""M."""
local = record(x = range(3))
def go(me):
    when(me.x < 1)
    me.x += 1
def up(me):
    me.x = 2
processes(n = 3, local = local, steps = [go], recover = up, network = network_params(3, recover = True),
    properties = [invariant("one", each = lambda me, dead: len(dead) < 2),
        invariant("all", lambda g: len(g.dead) < 2 or len(g.live) == 0)])
`, "crashes=1 dead=1 crashable=2", "16 one=violated(1) all=violated(1)"},
		// Sets of numbers and words are equal in whatever order their elements came.
		{`"""M."""
def nine(me):
    me.all.add(9)
def ten(me):
    me.all.add(10)
def five(me):
    me.all.add("5")
processes(n = 1, local = record(all = set_of(union(range(9, 11), enum("5")))), steps = [nine, ten, five])
`, "", "8"},

		{sys(weak + `properties = [eventually("two", lambda s: s.x == 2)]`), "", "3 two=holds"},
		{sys(none + `properties = [eventually("two", lambda s: s.x == 2)]`), "", "3 two=violated(0)"},
		{sys(weak + `properties = [always_eventually("two", lambda s: s.x == 2)]`), "", "3 two=holds"},
		{sys(weak + `properties = [eventually_always("two", lambda s: s.x == 2)]`),
			"", "3 two=violated(0)"},
		{sys(weak + `properties = [leads_to("back", lambda s: s.x == 2, lambda s: s.x == 0)]`), "",
			"3 back=holds"},
		{sys(`fairness = [weak("up", [go])], properties = [
			leads_to("back", lambda s: s.x == 2, lambda s: s.x == 0)]`), "", "3 back=violated(2)"},
		{sys(`fairness = [weak("up", [go]), strong("down", [back])], properties = [
			leads_to("back", lambda s: s.x == 2, lambda s: s.x == 0)]`), "", "3 back=holds"},
		{sys(`fairness = "strong", properties = [infinitely_often("if", [lambda s: s.x == 1], lambda s: s.x == 0)]`),
			"", "3 if=holds"},
		{sys(weak + `properties = [step_property("by-one", lambda a, b: b.x == a.x + 1, steps = [go])]`),
			"", "3 by-one=holds"},
		{sys(weak + `properties = [deadlock_free(), reachable("one", lambda s: s.x == 1)]`),
			"", "3 deadlock-freedom=holds one=holds(1)"},
		{sys(`constraint = lambda s: s.x < 2, properties = [invariant("small", lambda s: s.x < 2)]`),
			"", "2 small=violated(2)"},
	} {
		got := found(t, c[0], c[1])
		if got != c[2] {
			t.Errorf("%s %s\n%s\nwant %s", c[0], c[1], got, c[2])
		}
	}
}

// TestRunsWithoutEndShiftTimes: a file with runs without end has the figures of its form in Go.
func TestRunsWithoutEndShiftTimes(t *testing.T) {
	spec, err := Load(filepath.Join("..", "..", "specs", "files", "raymond"+Extension))
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spec.Instantiate(strings.Fields("n=2 k=1 rounds=inf max-in-flight=4 max-skew=4"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Run(context.Background(), in, explore.Options{})
	if err != nil || r.States != 192 || r.Generated != 341 || r.Depth != 32 || r.Complete {
		t.Fatal(err, r)
	}
}

// TestOwnerIsWhoeverTheFileSays: of a step, and for fairness by a member.
func TestOwnerIsWhoeverTheFileSays(t *testing.T) {
	const text = `
MEMBERS = ["server", "a", "b"]
def grant(s, c):
    when(s.to == "server")
    s.to = c
def leave(s, c):
    when(s.to == c)
    s.to = "server"
system(state = record(to = MEMBERS), members = MEMBERS, actions = [action(grant, ["a", "b"], owner = %s),
    action(leave, ["a", "b"], owner = lambda c: c)], fairness = [weak("f", [%s], by = "%s")],
    properties = [leads_to("l", lambda s: s.to == "server", lambda s: s.to != "server")])
`
	spec, err := load(t, fmt.Sprintf(text, `"server"`, "grant", "server"))
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spec.Instantiate(nil)
	if err != nil {
		t.Fatal(err)
	}
	at, owners := in.Plain.Init()[0].Next, ""
	for _, step := range in.Plain.Steps(at) {
		owners += step.Text() + " of " + step.Owner + " "
		for _, then := range in.Plain.Steps(step.Next) {
			owners += then.Text() + " of " + then.Owner + " "
		}
	}
	const want = "grant(a) of server leave(a) of a grant(b) of server leave(b) of b "
	if owners != want {
		t.Errorf("%s, want %s", owners, want)
	}
	for args, want := range map[[3]string]string{
		{`"server"`, "grant", "server"}: "holds",
		{`"server"`, "leave", "a"}:      "violated",
		{`"server"`, "grant", "a"}: "m.star:9:7: system: fairness f: grant is never taken with the " +
			"values a",
		{`"serve"`, "grant", "server"}: `m.star:9:7: system: action grant: owner is "serve"; allowed: a member, ` +
			`or a function of the parameters that returns one; members are server, a, b`,
	} {
		if got := outcome(t, fmt.Sprintf(text, args[0], args[1], args[2])); got != want {
			t.Errorf("%v: %s, want %s", args, got, want)
		}
	}
}
