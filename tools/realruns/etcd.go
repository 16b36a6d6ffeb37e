package main

import (
	"context"
	"errors"
	"net/url"
	"os"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
)

// etcd runs clients of concurrency.Mutex, an exclusive lock: k=1. In the broken run the lease of one client
// is revoked while it holds the lock, as if it had expired in a long pause. The client continues for a time
// in which others enter.
func etcd(ctx context.Context, c *contest) (err error) {
	c.log = byZap(c.file)
	dir, err := os.MkdirTemp("", "realruns-etcd-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	server, err := embed.StartEtcd(etcdConfig(dir))
	if err != nil {
		return err
	}
	defer server.Close()
	select {
	case <-server.Server.ReadyNotify():
	case <-ctx.Done():
		return ctx.Err()
	}
	var locks []*etcdLock
	for range 4 {
		conn, err := clientv3.New(clientv3.Config{
			Endpoints: []string{server.Clients[0].Addr().String()}, DialTimeout: 5 * time.Second,
			Logger: zap.NewNop(),
		})
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close() }() // the run is over
		l := &etcdLock{conn: conn}
		locks = append(locks, l)
		c.clients = append(c.clients, l)
	}
	if c.broken {
		c.inside = func(ctx context.Context, client, entry int) error {
			if client != 1 || entry != c.entries/2 {
				return nil
			}
			_, err := locks[0].conn.Revoke(ctx, locks[client].session.Lease())
			time.Sleep(50 * stay)
			return err
		}
	}
	return c.run(ctx)
}

// etcdConfig is a cluster of one, on ports that the system chooses.
func etcdConfig(dir string) *embed.Config {
	anywhere := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	cfg := embed.NewConfig()
	cfg.Dir = dir
	cfg.LogLevel = "fatal"
	cfg.UnsafeNoFsync = true // the data are not needed afterwards
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = anywhere, anywhere
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = anywhere, anywhere
	cfg.InitialCluster = cfg.InitialClusterFromName(cfg.Name)
	return cfg
}

// etcdLock is a client of the mutex.
type etcdLock struct {
	conn    *clientv3.Client
	session *concurrency.Session
	mutex   *concurrency.Mutex
}

func (l *etcdLock) acquire(ctx context.Context) error {
	if l.session != nil {
		err := l.mutex.Lock(ctx)
		if !errors.Is(err, rpctypes.ErrLeaseNotFound) {
			return err
		}
		l.session.Orphan() // the client notices only now that its lease is gone
	}
	var err error
	if l.session, err = concurrency.NewSession(l.conn, concurrency.WithTTL(60)); err != nil {
		return err
	}
	l.mutex = concurrency.NewMutex(l.session, "/mutex")
	return l.mutex.Lock(ctx)
}

func (l *etcdLock) release(ctx context.Context) error { return l.mutex.Unlock(ctx) }
