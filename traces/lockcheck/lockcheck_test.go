package lockcheck_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/semaphore"

	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/lockcheck"
)

// A verdict is a test that keeps the message of its failure, "" if it passed.
type verdict struct {
	testing.TB
	dir  string
	text string
}

func (v *verdict) Helper()                        {}
func (v *verdict) ArtifactDir() string            { return v.dir }
func (v *verdict) Errorf(format string, a ...any) { v.text += fmt.Sprintf(format, a...) }
func (v *verdict) Fatalf(format string, a ...any) { v.text += fmt.Sprintf(format, a...) }

// judged returns the message of a failed run, "" if it passed.
func judged(t testing.TB, k int, body func(r *lockcheck.Recorder)) string {
	v := &verdict{TB: t, dir: t.TempDir()}
	lockcheck.Run(v, k, body)
	return v.text
}

// all runs work in a goroutine for each of n holders, and waits for all.
func all(r *lockcheck.Recorder, n int, work func(h *lockcheck.Holder)) {
	var wg sync.WaitGroup
	for i := range n {
		h := r.Holder(fmt.Sprint("w", i+1))
		wg.Go(func() { work(h) })
	}
	wg.Wait()
}

func TestMutexOfTheLibraryIsAccepted(t *testing.T) {
	var mu sync.Mutex
	lockcheck.Run(t, 1, func(r *lockcheck.Recorder) {
		all(r, 4, func(h *lockcheck.Holder) {
			lock := h.Locker(&mu)
			for range 500 {
				lock.Lock()
				runtime.Gosched()
				lock.Unlock()
			}
		})
	})
}

func TestWeightedSemaphoreIsAccepted(t *testing.T) {
	pool := semaphore.NewWeighted(3)
	lockcheck.Run(t, 3, func(r *lockcheck.Recorder) {
		all(r, 5, func(h *lockcheck.Holder) { take(h.Weighted(pool)) })
	})
}

// take acquires 1 or 2 units many times, and waits or does not.
func take(pool lockcheck.Weighted) {
	for i := range 300 {
		n := int64(i%2 + 1)
		if i%3 == 0 {
			if !pool.TryAcquire(n) {
				continue
			}
		} else if err := pool.Acquire(context.Background(), n); err != nil {
			panic(err)
		}
		runtime.Gosched()
		pool.Release(n)
	}
}

func TestReadersOfAnRWMutexAreAccepted(t *testing.T) {
	var mu sync.RWMutex
	lockcheck.Run(t, 1, func(r *lockcheck.Recorder) {
		all(r, 4, func(h *lockcheck.Holder) {
			readers, writers := h.RLocker(mu.RLocker()), h.Locker(&mu)
			for i := range 300 {
				lock := readers
				if i%4 == 0 {
					lock = writers
				}
				lock.Lock()
				runtime.Gosched()
				lock.Unlock()
			}
		})
	})
}

func TestWriterBesideReadersIsRejectedAndReadersBeyondTheirNumber(t *testing.T) {
	for _, c := range []struct {
		k      int
		events string // r1: the first holder reads, w2: the second writes, -: gives back
		want   string
	}{
		{1, "r1 r2 r3 -r1 -r2 -r3 w1 -w1 w2 -w2", ""},
		{1, "r1 r1 -r1 -r1 w2", ""},
		{1, "r1 r2 w3", "error 1 writer and 2 readers inside at once, where a writer has to be alone"},
		{1, "r1 -r1 w1 w2", "error 2 writers inside at once"},
		{2, "r1 r2 -r1 -r2 w3 -w3 r3", ""},
		{2, "r1 r2 r3", "error 3 units in use at once, where 2 may be"},
		{1, "r1 -w1", "lockcheck: w1 releases more than it holds: 1 of 0 units"},
	} {
		text := judged(t, c.k, func(r *lockcheck.Recorder) {
			var nothing baton
			nothing.next = func() {}
			locks := map[string]sync.Locker{}
			for _, n := range "123" {
				h := r.Holder(fmt.Sprintf("w%c", n))
				locks[fmt.Sprintf("r%c", n)] = h.RLocker(nothing)
				locks[fmt.Sprintf("w%c", n)] = h.Locker(nothing)
			}
			for _, event := range strings.Fields(c.events) {
				if lock, ends := strings.CutPrefix(event, "-"); ends {
					locks[lock].Unlock()
				} else {
					locks[lock].Lock()
				}
			}
		})
		if (text == "") != (c.want == "") || !strings.Contains(text, c.want) {
			t.Errorf("%d, %s: %q, want %q", c.k, c.events, text, c.want)
		}
	}
}

