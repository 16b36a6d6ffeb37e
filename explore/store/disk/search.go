package disk

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/atmostk/atmostk/explore/store"
)

// saveEvery is how often a search on disk is saved, at the end of a level: to have each of thousands of small
// levels written to the disk would take longer than to search them.
const saveEvery = time.Second

// A Search is a search in a directory, between two of its levels.
type Search struct {
	*store.Search
	Dir  store.Dir
	Most int64 // bytes of files, at a time

	begun    time.Time
	before   float64 // seconds spent before it was resumed
	saved    time.Time
	fresh    []string // files that are not known to be on the disk
	obsolete []string // files that are not needed once the search is saved
}

// Resume returns the search that is in a directory: see store.Dir.Find.
func Resume(dir store.Dir, at *store.Search) *Search {
	return &Search{Search: at, Dir: dir, begun: time.Now(), saved: time.Now(), before: at.Seconds}
}

// Elapsed is how long the search takes, with what was done before it was resumed.
func (s *Search) Elapsed() time.Duration {
	return time.Duration(s.before*float64(time.Second)) + time.Since(s.begun)
}

// Advance merges the candidates of the next level with what was visited, by workers, and saves the search if
// it is time to. most is how many bytes runs and partitions took at the same time. It reports how many merges
// are done.
func (s *Search) Advance(ctx context.Context, x store.Expanded, most int64,
	run func(n int, task func(_, i int)), report func(done, all int)) error {
	done := []store.Expanded{x}
	tasks := s.Mergings(done)
	merged, errs := make([]store.Merged, len(tasks)), make([]error, len(tasks))
	var ended atomic.Int64
	run(len(tasks), func(worker, i int) {
		merged[i], errs[i] = store.Merge(ctx, s.Dir, tasks[i])
		if n := ended.Add(1); worker == 0 {
			report(int(n), len(tasks))
		}
	})
	if err := cmp.Or(errs...); err != nil {
		for _, t := range tasks {
			// of the errors the first is the cause
			_, _ = s.Dir.Remove(t.Frontier), s.Dir.Remove(t.Codes)
		}
		return err
	}
	total := s.Bytes()
	for _, r := range x.Runs {
		total += r.Bytes
	}
	for i, m := range merged {
		total += m.Frontier.Bytes + m.Codes.Bytes
		if m.Codes.States > 0 {
			s.fresh = append(s.fresh, tasks[i].Frontier, tasks[i].Codes)
		}
	}
	s.Most = max(s.Most, total, s.Bytes()+most)
	s.obsolete = append(s.obsolete, s.Search.Advance(done, tasks, merged)...)
	for _, t := range s.Compactings() {
		run, err := store.Compact(ctx, s.Dir, t)
		if err != nil {
			return err
		}
		s.fresh = append(s.fresh, run.Name)
		s.obsolete = append(s.obsolete, s.Replace(t, run)...)
		report(len(tasks), len(tasks))
	}
	if time.Since(s.saved) < saveEvery {
		return nil
	}
	return s.Save(true)
}

// Save saves the search, so that a crash of the system does no harm if that is wanted, and removes obsolete
// files.
func (s *Search) Save(lasting bool) error {
	s.fresh = slices.DeleteFunc(s.fresh, func(name string) bool { return slices.Contains(s.obsolete, name) })
	if lasting {
		if err := s.Dir.Sync(s.fresh); err != nil {
			return err
		}
	}
	s.Seconds = s.Elapsed().Seconds()
	if err := s.Search.Save(s.Dir); err != nil {
		return err
	}
	for _, name := range s.obsolete {
		if err := s.Dir.Remove(name); err != nil {
			return err
		}
	}
	s.fresh, s.obsolete, s.saved = nil, nil, time.Now()
	return nil
}
