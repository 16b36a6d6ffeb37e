package ring

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
)

// recoveryMessages counts the messages from a crash to the goal can-recover, in the runs of an instance
// with f=1: the least and the most over all runs that come there, old tokens that are still forwarded included.
func recoveryMessages(args string) model.Finding {
	in, _, err := plain.Instantiate(strings.Fields(args))
	if err != nil {
		return model.Finding{Verdict: "violated", Detail: err.Error()}
	}
	goal := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool { return p.Name == "can-recover" })
	s := &sender{in: in, goal: goal, known: map[string]*sending{}}
	all := sending{never: true}
	for _, begin := range s.crashes() {
		all.merge(s.from(begin), 0)
	}
	switch {
	case all.open:
		return model.Finding{
			Verdict: "violated", States: int64(len(s.known)),
			Detail: fmt.Sprintf("at least %d messages; in some runs the ring goes on for ever and never recovers", all.least),
		}
	case all.missed:
		return model.Finding{
			Verdict: "violated", States: int64(len(s.known)),
			Detail: fmt.Sprintf("%d to %d messages where the ring recovers; in some runs it never does", all.least, all.most),
		}
	}
	return model.Finding{
		Verdict: "holds", States: int64(len(s.known)), Detail: fmt.Sprintf("%d to %d messages", all.least, all.most),
	}
}

// A sender explores the plain semantics after a crash.
type sender struct {
	in    model.Instance
	goal  int
	known map[string]*sending
}

// sending is what is sent from a state on until the goal.
type sending struct {
	least, most int
	never       bool // the goal is not reached
	missed      bool // in some run it is not
	open        bool // a run comes back to the state before the goal
	busy        bool // the state is on the way that is being explored
}

// merge enters a successor, to which a step leads that sends so many messages.
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

// crashes returns the states after a crash, in any state before.
func (s *sender) crashes() (after []model.State) {
	queue := []model.State{s.in.Plain.Init()[0].Next}
	seen := map[string]bool{queue[0].Key(): true}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, t := range s.in.Plain.Steps(at) {
			key := t.Next.Key()
			if seen[key] {
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

// from returns what is sent from a state on.
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

// messagesOf is recoveryMessages for a row.
func messagesOf(args string) func() model.Finding {
	return func() model.Finding { return recoveryMessages(args) }
}