func TestRecordsOfSlogAreEvents(t *testing.T) {
	var lines strings.Builder
	text := judged(t, 2, func(r *lockcheck.Recorder) {
		log := slog.New(r.Handler(slog.NewTextHandler(&lines, nil)))
		a := log.With("node", "a")
		a.Debug("acquire", "units", 2, "fence", 33)
		a.Info("waiting")
		log.WithGroup("g").Info("release", "node", "a")
		log.Info("release")
		log.Info("ACQUIRE", "node", "b")
		a.Warn("use", "fence", 33)
	})
	want := `
      line  a          b
         1  acquire    .
         2  |          acquire  <- 3 in use, 2 may be
  line 1: a acquire 2 token 33
`
	if !strings.Contains(text, want) || strings.Count(lines.String(), "\n") != 5 {
		t.Errorf("%s\n%s", text, &lines)
	}
	if text := judged(t, 1, func(r *lockcheck.Recorder) {
		slog.New(r.Handler(slog.DiscardHandler)).Info("acquire", "node", "a", "units", "two")
	}); text != "lockcheck: a: acquire of -1 units; allowed are 1 to 1048576" {
		t.Error(text)
	}
}

func TestGoroutineThatStillUsesTheLockIsNoVerdict(t *testing.T) {
	text := judged(t, 1, func(r *lockcheck.Recorder) { r.Unwritten() })
	if !strings.HasPrefix(text, "lockcheck: the lock is still in use") {
		t.Error(text)
	}
}

// A careless semaphore goes on although the acquisition failed.
type careless struct{ *semaphore.Weighted }

func (c careless) TryAcquire(n int64) bool {
	c.Weighted.TryAcquire(n)
	return true
}

func TestSemaphoreWhoseRefusalIsIgnoredIsRejectedWithPicture(t *testing.T) {
	pool := semaphore.NewWeighted(2)
	text := judged(t, 2, func(r *lockcheck.Recorder) {
		for i := range 3 {
			r.Holder(fmt.Sprint("w", i+1)).Weighted(careless{pool}).TryAcquire(1)
		}
	})
	want := `lockcheck: rejected
error 3 units in use at once, where 2 may be, in every order of events that fits the log
      line  w1         w2         w3
         1  acquire    .          .
         2  |          acquire    .
         3  |          |          acquire  <- 3 in use, 2 may be
  line 1: w1 acquire
  line 2: w2 acquire
  line 3: w3 acquire
`
	if !strings.HasPrefix(text, want) {
		t.Errorf("%s\nwant:\n%s", text, want)
	}
}

// A late lock looks first and writes later. Its first two users look before either writes.
type late struct {
	held   atomic.Bool
	looked sync.WaitGroup
}

func (l *late) Lock() {
	for l.held.Load() {
		runtime.Gosched()
	}
	l.looked.Done()
	l.looked.Wait()
	l.held.Store(true)
}

func (l *late) Unlock() { l.held.Store(false) }

func TestLockThatLooksFirstAndWritesLaterIsRejected(t *testing.T) {
	text := judged(t, 1, func(r *lockcheck.Recorder) {
		var lock late
		lock.looked.Add(2)
		var inside sync.WaitGroup
		inside.Add(2)
		all(r, 2, func(h *lockcheck.Holder) {
			mine := h.Locker(&lock)
			mine.Lock()
			inside.Done()
			inside.Wait()
			mine.Unlock()
		})
	})
	rejected := strings.HasPrefix(text, "lockcheck: rejected\nerror ")
	if !rejected || !strings.Contains(text, "2 in use, 1 may be") {
		t.Error(text)
	}
}

