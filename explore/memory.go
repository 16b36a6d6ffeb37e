package explore

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/atmostk/atmostk/explore/store/memory"
)

// baseline is what a process takes before it has stored any state: the program
// and the runtime, and what models keep beside. Options.Memory includes it. Less than what it really is would
// let the system decide where a search ends, which differs from run to run: see excess.
const baseline = 32 << 20

// memory returns the bytes taken by the search by its own account, the program included. That
// is the same in each run and with any number of workers, but for what models keep and what
// waits for the collector, which only the system knows: see excess.
func (s *search) memory() int64 {
	n := baseline + s.space.Footprint()
	for _, q := range s.queues() {
		n += q.Bytes()
	}
	n += s.tables.Bytes()
	for i := range s.chunks {
		n += s.chunks[i].bytes()
	}
	if s.built != nil {
		n += s.built.Bytes()
	}
	return n
}

// lookEvery is how often a search looks at the memory of the process, which takes some
// microseconds.
const lookEvery = 5 * time.Millisecond

// excess returns why the process would pass the memory limit if it took so many more bytes;
// "" if it would not. What waits for the collector is collected first, and only
// if that gives back a twentieth of the limit: else the search would do little else soon.
func (s *search) excess(more int64) string {
	limit := s.opt.Memory
	if limit == 0 || more < limit/64 && time.Since(s.looked) < lookEvery {
		return ""
	}
	has := resident()
	if has+more > limit {
		debug.FreeOSMemory()
		has = resident() + limit/20
	}
	s.looked = time.Now()
	if has+more > limit {
		return fmt.Sprintf("stopped at the memory limit of %s: the process has %s, and the next "+
			"step would take %s",
			Bytes(limit), Bytes(resident()), Bytes(more))
	}
	return ""
}

// takeMemory reports whether so many more bytes are within the memory limit, and notes the peak of what was
// taken. If they are not it says so in Report.Stopped.
func (s *search) takeMemory(more int64) bool {
	n := s.memory() + more
	if s.opt.Memory > 0 && n > s.opt.Memory {
		s.report.Stopped = fmt.Sprintf("stopped at the memory limit of %s: the next step would take %s more "+
			"than the %s that are in use", Bytes(s.opt.Memory), Bytes(more), Bytes(n-more))
		return false
	}
	if s.report.Stopped = s.excess(more); s.report.Stopped != "" {
		return false
	}
	if s.report.Stopped = s.stopsAt(atMemory); s.report.Stopped != "" {
		return false
	}
	s.report.Memory = max(s.report.Memory, n)
	return true
}

// cells returns cells of so many words for each shard (0: none). False if the system does not
// give all of them, and the search has to stop; the shards stay as they are then.
func (s *search) cells(words *[memory.Shards]int) (*[memory.Shards]memory.Pages, bool) {
	var cells [memory.Shards]memory.Pages
	for i, n := range words {
		if n == 0 {
			continue
		}
		var err error
		if cells[i], err = s.newPages(n); err == nil {
			continue
		}
		for k := range i {
			_ = cells[k].Free() // as when the search ends
		}
		s.report.Stopped = fmt.Sprintf("stopped: the system gives no more memory for the visited set: %v",
			err)
		return nil, false
	}
	return &cells, true
}

// newPages returns n zero words.
func (s *search) newPages(n int) (memory.Pages, error) {
	if why := s.stopsAt(atPages); why != "" {
		return memory.Pages{}, errors.New(why)
	}
	return memory.NewPages(n)
}
