package explore_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
)

// orderly is a table of two or three random automata that make and compare times for ever: the model in
// compose, and a brute force in explore that shares nothing with it but the table.
type orderly struct {
	n        int
	table    []int
	inFlight int
	fifo     bool
	crashes  int
}

func randomOrderly(r *rand.Rand) *orderly {
	o := &orderly{n: 2 + r.IntN(2), inFlight: 1 + r.IntN(3), fifo: r.IntN(2) == 1, crashes: r.IntN(2)}
	for range 128 {
		o.table = append(o.table, r.IntN(1<<16))
	}
	return o
}

// entry is what process p does in a mode, for an event x; 0: nothing.
func (o *orderly) entry(p, mode, x int) int {
	e := o.table[(mode*7+x*13+p)%len(o.table)]
	if e%4 == 0 {
		return 0
	}
	return e
}

// The parts of an entry.
func modeOf(e int) int    { return e >> 2 % 3 }
func stampOf(e int) int   { return e >> 5 & 3 } // 1: a new one, 2: none, 3: a new one that raises the clock
func kindOf(e int) int    { return e >> 7 % 2 }
func sendOf(e, q int) int { return e >> (8 + 2*q) & 3 } // 1: without a time, 2: with the stamp

// eventOf is the event in which a process with a stamp receives a message with a time; 0: none.
func eventOf(kind, order int) int { return 3 + kind + 2*order }

func (o *orderly) compose() model.Composition[clocked, envelope, model.None] {
	act := func(p model.Proc, l *clocked, x int, out *model.Outbox[envelope]) bool {
		e := o.entry(int(p), int(l.Mode), x)
		if e == 0 {
			return false
		}
		l.Mode = uint8(modeOf(e))
		switch stampOf(e) {
		case 1:
			l.At = out.Later(l.Clock)
		case 2:
			l.At = 0
		case 3:
			l.At = out.Later(l.Clock)
			l.Clock = l.At
		}
		for q := range o.n {
			switch m := (envelope{Kind: uint8(kindOf(e))}); sendOf(e, q) {
			case 1:
				out.Send(model.Proc(q), m)
			case 2:
				m.Time = l.At
				out.Send(model.Proc(q), m)
			}
		}
		return true
	}
	channel := model.Bag
	if o.fifo {
		channel = model.FIFO
	}
	return model.Composition[clocked, envelope, model.None]{
		N: o.n, Init: func(p model.Proc) clocked { return clocked{Mode: uint8(p)} },
		Local: []model.Handler[clocked, envelope]{
			{Name: "a", Do: func(p model.Proc, l *clocked, out *model.Outbox[envelope]) bool {
				return act(p, l, 1, out)
			}},
		},
		Receive: []model.Receiver[clocked, envelope]{{
			Name: "receive", Accepts: func(envelope) bool { return true },
			Do: func(p, _ model.Proc, m envelope, l *clocked, out *model.Outbox[envelope]) bool {
				order := 0
				if m.Time > 0 {
					l.Clock = max(l.Clock, m.Time) + out.Tick()
					if m.Time < l.At {
						order = 1
					} else if m.Time == l.At {
						order = 2
					}
				}
				act(p, l, eventOf(int(m.Kind), order), out)
				return true
			},
		}},
		Network: model.Network{Channel: channel, Crashes: o.crashes, Crashable: model.All(o.n),
			MaxInFlight: o.inFlight},
		Clocks: &model.Clocks[clocked, envelope]{
			Local: func(l *clocked, visit func(*uint32)) {
				if l.At > 0 {
					visit(&l.At)
				}
			},
			Message: func(m *envelope, visit func(*uint32)) {
				if m.Time > 0 {
					visit(&m.Time)
				}
			},
			Seen:    func(l *clocked, visit func(*uint32)) { visit(&l.Clock) },
			ByOrder: true,
		},
		Properties: []model.Property[model.Global[clocked, envelope, model.None]]{{
			Name: "invariant", Kind: model.Invariant,
			Holds: func(g *model.Global[clocked, envelope, model.None]) bool {
				return g.Count(func(l *clocked) bool { return l.Mode == 2 && l.At > 0 }) < o.n-o.crashes
			},
		}},
	}
}

// A scene is a state of the brute force. Its times are real numbers, as one is between any two; 0: none.
type scene struct {
	modes     []int
	clock, at []float64
	dead      []bool
	mail      []letter // in the order of sending
}

type letter struct {
	from, to, kind int
	time           float64
}

func (s *scene) clone() *scene {
	return &scene{slices.Clone(s.modes), slices.Clone(s.clock), slices.Clone(s.at), slices.Clone(s.dead),
		slices.Clone(s.mail)}
}

