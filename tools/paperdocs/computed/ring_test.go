package computed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/specs/ring"
)

// recoveryMessages counts the messages from a crash to the goal can-recover, in the runs of an instance
// with f=1: the least and the most over all runs that come there. Old tokens that are still forwarded count.
func recoveryMessages(args string) finding {
	s, err := newSender(args)
	if err != nil {
		return finding{Verdict: "violated", Detail: err.Error()}
	}
	f := finding{Verdict: "violated"}
	switch all := s.all(func(*lts.Transition, model.State) bool { return true }); {
	case all.open:
		f.Detail = fmt.Sprintf("at least %d messages; some runs go on for ever, and the ring never recovers",
			all.least)
	case all.missed:
		f.Detail = fmt.Sprintf("%d to %d messages where the ring recovers; some runs end before", all.least,
			all.most)
	default:
		f = finding{Verdict: "holds", Detail: fmt.Sprintf("%d to %d messages", all.least, all.most)}
	}
	f.States = int64(len(s.known))
	return f
}

// neededInHeld asks of an instance with f=1 and another handler than the rectified OnRelease whether some
// run, after a crash of the coordinator in HELD, does not come to can-recover. If none does, the
// rectified one is not needed.
func neededInHeld(args string) finding {
	s, err := newSender(args)
	if err != nil {
		return finding{Verdict: "violated", Detail: err.Error()}
	}
	all := s.all(func(crash *lts.Transition, before model.State) bool {
		held := 0
		for _, v := range before.Vars() {
			if v.Owner != crash.Owner {
				continue
			}
			if v.Name == "ME" && v.Value == "HELD" || v.Name == "coordinator" && v.Value == v.Owner {
				held++
			}
		}
		return held == 2
	})
	f := finding{Verdict: "holds", States: int64(len(s.known)), Detail: "some run does not recover"}
	if !all.open && !all.missed && !all.never {
		f.Verdict, f.Detail = "violated", "without the change every run recovers, too"
	}
	return f
}

// A sender explores the plain semantics after a crash.
type sender struct {
	in    model.Instance
	goal  int
	known map[string]*sending
}

func newSender(args string) (*sender, error) {
	in, _, err := ring.Recovery.Instantiate(strings.Fields(args))
	if err != nil {
		return nil, err
	}
	goal := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
		return p.Name == "can-recover"
	})
	return &sender{in: in, goal: goal, known: map[string]*sending{}}, nil
}

// all has the messages after the chosen crashes, each judged with the state before it.
func (s *sender) all(chosen func(crash *lts.Transition, before model.State) bool) *sending {
	all := &sending{never: true}
	for _, begin := range s.crashes(chosen) {
		all.merge(s.from(begin), 0)
	}
	return all
}

// sending counts the messages from a state to the goal.
type sending struct {
	least, most int
	never       bool // the goal is not reached
	missed      bool // in some run it is not
	open        bool // a run comes back to the state before the goal
	busy        bool // the state is on the way that is being explored
}

// merge enters a successor, to which a step with the given number of messages leads.
func (a *sending) merge(b *sending, sent int) {
	a.open = a.open || b.open || b.busy
	a.missed = a.missed || b.missed || b.never
	if b.never {
		return
	}
	if a.never || b.least+sent < a.least {
		a.least = b.least + sent
	}
	a.most = max(a.most, b.most+sent)
	a.never = false
}

// crashes returns the states after the crashes chosen, in any state before.
func (s *sender) crashes(chosen func(*lts.Transition, model.State) bool) (after []model.State) {
	queue := []model.State{s.in.Plain.Init()[0].Next}
	seen := map[string]bool{queue[0].Key(): true}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, t := range s.in.Plain.Steps(at) {
			key := t.Next.Key()
			if seen[key] || t.Crashed && !chosen(&t, at) {
				continue
			}
			if seen[key] = true; t.Crashed {
				after = append(after, t.Next)
			} else {
				queue = append(queue, t.Next)
			}
		}
	}
	return after
}

// from counts the messages from a state on.
func (s *sender) from(at model.State) *sending {
	key := at.Key()
	if known := s.known[key]; known != nil {
		return known
	}
	here := &sending{never: true, busy: true}
	s.known[key] = here
	if s.in.Plain.Judge(at, s.goal) {
		here.never, here.busy = false, false
		return here
	}
	for _, t := range s.in.Plain.Steps(at) {
		here.merge(s.from(t.Next), len(t.Sent))
	}
	here.busy = false
	return here
}

// of is a function of an instance for a row.
func of(f func(args string) finding, args string) func() finding {
	return func() finding { return f(args) }
}

// What the paper claims of the token, and of how far the ring may shrink.

// closesWithFewer asks for each n and k whether fewer than k survivors can close the ring: with gaps
// that add up to n, each of at most n-k+1, since a process that turns past g-1 dead ones needs a list of
// at least k ids when it takes the last, n-1-(g-2) of them.
func closesWithFewer() finding {
	first := ""
	for n := 1; n <= 64; n++ {
		for k := 1; k <= n; k++ {
			fewer := false
			for m := 1; m < k; m++ {
				fewer = fewer || m*(n-k+1) >= n
			}
			if fewer != (3 <= k && k < n) {
				return finding{Verdict: "holds",
					Detail: fmt.Sprintf("the argument is wrong: n=%d, k=%d", n, k)}
			}
			if fewer && first == "" {
				first = fmt.Sprintf("n=%d, k=%d", n, k)
			}
		}
	}
	return finding{
		Verdict: "violated", Detail: "for each k from 3 to n-1, first " + first + "; for no other",
	}
}

// rangeReached compares the largest n-k over 1 < k <= n with n-1.
func rangeReached() finding {
	for n := 2; n <= 64; n++ {
		most := 0
		for k := 2; k <= n; k++ {
			most = max(most, n-k)
		}
		if most != n-1 {
			return finding{Verdict: "violated", Detail: fmt.Sprintf("n=%d: at most %d", n, most)}
		}
	}
	return finding{Verdict: "holds"}
}

// What the paper claims of OnRelease, of AutoList and of other details that can be read in several ways.

// incompleteList asks whether a crash in a cold start under AutoList can make a process give up.
func incompleteList() finding {
	run := figure{
		Spec: ring.Recovery, Args: "n=2 f=1 list=auto start=cold guard=none", Places: ringPlaces,
		Steps: []string{"p2 crash", "p1 open-error"},
	}
	f := run.Follow()
	if f.Verdict == "holds" {
		f.Detail = "p2 crashes, p1 cannot connect, its list is empty"
	}
	return f
}

// listsOfSix compares the lists of a ring of six with the examples of section 3. A state has them without
// the first id, the neighbour that the process is joined to.
func listsOfSix() finding {
	in, _, err := ring.Recovery.Instantiate([]string{"n=6", "f=0"})
	if err != nil {
		return finding{Verdict: "violated", Detail: err.Error()}
	}
	asked := 0
	for _, v := range in.Plain.Init()[0].Next.Vars() {
		if v.Name != "ListPIds" {
			continue
		}
		want := "("
		for k := range 5 {
			want += fmt.Sprintf("p%d ", (asked+2+k)%6+1)
		}
		if asked++; v.Value != want[:len(want)-1]+")" {
			return finding{Verdict: "violated", Detail: fmt.Sprintf("%s has %s", v.Owner, v.Value)}
		}
	}
	if asked != 6 {
		return finding{Verdict: "violated", Detail: fmt.Sprintf("%d lists", asked)}
	}
	return finding{Verdict: "holds", Detail: "six lists of six"}
}
