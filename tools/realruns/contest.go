package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"golang.org/x/sync/errgroup"
)

// semaphore is a client of a lock or semaphore.
type semaphore interface {
	acquire(ctx context.Context) error
	release(ctx context.Context) error
}

// contest has clients acquire and release at random, and logs it.
type contest struct {
	k       int // how many may have it at once
	entries int // of each client
	broken  bool
	seed    uint64
	file    *os.File
	clients []semaphore
	log     journal
	// inside, if not nil, is called while a client has it, in its entry of that
	// number, from 0.
	inside func(ctx context.Context, client, entry int) error
}

// stay is the mean time for which a client holds the lock, and the mean time between.
const stay = 2 * time.Millisecond

// run returns when all clients have had their entries.
func (c *contest) run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	for i := range c.clients {
		group.Go(func() error {
			rng := rand.New(rand.NewPCG(c.seed, uint64(i)))
			for entry := range c.entries {
				if err := c.enter(ctx, i, entry, rng); err != nil {
					return fmt.Errorf("client %d, entry %d: %w", i+1, entry+1, err)
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// enter is one entry of a client. It logs acquire after the call returns, and release before the call:
// between them it holds the lock as far as it knows. With a correct lock, one client logs its release
// before another logs its acquire.
func (c *contest) enter(ctx context.Context, client, entry int, rng *rand.Rand) error {
	about := func() time.Duration { return time.Duration(rng.Int64N(int64(2 * stay))) }
	time.Sleep(about())
	if err := c.clients[client].acquire(ctx); err != nil {
		return fmt.Errorf("acquire: %w", err)
	}
	if err := c.log(client+1, "lock acquired"); err != nil {
		return err
	}
	if c.inside != nil {
		if err := c.inside(ctx, client, entry); err != nil {
			return err
		}
	}
	time.Sleep(about())
	if err := c.log(client+1, "lock released"); err != nil {
		return err
	}
	if err := c.clients[client].release(ctx); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}
