package main

import (
	"context"

	xsemaphore "golang.org/x/sync/semaphore"
)

// weighted runs goroutines with the weighted semaphore of golang.org/x/sync, with k units. The broken ones
// wait for a unit for half a millisecond and ignore the error.
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
	none     bool // it got no unit
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

// release gives the unit back, if the client has one: otherwise the semaphore may panic.
func (u *unit) release(context.Context) error {
	if !u.none {
		u.pool.Release(1)
	}
	return nil
}
