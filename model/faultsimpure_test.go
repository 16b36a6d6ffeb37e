package model_test

import (
	"time"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

// impurities are models that are no functions, or not symmetric as they say; length as above.
var impurities = []struct {
	what   string
	build  func() model.Instance
	length int
}{
	{"a handler that counts how often it runs", spoiltRelay(func(c *relay) {
		runs := uint8(0)
		pass := c.Local[0].Do
		c.Local[0].Do = func(p model.Proc, l *passer, out *passing) bool {
			runs++
			l.Seen += runs % 2
			return pass(p, l, out)
		}
	}), 1},
	{"a guard that lets a step happen once", spoiltRelay(func(c *relay) {
		done := false
		c.Local[0].Do = func(p model.Proc, l *passer, out *passing) bool {
			if done || !l.Has {
				return false
			}
			done = true
			out.Send(p, baton{})
			return true
		}
	}), 1},
	{"a receiver that sends the time of day", spoiltRelay(func(c *relay) {
		c.Receive[0].Do = func(_, from model.Proc, _ baton, _ *passer, out *passing) bool {
			out.Send(from, baton{uint8(time.Now().UnixNano() / 16)})
			return true
		}
		c.Local[0].Do = func(p model.Proc, l *passer, out *passing) bool {
			out.Send((p+1)%3, baton{})
			return l.Has
		}
	}), 2},
	{"a handler that reads what another one has left behind", spoiltRelay(func(c *relay) {
		left := uint8(0)
		pass := c.Local[0].Do
		c.Local[0].Do = func(p model.Proc, l *passer, out *passing) bool {
			defer func() { left = 1 + l.Seen }()
			l.Seen = max(l.Seen, left)
			return pass(p, l, out)
		}
	}), 1},
	{"a choice among as many as happen to be", spoiltRelay(func(c *relay) {
		n := 1
		c.Local[0].Do = func(_ model.Proc, l *passer, out *passing) bool {
			n++
			l.Seen = uint8(out.Pick(n))
			return l.Has
		}
	}), 1},
	{"a constraint that is asked a third time", spoiltRelay(func(c *relay) {
		asked := 0
		c.Constraint = func(model.Proc, *passer) bool {
			asked++
			return asked < 10
		}
	}), 0},
	{"a constraint that changes the state", spoiltRelay(func(c *relay) {
		c.Constraint = func(_ model.Proc, l *passer) bool {
			l.Seen = min(l.Seen, 1)
			return true
		}
	}), 8},
	{"units that come and go", spoiltRelay(func(c *relay) {
		asked := 0
		c.Units = func(*passer) int {
			asked++
			return asked % 2
		}
	}), 0},
	{"a history that remembers by itself", spoiltRelay(func(c *relay) {
		calls := 0
		pass := c.Local[0].Do
		c.Local[0].Do = func(p model.Proc, l *passer, out *passing) bool {
			out.Note(1)
			return pass(p, l, out)
		}
		c.History.Step = func(_ *model.None, _ model.Event) bool {
			calls++
			return calls%2 == 1
		}
	}), 0},
	{"a property that holds every other time", spoiltRelay(func(c *relay) {
		asked := 0
		c.Properties[0].Holds = func(*course) bool {
			asked++
			return asked%2 == 1
		}
	}), 0},
	{"a property that changes the state", spoiltRelay(func(c *relay) {
		c.Properties[0].Holds = func(g *course) bool {
			g.Local(1).Seen++
			return true
		}
	}), 0},
	{"a property of each process that looks at another one", spoiltRelay(func(c *relay) {
		c.Properties[0].Holds = nil
		c.Properties[0].OfLocal = func(g *course, p model.Proc) bool {
			return g.Local(p).Has == g.Local(
				(p+1)%3).Has
		}
	}), 0},
	{"an action that counts how often it runs", spoiltTally(func(s *model.System[tally]) {
		runs := uint8(0)
		s.Actions[0].Do = func(s *tally, i int, _ *model.Choice) bool {
			runs++
			s.Count[i] = runs
			s.Sum = s.Count[0] + s.Count[1] + s.Count[2]
			return true
		}
	}), 1},
	{"a constraint of a system that holds every other time", spoiltTally(func(s *model.System[tally]) {
		asked := 0
		s.Constraint = func(*tally) bool {
			asked++
			return asked%3 != 0
		}
	}), -1},
	{"a constraint of a system that rejects every other time", spoiltTally(func(s *model.System[tally]) {
		asked := 0
		s.Constraint = func(*tally) bool {
			asked++
			return asked%2 == 1
		}
	}), -1},
	{"a goal that is reached when it is asked for the third time", spoiltRelay(func(c *relay) {
		asked := 0
		c.Properties = append(c.Properties, model.Property[course]{Name: "goal", Kind: model.Reachable,
			Holds: func(*course) bool {
				asked++
				return asked == 3
			}})
	}), 0},
	{"a number of requests that grows", spoiltRelay(func(c *relay) {
		asked := 0
		total := invariants.MessagesTotal(0, 3, func(*course) int {
			asked++
			return 1 + asked%4
		})
		total.OnRequest = false
		c.Properties = append(c.Properties, total)
	}), -1},
	{"a message that is charged to each process in turn", spoiltRelay(func(c *relay) {
		asked := 0
		c.Charge = func(model.Proc, model.Proc, baton) model.Proc {
			asked++
			return model.Proc(asked % 3)
		}
		messages := invariants.Of[passer, baton, model.None]{}.Messages("pass", "pass", 0, 9)
		messages.OnRequest = false
		c.Properties = append(c.Properties, messages)
	}), 1},
	{"fairness of every other step", spoiltRelay(func(c *relay) {
		asked := 0
		c.Fairness = []model.Fairness{{Name: "some", Has: func(model.Label) bool {
			asked++
			return asked%2 == 0
		}}}
		c.Properties = append(c.Properties, invariants.Eventually(nil, func(g *course) bool {
			return g.Local(2).Seen == 9
		}))
	}), -1},
	{"a receiver that accepts every other time", spoiltRelay(func(c *relay) {
		asked := 0
		c.Receive[0].Accepts = func(baton) bool {
			asked++
			return asked%3 == 1
		}
	}), 1},
	{"a property that tells members of a symmetry apart", symmetric(func(s *model.System[tally]) {
		s.Properties = append(s.Properties, model.Property[tally]{
			Name: "first", Kind: model.Invariant, Holds: func(s *tally) bool {
				return s.Count[2] < 3 &&
					s.Count[0] < 2 || s.Count[1] > 0
			},
		})
	}), 2},
	// representatives are sorted, so the first member alone never has a count in any of them
	{"a property of the first member of a symmetry", symmetric(func(s *model.System[tally]) {
		s.Properties = append(s.Properties, model.Property[tally]{
			Name: "second", Kind: model.Invariant,
			Holds: func(s *tally) bool { return s.Count[0] < 2 || s.Count[1] > 0 },
		})
	}), 2},
	{"a constraint that tells members of a symmetry apart", symmetric(func(s *model.System[tally]) {
		s.Constraint = func(s *tally) bool { return s.Count[2] < 2 || s.Count[1] > 0 }
	}), 3},
	{"a swap that forgets a variable", symmetric(func(s *model.System[tally]) {
		do := s.Actions[0].Do
		s.Actions[0].Do = func(s *tally, i int, c *model.Choice) bool {
			if s.Sum > 0 && int(s.Last) != i {
				return false
			}
			s.Last = uint8(i)
			return do(s, i, c)
		}
	}), 0},
	{"a swap that cannot be undone", symmetric(func(s *model.System[tally]) {
		s.Symmetry[0].Swap = func(s *tally, i, j int) { s.Count[i] = s.Count[j] }
	}), 0},
	{"an action that treats members of a symmetry in different ways", symmetric(func(s *model.System[tally]) {
		do := s.Actions[0].Do
		s.Actions[0].Do = func(s *tally, i int, c *model.Choice) bool { return i < 2 && do(s, i, c) }
	}), 0},
}
