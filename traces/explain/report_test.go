package explain_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// TestTrackerHasAllSteps: the steps of all processes with all actions are all steps, and the
// numbers of a Track stand for the same states.
func TestTrackerHasAllSteps(t *testing.T) {
	for _, m := range small {
		in := instance(t, m.spec, m.args)
		c := in.Interp
		r := rand.New(rand.NewPCG(4, 4))
		s := c.Init()[0].Next
		for range 60 {
			all := c.Steps(s)
			want, got := map[string]int{}, map[string]int{}
			for _, tr := range all {
				want[tr.Text()+tr.Next.Key()]++
			}
			for p := range model.Proc(c.N()) {
				for a := range in.Space.Actions() {
					for _, tr := range c.StepsOf(s, p, a) {
						got[tr.Text()+tr.Next.Key()]++
						if tr.Action != a {
							t.Fatalf("%s: action %d instead of %d", m.spec, tr.Action, a)
						}
					}
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%s %s: %d steps of single processes, %d of all", m.spec, m.args, len(got),
					len(want))
			}
			for k, n := range want {
				if got[k] != n {
					t.Fatalf("%s %s: %d times instead of %d: %s", m.spec, m.args, got[k], n, k)
				}
			}
			if len(all) == 0 {
				break
			}
			s = all[r.IntN(len(all))].Next
		}
	}
}

// TestDifferentMessagesHaveDifferentTexts: messages that differ have different texts, which the search
// relies on.
func TestDifferentMessagesHaveDifferentTexts(t *testing.T) {
	for _, m := range small {
		x := instance(t, m.spec, m.args).Interp
		r := rand.New(rand.NewPCG(6, 6))
		for range 20 {
			s := x.Start()
			for range 80 {
				var steps []interp.Step
				for p := range model.Proc(x.N()) {
					for _, e := range s.Receipts(s.Idle(nil, p), p) {
						s.Enabled(e, interp.How{}, func(t *interp.Step) bool {
							if x.Class(t.Action) < interp.CrashStep {
								steps = append(steps, *t)
							}
							return true
						})
					}
					inbox := s.Inbox(p)
					for i := range inbox {
						for _, other := range inbox[:i] {
							text, this := x.Messages.Text(other.M), &inbox[i]
							if other.From == this.From && text == x.Messages.Text(this.M) &&
								!x.Messages.Equal(other.M, this.M) {
								t.Fatalf("%s %s: two messages with the text %s", m.spec, m.args, text)
							}
						}
					}
				}
				if len(steps) == 0 {
					break
				}
				s.Apply(&steps[r.IntN(len(steps))])
			}
		}
	}
}

// TestFaultyImplementationIsRejected: the log of an implementation that enters with one permission less is
// not explained by the algorithm; by the faulty model it is, with at-most-k violated.
func TestFaultyImplementationIsRejected(t *testing.T) {
	right, faulty := permissions(3, 1, 2), permissions(3, 1, 1)
	for seed := range uint64(5) {
		h := long(t, faulty, rand.New(rand.NewPCG(seed, 3)), 300)
		r := explained(t, faulty, h, explain.Options{})
		p := r.Properties[0]
		if r.Verdict != explain.Accepted || !p.Violated || p.At.Event.Name != "enter" ||
			r.Vacuity.Inside < 2 {
			t.Errorf("seed %d: %s by the faulty model; %+v", seed, r.Verdict, p)
		}
		r = explained(t, right, h, explain.Options{Repair: 1})
		if r.Verdict != explain.Rejected || r.Repair.Found || !r.Repair.Exhausted {
			t.Fatalf("seed %d: %s by the right model; %+v", seed, r.Verdict, r.Repair)
		}
		b := r.Furthest[0].Blocked[0]
		if b.Event.Name != "enter" || b.Waits || b.Why != "enter is not enabled" {
			t.Errorf("seed %d: %+v", seed, b)
		}
	}
}

