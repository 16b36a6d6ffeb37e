package model_test

import (
	"fmt"
	"regexp"
	"runtime"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

// The models below pass a number round three processes, or count in a system, and each has
// one mistake that shows only while it is searched.

type (
	passer struct {
		Has  bool
		Seen uint8
	}
	baton   struct{ Lap uint8 }
	relay   = model.Composition[passer, baton, model.None]
	passing = model.Outbox[baton]
	course  = model.Global[passer, baton, model.None]
)

// laps is how often the baton goes round.
const laps = 2

// newRelay is right before it is spoilt.
func newRelay() relay {
	return relay{
		N: 3, Names: model.Names{First: 1},
		Init: func(p model.Proc) passer { return passer{Has: p == 0} },
		Local: []model.Handler[passer, baton]{{Name: "pass", Do: func(p model.Proc, l *passer,
			out *passing) bool {
			if !l.Has || l.Seen == laps {
				return false
			}
			l.Has = false
			out.Send((p+1)%3, baton{l.Seen})
			return true
		}}},
		Receive: []model.Receiver[passer, baton]{{
			Name: "take", Accepts: func(baton) bool { return true },
			Do: func(_, _ model.Proc, _ baton, l *passer, _ *passing) bool {
				l.Has = true
				l.Seen++
				return true
			},
		}},
		Properties: []model.Property[course]{
			{Name: "one", Kind: model.Invariant,
				Holds: func(g *course) bool { return g.Count(func(l *passer) bool { return l.Has }) <= 1 }},
		},
	}
}

// tally is the state of the systems: three members that count, and a sum.
type tally struct {
	Count     [3]uint8
	Sum, Last uint8
}

func newTallying() model.System[tally] {
	return model.System[tally]{
		Init: []tally{{}},
		Actions: []model.SystemAction[tally]{{Name: "count", Instances: 3, Do: func(s *tally, i int,
			_ *model.Choice) bool {
			if s.Count[i] == 2 {
				return false
			}
			s.Count[i]++
			s.Sum++
			return true
		}}},
		Properties: []model.Property[tally]{
			{Name: "sum", Kind: model.Invariant,
				Holds: func(s *tally) bool { return s.Sum == s.Count[0]+s.Count[1]+s.Count[2] }},
		},
	}
}

func spoiltRelay(spoil func(*relay)) func() model.Instance {
	return func() model.Instance {
		c := newRelay()
		spoil(&c)
		return model.Compose(c)
	}
}

func spoiltTally(spoil func(*model.System[tally])) func() model.Instance {
	return func() model.Instance {
		s := newTallying()
		spoil(&s)
		return model.NewSystem(s)
	}
}

var table = []uint8{0, 1, 2}

// spoken is a local state that writes itself.
type spoken struct{ Word word }

type (
	speech = model.Global[spoken, baton, model.None]
	word   uint8
)

func (w word) String() string { return fmt.Sprint(table[w]) }

// faults are mistakes that show while a model is searched; length is that of the shortest run
// that leads there, -1 where there is none.
var faults = []struct {
	what   string
	build  func() model.Instance
	length int
}{
	{"a message to a process that does not exist, the off-by-one on a ring", spoiltRelay(func(c *relay) {
		c.Local[0].Do = func(p model.Proc, l *passer, out *passing) bool {
			if !l.Has {
				return false
			}
			l.Has = false
			out.Send(p+1, baton{})
			return true
		}
	}), 5},
	{"an Outbox that another handler goes on to use", spoiltRelay(func(c *relay) {
		var kept *passing
		pass, take := c.Local[0].Do, c.Receive[0].Do
		c.Local[0].Do = func(p model.Proc, l *passer, out *passing) bool {
			kept = out
			return pass(p, l, out)
		}
		c.Receive[0].Do = func(p, from model.Proc, m baton, l *passer, out *passing) bool {
			if kept != out {
				kept.Send(from, m)
			}
			return take(p, from, m, l, out)
		}
	}), -1},
	{"an index out of range in a handler", spoiltRelay(func(c *relay) {
		c.Receive[0].Do = func(_, _ model.Proc, _ baton, l *passer, _ *passing) bool {
			l.Has, l.Seen = true, table[2*l.Seen+1]
			return true
		}
	}), 8},
	{"a message that nobody accepts", spoiltRelay(func(c *relay) {
		c.Receive[0].Accepts = func(m baton) bool { return m.Lap == 0 }
	}), 3},
	{"a division by zero in a receiver", spoiltRelay(func(c *relay) {
		c.Receive[0].Do = func(_, _ model.Proc, m baton, l *passer, _ *passing) bool {
			l.Has, l.Seen = true, 1/m.Lap
			return true
		}
	}), 2},
	{"a choice among nothing", spoiltRelay(func(c *relay) {
		c.Local[0].Do = func(_ model.Proc, l *passer, out *passing) bool {
			return out.Pick(int(l.Seen)) > 0
		}
	}), 1},
	{"a choice among fewer than nothing", spoiltTally(func(s *model.System[tally]) {
		s.Properties = nil
		s.Actions[0].Do = func(s *tally, i int, c *model.Choice) bool {
			s.Count[i] = uint8(c.Pick(2 - 3*int(s.Count[i])))
			return true
		}
	}), 2},
	{"picks that go on until one comes out 0", spoiltRelay(func(c *relay) {
		c.Local[0].Do = func(_ model.Proc, l *passer, out *passing) bool {
			for l.Has && out.Pick(2) == 1 {
			}
			return false
		}
	}), 1},
	{"picks without end, at one process", spoiltTally(func(s *model.System[tally]) {
		s.Processes = []string{"a", "b", "c"}
		s.Actions[0].Owner = func(i int) int { return i }
		s.Actions[0].Do = func(s *tally, i int, c *model.Choice) bool {
			for i == 1 {
				s.Sum += uint8(c.Pick(3))
			}
			return false
		}
	}), 1},
	{"a handler that ends its goroutine", spoiltRelay(func(c *relay) {
		c.Receive[0].Do = func(_, _ model.Proc, _ baton, l *passer, _ *passing) bool {
			l.Has, l.Seen = true, l.Seen+1
			if l.Seen == 2 {
				runtime.Goexit()
			}
			return true
		}
	}), -1},
	{"a guard that ends its goroutine", spoiltRelay(func(c *relay) {
		c.Receive[0].Accepts = func(m baton) bool {
			if m.Lap == 1 {
				runtime.Goexit()
			}
			return true
		}
	}), -1},
	{"a property of each process that ends its goroutine", spoiltRelay(func(c *relay) {
		c.Properties[0].Holds = nil
		c.Properties[0].OfLocal = func(g *course, p model.Proc) bool {
			if g.Local(p).Seen == 2 {
				runtime.Goexit()
			}
			return true
		}
	}), -1},
	{"a property that ends its goroutine", spoiltTally(func(s *model.System[tally]) {
		s.Properties[0].Holds = func(s *tally) bool {
			if s.Sum == 5 {
				runtime.Goexit()
			}
			return true
		}
	}), -1},
	{"a write to a map that was not made", spoiltTally(func(s *model.System[tally]) {
		var m map[int]bool
		s.Actions[0].Do = func(_ *tally, i int, _ *model.Choice) bool {
			m[i] = true
			return false
		}
	}), 1},
	{"an initial state that cannot be computed", spoiltRelay(func(c *relay) {
		c.Init = func(p model.Proc) passer { return passer{Seen: table[p+1]} }
	}), -1},
	{"a constraint that fails", spoiltRelay(func(c *relay) {
		c.Constraint = func(_ model.Proc, l *passer) bool { return 4/(2-l.Seen) > 0 }
	}), 8},
	{"units that cannot be counted", spoiltRelay(func(c *relay) {
		c.Units = func(l *passer) int { return 4 / (2 - int(l.Seen)) }
	}), 8},
	{"units that are negative", spoiltRelay(func(c *relay) {
		c.Units = func(l *passer) int { return 1 - int(l.Seen) }
	}), 8},
	{"more units than can be counted", spoiltTally(func(s *model.System[tally]) {
		s.Processes = []string{"a", "b", "c"}
		s.Units = func(s *tally, p int) int { return int(s.Count[p]) << 21 }
		s.Properties = []model.Property[tally]{invariants.For[tally]{}.AtMost(8)}
	}), 1},
	{"units of a member that are negative", spoiltTally(func(s *model.System[tally]) {
		s.Processes = []string{"a", "b", "c"}
		s.Units = func(s *tally, p int) int { return 1 - int(s.Count[p]) }
		s.Properties = []model.Property[tally]{invariants.For[tally]{}.AtMost(8)}
	}), 2},
	{"a message that is charged to a process that does not exist", spoiltRelay(func(c *relay) {
		c.Charge = func(_, to model.Proc, m baton) model.Proc { return to + model.Proc(m.Lap) }
		messages := invariants.Of[passer, baton, model.None]{}.Messages("pass", "take", 0, 9)
		c.Properties = append(c.Properties, messages)
	}), 3},
	{"a message that is charged to nobody, in a model without costs", spoiltRelay(func(c *relay) {
		c.Charge = func(model.Proc, model.Proc, baton) model.Proc { return 9 }
	}), 1},
	{"a property that fails", spoiltRelay(func(c *relay) {
		c.Properties[0].Holds = func(g *course) bool {
			n := uint8(0)
			for p := range model.Proc(3) {
				n += g.Local(p).Seen
			}
			return table[n] < 9
		}
	}), 6},
	{"a property that asks for a process that does not exist", spoiltRelay(func(c *relay) {
		c.Properties[0].Holds = func(g *course) bool { return !g.Local(0).Has || !g.Local(3).Has }
	}), 0},
	{"a property of steps that fails", spoiltTally(func(s *model.System[tally]) {
		s.Properties = []model.Property[tally]{{
			Name: "grows", Kind: model.StepInvariant, Steps: []string{"count"},
			HoldsStep: func(from *tally, _ model.Proc, to *tally) bool {
				return table[to.Sum] >= table[from.Sum]
			},
		}}
	}), 3},
	{"a liveness property that fails", spoiltTally(func(s *model.System[tally]) {
		s.Properties = []model.Property[tally]{{
			Name: "ends", Kind: model.Liveness,
			Lassos: []model.Lasso[tally]{{Avoids: func(s *tally) bool { return table[s.Sum] == 9 }}},
		}}
	}), 3},
	{"a local state that cannot be written", func() model.Instance {
		return model.Compose(model.Composition[spoken, baton, model.None]{
			N: 1, Init: func(model.Proc) (s spoken) { return s },
			Local: []model.Handler[spoken, baton]{{Name: "speak",
				Do: func(_ model.Proc, s *spoken, _ *passing) bool {
					s.Word++
					return s.Word < 5
				}}},
			Properties: []model.Property[speech]{{Name: "few", Kind: model.Invariant,
				Holds: func(g *speech) bool { return g.Local(0).Word < 3 }}},
		})
	}, 3},
	{"a message under way to nobody", spoiltRelay(func(c *relay) {
		c.UnderWay = func(p model.Proc) []model.Sent[baton] { return []model.Sent[baton]{{To: p + 1}} }
	}), -1},
	{"a history that fails", spoiltRelay(func(c *relay) {
		c.Local[0].Do = func(_ model.Proc, l *passer, out *passing) bool {
			out.Note(1)
			return l.Has
		}
		c.History.Step = func(_ *model.None, e model.Event) bool { return table[e.Note+2] > 0 }
	}), 1},
	{"a swap that fails", spoiltTally(func(s *model.System[tally]) {
		s.Symmetry = []model.Symmetry[tally]{{
			Size: 4, Colour: func(s *tally, i int) uint64 { return uint64(s.Count[i]) }, Swap: swapCounts,
		}}
	}), 0},
	{"an owner that cannot be told", spoiltTally(func(s *model.System[tally]) {
		s.Processes = []string{"a", "b", "c"}
		s.Actions[0].Owner = func(i int) int { return []int{}[i] }
	}), -1},
	{"an action that fails at one process", spoiltTally(func(s *model.System[tally]) {
		s.Processes = []string{"a", "b", "c"}
		act := &s.Actions[0]
		act.Instances, act.Owner = 900, func(i int) int { return i / 300 }
		act.Do = func(s *tally, i int, _ *model.Choice) bool {
			p := i / 300
			s.Count[p]++
			return i%300 < 299 || p > 0 && table[p+1] > 0
		}
	}), 1},
	{"units of a process that cannot be counted", spoiltTally(func(s *model.System[tally]) {
		s.Processes = []string{"a", "b", "c"}
		s.Units = func(s *tally, _ int) int { return int(table[s.Sum]) }
		s.Properties = []model.Property[tally]{invariants.For[tally]{}.AtMost(8)}
	}), 3},
	{"units that cannot be counted where they are shown", spoiltTally(func(s *model.System[tally]) {
		s.Properties[0].Holds = func(s *tally) bool { return s.Sum < 4 }
		s.Processes = []string{"a", "b", "c"}
		s.Units = func(s *tally, _ int) int { return int(table[s.Sum]) }
	}), 3},
	{"a process of which it cannot be told whether it is dead", spoiltTally(func(s *model.System[tally]) {
		s.Properties[0].Holds = func(s *tally) bool { return s.Sum < 4 }
		s.Processes = []string{"a", "b", "c"}
		s.Dead = func(s *tally, _ int) bool { return table[s.Sum] > 2 }
	}), 3},
	{"fairness about states that fails", spoiltTally(func(s *model.System[tally]) {
		s.Properties = []model.Property[tally]{invariants.AlwaysEventually(func(s *tally) bool {
			return s.Sum == 0
		})}
		s.Assume = []model.StateFairness[tally]{{Then: func(s *tally) bool { return table[s.Sum] < 9 }}}
	}), 3},
	{"variables that cannot be shown", spoiltTally(func(s *model.System[tally]) {
		s.Properties[0].Holds = func(s *tally) bool { return s.Sum < 4 }
		s.Vars = func(s *tally) []model.Var {
			return []model.Var{{Name: "sum", Value: fmt.Sprint(table[s.Sum])}}
		}
	}), 3},
}

// symmetric spoils a system whose three members are interchangeable.
func symmetric(spoil func(*model.System[tally])) func() model.Instance {
	return spoiltTally(func(s *model.System[tally]) {
		s.Symmetry = []model.Symmetry[tally]{{
			Size: 3, Colour: func(s *tally, i int) uint64 { return uint64(s.Count[i]) }, Swap: swapCounts,
		}}
		spoil(s)
	})
}

func swapCounts(s *tally, i, j int) { s.Count[i], s.Count[j] = s.Count[j], s.Count[i] }

var line = regexp.MustCompile(` \(model/faults\w*_test.go:\d+\)$`)
