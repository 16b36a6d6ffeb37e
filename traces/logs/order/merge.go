package order

import (
	"container/heap"
	"errors"
	"iter"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// A Head is the next event of a file that is read side by side with others.
type Head struct {
	S    *formats.Source
	E    *formats.Entry
	Err  error
	next func() (*Head, bool)
	stop func()
}

var errStopped = errors.New("reading was stopped")

// MaxMerged is the largest number of files that are read side by side.
const MaxMerged = 512

// ReadAll reads files side by side and merges their events by time, as far as each file has them in order. It
// reads the files one after the other if there are more than MaxMerged, or if all events are kept.
func (rd *Collector) ReadAll(files []string) error {
	if len(files) == 1 || len(files) > MaxMerged || rd.Sink == nil {
		for _, name := range files {
			if err := rd.File(name); err != nil {
				return err
			}
		}
		return nil
	}
	rd.Share(len(files))
	var heads Queue[*Head]
	defer func() {
		for i := range heads {
			heads[i].Of.stop()
		}
	}()
	for _, name := range files {
		next, stop := rd.Pull(func(func() bool) error { return rd.File(name) })
		h, more := next()
		switch {
		case more && h.Err != nil:
			stop()
			return h.Err
		case more:
			h.next, h.stop = next, stop
			heap.Push(&heads, Queued[*Head]{h.E.Begin, int64(h.S.Index), h})
		}
	}
	for len(heads) > 0 {
		h := heads[0].Of
		if err := rd.Take(h.S, h.E); err != nil {
			return err
		}
		after, more := h.next()
		switch {
		case more && after.Err != nil:
			return after.Err
		case more:
			heads[0].At = h.E.Begin
			heap.Fix(&heads, 0)
		default:
			heap.Pop(&heads)
		}
	}
	return nil
}

// Pull returns an iterator over the events of a file. It reuses one Head. read calls rest while nothing can
// be read; the iterator then returns a nil Head.
func (rd *Collector) Pull(read func(rest func() bool) error) (next func() (*Head, bool), stop func()) {
	return iter.Pull(func(yield func(*Head) bool) {
		h := &Head{}
		rd.Merge = func(s *formats.Source, e *formats.Entry) error {
			h.S, h.E = s, e
			if !yield(h) {
				return errStopped
			}
			return nil
		}
		err := read(func() bool { return yield(nil) })
		if err != nil && !errors.Is(err, errStopped) {
			yield(&Head{Err: err})
		}
	})
}

// Read reads the logs of one run, and keeps all events.
func Read(files []string, opt formats.Options) (*Log, error) {
	if err := formats.Usable(files, opt); err != nil {
		return nil, err
	}
	rd := NewCollector(opt)
	if err := rd.ReadAll(files); err != nil {
		return nil, err
	}
	return rd.Log(), nil
}

// A Queue is a heap for package heap, ordered by time and then by number.
type Queue[T any] []Queued[T]

// A Queued is an element of a queue, ordered by At and then by Tie.
type Queued[T any] struct {
	At  int64
	Tie int64
	Of  T
}

func (q Queue[T]) Len() int      { return len(q) }
func (q Queue[T]) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q Queue[T]) Less(i, j int) bool {
	return q[i].At < q[j].At || q[i].At == q[j].At && q[i].Tie < q[j].Tie
}

// Push adds an element at the end.
func (q *Queue[T]) Push(x any) { *q = append(*q, x.(Queued[T])) }

// Pop removes the last element.
func (q *Queue[T]) Pop() any {
	last := len(*q) - 1
	(*q)[last] = Queued[T]{}
	*q = (*q)[:last]
	return nil
}
