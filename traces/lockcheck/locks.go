package lockcheck

import (
	"context"
	"sync"
)

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
