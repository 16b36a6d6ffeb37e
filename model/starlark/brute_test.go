package starfile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A world is a state of a random model, as the second program has it: of two or three members and two threads. absent
// is None.
type world struct {
	does, mark, to, near, left [3]int
	on, waits, asked, up       [3]bool
	owner, third, turn, lease  int
	total, crashes, lost       int
	line, thread               [2]int
}

const absent = -1

// A choice is the number of members, an action's parameters, the small number of a statement, and the number
// of a way through it.
type choice struct{ n, m, t, k, way int }

// A statement is written in the language of files, where %d is a small number, and in Go, where false is a
// condition that is not met.
type statement struct {
	text string
	ways int // of its pick, or 1
	do   func(w *world, c choice) bool
}

// toDo are statements that treat all members and all threads alike.
var toDo = []statement{
	{`when(s.does[m] == "x")`, 1, func(w *world, c choice) bool { return w.does[c.m] == 0 }},
	{`when(s.owner != m)`, 1, func(w *world, c choice) bool { return w.owner != c.m }},
	{`when(s.owner == None or m in s.waits)`, 1, func(w *world, c choice) bool {
		return w.owner == absent || w.waits[c.m]
	}},
	{`when(len(s.waits) > %d)`, 1, func(w *world, c choice) bool { return count(w.waits) > c.k }},
	{`when(s.mark[m] <= %d)`, 1, func(w *world, c choice) bool { return w.mark[c.m] <= c.k }},
	{`when(not s.rows[m].on)`, 1, func(w *world, c choice) bool { return !w.on[c.m] }},
	{`when(("ask", m) in s.sent)`, 1, func(w *world, c choice) bool { return w.asked[c.m] }},
	{`s.does[m] = pick(["x", "y"])`, 2, func(w *world, c choice) bool { return put(&w.does[c.m], c.way) }},
	{`s.does[m] = "z"`, 1, func(w *world, c choice) bool { return put(&w.does[c.m], 2) }},
	{`s.owner = m`, 1, func(w *world, c choice) bool { return put(&w.owner, c.m) }},
	{`s.owner = None`, 1, func(w *world, c choice) bool { return put(&w.owner, absent) }},
	{`s.waits.add(m)`, 1, func(w *world, c choice) bool { return put(&w.waits[c.m], true) }},
	{`s.mark[m] = %d`, 1, func(w *world, c choice) bool { return put(&w.mark[c.m], c.k) }},
	{`s.rows[m].on = not s.rows[m].on`, 1, func(w *world, c choice) bool { return put(&w.on[c.m], !w.on[c.m]) }},
	{`s.rows[m].to = pick(M)`, 3, func(w *world, c choice) bool { return put(&w.to[c.m], c.way) && c.way < c.n }},
	{`s.sent.add(("ask", m))`, 1, func(w *world, c choice) bool { return put(&w.asked[c.m], true) }},
	{`s.line = ([m] + list(s.line))[:2]`, 1, func(w *world, c choice) bool {
		return put(&w.line, [2]int{c.m, w.line[0]})
	}},
	{`s.waits = set(pick(subsets(M)))`, 8, func(w *world, c choice) bool {
		return put(&w.waits, [3]bool{c.way&1 > 0, c.way&2 > 0, c.way&4 > 0}) && c.way < 1<<c.n
	}},
	{`s.near[s.rows[m].to] = m`, 1, func(w *world, c choice) bool { return put(&w.near[w.to[c.m]], c.m) }},
	{`s.owner = s.near[m]`, 1, func(w *world, c choice) bool { return put(&w.owner, w.near[c.m]) }},
	{`s.total = %d`, 1, func(w *world, c choice) bool { return put(&w.total, c.k) }},
	{`s.total = (s.total + len(s.waits) + %d) %% 3`, 1, func(w *world, c choice) bool {
		return put(&w.total, (w.total+count(w.waits)+c.k)%3)
	}},
	{`s.third = m`, 1, func(w *world, c choice) bool { return put(&w.third, c.m) }},
	{`s.left[m] = %d`, 1, func(w *world, c choice) bool { return put(&w.left[c.m], c.k) }},
	{`when(expired(s.left[m], %d))`, 2, func(w *world, c choice) bool { return over(w.left[c.m], c) }},
	{`s.lease = %d + 1`, 1, func(w *world, c choice) bool { return put(&w.lease, c.k+1) }},
	{`when(s.lease == 0 or s.owner == m)`, 1, func(w *world, c choice) bool {
		return w.lease == 0 || w.owner == c.m
	}},
}