// TestMissingLineIsNamed: where a single line is missing, the report says which. It need not be
// in the same place: the step may have been possible earlier or later.
func TestMissingLineIsNamed(t *testing.T) {
	in := permissions(3, 1, 2)
	r := rand.New(rand.NewPCG(2, 2))
	told := 0
	for range 30 {
		h := only(long(t, in, r, 60), full)
		gone := r.IntN(50)
		rep := explained(t, in, without(h, func(i int) bool { return i == gone }), explain.Options{Repair: 1})
		if rep.Verdict == explain.Accepted {
			continue
		}
		if rep.Repair == nil || !rep.Repair.Found || len(rep.Repair.Missing) != 1 {
			t.Fatalf("no line is missing: %+v", rep.Repair)
		}
		e, m := h.Events[gone], rep.Repair.Missing[0]
		if m.Node+".log" != e.File || m.Action != e.Name || !strings.Contains(m.String(), e.Message) {
			t.Errorf("%+v was dropped, but missing is %s", e, m.String())
		}
		told++
	}
	if told < 20 {
		t.Errorf("%d only of 30 dropped lines were missed", told)
	}
}

// script makes a log of lines like "p1 enter".
func script(lines ...string) *order.History {
	byNode := map[string][]order.Event{}
	var nodes []string
	for _, l := range lines {
		node, event, _ := strings.Cut(l, " ")
		if !slices.Contains(nodes, node) {
			nodes = append(nodes, node)
		}
		byNode[node] = append(byNode[node],
			order.Event{Place: formats.Place{File: node + ".log"}, Name: event, From: -1})
	}
	slices.Sort(nodes)
	var list [][]order.Event
	for i, node := range nodes {
		for j := range byNode[node] {
			byNode[node][j].Node = i
		}
		list = append(list, byNode[node])
	}
	return rebuilt(nodes, list)
}

func TestLogsThatDoNotFitTheModelAreErrors(t *testing.T) {
	in := instance(t, "raymond", "n=3 k=2")
	for _, c := range []struct {
		want  string
		lines []string
	}{
		{`no process "p9"`, []string{"p9 enter"}},
		{`the nodes "P1" and "p1" are both process p1`, []string{"p1 enter", "P1 enter"}},
		{`the model has no such actions: "vote" (p1.log:2); it has request`, []string{"p1 request", "p1 vote",
			"p1 vote"}},
		{`"crash" (p1.log:1)`, []string{"p1 crash"}},
	} {
		_, err := explain.Run(context.Background(), in, script(c.lines...), explain.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.lines, err, c.want)
		}
	}
	_, err := explain.Run(context.Background(), instance(t, "die-hard", ""), script("p1 enter"),
		explain.Options{})
	if err == nil {
		t.Error("a log is explained by jugs")
	}
	r := explained(t, in, script("p1 request", "p1 vote"), explain.Options{Ignore: []string{"vote"}})
	if r.Verdict != explain.Accepted || r.Lines != 1 {
		t.Errorf("%s of %d lines", r.Verdict, r.Lines)
	}
}

// TestSparseLogsAreExplainedByHiddenSteps: logs that say little are explained by hidden steps, within the
// budget.
func TestSparseLogsAreExplainedByHiddenSteps(t *testing.T) {
	in := instance(t, "raymond", "n=2 k=1 rounds=1 crashes=1")
	none, some := explain.Options{}, explain.Options{Hidden: 3}
	maybe := script("p1 request", "p1 enter", "p1 request")
	maybe.Events[1].Maybe, maybe.Events[2].Maybe = true, true
	later := script("p1 receive", "p2 request", "p2 receive")
	later.Events[0].Maybe, later.Events[0].Message, later.Events[0].From = true, "REQUEST(1)", 1
	for _, c := range []struct {
		what string
		h    *order.History
		opt  explain.Options
		want explain.Verdict
	}{
		{"an enter without a permission", script("p1 request", "p1 enter"), none, explain.Rejected},
		{"with the receipts missing", script("p1 request", "p1 enter"), some, explain.Accepted},
		{"with one of them too many", script("p1 request", "p1 enter"), explain.Options{Hidden: 1},
			explain.Rejected},
		{"steps of a node without lines as its tail", script("p1 request", "p1 receive", "p1 enter"),
			explain.Options{Tail: 1}, explain.Accepted},
		{"the same without a tail", script("p1 request", "p1 receive", "p1 enter"), none, explain.Rejected},
		{"a dead node that goes on", script("p1 crash", "p1 request"), some, explain.Rejected},
		{"a lost tail before a crash", script("p1 request", "p2 crash", "p1 receive", "p1 enter"),
			explain.Options{Tail: 1}, explain.Accepted},
		{"two crashes", script("p1 crash", "p2 crash"), some, explain.Rejected},
		{"what may not have happened", maybe, none, explain.Accepted},
		{"what may have happened, but only later", later, none, explain.Accepted},
	} {
		if r := explained(t, in, c.h, c.opt); r.Verdict != c.want {
			t.Errorf("%s: %s, want %s", c.what, r.Verdict, c.want)
		}
	}
	// p0 may crash in its own request, but did so in a receipt.
	broken := script("p0 crash while sending", "p1 request", "p1 receive REPLY")
	r := explained(t, instance(t, "vcube-stack", "n=4 k=1 crashes=1"), broken, none)
	if r.Verdict != explain.Accepted {
		t.Errorf("a crash inside a receipt: %s", r.Verdict)
	}
	// No action of cohorts is called enter: it is the return of a probe.
	r = explained(t, instance(t, "cohorts", "cohorts=1,2 h=1"), script("r1 start", "r1 enter", "r1 release"),
		explain.Options{Hidden: 8, States: 50_000})
	if r.Verdict != explain.Accepted || r.Vacuity.Inside != 1 || r.Vacuity.Entries != 1 {
		t.Errorf("%s %s, %+v", r.Verdict, r.Reason, r.Vacuity)
	}
}

