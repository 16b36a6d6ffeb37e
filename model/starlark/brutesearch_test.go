package starfile

import (
	"fmt"
	"slices"
)

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
				in[i] = !slices.ContainsFunc(b.edges[i], func(e edge) bool {
					return e.to != i && bad[e.instance]
				})
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
