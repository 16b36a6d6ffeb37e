package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// natsKV runs clients of a semaphore with two permits, kept in one key of a JetStream key-value bucket: the
// list of holders. A client reads the list and, if there is room, writes it back with itself in it. The
// write succeeds only if there was no other write since; in the broken run this is not demanded, and two
// clients may both take the last permit.
func natsKV(ctx context.Context, c *contest) (err error) {
	c.log = bySlog(slog.NewJSONHandler(c.file, nil))
	dir, err := os.MkdirTemp("", "realruns-nats-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	srv, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: dir, NoLog: true,
		NoSigs: true,
	})
	if err != nil {
		return err
	}
	srv.Start()
	defer func() {
		srv.Shutdown()
		srv.WaitForShutdown()
	}()
	if !srv.ReadyForConnections(10 * time.Second) {
		return errors.New("the NATS server is not ready")
	}
	for i := range 5 {
		conn, err := nats.Connect(srv.ClientURL())
		if err != nil {
			return err
		}
		defer conn.Close()
		js, err := jetstream.New(conn)
		if err != nil {
			return err
		}
		bucket, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "semaphore",
			Storage: jetstream.MemoryStorage})
		if err != nil {
			return err
		}
		if i == 0 {
			if _, err := bucket.Create(ctx, permits, []byte("[]")); err != nil {
				return err
			}
		}
		c.clients = append(c.clients, &natsSemaphore{bucket: bucket, name: fmt.Sprint(i + 1), k: c.k,
			checked: !c.broken})
	}
	return c.run(ctx)
}

// permits is the key.
const permits = "permits"

// natsSemaphore is a client of the semaphore.
type natsSemaphore struct {
	bucket  jetstream.KeyValue
	name    string
	k       int
	checked bool
}

func (s *natsSemaphore) acquire(ctx context.Context) error {
	return s.change(ctx, s.checked, func(holders []string) ([]string, bool) {
		if len(holders) >= s.k {
			return nil, false
		}
		return append(holders, s.name), true
	})
}

// release gives the permit back, if the list still says that the client has it.
func (s *natsSemaphore) release(ctx context.Context) error {
	return s.change(ctx, true, func(holders []string) ([]string, bool) {
		return slices.DeleteFunc(holders, func(name string) bool { return name == s.name }), true
	})
}

// change reads the list and writes the changed one; again, if the change is not possible yet or another
// client was faster.
func (s *natsSemaphore) change(ctx context.Context, checked bool, becomes func([]string) ([]string,
	bool)) error {
	for {
		entry, err := s.bucket.Get(ctx, permits)
		if err != nil {
			return err
		}
		var holders []string
		if err := json.Unmarshal(entry.Value(), &holders); err != nil {
			return err
		}
		holders, ready := becomes(holders)
		if !ready {
			time.Sleep(stay / 4)
			continue
		}
		value, err := json.Marshal(holders)
		if err != nil {
			return err
		}
		if !checked {
			_, err := s.bucket.Put(ctx, permits, value)
			return err
		}
		_, err = s.bucket.Update(ctx, permits, value, entry.Revision())
		if !errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
			return err
		}
	}
}