// serves are statements of a thread t that serves a member m.
var serves = []statement{
	{`s.thread[t] = s.owner`, 1, func(w *world, c choice) bool { return put(&w.thread[c.t], w.owner) }},
	{`s.turn = t`, 1, func(w *world, c choice) bool { return put(&w.turn, c.t) }},
	{`when(s.turn != t)`, 1, func(w *world, c choice) bool { return w.turn != c.t }},
	{`s.thread[t] = m`, 1, func(w *world, c choice) bool { return put(&w.thread[c.t], c.m) }},
	{`when(s.thread[t] != m)`, 1, func(w *world, c choice) bool { return w.thread[c.t] != c.m }},
	{`s.owner = s.thread[t]`, 1, func(w *world, c choice) bool { return put(&w.owner, w.thread[c.t]) }},
	{`when(expired(s.lease, %d))`, 2, func(w *world, c choice) bool { return over(w.lease, c) }},
	{`s.left[m] = 2`, 1, func(w *world, c choice) bool { return put(&w.left[c.m], 2) }},
}

// The statements that begin actions of their own: of a member that is up, of a crash, of a loss.
var (
	isUp    = statement{`when(s.up[m])`, 1, func(w *world, c choice) bool { return w.up[c.m] }}
	crashes = statement{"when(s.up[m] and s.crashes < %d)\n    s.up[m] = False\n    s.crashes += 1", 1,
		func(w *world, c choice) bool {
			was := w.up[c.m] && w.crashes < c.k
			w.up[c.m] = false
			w.crashes++
			return was
		}}
	recovers = statement{"when(not s.up[m])\n    s.up[m] = True", 1, func(w *world, c choice) bool {
		was := w.up[c.m]
		w.up[c.m] = true
		return !was
	}}
	loses = statement{"when((\"ask\", m) in s.sent and s.lost < %d)\n    s.sent.remove((\"ask\", m))\n" +
		"    s.lost += 1", 1, func(w *world, c choice) bool {
		was := w.asked[c.m] && w.lost < c.k
		w.asked[c.m] = false
		w.lost++
		return was
	}}
	asks = statement{"s.sent.add((\"ask\", m))\n    s.left[m] = %d", 1, func(w *world, c choice) bool {
		w.asked[c.m] = true
		return put(&w.left[c.m], c.k)
	}}
	receives = statement{"when((\"ask\", m) in s.sent)\n    s.sent.remove((\"ask\", m))", 1,
		func(w *world, c choice) bool {
			was := w.asked[c.m]
			w.asked[c.m] = false
			return was
		}}
	// what a crash resets of what is not durable
	resets = []statement{
		{`s.does[m] = "x"`, 1, func(w *world, c choice) bool { return put(&w.does[c.m], 0) }},
		{`s.left[m] = 0`, 1, func(w *world, c choice) bool { return put(&w.left[c.m], 0) }},
		{`s.mark[m] = 0`, 1, func(w *world, c choice) bool { return put(&w.mark[c.m], 0) }},
	}
)

func put[T any](at *T, value T) bool {
	*at = value
	return true
}

func count(set [3]bool) (n int) {
	for _, is := range set {
		if is {
			n++
		}
	}
	return n
}

// over is expired: a clock that may be early expires in one of two ways.
func over(left int, c choice) bool { return left == 0 || left <= c.k && c.way == 1 }

// An act is an action: its statements, with their small numbers.
type act struct {
	name    string
	fault   bool
	threads bool // it has a thread and a member as parameters, and otherwise a member
	body    []statement
	small   []int
}

func (a *act) add(s statement, k int) { a.body, a.small = append(a.body, s), append(a.small, k) }

// some adds a few random statements.
func (a *act) some(r *rand.Rand, n int, among []statement) {
	for range n {
		a.add(among[r.IntN(len(among))], r.IntN(3))
	}
}

func (a *act) text() string {
	text := "def " + a.name + "(s, m):\n"
	if a.threads {
		text = "def " + a.name + "(s, t, m):\n"
	}
	for i, s := range a.body {
		if strings.Contains(s.text, "%") {
			s.text = fmt.Sprintf(s.text, a.small[i])
		}
		text += "    " + s.text + "\n"
	}
	return text
}

// after returns the states after the action.
func (a *act) after(w world, n, m, t int) []world {
	all := []world{w}
	for i, s := range a.body {
		var next []world
		for _, w := range all {
			for way := range s.ways {
				if after := w; s.do(&after, choice{n, m, t, a.small[i], way}) {
					next = append(next, after)
				}
			}
		}
		all = next
	}
	return all
}

