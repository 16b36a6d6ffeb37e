package files

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	starfile "github.com/atmostk/atmostk/model/starlark"
)

// The second programs: the same models, written again as plain functions, and searched breadth first with a
// map. They share nothing with the language of files or with the search.

// reached counts the states that are reached, and the levels, and returns after how many steps each of some
// conditions is true first: -1 for never.
func reached[S comparable](first []S, next func(S) []S, conditions ...func(S) bool) string {
	known, level, depth, when := map[S]bool{}, first, 0, make([]int, len(conditions))
	for _, s := range first {
		known[s] = true
	}
	for i := range when {
		when[i] = -1
	}
	for d := 0; len(level) > 0; d++ {
		var below []S
		for _, s := range level {
			depth = d + 1
			for i, is := range conditions {
				if when[i] < 0 && is(s) {
					when[i] = d
				}
			}
			for _, t := range next(s) {
				if !known[t] {
					known[t], below = true, append(below, t)
				}
			}
		}
		level = below
	}
	return fmt.Sprint(len(known), " ", depth, " ", when)
}

// searched is what reached returns, by the search of a file, of its first properties.
func searched(t *testing.T, file, args string, conditions int) string {
	t.Helper()
	spec, err := starfile.Load(file + starfile.Extension)
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spec.Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true})
	if err != nil || r.Mistake != nil {
		t.Fatal(err, r.Mistake)
	}
	var when []int
	for _, p := range r.Properties[:conditions] {
		when = append(when, p.Length)
	}
	return fmt.Sprint(r.States, " ", r.Depth, " ", when)
}

func agree(t *testing.T, file, args, second string, conditions int) {
	t.Helper()
	if got := searched(t, file, args, conditions); got != second {
		t.Errorf("%s %s: the search finds %s, and the second program %s", file, args, got, second)
	} else {
		t.Logf("%s %s: %s", file, args, got)
	}
}

// A redlock has up to 5 servers and 2 clients.
type redlock struct {
	owner, left        [5]int
	valid, does, token [2]int // does: 0 idle, 1 asks, 2 writes, 3 done
	tokens, seen       int
	stale              bool
}

func redlocks(servers, term int, pauses, fencing bool) func(redlock) []redlock {
	return func(s redlock) (all []redlock) {
		add := func(change func(*redlock)) {
			next := s
			change(&next)
			all = append(all, next)
		}
		runs := false
		for k := range servers {
			runs = runs || s.left[k] > 0
		}
		for c := range 2 {
			runs = runs || s.valid[c] > 0
			held := 0
			for k := range servers {
				if s.owner[k] == c+1 && s.left[k] > 0 {
					held++
				}
			}
			switch s.does[c] {
			case 0:
				add(func(n *redlock) { n.does[c], n.valid[c] = 1, term })
			case 1:
				for k := range servers {
					if s.left[k] == 0 {
						add(func(n *redlock) { n.owner[k], n.left[k] = c+1, term })
					}
				}
				if s.valid[c] == 0 {
					add(func(n *redlock) { n.does[c] = 3 })
				} else if 2*held > servers {
					add(func(n *redlock) { n.does[c], n.tokens, n.token[c] = 2, n.tokens+1, n.tokens+1 })
				}
			case 2:
				add(func(n *redlock) {
					if n.does[c] = 3; fencing && n.token[c] < n.seen {
						return
					}
					n.stale, n.seen = n.stale || n.token[c] < n.seen, max(n.seen, n.token[c])
				})
			}
		}
		if runs && (pauses || s.does[0] != 2 && s.does[1] != 2) {
			add(func(n *redlock) {
				for k := range n.left {
					n.left[k] = max(0, n.left[k]-1)
				}
				n.valid[0], n.valid[1] = max(0, n.valid[0]-1), max(0, n.valid[1]-1)
			})
		}
		return all
	}
}

// TestRedlockHasTheCountsOfASecondProgram: with pauses two write at once, and storage without fencing takes a
// stale write. Five servers are part of the sweep.
func TestRedlockHasTheCountsOfASecondProgram(t *testing.T) {
	servers := []int{3}
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		servers = append(servers, 5)
	}
	for _, n := range servers {
		for _, pauses := range []string{"on", "off"} {
			for _, fencing := range []string{"on", "off"} {
				second := reached([]redlock{{}}, redlocks(n, 2, pauses == "on", fencing == "on"),
					func(s redlock) bool { return s.does == [2]int{2, 2} },
					func(s redlock) bool { return s.stale })
				args := fmt.Sprintf("servers=%d pauses=%s fencing=%s", n, pauses, fencing)
				agree(t, "redlock", args, second, 2)
			}
		}
	}
}

