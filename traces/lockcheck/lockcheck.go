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
// An acquisition is recorded after the lock is held, a release before the lock is given back, both under one
// mutex. So each recorded holding is a part of the true one, and each overlap in the record is real. A
// correct lock is never reported; a broken one is reported if the run showed an overlap.
//
// Readers share a lock: do not wrap the RLocker of a sync.RWMutex, as its holders may overlap.
//
// The mutex of the record orders goroutines, which may hide data races from -race: test for these without
// the recorder, too. It also makes the run slower: by less than a microsecond for each event, under -race by
// some microseconds.
package lockcheck

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/validate"
)

// maxK is the largest number of units of a lock.
const maxK = 1 << 20

// Run calls body, which uses a lock of k units through the holders of the recorder, and returns when all of
// its goroutines are done with the lock. Run fails the test if at some moment more than k units were in use,
// a holder released more than it held, a fencing token went back, or nothing was acquired. The record of a
// broken lock is written to the directory of t.ArtifactDir, and judged there with its lines and reasons.
func Run(t testing.TB, k int, body func(r *Recorder)) {
	t.Helper()
	if k < 1 || k > maxK {
		t.Fatalf("lockcheck: the lock has %d units; allowed are 1 to %d", k, maxK)
		return
	}
	r := &Recorder{k: k}
	body(r)
	r.mu.Lock()
	defer r.mu.Unlock()
	if wrong := r.wrong(); wrong != "" {
		t.Fatalf("lockcheck: %s", wrong)
		return
	}
	if !r.broken {
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
		Reading: occupancy.Reading{Ending: occupancy.Held}, // every release is in the record
	})
	return report, file, err
}

// A Recorder records the events of one lock.
type Recorder struct {
	k int

	mu      sync.Mutex
	holders []*Holder
	chunks  [][]event // full ones, and the last
	used    bool      // something was acquired
	inUse   int       // units
	broken  bool      // too many units were in use, or a token was stale
	// The largest fencing tokens handed out and accepted; 0: none.
	granted, accepted int64
	// The first misuse: a release without a holding, or wrong numbers.
	misuse string
}

// A Holder is a goroutine, a process or a client that acquires units. Its name is its name in reports.
// Several goroutines may share one; then the overlap of two of them has one name.
type Holder struct {
	r     *Recorder
	index int32
	name  string
	seq   int64 // number of its events, for the record
	held  int   // units
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
	acquire kind = iota
	release
	use
)

// kindNames are the names of events in logs.
var kindNames = []string{acquire: "acquire", release: "release", use: "use"}

// chunkEvents is the number of events of a chunk: chunks are not copied when the record grows.
const chunkEvents = 1 << 12

// Holder returns a new holder. Names have to differ.
func (r *Recorder) Holder(name string) *Holder {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, h := range r.holders {
		if h.name == name {
			r.note("two holders are called %q; names have to differ", name)
		}
	}
	if strings.TrimSpace(name) == "" {
		r.note("a holder has no name; give each one")
	}
	h := &Holder{r: r, index: int32(len(r.holders)), name: name}
	r.holders = append(r.holders, h)
	return h
}

// note keeps the first misuse.
func (r *Recorder) note(format string, a ...any) {
	if r.misuse == "" {
		r.misuse = fmt.Sprintf(format, a...)
	}
}

// wrong returns why there is no verdict on the record, "" if there is one.
func (r *Recorder) wrong() string {
	if r.misuse == "" && !r.used {
		return "nothing was acquired: use the lock through a Holder"
	}
	return r.misuse
}

// add records an event.
func (h *Holder) add(kind kind, units int, fence int64) {
	r := h.r
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case units < 1 && kind != use || units > maxK:
		r.note("%s: %s of %d units; allowed are 1 to %d", h.name, kindNames[kind], units, maxK)
		return
	case fence < 0 || kind == use && fence == 0:
		r.note("%s: the fencing token is %d; allowed are numbers above 0", h.name, fence)
		return
	case kind == release && units > h.held:
		r.note("%s releases more than it holds: %d of %d units", h.name, units, h.held)
		return
	}
	switch kind {
	case acquire:
		h.held += units
		r.inUse += units
		r.used = true
		r.broken = r.broken || r.inUse > r.k || fence != 0 && fence <= r.granted
		r.granted = max(r.granted, fence)
	case release:
		h.held -= units
		r.inUse -= units
	case use:
		r.broken = r.broken || fence < r.accepted
		r.accepted = max(r.accepted, fence)
	}
	last := len(r.chunks) - 1
	if last < 0 || len(r.chunks[last]) == chunkEvents {
		r.chunks = append(r.chunks, make([]event, 0, chunkEvents))
		last++
	}
	e := event{fence: fence, holder: h.index, units: int32(units), kind: kind}
	r.chunks[last] = append(r.chunks[last], e)
}