// An urgency is what may not wait, written twice.
type urgency struct {
	text string
	is   func(w *world) bool
}

var urgencies = []urgency{
	{"False", func(*world) bool { return false }},
	{"any([s.left[m] == 1 and s.up[m] for m in M])", func(w *world) bool {
		return slices.ContainsFunc([]int{0, 1, 2}, func(m int) bool { return w.left[m] == 1 && w.up[m] })
	}},
	{"s.lease == 1 and s.owner != None", func(w *world) bool { return w.lease == 1 && w.owner != absent }},
}

// A program is a random model: two roles, of members and of threads, that crash, recover, lose requests, and
// have timers.
type program struct {
	n        int // members
	acts     []act
	urgent   urgency
	fairness string
}

// randomProgram returns a random model, in which each fault is possible or not.
func randomProgram(r *rand.Rand) (p program) {
	p.n = 2 + r.IntN(5)/4
	for i := range 1 + r.IntN(2) {
		a := act{name: fmt.Sprint("act", i)}
		a.add(isUp, 0)
		a.some(r, 1+r.IntN(2), toDo)
		if i == 0 {
			a.add(asks, r.IntN(3))
			a.some(r, r.IntN(2), toDo)
		}
		p.acts = append(p.acts, a)
	}
	serve := act{name: "serve", threads: true}
	if r.IntN(2) == 0 {
		serve.add(receives, 0)
	}
	serve.some(r, 1+r.IntN(2), serves)
	p.acts = append(p.acts, serve)
	crash, recovery := act{name: "crash", fault: true}, act{name: "recover", fault: r.IntN(4) == 0}
	crash.add(crashes, 1+r.IntN(2))
	for _, s := range resets {
		if r.IntN(2) == 0 {
			crash.add(s, 0)
		}
	}
	recovery.add(recovers, 0)
	recovery.some(r, r.IntN(2), toDo)
	loss := act{name: "lose", fault: true}
	loss.add(loses, 1+r.IntN(2))
	p.acts = append(p.acts, crash, recovery, loss)
	p.urgent = urgencies[r.IntN(len(urgencies))]
	p.fairness = []string{"none", "weak", "strong"}[r.IntN(3)]
	return p
}

// file is the model in the language of files. Properties of liveness have no symmetry.
func (p *program) file(members []string, symmetric string) string {
	text := `"""A model."""
M = [` + strings.Join(members[:p.n], ", ") + `]
T = ["t1", "t2"]
state = record(does = array(M, enum("x", "y", "z")), owner = optional(M), waits = set_of(M),
    mark = array(M, range(0, 9)), rows = array(M, record(on = bool, to = M)), third = optional(M),
    sent = set_of([("ask", m) for m in M] + ["end"]), line = list_of(M, max = 2), near = array(M, M),
    total = range(0, 9), thread = array(T, optional(M)), turn = optional(T), left = array(M, timer(2)),
    lease = timer(3), up = array(M, (bool, True)), crashes = range(0, 8), lost = range(0, 8))
def init(s):
    first = pick(M)
    for m in M:
        s.near[m] = first
        s.rows[m].to = first
`
	list := ""
	for _, a := range p.acts {
		text += a.text()
		values, kind := "M", ""
		if a.threads {
			values = "T, M"
		}
		if a.fault {
			kind = `, kind = "fault"`
		}
		list += fmt.Sprintf("action(%s, %s%s), ", a.name, values, kind)
	}
	text += fmt.Sprintf(`system(state = state, init = init, actions = [%stick(urgent = lambda s: %s)],
    symmetric = %s, fairness = %q, members = M, properties = [
    invariant("i", lambda s: len(s.waits) < 2 or s.owner == None or s.turn == None),
    invariant("late", lambda s, m: s.up[m] or s.left[m] != 1),
    reachable("met", lambda s: s.lease == 1 and any([s.thread[t] != None and s.up[s.thread[t]] for t in T])),
    at_end("end", lambda s: not any([("ask", m) in s.sent for m in M])),
    deadlock_free(),
    step_property("grows", lambda a, b: b.total >= a.total, steps = ["act0", "recover"]),
`, list, p.urgent.text, symmetric, p.fairness)
	if symmetric == "[]" {
		text += `    always_eventually("free", lambda s: s.owner == None or s.lease == 0),
    leads_to("back", lambda s, m: s.does[m] == "z" or not s.up[m], lambda s, m: s.does[m] != "z" and s.up[m]),
`
	}
	return text + "])\n"
}

