package starfile

import (
	"fmt"
	"strings"
	"testing"
)

// locked are clients and a server that grants a lock, in roles.
const locked = `
n = param("n", 2, range(1, 4), doc = "clients")
GET, PUT, GRANT = message("GET"), message("PUT"), message("GRANT")
def ask(me):
    when(me.does == "idle" and me.left > 0)
    me.left -= 1
    me.does = "waits"
    send(server, GET())
def leave(me):
    when(me.does == "inside")
    me.does = "idle"
    send(server, PUT())
def granted(me, sender, m):
    me.does = "inside"
def get(me, sender, m):
    me.queue.append(sender)
    grant(me)
def grant(me):
    if me.queue and me.owner == None:
        me.owner = me.queue.pop(0)
        send(me.owner, GRANT())
def put(me, sender, m):
    me.owner = None
    grant(me)
client = role(n, local = record(does = enum("idle", "waits", "inside"), left = (int, 1)), steps = [ask, leave],
    receive = [on(GRANT, granted)], units = lambda me: me.does == "inside")
server = role(1, local = record(owner = optional(proc(client)), queue = list_of(proc(client))),
    receive = [on(GET, get), on(PUT, put)]%s)
processes(client = client, server = server, capacity = 1, network = network_params(n + 1), fairness = "weak",
    properties = [at_most(1), no_starvation(lambda me: me.does == "waits", of = client),
        invariant("owner", each = lambda me: me.owner not in me.queue, of = server),
        invariant("inside", lambda g, i: g[i].does != "inside" or g[server[0]].owner == i, of = client),
        leads_to("served", lambda g, i: g[i].does == "waits", lambda g, i: g[i].does == "inside", of = client),
        invariant("count", count = lambda me: me.does == "inside", most = 1, of = client)])
`

// alike is the same without roles.
const alike = `
n = param("n", 2, range(1, 4), doc = "clients")
S = n + 1
GET, PUT, GRANT = message("GET"), message("PUT"), message("GRANT")
local = record(does = enum("idle", "waits", "inside"), left = (int, 1), owner = optional(range(1, 4)),
    queue = list_of(range(1, 4)))
def ask(me):
    when(me.id != S and me.does == "idle" and me.left > 0)
    me.left -= 1
    me.does = "waits"
    send(S, GET())
def leave(me):
    when(me.does == "inside")
    me.does = "idle"
    send(S, PUT())
def granted(me, sender, m):
    me.does = "inside"
def get(me, sender, m):
    me.queue.append(sender)
    grant(me)
def grant(me):
    if me.queue and me.owner == None:
        me.owner = me.queue.pop(0)
        send(me.owner, GRANT())
def put(me, sender, m):
    me.owner = None
    grant(me)
processes(n = S, local = local, steps = [ask, leave], receive = [on(GRANT, granted), on(GET, get), on(PUT, put)],
    units = lambda me: me.does == "inside", network = network_params(S),
    properties = [at_most(1)])
`

// TestRolesAreProcesses: roles have the counts of one local record with a case for each, and the plain
// semantics agrees.
func TestRolesAreProcesses(t *testing.T) {
	const rest = " at-most-k=holds no-starvation=holds owner=holds inside=holds served=holds count=holds"
	for args, states := range map[string]string{"": "33", "n=3": "180", "channel=fifo": "33"} {
		if got := found(t, fmt.Sprintf(locked, ""), args); got != states+rest {
			t.Errorf("%s: got %s, want %s", args, got, states+rest)
		}
		if got := found(t, alike, args); got != states+" at-most-k=holds" {
			t.Errorf("without roles, %s: got %s, want %s", args, got, states)
		}
	}
	// a server that comes up again has forgotten whom it gave the lock
	text := fmt.Sprintf(locked, `, recover = lambda me: True`)
	for _, c := range [][2]string{
		{text, "violated(8)"},
		{strings.Replace(text, "recover =", `durable = ["owner", "queue"], recover =`, 1), "holds"},
	} {
		if got := found(t, c[0], "crashes=1 crashable=3"); !strings.Contains(got, "at-most-k="+c[1]) {
			t.Errorf("got %s, want %s", got, c[1])
		}
	}
}

