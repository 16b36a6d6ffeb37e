package explain_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// client is a process that asks all others for permission, without end.
type client struct {
	Phase uint8 // 0: idle, 1: waiting, 2: inside
	Clock uint32
	Last  uint32
	Have  uint8
	Owed  [8]uint8
}

// letter is a request with its time, or so many permissions.
type letter struct {
	Time  uint32
	Count uint8
}

func (m letter) String() string {
	if m.Count > 0 {
		return fmt.Sprintf("yes(%d)", m.Count)
	}
	return fmt.Sprintf("ask(%d)", m.Time)
}

type outbox = model.Outbox[letter]

// permissions is k-mutual exclusion by n-k permissions; need is how many it takes.
func permissions(n, k, need int) model.Instance {
	type L = client
	return model.Compose(model.Composition[L, letter, model.None]{
		N: n, Names: model.Names{First: 1},
		Init: func(model.Proc) L { return L{} },
		Local: []model.Handler[L, letter]{
			{Name: "ask", Do: func(p model.Proc, l *L, out *outbox) bool {
				if l.Phase != 0 {
					return false
				}
				l.Clock++
				l.Phase, l.Last, l.Have = 1, l.Clock, 0
				for q := range model.Proc(n) {
					if q != p {
						out.Send(q, letter{Time: l.Last})
					}
				}
				return true
			}},
			{Name: "enter", Do: func(_ model.Proc, l *L, _ *outbox) bool {
				ok := l.Phase == 1 && int(l.Have) >= need
				l.Phase = 2
				return ok
			}},
			{Name: "leave", Do: func(_ model.Proc, l *L, out *outbox) bool {
				if l.Phase != 2 {
					return false
				}
				l.Phase = 0
				for q, owed := range l.Owed {
					if owed > 0 {
						out.Send(model.Proc(q), letter{Time: 0, Count: owed})
					}
				}
				l.Owed = [8]uint8{}
				return true
			}},
		},
		Receive: []model.Receiver[L, letter]{
			{Name: "hear ask", Accepts: func(m letter) bool { return m.Count == 0 }, Do: func(p, q model.Proc,
				m letter, l *L, out *outbox) bool {
				first := l.Last < m.Time || l.Last == m.Time && p < q
				l.Clock = max(l.Clock, m.Time)
				if l.Phase == 2 || l.Phase == 1 && first {
					l.Owed[q]++
					return true
				}
				out.Send(q, letter{Count: 1})
				return true
			}},
			{Name: "hear yes", Accepts: func(m letter) bool { return m.Count > 0 }, Do: func(_, _ model.Proc,
				_ letter, l *L, _ *outbox) bool {
				l.Have++
				return true
			}},
		},
		Units: func(l *L) int {
			if l.Phase == 2 {
				return 1
			}
			return 0
		},
		Properties: []model.Property[model.Global[L, letter, model.None]]{
			invariants.Of[L, letter, model.None]{}.AtMost(k),
		},
	})
}

// long logs a random run of so many steps. Only one process at a time is asked what
// it can do, so it is faster than walk.
func long(t testing.TB, in model.Instance, r *rand.Rand, steps int) *order.History {
	rec := newRecorder(t, in)
	c := in.Interp
	s := c.Init()[0].Next
	actions := len(in.Space.Actions())
	for len(rec.h.Events) < steps {
		ts := c.StepsOf(s, model.Proc(r.IntN(len(rec.names))), r.IntN(actions))
		if len(ts) == 0 {
			continue
		}
		tr := ts[r.IntN(len(ts))]
		rec.add(&tr)
		s = tr.Next
	}
	return rec.h
}

// large is set for measurements, which take minutes.
var large = os.Getenv("ATMOSTK_LARGE") != ""

// TestLong measures large logs. ATMOSTK_LARGE=1 go test -run Long -v ./traces/explain does it.
func TestLong(t *testing.T) {
	size := 1_000
	if large {
		size = 100_000
	}
	in := permissions(5, 2, 3)
	h := long(t, in, rand.New(rand.NewPCG(7, 7)), size)
	tenth := func(i int) bool { return i%10 == 9 }
	for _, c := range []struct {
		name string
		h    *order.History
		opt  explain.Options
		want []explain.Verdict
	}{
		{"complete", h, explain.Options{}, []explain.Verdict{explain.Accepted}},
		{"complete, numbered", only(h, full|seq), explain.Options{}, []explain.Verdict{explain.Accepted}},
		{"ids only", only(h, ids|sends), explain.Options{}, []explain.Verdict{explain.Accepted}},
		{"texts only", only(h, texts|sends), explain.Options{}, []explain.Verdict{explain.Accepted}},
		{"every tenth line missing, vector clocks", only(clocked(without(h, tenth)), full|clocks),
			explain.Options{Hidden: size, States: int64(10 * size)}, []explain.Verdict{explain.Accepted,
				explain.Undecided}},
		{"every tenth line missing, numbered", only(without(h, tenth), full|seq), explain.Options{
			Hidden: size, States: int64(10 * size)}, []explain.Verdict{explain.Accepted, explain.Undecided}},
		{"every tenth line missing, not numbered", only(without(h, tenth), full), explain.Options{
			Hidden: size, States: int64(2 * size)}, []explain.Verdict{explain.Accepted, explain.Undecided}},
		{"every tenth line missing, not numbered, no state", only(without(h, tenth), ids|texts|sends),
			explain.Options{Hidden: size, States: int64(2 * size)}, []explain.Verdict{explain.Accepted,
				explain.Undecided}},
	} {
		t.Run(c.name, func(t *testing.T) {
			begun := time.Now()
			r := explained(t, in, c.h, c.opt)
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			t.Logf("%s %s, %d of %d lines, %d states, %d hidden, %v, heap %d MiB", r.Verdict, r.Reason,
				r.Explained, r.Lines, r.States, r.Vacuity.Hidden, time.Since(begun).Round(time.Millisecond),
				m.HeapSys>>20)
			if !slices.Contains(c.want, r.Verdict) {
				t.Errorf("%s", r.Verdict)
			}
		})
	}
}
