// Package lockcheck tests Go locks: it records who holds units of a lock while a test runs, and fails the
// test if more units were in use at once than there are.
//
//	lockcheck.Run(t, 1, func(r *lockcheck.Recorder) {
//		var wg sync.WaitGroup
//		for _, name := range []string{"a", "b"} {
//			lock := r.Holder(name).Locker(&mu)
//			wg.Go(func() { lock.Lock(); defer lock.Unlock(); work() })
//		}
//		wg.Wait()
//	})
//
// An acquisition gets its number in the record after the lock is held, a release before the lock is given
// back. So each recorded holding is a part of the true one, and each overlap in the record is real. A correct
// lock is never reported; a broken one is reported if the run showed an overlap.
//
// The readers of a sync.RWMutex share it: Holder.RLocker takes mu.RLocker(), Holder.Locker takes &mu.
//
// The counter of the events orders goroutines, which may hide data races from -race: test for these without
// the recorder, too. An event costs less than a microsecond, under -race, too.
package lockcheck

import (
	"context"
	"fmt"
	"math/bits"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/validate"
)

// maxK is the largest number of units of a lock.
const maxK = 1 << 20

// Run calls body, which uses a lock of k units through the holders of the recorder, and returns when all of
// its goroutines are done with the lock. Run fails the test if at some moment more than k units were in use,
// a holder released more than it held, a fencing token went back, or nothing was acquired. If the lock has
// readers, a writer has to be alone, and k readers may share the lock; k=1 allows any number of them. The
// record of a broken lock is written to the directory of t.ArtifactDir, and judged there with its lines and
// reasons.
func Run(t testing.TB, k int, body func(r *Recorder)) {
	t.Helper()
	if k < 1 || k > maxK {
		t.Fatalf("lockcheck: the lock has %d units; allowed are 1 to %d", k, maxK)
		return
	}
	r := &Recorder{k: k, nodes: map[string]*Holder{}}
	body(r)
	r.mu.Lock()
	defer r.mu.Unlock()
	broken := r.count()
	if r.misuse != "" {
		t.Fatalf("lockcheck: %s", r.misuse)
		return
	}
	if !broken {
		return
	}
	report, file, err := r.judge(t.ArtifactDir())
	if err != nil {
		t.Fatalf("lockcheck: the record cannot be judged: %v", err)
		return
	}
	t.Errorf("lockcheck: %s\n%s\nthe record: %s (go test -artifacts keeps it)", report.Verdict(),
		r.reasons(report), file)
}

// judge writes the record to a directory and judges it as the log that it is.
func (r *Recorder) judge(dir string) (report *validate.Report, file string, err error) {
	if file, err = r.write(dir); err != nil {
		return nil, "", err
	}
	report, err = validate.Run(context.Background(), []string{file}, validate.Options{
		Options: formats.Options{Lines: true, Format: "ndjson"}, Units: map[string]int{"": r.k},
		// Every release is in the record.
		Reading: occupancy.Reading{Ending: occupancy.Held, Rules: occupancy.Rules{Shared: r.shared}},
	})
	return report, file, err
}

// A Recorder records the events of one lock.
type Recorder struct {
	k int

	last   atomic.Int64 // the number of events
	chunks [maxChunks]atomic.Pointer[[]event]

	mu      sync.Mutex
	holders []*Holder
	nodes   map[string]*Holder // by name
	shared  bool               // the lock has readers
	misuse  string             // the first one: a release without a holding, or wrong numbers
}

// A Holder is a goroutine, a process or a client that acquires units. Its name is its name in reports.
// Several goroutines may share one; then the overlap of two of them has one name.
type Holder struct {
	r     *Recorder
	index int32
	name  string
	seq   int64 // number of its events, for the record
	held  int   // units, and readings of a lock with readers, as count goes on
	reads int
}

