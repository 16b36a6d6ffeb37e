package timerfree

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

type composition = model.Composition[local, message, invariants.Answers]

// Instances on which the mutants are tried.
const (
	two     = "n=2 k=1 f=0 rounds=1 variant=c"
	noCrash = "n=3 k=2 f=0 rounds=2,1,0 variant=c"
	oneDead = "n=3 k=2 f=1 rounds=3,3,0 dead=3 channel=fifo variant=c"
	oneDies = "n=3 k=2 f=1 rounds=2,1,0 channel=fifo variant=c"
	// Line 24 is reached only if p1 gets the permission of p3 for its second request
	// after p3 died, and p2 finds that out with its second request and says so in its third.
	diesLate = "n=3 k=2 f=1 rounds=2,3,0 crashable=3 channel=fifo variant=c"
)

// TestEachMutantIsCaught leaves out one line at a time. Each is caught by a property that
// holds of the algorithm itself, or is harmless at the instance tried: no verdict
// changes.
func TestEachMutantIsCaught(t *testing.T) {
	const harmless = ""
	mutants := []struct {
		without  string // the lines left out
		args     string
		property string // that catches it, or harmless
		mutate   func(*algorithm, *composition)
	}{
		{"22", two, "at-most-k", onRequest(func(before, l *local) { l.H = before.H })},
		{"24-26", diesLate, "permissions-live", onRequest(func(before, l *local) {
			l.PermCount, l.HavePerm = before.PermCount, before.HavePerm
		})},
		{"27", oneDead, "all-detected", onRequest(func(before, l *local) { l.Crashed = before.Crashed })},
		{"comparison of 28, all who wait defer", two, "no-starvation", onOrder(0)},
		{"comparison of 28, none who waits defers", two, "at-most-k", onOrder(math.MaxUint32)},
		{"34", oneDead, "all-detected", onReply(34)},
		{"36", noCrash, "no-false-suspicion", onReply(36)},
		{"36 where f is n-2", oneDies, harmless, onReply(36)}, // the first reply makes it true
		{"38", oneDead, "all-detected", onReply(38)},
		{"none", oneDies, harmless, onReply(0)},
	}
	for _, m := range mutants {
		t.Run(m.without, func(t *testing.T) {
			if m.args == diesLate && os.Getenv("ATMOSTK_SWEEP") == "" {
				t.Skip("of a million states: part of the sweep")
			}
			itself := checkMutant(t, m.args, func(*algorithm, *composition) {})
			mutant := checkMutant(t, m.args, m.mutate)
			for i, p := range itself.Properties {
				q := mutant.Properties[i]
				switch {
				case p.Name == m.property && (p.Verdict != explore.Holds || q.Verdict != explore.Violated):
					t.Errorf("%s: %s, of the mutant %s; want holds, violated", p.Name, p.Verdict, q.Verdict)
				case m.property == harmless && (p.Verdict != q.Verdict || p.Length != q.Length):
					t.Errorf("%s: %s (%d), of the mutant %s (%d); want no difference", p.Name, p.Verdict,
						p.Length, q.Verdict, q.Length)
				}
			}
		})
	}
}

func checkMutant(t *testing.T, args string, mutate func(*algorithm, *composition)) *explore.Report {
	t.Helper()
	return explored(t, mutant(t, args, mutate))
}

// mutant is an instance that was changed.
func mutant(t *testing.T, args string, mutate func(*algorithm, *composition)) model.Instance {
	t.Helper()
	a, err := Spec.ParseArgs(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	alg := newAlgorithm(a)
	c := alg.composition(a.Network(alg.n, 1, alg.f))
	if err := a.Err(); err != nil {
		t.Fatal(err)
	}
	mutate(alg, &c)
	return model.Compose(c)
}

// onRequest undoes a part of what lines 22-32 did.
func onRequest(undo func(before, l *local)) func(*algorithm, *composition) {
	return func(a *algorithm, c *composition) {
		c.Receive[0].Do = func(i, j model.Proc, m message, l *local, out *outbox) bool {
			before := *l
			done := a.receiveRequest(i, j, m, l, out)
			undo(&before, l)
			return done
		}
	}
}

// onOrder has line 28 compare as if the process's own request had the given time.
func onOrder(last uint32) func(*algorithm, *composition) {
	return func(a *algorithm, c *composition) {
		c.Receive[0].Do = func(i, j model.Proc, m message, l *local, out *outbox) bool {
			own := l.Last
			l.Last = model.Count(last)
			done := a.receiveRequest(i, j, m, l, out)
			l.Last = own
			return done
		}
	}
}

// onReply is lines 33-41 without one of the lines 34, 36 and 38.
func onReply(without int) func(*algorithm, *composition) {
	return func(a *algorithm, c *composition) {
		c.Receive[1].Do = func(_, j model.Proc, m message, l *local, out *outbox) bool {
			if a.timed && stale(l, m) {
				return true
			}
			if without != 34 {
				l.NewNotRecFrom = l.NewNotRecFrom.Without(j)
			}
			l.X.Put(j, entry{true, m.set})
			if without == 36 || l.NewNotRecFrom.Len() <= a.f {
				l.NotRecFrom = l.NewNotRecFrom
				out.Note(invariants.Unanswered(rpV, l.NotRecFrom.Set()))
				if without != 38 {
					l.Crashed = l.Crashed.Union(a.missing(l))
				}
			}
			if l.State == requesting && m.perm && !l.Crashed.Has(j) {
				if !a.once || !l.HavePerm.Has(j) {
					l.PermCount = l.PermCount.Plus(1)
				}
				l.HavePerm = l.HavePerm.With(j)
			}
			return true
		}
	}
}