// TestLimitsMakeUndecided: a search that stops says so.
func TestLimitsMakeUndecided(t *testing.T) {
	in := permissions(3, 1, 2)
	h := only(long(t, in, rand.New(rand.NewPCG(1, 1)), 200), full)
	if r := explained(t, in, h, explain.Options{States: 50}); r.Verdict != explain.Undecided ||
		r.Reason == "" {
		t.Errorf("%s %s with 50 states", r.Verdict, r.Reason)
	}
	if r := explained(t, in, h, explain.Options{Memory: 1000}); r.Verdict == explain.Rejected {
		t.Errorf("%s %s with 1000 bytes", r.Verdict, r.Reason)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := explain.Run(ctx, in, only(long(t, in, rand.New(rand.NewPCG(1, 1)), 2000), full),
		explain.Options{})
	if err != nil || r.Verdict != explain.Undecided {
		t.Errorf("%v %v after the time was up", r, err)
	}
}

// TestCrashBetweenMessagesMayOvertake: a process that dies between two messages to the same target.
func TestCrashBetweenMessagesMayOvertake(t *testing.T) {
	type none = model.None
	model2 := func(nw model.Network) model.Instance {
		return model.Compose(model.Composition[uint8, uint8, none]{
			N: 2, Names: model.Names{First: 1}, Network: nw,
			Init: func(model.Proc) uint8 { return 0 },
			Local: []model.Handler[uint8, uint8]{{Name: "go", Do: func(p model.Proc, l *uint8,
				out *model.Outbox[uint8]) bool {
				ok := p == 0 && *l == 0
				*l = 1
				out.Send(1, 7)
				out.Send(1, 8)
				return ok
			}}},
			Receive: []model.Receiver[uint8, uint8]{{
				Name: "take", Accepts: func(uint8) bool { return true },
				Do: func(_, _ model.Proc, m uint8, l *uint8, _ *model.Outbox[uint8]) bool {
					*l = m
					return true
				},
			}},
		})
	}
	h := script("p1 go", "p1 crash", "p2 take")
	h.Events[2].Message = "8"
	for _, c := range []struct {
		nw   model.Network
		want explain.Verdict
	}{
		{model.Network{Channel: model.FIFO, Crashes: 1, Crashable: 3, CrashSends: model.Subset},
			explain.Undecided},
		{model.Network{Channel: model.FIFO, Crashes: 1, Crashable: 3, CrashSends: model.Prefix},
			explain.Rejected},
		{model.Network{Channel: model.Bag, Crashes: 1, Crashable: 3, CrashSends: model.Subset},
			explain.Accepted},
	} {
		if r := explained(t, model2(c.nw), h, explain.Options{}); r.Verdict != c.want {
			t.Errorf("%+v: %s, want %s", c.nw, r.Verdict, c.want)
		}
	}
	h = script("p1 crash while sending", "p2 take")
	h.Events[1].Message = "8"
	in := model2(model.Network{Channel: model.FIFO, Crashes: 1, Crashable: 3, CrashSends: model.Subset})
	if r := explained(t, in, h, explain.Options{}); r.Verdict != explain.Accepted {
		t.Errorf("%s of a log that says so", r.Verdict)
	}
}
