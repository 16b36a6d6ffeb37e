package main

import (
	"context"

	xsemaphore "golang.org/x/sync/semaphore"
)

// weighted runs goroutines with the weighted semaphore of golang.org/x/sync, of which there are k units. The
// broken ones wait for a unit for half a millisecond and do not look at the error when they were given none.
func weighted(ctx context.Context, c *contest) error {
	c.log = byLog(c.file)
	pool := xsemaphore.NewWeighted(int64(c.k))
	for range 5 {
		c.clients = append(c.clients, &unit{pool: pool, careless: c.broken})
	}
	return c.run(ctx)
}

// unit is a client of the semaphore.
type unit struct {
	pool     *xsemaphore.Weighted
	careless bool
	none     bool // it has been given none
}

func (u *unit) acquire(ctx context.Context) error {
	if !u.careless {
		return u.pool.Acquire(ctx, 1)
	}
	ctx, cancel := context.WithTimeout(ctx, stay/4)
	defer cancel()
	u.none = u.pool.Acquire(ctx, 1) != nil
	return nil
}

// release gives the unit back. That of a careless client that has none would be a panic of the
// semaphore if nobody had one.
func (u *unit) release(context.Context) error {
	if !u.none {
		u.pool.Release(1)
	}
	return nil
}
