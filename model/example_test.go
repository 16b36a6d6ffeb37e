package model_test

import (
	"context"
	"fmt"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

// One process asks another one, which answers.
func ExampleComposition() {
	type local struct{ Asked, Answered bool }
	type message string
	type global = model.Global[local, message, model.None]
	ask := func(p model.Proc, l *local, out *model.Outbox[message]) bool {
		enabled := p == 0 && !l.Asked
		l.Asked = true
		out.Send(1, "question")
		return enabled
	}
	answer := func(_, from model.Proc, m message, l *local, out *model.Outbox[message]) bool {
		if m == "question" {
			out.Send(from, "answer")
		} else {
			l.Answered = true
		}
		return true
	}
	in := model.Compose(model.Composition[local, message, model.None]{
		N:     2,
		Names: model.Names{First: 1},
		Init:  func(model.Proc) local { return local{} },
		Local: []model.Handler[local, message]{{Name: "ask", Do: ask}},
		Receive: []model.Receiver[local, message]{
			{Name: "receive", Accepts: func(message) bool { return true }, Do: answer},
		},
		Properties: []model.Property[global]{{
			Name: "answered", Doc: "in the end there is an answer", Kind: model.Quiet,
			Holds: func(g *global) bool { return g.Local(0).Answered },
		}},
	})
	report, err := explore.Run(context.Background(), in, explore.Options{})
	fmt.Println(report.Verdict, report.States, err)
	// Output: holds 4 <nil>
}

// Two threads and a lock, which either of them can take.
func ExampleSystem() {
	type state struct{ Holder int8 } // 0: nobody
	itself := func(i int) int { return i }
	in := model.NewSystem(model.System[state]{
		Init:      []state{{}},
		Processes: []string{"t1", "t2"},
		Units: func(s *state, p int) int {
			if int(s.Holder) == p+1 {
				return 1
			}
			return 0
		},
		Capacity: 1,
		Actions: []model.SystemAction[state]{
			{Name: "lock", Instances: 2, Owner: itself, Do: func(s *state, p int, _ *model.Choice) bool {
				free := s.Holder == 0
				s.Holder = int8(p + 1)
				return free
			}},
			{Name: "unlock", Instances: 2, Owner: itself, Do: func(s *state, p int,
				_ *model.Choice) bool {
				held := int(s.Holder) == p+1
				s.Holder = 0
				return held
			}},
		},
		Properties: []model.Property[state]{invariants.For[state]{}.AtMost(1),
			invariants.For[state]{}.DeadlockFreedom("")},
	})
	report, err := explore.Run(context.Background(), in, explore.Options{})
	fmt.Println(report.Verdict, report.States, err)
	// Output: holds 3 <nil>
}
