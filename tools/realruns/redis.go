package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"
)

// redisLock runs clients of a lock in Redis that expires. The broken one expires long before the work is
// done.
func redisLock(ctx context.Context, c *contest) (err error) {
	c.log = bySlog(slog.NewTextHandler(c.file, nil))
	binary, err := exec.LookPath("redis-server")
	if err != nil {
		return fmt.Errorf("redis-server (Debian package redis-server) is %w", errMissing)
	}
	dir, err := os.MkdirTemp("", "realruns-redis-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx, cancel := context.WithCancel(ctx)
	socket := filepath.Join(dir, "redis.sock")
	server := exec.CommandContext(ctx, binary, "--port", "0", "--unixsocket", socket, "--save", "", "--dir",
		dir)
	if err := server.Start(); err != nil {
		cancel()
		return err
	}
	defer func() {
		cancel()
		_ = server.Wait() // it was killed
	}()
	expiry := time.Minute
	if c.broken {
		expiry = stay / 2
	}
	for range 4 {
		conn := redis.NewClient(&redis.Options{Network: "unix", Addr: socket})
		defer func() { _ = conn.Close() }() // the run is over
		c.clients = append(c.clients, &expiring{conn: redislock.New(conn), expiry: expiry})
		for conn.Ping(ctx).Err() != nil {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	return c.run(ctx)
}

// expiring is a client of the lock.
type expiring struct {
	conn   *redislock.Client
	lock   *redislock.Lock
	expiry time.Duration
}

func (e *expiring) acquire(ctx context.Context) (err error) {
	e.lock, err = e.conn.Obtain(ctx, "mutex", e.expiry,
		&redislock.Options{RetryStrategy: redislock.LinearBackoff(stay / 4)})
	return err
}

// release gives the lock back, if it has not expired.
func (e *expiring) release(ctx context.Context) error {
	if err := e.lock.Release(ctx); !errors.Is(err, redislock.ErrLockNotHeld) {
		return err
	}
	return nil
}