// TestRolesNameLanes: processes have their role's name, also in values.
func TestRolesNameLanes(t *testing.T) {
	spec, err := load(t, fmt.Sprintf(locked, `, steps = [step(lambda me: False, name = "ask")]`))
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spec.Instantiate(nil)
	if err != nil {
		t.Fatal(err)
	}
	var steps []string
	for _, a := range in.Space.Actions()[:3] {
		steps = append(steps, a.Name)
	}
	if got, want := words(steps), "client ask, leave, server ask"; got != want {
		t.Errorf("steps %s, want %s", got, want)
	}
	if got, want := strings.Join(in.Interp.Names, " "), "client1 client2 server"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s := in.Plain.Init()[0].Next
	for range 3 { // ask, GET, GRANT
		s = in.Plain.Steps(s)[0].Next
	}
	if text := fmt.Sprint(s.Vars()); !strings.Contains(text, "server owner client1") {
		t.Errorf("got %s", text)
	}
}

// TestFairnessOfValues: only the way back with the value 1 is fair.
func TestFairnessOfValues(t *testing.T) {
	const text = `
def go(s, i):
    when(s.x[i] < 2)
    s.x[i] += 1
def back(s, i, all):
    when(s.x[i] > 0)
    s.x[i] = 0
system(state = record(x = array(range(2), range(3))), members = range(2), names = "m{}", actions = [
    action(go, range(2)), action(back, range(2), [True, False])],
    fairness = [weak("up", [go]), %s], properties = [
    always_eventually("zero", lambda s, i: s.x[i] == 0), leads_to("back", lambda s, i: s.x[i] > 0,
    lambda s, i: s.x[i] == 0), invariant("small", lambda s, i: s.x[i] < 3)])
`
	for fair, want := range map[string]string{
		`weak("b", [back])`:         "violated",
		`weak("b", [back], by = 1)`: "violated",
		`weak("b", [back], by = 0), strong("c", [back], values = [1, True])`:      "holds",
		`weak("b", [back], values = [None, True])`:                                "violated",
		`weak("b", [back], values = [0]), weak("c", [back], values = [1, False])`: "holds",
	} {
		if got, want := found(t, fmt.Sprintf(text, fair), ""), "9 zero="+want; !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", fair, got, want)
		}
	}
	want := `fairness b: back is never taken with the values 7`
	if got := outcome(t, fmt.Sprintf(text, `weak("b", [back], values = [7])`)); !strings.Contains(got, want) {
		t.Errorf("got %s", got)
	}
}

// TestLinks: on a ring a process sends to the next one, and to nobody else.
func TestLinks(t *testing.T) {
	const text = `
M = message("M")
def go(me):
    when(me.sent < 1)
    me.sent += 1
    send(%s, M())
def got(me, sender, m):
    me.sent = 1
processes(n = 3, local = record(sent = range(2)), steps = [go], receive = [on(M, got)],
    links = {i: [i %% 3 + 1] for i in range(1, %s)}, properties = [invariant("i", each = lambda me: me.sent < 2)])
`
	for _, c := range [][3]string{
		{"me.id % 3 + 1", "4", "holds"},
		{"1", "4", "m.star:6:9: process 1 has no link to 1; it has links to: 2"},
		{"me.id % 3 + 1", "3", "process 3 has no link to 1; it has links to: none"},
		{"2", "5", "links: there is no process 4; allowed: 1 to 3"},
	} {
		if got := outcome(t, fmt.Sprintf(text, c[0], c[1])); !strings.Contains(got, c[2]) {
			t.Errorf("send(%s): got %s, want %s", c[0], got, c[2])
		}
	}
}
