package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A scenario is a run whose log is kept.
type scenario struct {
	name    string
	k       int
	entries int // of each client
	broken  bool
	run     func(ctx context.Context, c *contest) error
}

var scenarios = []scenario{
	{"etcd-mutex", 1, 20, false, func(ctx context.Context, c *contest) error { return etcd(ctx, c, false) }},
	{"etcd-mutex-revoked", 1, 20, true, func(ctx context.Context, c *contest) error { return etcd(ctx, c, true) }},
	{"nats-semaphore", 2, 20, false, func(ctx context.Context, c *contest) error { return natsKV(ctx, c, true) }},
	{"nats-semaphore-unchecked", 2, 20, true, func(ctx context.Context, c *contest) error { return natsKV(ctx, c, false) }},
	{"zookeeper-semaphore", 2, 15, false, zookeeper},
}

// limit is how long a run may take.
const limit = 2 * time.Minute

func main() {
	dir := flag.String("dir", ".", "directory for the logs")
	seed := flag.Uint64("seed", 1, "seed of the clients' random times")
	only := flag.String("only", "", "a scenario; default: all")
	flag.Usage = func() {
		fmt.Fprintf(os.Stderr, "usage: realruns [flags]\nscenarios: %s\n", strings.Join(names(), ", "))
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 || *only != "" && !slices.Contains(names(), *only) {
		flag.Usage()
		os.Exit(64)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := captureAll(ctx, *dir, *only, *seed)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "realruns:", err)
		os.Exit(1)
	}
}

// captureAll runs the scenarios, or only one, and says what it does.
func captureAll(ctx context.Context, dir, only string, seed uint64) error {
	for _, s := range scenarios {
		if only != "" && s.name != only {
			continue
		}
		file := filepath.Join(dir, s.name+".ndjson")
		begun := time.Now()
		err := s.capture(ctx, file, seed)
		switch {
		case errors.Is(err, errMissing):
			fmt.Printf("%-25s skipped: %v\n", s.name, err)
		case err != nil:
			return fmt.Errorf("%s: %w", s.name, err)
		default:
			fmt.Printf("%-25s k=%d, %.1f s, %s\n", s.name, s.k, time.Since(begun).Seconds(), file)
		}
	}
	return nil
}

func names() (list []string) {
	for _, s := range scenarios {
		list = append(list, s.name)
	}
	return list
}

// capture runs the scenario and writes its log. Nothing is left of a run that fails.
func (s *scenario) capture(ctx context.Context, file string, seed uint64) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	f, err := os.CreateTemp(filepath.Dir(file), "."+s.name+"-*")
	if err != nil {
		return err
	}
	err = errors.Join(s.run(ctx, &contest{k: s.k, entries: s.entries, seed: seed, file: f}), f.Close())
	if err == nil {
		err = errors.Join(os.Chmod(f.Name(), 0o644), os.Rename(f.Name(), file))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