// whole reports whether all kinds of steps have happened: of both roles, of faults, of recovery, of time.
func (b *brute) whole() bool {
	return b.fired["serve"] && b.fired["crash"] && b.fired["recover"] && b.fired["lose"] && b.fired["tick"]
}

// An edge is a step of a world: an instance of an action, numbered, and the index of the state after it.
type edge struct{ instance, to int }

// A brute is what the second program found.
type brute struct {
	worlds  []world
	edges   [][]edge
	fair    []bool // per instance: fairness is about it
	depth   int
	lengths []int // of the properties of safety: -1 for never
	fired   map[string]bool
}

// search searches a random model breadth first; false: there are too many states.
func (p *program) search(most int) (b brute, small bool) {
	known := map[world]int{}
	b.fired = map[string]bool{}
	b.lengths = []int{absent, absent, absent, absent, absent, absent}
	note := func(i, d int, is bool) {
		if is && b.lengths[i] < 0 {
			b.lengths[i] = d
		}
	}
	arrive := func(w world) int {
		if _, is := known[w]; !is {
			known[w] = len(b.worlds)
			b.worlds = append(b.worlds, w)
		}
		return known[w]
	}
	for m := range p.n {
		all := [3]int{m, m, m}
		if p.n == 2 {
			all[2] = 0
		}
		arrive(world{
			near: all, to: all, up: [3]bool{true, true, p.n == 3}, owner: absent,
			third: absent, turn: absent, line: [2]int{absent, absent}, thread: [2]int{absent, absent},
		})
	}
	for i, level := 0, len(b.worlds); i < len(b.worlds); i++ {
		if i == level {
			b.depth, level = b.depth+1, len(b.worlds)
		}
		if len(b.worlds) > most {
			return b, false
		}
		w := b.worlds[i]
		var edges []edge
		quiet, instance := true, 0
		step := func(after []world, name string, fault bool) {
			for _, n := range after {
				note(5, b.depth+1, n.total < w.total && (name == "act0" || name == "recover"))
				b.fired[name] = true
				edges = append(edges, edge{instance, arrive(n)})
			}
			quiet = quiet && (fault || len(after) == 0)
			if i == 0 {
				b.fair = append(b.fair, !fault)
			}
			instance++
		}
		for _, a := range p.acts {
			for m := range p.n {
				step(a.after(w, p.n, m, 0), a.name, a.fault)
				if a.threads {
					step(a.after(w, p.n, m, 1), a.name, a.fault)
				}
			}
		}
		step(p.tick(w), "tick", false)
		b.edges = append(b.edges, edges)
		note(0, b.depth, count(w.waits) >= 2 && w.owner != absent && w.turn != absent)
		note(1, b.depth, slices.ContainsFunc([]int{0, 1, 2}, func(m int) bool {
			return !w.up[m] && w.left[m] == 1
		}))
		note(2, b.depth, w.lease == 1 && slices.ContainsFunc(w.thread[:], func(m int) bool {
			return m != absent && w.up[m]
		}))
		note(3, b.depth, quiet && w.asked != [3]bool{})
		note(4, b.depth, len(edges) == 0)
	}
	b.depth++
	return b, true
}

// tick is the passing of time: the timers that run have a tick less.
func (p *program) tick(w world) []world {
	if p.urgent.is(&w) || w.left == [3]int{} && w.lease == 0 {
		return nil
	}
	for m := range w.left {
		w.left[m] = max(0, w.left[m]-1)
	}
	w.lease = max(0, w.lease-1)
	return []world{w}
}

// orbits counts the states up to the names of members and threads. All names of a state have to be reached.
func (b *brute) orbits(members int) (n int) {
	seen, known := map[world]bool{}, map[world]bool{}
	for _, w := range b.worlds {
		known[w] = true
	}
	for _, w := range b.worlds {
		if seen[w] {
			continue
		}
		n++
		for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			if members == 2 && order[2] != 2 {
				continue
			}
			for swap := range 2 {
				other := w.renamed(order[:members], swap)
				if seen[other] = true; !known[other] {
					return absent
				}
			}
		}
	}
	return n
}

