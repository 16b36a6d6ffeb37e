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

// A scenario is a run whose log is kept, once as it should be and once broken on purpose.
type scenario struct {
	name    string
	ending  string // of the log's name
	k       int
	entries int // of each client
	run     func(ctx context.Context, c *contest) error
}

var scenarios = []scenario{
	{"etcd", "ndjson", 1, 15, etcd},
	{"nats", "ndjson", 2, 20, natsKV},
	{"zookeeper", "log", 2, 12, script("/usr/bin/python3", "zookeeper.py", "java",
		"/usr/share/java/zookeeper.jar", "/usr/lib/python3/dist-packages/kazoo")},
	{"postgresql", "log", 1, 12, script("bash", "postgres.sh",
		"/usr/lib/postgresql/*/bin/initdb", "setpriv")},
	{"redis", "log", 1, 15, redisLock},
	{"flock", "log", 1, 12, script("bash", "flock.sh", "flock")},
	{"x-sync", "log", 2, 15, weighted},
	{"multiprocessing", "log", 2, 12, script("python3", "pool.py")},
	{"nginx", "log", 2, 12, script("bash", "nginx.sh", "nginx", "curl")},
	{"systemd", "ndjson", 1, 6, script("bash", "systemd.sh",
		"/lib/systemd/systemd", "unshare", "journalctl")},
}

// limit is how long a run may take.
const limit = 2 * time.Minute

func main() {
	dir := flag.String("dir", ".", "directory for the logs")
	seed := flag.Uint64("seed", 1, "seed of the clients' random times")
	only := flag.String("only", "", "a scenario; default: all of them")
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

// captureAll runs the scenarios, or only one, and reports each.
func captureAll(ctx context.Context, dir, only string, seed uint64) error {
	for _, s := range scenarios {
		if only != "" && s.name != only {
			continue
		}
		for _, broken := range []bool{false, true} {
			file := filepath.Join(dir, s.file(broken))
			begun := time.Now()
			err := s.capture(ctx, file, seed, broken)
			switch {
			case errors.Is(err, errMissing):
				fmt.Printf("%-25s skipped: %v\n", s.name, err)
			case err != nil:
				return fmt.Errorf("%s: %w", s.name, err)
			default:
				fmt.Printf("%-25s k=%d, %.1f s, %s\n", s.name, s.k, time.Since(begun).Seconds(), file)
			}
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

// file is the name of the log.
func (s *scenario) file(broken bool) string {
	if broken {
		return s.name + "-broken." + s.ending
	}
	return s.name + "." + s.ending
}

// capture runs the scenario and writes its log. Nothing is left of a run that fails.
func (s *scenario) capture(ctx context.Context, file string, seed uint64, broken bool) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	f, err := os.CreateTemp(filepath.Dir(file), "."+s.name+"-*")
	if err != nil {
		return err
	}
	err = errors.Join(s.run(ctx, &contest{k: s.k, entries: s.entries, broken: broken, seed: seed, file: f}),
		f.Close())
	if err == nil {
		err = errors.Join(os.Chmod(f.Name(), 0o644), os.Rename(f.Name(), file))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