// times lists the times that are alive, in order.
func (s *scene) times() (all []float64) {
	for p := range s.at {
		if !s.dead[p] && s.at[p] > 0 {
			all = append(all, s.at[p])
		}
	}
	for _, l := range s.mail {
		if l.time > 0 {
			all = append(all, l.time)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// key is the same for states that differ only by a change that keeps the order of times.
func (s *scene) key(fifo bool) string {
	all := s.times()
	rank := func(x float64) int { // the number of times up to x
		n, met := slices.BinarySearch(all, x)
		if met {
			n++
		}
		return n
	}
	var b strings.Builder
	for p := range s.modes {
		if s.dead[p] {
			b.WriteString("dead;")
			continue
		}
		fmt.Fprint(&b, s.modes[p], rank(s.clock[p]), rank(s.at[p]), ";")
	}
	var spelled []string
	for i, l := range s.mail {
		place := 0
		for _, before := range s.mail[:i] {
			if fifo && before.from == l.from && before.to == l.to {
				place++
			}
		}
		spelled = append(spelled, fmt.Sprint(l.from, l.to, place, l.kind, rank(l.time)))
	}
	slices.Sort(spelled)
	return b.String() + strings.Join(spelled, ";")
}

// lower lowers each clock to the largest time that is alive and not above it: no comparison differs.
func (s *scene) lower() {
	all := s.times()
	for p, clock := range s.clock {
		s.clock[p] = 0
		for _, x := range all {
			if x <= clock {
				s.clock[p] = x
			}
		}
	}
}

// above lists a time for each place above a clock among times.
func above(clock float64, times []float64) (all []float64) {
	low := clock
	for _, x := range times {
		if x > clock {
			all = append(all, (low+x)/2, x)
			low = x
		}
	}
	return append(all, low+1)
}

// act yields the states after p has acted on event x in t, which is a copy.
func (o *orderly) act(s, t *scene, p, x int, yield func(*scene)) bool {
	e := o.entry(p, t.modes[p], x)
	if e == 0 {
		return false
	}
	t.modes[p] = modeOf(e)
	stamps := []float64{t.at[p]}
	switch stampOf(e) {
	case 1, 3:
		stamps = above(t.clock[p], s.times())
	case 2:
		stamps = []float64{0}
	}
	for _, stamp := range stamps {
		u := t.clone()
		u.at[p] = stamp
		if stampOf(e) == 3 {
			u.clock[p] = stamp
		}
		for q := range o.n {
			l := letter{from: p, to: q, kind: kindOf(e)}
			if sendOf(e, q) == 2 {
				l.time = stamp
			}
			if (sendOf(e, q) == 1 || sendOf(e, q) == 2) && !u.dead[q] {
				u.mail = append(u.mail, l)
			}
		}
		yield(u)
	}
	return true
}

func (o *orderly) successors(s *scene, yield func(*scene)) {
	dead := 0
	for _, gone := range s.dead {
		if gone {
			dead++
		}
	}
	for p := range o.n {
		if s.dead[p] {
			continue
		}
		o.act(s, s.clone(), p, 1, yield)
		if dead < o.crashes {
			t := s.clone()
			t.dead[p], t.modes[p], t.clock[p], t.at[p] = true, 0, 0, 0
			t.mail = slices.DeleteFunc(t.mail, func(l letter) bool { return l.to == p })
			yield(t)
		}
	}
	met, began := map[letter]bool{}, map[[2]int]bool{}
	for i, l := range s.mail {
		channel := [2]int{l.from, l.to}
		if met[l] || o.fifo && began[channel] {
			continue
		}
		met[l], began[channel] = true, true
		t := s.clone()
		t.mail = slices.Delete(t.mail, i, i+1)
		order := 0
		if l.time > 0 {
			t.clock[l.to] = max(t.clock[l.to], l.time)
			if l.time < t.at[l.to] {
				order = 1
			} else if l.time == t.at[l.to] {
				order = 2
			}
		}
		if !o.act(s, t, l.to, eventOf(l.kind, order), yield) {
			yield(t)
		}
	}
}

// explore counts states, successors and levels; more than limit states: false.
func (o *orderly) explore(limit int) (states, generated, depth int, violated bool, ok bool) {
	start := &scene{clock: make([]float64, o.n), at: make([]float64, o.n), dead: make([]bool, o.n)}
	for p := range o.n {
		start.modes = append(start.modes, p)
	}
	seen := map[string]bool{start.key(o.fifo): true}
	generated = 1
	for level := []*scene{start}; len(level) > 0; depth++ {
		var next []*scene
		for _, s := range level {
			o.successors(s, func(t *scene) {
				generated++
				t.lower()
				two := 0
				for p := range o.n {
					if !t.dead[p] && t.modes[p] == 2 && t.at[p] > 0 {
						two++
					}
				}
				violated = violated || two >= o.n-o.crashes
				if key := t.key(o.fifo); len(t.mail) <= o.inFlight && !seen[key] {
					seen[key] = true
					next = append(next, t)
				}
			})
			if len(seen) > limit {
				return 0, 0, 0, false, false
			}
		}
		level = next
	}
	return len(seen), generated, depth, violated, true
}