// A leased has 3 nodes.
type leased struct {
	bound, lease, does, votes [3]int // does: 0 follows, 1 asks, 2 leads; votes: bits
}

func leases(term, drift, margin int) func(leased) []leased {
	return func(s leased) (all []leased) {
		runs := false
		for i := range 3 {
			runs = runs || s.bound[i]+s.lease[i] > 0
			if s.does[i] == 0 {
				n := s
				n.does[i], n.lease[i] = 1, term+drift-margin
				all = append(all, n)
				continue
			}
			for j := range 3 {
				if s.does[i] == 1 && s.votes[i]>>j&1 == 0 && s.bound[j] <= 2*drift {
					n := s
					n.votes[i], n.bound[j] = n.votes[i]|1<<j, term+drift
					all = append(all, n)
				}
			}
			if s.does[i] == 1 && s.lease[i] > 0 && (s.votes[i] == 7 || s.votes[i] == 3 || s.votes[i] > 4) {
				n := s
				n.does[i] = 2
				all = append(all, n)
			}
			if s.lease[i] <= 2*drift {
				n := s
				n.does[i], n.votes[i], n.lease[i] = 0, 0, 0
				all = append(all, n)
			}
		}
		if runs {
			for i := range 3 {
				s.bound[i], s.lease[i] = max(0, s.bound[i]-1), max(0, s.lease[i]-1)
			}
			all = append(all, s)
		}
		return all
	}
}

// TestLeaderLeaseHasTheCountsOfASecondProgram: a margin of twice the drift is needed.
func TestLeaderLeaseHasTheCountsOfASecondProgram(t *testing.T) {
	both := func(s leased) bool {
		n := 0
		for i := range 3 {
			if s.does[i] == 2 && s.lease[i] > 0 {
				n++
			}
		}
		return n > 1
	}
	for _, c := range [][3]int{{1, 0, 0}, {2, 0, 0}, {2, 1, 2}, {2, 1, 1}, {3, 1, 2}} {
		if c[0] > 1 && os.Getenv("ATMOSTK_SWEEP") == "" {
			continue
		}
		args := fmt.Sprintf("term=%d drift=%d margin=%d", c[0], c[1], c[2])
		agree(t, "leader-lease", args, reached([]leased{{}}, leases(c[0], c[1], c[2]), both), 1)
	}
}

// A keeper has 2 clients.
type keeper struct {
	nodes                     [2]int // clients from 1 on, in order; 0: none
	session, does, left, mine [2]int // does: 0 idle, 1 waits, 2 writes
	last, seen                int
	stale                     bool
}

func (s *keeper) remove(c int) {
	if s.nodes[0] == c+1 {
		s.nodes[0], s.nodes[1] = s.nodes[1], 0
	} else {
		s.nodes[1] = 0
	}
}

func keepers(term int, fencing bool) func(keeper) []keeper {
	return func(s keeper) (all []keeper) {
		add := func(is bool, change func(*keeper)) {
			if next := s; is {
				change(&next)
				all = append(all, next)
			}
		}
		for c := range 2 {
			listed := slices.Contains(s.nodes[:], c+1)
			add(s.does[c] == 0 && s.left[c] > 0 && !listed, func(n *keeper) {
				n.left[c], n.does[c], n.last, n.session[c] = n.left[c]-1, 1, n.last+1, term
				n.mine[c] = n.last
				n.nodes[slices.Index(n.nodes[:], 0)] = c + 1
			})
			add(listed && s.session[c] < term, func(n *keeper) { n.session[c] = term })
			add(s.does[c] == 1 && s.nodes[0] == c+1, func(n *keeper) { n.does[c] = 2 })
			add(s.does[c] == 2, func(n *keeper) {
				if n.does[c] = 0; listed {
					n.remove(c)
					n.session[c] = 0
				}
				if !fencing || n.mine[c] >= n.seen {
					n.stale, n.seen = n.stale || n.mine[c] < n.seen, max(n.seen, n.mine[c])
				}
			})
			add(listed && s.session[c] == 0, func(n *keeper) { n.remove(c) })
			add(s.does[c] != 0 && !listed, func(n *keeper) { n.does[c] = 0 })
		}
		add(s.session != [2]int{}, func(n *keeper) {
			n.session[0], n.session[1] = max(0, n.session[0]-1), max(0, n.session[1]-1)
		})
		return all
	}
}