// A lease is a client of a lock service that hands out tokens.
type lease struct {
	tokens []int64
	fails  bool
}

var errBusy = errors.New("busy")

func (l *lease) Acquire(context.Context) (int64, error) {
	if l.fails {
		return 0, errBusy
	}
	token := l.tokens[0]
	l.tokens = l.tokens[1:]
	return token, nil
}

func (l *lease) Release(context.Context) error { return nil }

func TestTokensOfClients(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name   string
		tokens []int64
		want   string
	}{
		{"growing", []int64{33, 34}, ""},
		{"going back", []int64{34, 33}, "line 3: w2 acquire token 33"},
		{"twice", []int64{34, 34}, "line 3: w2 acquire token 34"},
	} {
		text := judged(t, 1, func(r *lockcheck.Recorder) {
			service := &lease{tokens: c.tokens}
			for _, name := range []string{"w1", "w2"} {
				client := r.Holder(name).Client(service)
				if _, err := client.Acquire(ctx); err != nil {
					t.Fatal(err)
				}
				if err := client.Release(ctx); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := r.Holder("w3").Client(&lease{fails: true}).Acquire(ctx); !errors.Is(err, errBusy) {
				t.Errorf("%v", err)
			}
		})
		if (text == "") != (c.want == "") || !strings.Contains(text, c.want) {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

func TestServiceThatAcceptsAnOldTokenIsRejected(t *testing.T) {
	text := judged(t, 1, func(r *lockcheck.Recorder) {
		a, b := r.Holder("a"), r.Holder("b")
		a.Acquired(1)
		a.Releases(1)
		b.Fence(34)
		a.Fence(33)
	})
	if !strings.Contains(text, "line 4: a use token 33") {
		t.Error(text)
	}
}

func TestMisuseHasNoVerdict(t *testing.T) {
	for want, body := range map[string]func(r *lockcheck.Recorder){
		"nothing was acquired: use the lock through a Holder": func(*lockcheck.Recorder) {},
		`two holders are called "a"; names have to differ`: func(r *lockcheck.Recorder) {
			r.Holder("a")
			r.Holder("a").Acquired(1)
		},
		"a holder has no name; give each one": func(r *lockcheck.Recorder) { r.Holder(" ") },
		"a releases more than it holds: 2 of 1 units": func(r *lockcheck.Recorder) {
			h := r.Holder("a")
			h.Acquired(1)
			h.Releases(2)
		},
		"a: acquire of 0 units; allowed are 1 to 1048576": func(r *lockcheck.Recorder) {
			r.Holder("a").Acquired(0)
		},
		"a: the fencing token is 0; allowed are numbers above": func(r *lockcheck.Recorder) {
			r.Holder("a").Fence(0)
		},
	} {
		if text := judged(t, 1, body); !strings.HasPrefix(text, "lockcheck: "+want) {
			t.Errorf("%q, want %q", text, want)
		}
	}
	if text := judged(t, 0, nil); text != "lockcheck: the lock has 0 units; allowed are 1 to 1048576" {
		t.Error(text)
	}
}

// TestVerdictIsTheCount compares the verdict of the log with the number of units in use, and with the result
// of Run, for random records of holders that may acquire again before they release.
func TestVerdictIsTheCount(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	rejected, records := 0, 100
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		records = 1000
	}
	for range records {
		k, inUse, most := 1+rnd.IntN(6), 0, 0
		var verdict explain.Verdict
		text := judged(t, k, func(r *lockcheck.Recorder) {
			defer func() { verdict = r.Verdict(t) }()
			holders := []*lockcheck.Holder{r.Holder("a"), r.Holder("b"), r.Holder("c")}
			held := make([]int, len(holders))
			for i := range 1 + rnd.IntN(12) {
				at, units := rnd.IntN(len(holders)), 1+rnd.IntN(2)
				if i > 0 && held[at] > 0 && rnd.IntN(3) > 0 {
					units = min(units, held[at])
					holders[at].Releases(units)
					units = -units
				} else {
					holders[at].Acquired(units)
				}
				held[at] += units
				inUse += units
				most = max(most, inUse)
			}
		})
		wrong := strings.HasPrefix(text, "lockcheck: rejected\nerror ")
		if wrong != (most > k) || wrong != (verdict == explain.Rejected) || !wrong && text != "" ||
			!wrong && verdict != explain.Accepted {
			t.Fatalf("%d of %d in use: %s: %s", most, k, verdict, text)
		}
		if wrong {
			rejected++
		}
	}
	if rejected < records/4 || rejected > records*3/4 {
		t.Errorf("%d of %d records were rejected", rejected, records)
	}
}

// BenchmarkEvent measures an event of a mutex that goroutines contend for, with its record and without.
func BenchmarkEvent(b *testing.B) {
	for _, n := range []int{1, 2} {
		for _, recorded := range []bool{false, true} {
			b.Run(fmt.Sprintf("goroutines=%d/recorded=%t", n, recorded), func(b *testing.B) {
				var mu sync.Mutex
				lockcheck.Run(b, 1, func(r *lockcheck.Recorder) {
					first := r.Holder("first")
					first.Acquired(1)
					first.Releases(1)
					b.ResetTimer()
					all(r, n, func(h *lockcheck.Holder) {
						lock := sync.Locker(&mu)
						if recorded {
							lock = h.Locker(lock)
						}
						for range b.N / n {
							lock.Lock()
							lock.Unlock() //nolint:staticcheck // nothing to protect
						}
					})
					b.StopTimer()
				})
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(2*b.N), "ns/event")
			})
		}
	}
}

// A baton passes the lock on inside its release: the next holder acquires before the release returns.
type baton struct{ next func() }

func (b baton) Lock()                                {}
func (b baton) Unlock()                              { b.next() }
func (b baton) TryAcquire(int64) bool                { return true }
func (b baton) Acquire(context.Context, int64) error { return nil }
func (b baton) Release(int64)                        { b.next() }

// A batonClient is a baton as a client.
type batonClient struct{ next func() }

func (b batonClient) Acquire(context.Context) (int64, error) { return 0, nil }
func (b batonClient) Release(context.Context) error {
	b.next()
	return nil
}

func TestReleaseIsRecordedBeforeTheLockIsGivenBack(t *testing.T) {
	ctx := context.Background()
	for name, use := range map[string]func(h *lockcheck.Holder, next func()) error{
		"Locker": func(h *lockcheck.Holder, next func()) error {
			l := h.Locker(baton{next})
			l.Lock()
			l.Unlock() //nolint:staticcheck // nothing to protect
			return nil
		},
		"Weighted": func(h *lockcheck.Holder, next func()) error {
			w := h.Weighted(baton{next})
			defer w.Release(1)
			return w.Acquire(ctx, 1)
		},
		"Client": func(h *lockcheck.Holder, next func()) error {
			c := h.Client(batonClient{next})
			if _, err := c.Acquire(ctx); err != nil {
				return err
			}
			return c.Release(ctx)
		},
	} {
		text := judged(t, 1, func(r *lockcheck.Recorder) {
			next := r.Holder("next")
			if err := use(r.Holder("first"), func() { next.Acquired(1) }); err != nil {
				t.Error(err)
			}
		})
		if text != "" {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestPictureShowsWhoHoldsAtEachLine(t *testing.T) {
	text := judged(t, 2, func(r *lockcheck.Recorder) {
		a, b, c := r.Holder("a"), r.Holder("b"), r.Holder("c")
		a.Acquired(1)
		b.Acquired(1)
		b.Releases(1)
		c.Acquired(1)
		b.Acquired(1)
	})
	// Lanes are in the order of the holdings that overlap: c acquires before b does again.
	want := `
      line  a          c          b
         1  acquire    .          .
         2  |          .          acquire
         3  |          .          release
         4  |          acquire    .
         5  |          |          acquire  <- 3 in use, 2 may be
`
	if !strings.Contains(text, want) {
		t.Error(text)
	}
}