// renamed returns the state in which member m is called order[m], and the threads are exchanged or not.
func (w world) renamed(order []int, swap int) world {
	name := func(m int) int {
		if m == absent {
			return absent
		}
		return order[m]
	}
	n := w
	for m, to := range order {
		n.does[to], n.mark[to], n.left[to] = w.does[m], w.mark[m], w.left[m]
		n.on[to], n.waits[to], n.asked[to], n.up[to] = w.on[m], w.waits[m], w.asked[m], w.up[m]
		n.to[to], n.near[to] = name(w.to[m]), name(w.near[m])
	}
	n.owner, n.third = name(w.owner), name(w.third)
	for i := range 2 {
		n.line[i], n.thread[i^swap] = name(w.line[i]), name(w.thread[i])
	}
	if w.turn != absent {
		n.turn = w.turn ^ swap
	}
	return n
}

// avoided reports whether some fair run comes to a state with begins and stays outside of goal from there on.
func (b *brute) avoided(fairness string, begins, goal func(w *world) bool) bool {
	inside, todo := make([]bool, len(b.worlds)), []int{}
	visit := func(i int) {
		if !inside[i] && !goal(&b.worlds[i]) {
			inside[i] = true
			todo = append(todo, i)
		}
	}
	for i := range b.worlds {
		if begins(&b.worlds[i]) {
			visit(i)
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range b.edges[i] {
			visit(e.to)
		}
	}
	return b.lasts(fairness, inside)
}

// lasts reports whether a fair run can stay in a set of states for ever: in a strongly connected part of it,
// in which each fair instance is taken, or disabled somewhere, or, if fairness is strong, everywhere. A step
// that changes nothing does not count as taken or enabled. A run may stop where nothing is forced.
func (b *brute) lasts(fairness string, inside []bool) bool {
	for _, part := range b.parts(inside) {
		in, taken, enabled := make([]bool, len(inside)), map[int]bool{}, map[int]int{}
		for _, i := range part {
			in[i] = true
		}
		for _, i := range part {
			here := map[int]bool{}
			for _, e := range b.edges[i] {
				if e.to != i {
					here[e.instance] = true
					taken[e.instance] = taken[e.instance] || in[e.to]
				}
			}
			for k := range here {
				enabled[k]++
			}
		}
		bad := map[int]bool{}
		for k, n := range enabled {
			if b.fair[k] && !taken[k] && (fairness == "strong" || fairness == "weak" && n == len(part)) {
				bad[k] = true
			}
		}
		if len(bad) == 0 {
			return true
		}
		if fairness == "strong" { // without the states that enable what is never taken
			for _, i := range part {
				in[i] = !slices.ContainsFunc(b.edges[i], func(e edge) bool { return e.to != i && bad[e.instance] })
			}
			if b.lasts(fairness, in) {
				return true
			}
		}
	}
	return false
}

// parts returns the strongly connected parts of a set of states, by Kosaraju's two searches.
func (b *brute) parts(inside []bool) (all [][]int) {
	back := make([][]edge, len(inside))
	for i := range inside {
		for _, e := range b.edges[i] {
			if inside[i] && inside[e.to] {
				back[e.to] = append(back[e.to], edge{0, i})
			}
		}
	}
	seen := make([]bool, len(inside))
	var order []int
	var walk func(i int, edges [][]edge, out *[]int)
	walk = func(i int, edges [][]edge, out *[]int) {
		seen[i] = true
		for _, e := range edges[i] {
			if inside[e.to] && !seen[e.to] {
				walk(e.to, edges, out)
			}
		}
		*out = append(*out, i)
	}
	for i := range inside {
		if inside[i] && !seen[i] {
			walk(i, b.edges, &order)
		}
	}
	clear(seen)
	for _, i := range slices.Backward(order) {
		if !seen[i] {
			var part []int
			walk(i, back, &part)
			all = append(all, part)
		}
	}
	return all
}

// found is what a search of the model in a file finds, by the second program. With liveness it judges the two
// properties of liveness, too.
func (p *program) found(b *brute, states int, liveness bool) string {
	text := fmt.Sprint(states, " ", b.depth)
	for i, length := range b.lengths {
		text += fmt.Sprint(" ", verdict((length < 0) == (i != 2)), "(", length, ")")
	}
	if liveness {
		text += " " + verdict(!b.avoided(p.fairness, func(*world) bool { return true },
			func(w *world) bool { return w.owner == absent || w.lease == 0 }))
		ok := true
		for m := range p.n {
			waits := func(w *world) bool { return w.does[m] == 2 || !w.up[m] }
			ok = ok && !b.avoided(p.fairness, waits, func(w *world) bool { return !waits(w) })
		}
		text += " " + verdict(ok)
	}
	return text
}

func verdict(holds bool) string {
	if holds {
		return "holds"
	}
	return "violated"
}