// TestZooKeeperLockHasTheCountsOfASecondProgram: a session that expires in a pause lets two write.
func TestZooKeeperLockHasTheCountsOfASecondProgram(t *testing.T) {
	for _, fencing := range []string{"off", "on"} {
		for tries := 1; tries < 3; tries++ {
			second := reached([]keeper{{left: [2]int{tries, tries}}}, keepers(2, fencing == "on"),
				func(s keeper) bool { return s.does == [2]int{2, 2} }, func(s keeper) bool { return s.stale })
			agree(t, "zookeeper-lock", fmt.Sprintf("tries=%d fencing=%s", tries, fencing), second, 2)
		}
	}
}

// A synod is Paxos of 2 proposers and 3 acceptors.
type synod struct {
	does, promises, best, value [2]int // of proposers: 0 idle, 1 asks, 2 done; promises are bits
	promised, voted, voice      [3]int // of acceptors
	dead                        int    // acceptors, as bits
	crashes, losses             int
	votes                       [3]int // by ballot: acceptors that accepted, as bits
	voices                      [3]int // their value
	mail                        string // messages on their way, sorted
}

// send adds a message of kind P(repare), R(eply) or A(ccept) from and to processes 0 to 4.
func (s *synod) send(kind byte, from, to int, ballot, voted, value int) {
	if to >= 2 && s.dead>>(to-2)&1 == 1 {
		return
	}
	all := append(s.letters(), fmt.Sprintf("%c%d%d%d%d%d", kind, from, to, ballot, voted, value))
	sort.Strings(all)
	s.mail = strings.Join(all, " ")
}

func (s *synod) letters() []string { return strings.Fields(s.mail) }

func (s *synod) drop(gone func(letter string) bool, most int) {
	var kept []string
	for _, l := range s.letters() {
		if gone(l) && most > 0 {
			most--
		} else {
			kept = append(kept, l)
		}
	}
	s.mail = strings.Join(kept, " ")
}

func synods(crashes, losses int, durable bool) func(synod) []synod {
	return func(s synod) (all []synod) {
		add := func(change func(*synod)) {
			next := s
			change(&next)
			all = append(all, next)
		}
		for p := range 2 {
			if s.does[p] == 0 {
				add(func(n *synod) {
					n.does[p] = 1
					for a := range 3 {
						n.send('P', p, 2+a, p+1, 0, 0)
					}
				})
			}
		}
		for a := range 3 {
			if s.dead>>a&1 == 1 {
				add(func(n *synod) { n.dead &^= 1 << a })
			} else if s.crashes < crashes {
				add(func(n *synod) {
					n.crashes++
					n.dead |= 1 << a
					n.drop(func(l string) bool { return int(l[2]-'0') == 2+a }, 99)
					if !durable {
						n.promised[a], n.voted[a], n.voice[a] = 0, 0, 0
					}
				})
			}
		}
		last := ""
		for _, l := range s.letters() {
			if l == last {
				continue
			}
			last = l
			taken := func(n *synod) { n.drop(func(m string) bool { return m == l }, 1) }
			if s.losses < losses {
				add(func(n *synod) { taken(n); n.losses++ })
			}
			add(func(n *synod) { taken(n); n.receive(l) })
		}
		return all
	}
}

func (s *synod) receive(l string) {
	digit := func(i int) int { return int(l[i] - '0') }
	from, to, ballot := digit(1), digit(2), digit(3)
	switch a, p := to-2, to; l[0] {
	case 'P':
		if ballot > s.promised[a] {
			s.promised[a] = ballot
			s.send('R', to, from, ballot, s.voted[a], s.voice[a])
		}
	case 'A':
		if ballot >= s.promised[a] {
			s.promised[a], s.voted[a], s.voice[a] = ballot, ballot, digit(5)
			s.votes[ballot], s.voices[ballot] = s.votes[ballot]|1<<a, digit(5)
		}
	case 'R':
		if s.does[p] != 1 || ballot != p+1 {
			return
		}
		if s.promises[p] |= 1 << (from - 2); digit(4) > s.best[p] {
			s.best[p], s.value[p] = digit(4), digit(5)
		}
		if m := s.promises[p]; m != 0 && m&(m-1) != 0 {
			value := p + 1
			if s.best[p] > 0 {
				value = s.value[p]
			}
			s.does[p], s.promises[p], s.best[p], s.value[p] = 2, 0, 0, 0
			for a := range 3 {
				s.send('A', p, 2+a, p+1, 0, value)
			}
		}
	}
}

