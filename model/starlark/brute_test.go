package starfile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A world is a state of a random model, as the second program has it: of two or three members and two
// threads. A member or thread that is absent is None.
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
	{`s.owner = None`, 1, func(w *world, _ choice) bool { return put(&w.owner, absent) }},
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
	// What is not durable: a crash resets some of it.
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