// event is one line of the record.
type event struct {
	fence  int64 // 0: none
	holder int32
	units  int32
	kind   kind
}

// kind is an index of kindNames.
type kind uint8

const (
	unwritten kind = iota
	acquire
	release
	read
	readDone
	use
)

// kindNames are the names of events in logs.
var kindNames = []string{acquire: "acquire", release: "release", read: "acquire-read",
	readDone: "release-read", use: "use"}

// drawnNames are the names of events in pictures.
var drawnNames = []string{acquire: "acquire", release: "release", read: "reads", readDone: "read ends",
	use: "use"}

// The first chunk has firstChunk events, a power of two, and each further one as many as all before it. So
// chunks are not copied when the record grows, and an event's number is its place. All together have 2^40.
const (
	firstChunk = 1 << 12
	maxChunks  = 29
)

// place returns the place of an event in the record, by its number from 0.
//
//go:norace
func (r *Recorder) place(number int64) *event {
	chunk := bits.Len64(uint64(number) / firstChunk)
	first := int64(firstChunk) << chunk >> 1 // the number of the chunk's first event, but for chunk 0
	if chunk == 0 {
		first = 0
	}
	events := r.chunks[chunk].Load()
	if events == nil {
		made := make([]event, max(first, firstChunk))
		r.chunks[chunk].CompareAndSwap(nil, &made)
		events = r.chunks[chunk].Load()
	}
	return &(*events)[number-first]
}

// Holder returns a new holder. Names have to differ.
func (r *Recorder) Holder(name string) *Holder {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.nodes[name] != nil {
		r.note("two holders are called %q; names have to differ", name)
	}
	return r.newHolder(name)
}

// newHolder adds a holder, while the mutex is held.
func (r *Recorder) newHolder(name string) *Holder {
	if strings.TrimSpace(name) == "" {
		r.note("a holder has no name; give each one")
	}
	h := &Holder{r: r, index: int32(len(r.holders)), name: name}
	r.holders, r.nodes[name] = append(r.holders, h), h
	return h
}

// note keeps the first misuse, while the mutex is held.
func (r *Recorder) note(format string, a ...any) {
	if r.misuse == "" {
		r.misuse = fmt.Sprintf(format, a...)
	}
}

// add records an event. Its place is its own, so that -race has nothing to watch but the counter.
//
//go:norace
func (h *Holder) add(kind kind, units int, fence int64) {
	if units < 1 && kind != use || units > maxK || fence < 0 || kind == use && fence == 0 {
		h.wrong(kind, units, fence)
		return
	}
	*h.r.place(h.r.last.Add(1) - 1) = event{fence: fence, holder: h.index, units: int32(units), kind: kind}
}

// wrong notes an event with wrong numbers.
func (h *Holder) wrong(kind kind, units int, fence int64) {
	h.r.mu.Lock()
	defer h.r.mu.Unlock()
	if units < 1 && kind != use || units > maxK {
		h.r.note("%s: %s of %d units; allowed are 1 to %d", h.name, kindNames[kind], units, maxK)
		return
	}
	h.r.note("%s: the fencing token is %d; allowed are numbers above 0", h.name, fence)
}

// count goes through the record, notes misuses, and reports whether too many units were in use or a token
// was stale.
func (r *Recorder) count() (broken bool) {
	k := r.k
	if r.shared && k == 1 {
		k = maxK
	}
	inUse, acquired := 0, false
	var granted, accepted int64 // the largest tokens; 0: none
	for number := range r.last.Load() {
		e := r.place(number)
		if e.kind == unwritten {
			r.note("the lock is still in use: the body has to wait for all of its goroutines")
			return false
		}
		h, units := r.holders[e.holder], int(e.units)
		held := &h.held
		if e.kind == read || e.kind == readDone {
			held = &h.reads
		} else if r.shared && e.kind != use { // a writer
			units = k
		}
		switch e.kind {
		case acquire, read:
			acquired = true
			inUse, *held = inUse+units, *held+units
			broken = broken || inUse > k || e.fence != 0 && e.fence <= granted
			granted = max(granted, e.fence)
		case release, readDone:
			if units > *held {
				r.note("%s releases more than it holds: %d of %d units", h.name, e.units, *held)
			}
			inUse, *held = inUse-units, *held-units
		case use:
			broken = broken || e.fence < accepted
			accepted = max(accepted, e.fence)
		}
	}
	if !acquired {
		r.note("nothing was acquired: use the lock through a Holder")
	}
	return broken
}