// TestPaxosHasTheCountsOfASecondProgram: what acceptors promised has to outlive crashes.
func TestPaxosHasTheCountsOfASecondProgram(t *testing.T) {
	two := func(s synod) bool {
		most := func(b int) bool { m := s.votes[b]; return m&(m-1) != 0 }
		return most(1) && most(2) && s.voices[1] != s.voices[2]
	}
	for _, c := range []struct {
		crashes, losses int
		durable         string
	}{{0, 0, "yes"}, {1, 0, "no"}, {1, 1, "yes"}} {
		if c.crashes > 0 && os.Getenv("ATMOSTK_SWEEP") == "" {
			continue
		}
		args := fmt.Sprintf("crashes=%d crashable=3,4,5 losses=%d durable=%s", c.crashes, c.losses, c.durable)
		second := reached([]synod{{}}, synods(c.crashes, c.losses, c.durable == "yes"), two)
		agree(t, "paxos-roles", args, second, 1)
	}
}

// A ring of Safra's has up to 3 nodes.
type safra struct {
	active, black [3]bool
	sent, pending [3]int
	at, sum       int
	dark          bool // the token
}

// safras are the next states, within the bounds; most of them are the messages to a node.
func safras(n, most int, counts bool) func(safra) []safra {
	return func(s safra) (all []safra) {
		add := func(change func(*safra)) {
			next := s
			change(&next)
			within := next.sum <= n*most
			for i := range n {
				within = within && next.sent[i] <= most && next.pending[i] <= most
			}
			if within {
				all = append(all, next)
			}
		}
		if t := s.at; t > 0 && !s.active[t] {
			add(func(x *safra) {
				if counts {
					x.sum += s.sent[t]
				}
				x.at, x.dark, x.black[t] = t-1, s.dark || s.black[t], false
			})
		} else if t == 0 && (s.dark || s.black[0] || s.sent[0]+s.sum > 0) {
			add(func(x *safra) { x.at, x.sum, x.dark, x.black[0] = n-1, 0, false, false })
		}
		for i := range n {
			for j := range n {
				if i != j && s.active[i] {
					add(func(x *safra) { x.sent[i], x.pending[j] = s.sent[i]+1, s.pending[j]+1 })
				}
			}
			if s.pending[i] > 0 {
				add(func(x *safra) {
					x.sent[i], x.pending[i], x.active[i], x.black[i] = s.sent[i]-1, s.pending[i]-1, true, true
				})
			}
			if s.active[i] {
				add(func(x *safra) { x.active[i] = false })
			}
		}
		return all
	}
}

// TestSafraHasTheCountsOfASecondProgram: a token that does not count messages detects a termination too soon.
func TestSafraHasTheCountsOfASecondProgram(t *testing.T) {
	sizes := [][2]int{{2, 1}}
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		sizes = append(sizes, [2]int{2, 2}, [2]int{3, 1})
	}
	for _, size := range sizes {
		for _, counts := range []string{"yes", "no"} {
			n := size[0]
			var first []safra
			for k := range n << (2 * n) { // any activity, colours and place of the token
				s := safra{at: k >> (2 * n), dark: true}
				for i := range n {
					s.active[i], s.black[i] = k>>i&1 > 0, k>>(n+i)&1 > 0
				}
				first = append(first, s)
			}
			wrong := func(s safra) bool {
				detected := s.at == 0 && !s.dark && !s.black[0] && !s.active[0] && s.sum+s.sent[0] == 0
				return detected && (s.active != [3]bool{} || s.pending != [3]int{})
			}
			second := reached(first, safras(n, size[1], counts == "yes"), wrong)
			agree(t, "ewd998", fmt.Sprintf("n=%d most=%d counts=%s", n, size[1], counts), second, 1)
		}
	}
}