// Acquired records that the holder has acquired units: call it after the lock is held.
func (h *Holder) Acquired(units int) { h.add(acquire, units, 0) }

// Releases records that the holder gives units back: call it before the lock is given back.
func (h *Holder) Releases(units int) { h.add(release, units, 0) }

// Fence records that the protected service accepted a request of the holder with a fencing token. Call it
// inside the service, before that accepts another request. Tokens are above 0.
func (h *Holder) Fence(token int64) { h.add(use, 0, token) }

// Locker returns a lock as the holder uses it. If the lock has readers, it is the writers' side.
func (h *Holder) Locker(l sync.Locker) sync.Locker { return &locker{h, l, acquire, release} }

// RLocker returns the readers' side of a lock, such as the RLocker of a sync.RWMutex, as the holder uses it.
func (h *Holder) RLocker(l sync.Locker) sync.Locker {
	h.r.mu.Lock()
	defer h.r.mu.Unlock()
	h.r.shared = true
	return &locker{h, l, read, readDone}
}

type locker struct {
	h             *Holder
	lock          sync.Locker
	begins, ended kind
}

func (l *locker) Lock() {
	l.lock.Lock()
	l.h.add(l.begins, 1, 0)
}

func (l *locker) Unlock() {
	l.h.add(l.ended, 1, 0)
	l.lock.Unlock()
}

// Weighted is the interface of Weighted in golang.org/x/sync/semaphore.
type Weighted interface {
	Acquire(ctx context.Context, n int64) error
	TryAcquire(n int64) bool
	Release(n int64)
}

// Weighted returns a semaphore as the holder uses it. Acquisitions that fail are not recorded.
func (h *Holder) Weighted(s Weighted) Weighted { return &weighted{h, s} }

type weighted struct {
	h *Holder
	s Weighted
}

func (w *weighted) Acquire(ctx context.Context, n int64) error {
	err := w.s.Acquire(ctx, n)
	if err == nil {
		w.h.Acquired(int(n))
	}
	return err
}

func (w *weighted) TryAcquire(n int64) bool {
	ok := w.s.TryAcquire(n)
	if ok {
		w.h.Acquired(int(n))
	}
	return ok
}

func (w *weighted) Release(n int64) {
	w.h.Releases(int(n))
	w.s.Release(n)
}

// A Client acquires one unit of a lock service.
type Client interface {
	// Acquire returns the fencing token, 0 if the service has none.
	Acquire(ctx context.Context) (fence int64, err error)
	Release(ctx context.Context) error
}

// Client returns a client as the holder uses it. Acquisitions that fail are not recorded. A release that
// fails counts as one: the client does not use the lock any more. Tokens are recorded for locks of one unit
// only: only these hand them out in the order in which their clients see them.
func (h *Holder) Client(c Client) Client { return &client{h, c} }

type client struct {
	h *Holder
	c Client
}

func (c *client) Acquire(ctx context.Context) (int64, error) {
	fence, err := c.c.Acquire(ctx)
	if err != nil {
		return fence, err
	}
	if c.h.r.k > 1 {
		c.h.Acquired(1)
	} else {
		c.h.add(acquire, 1, fence)
	}
	return fence, nil
}

func (c *client) Release(ctx context.Context) error {
	c.h.Releases(1)
	return c.c.Release(ctx)
}
