package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
)

// Where Debian's packages zookeeper and python3-kazoo put their things.
const (
	zookeeperJar   = "/usr/share/java/zookeeper.jar"
	systemPython   = "/usr/bin/python3"
	zookeeperClass = "org.apache.zookeeper.server.ZooKeeperServerMain"
)

//go:embed semaphore.py
var semaphoreScript string

// errMissing is wrapped by errors that say what is not installed.
var errMissing = errors.New("not installed")

// zookeeperInstalled returns an error that says what is missing.
func zookeeperInstalled() error {
	if _, err := exec.LookPath("java"); err != nil {
		return fmt.Errorf("java is %w", errMissing)
	}
	if _, err := os.Stat(zookeeperJar); err != nil {
		return fmt.Errorf("%s (Debian package zookeeper) is %w", zookeeperJar, errMissing)
	}
	if err := exec.Command(systemPython, "-c", "import kazoo").Run(); err != nil {
		return fmt.Errorf("kazoo (Debian package python3-kazoo) is %w", errMissing)
	}
	return nil
}

// zookeeper runs clients of kazoo's Semaphore. They are threads of a script, semaphore.py,
// which writes the same lines with the monotonic clock of its process.
func zookeeper(ctx context.Context, c *contest) (err error) {
	if err := zookeeperInstalled(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "realruns-zookeeper-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	port, err := freePort(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	server := exec.CommandContext(ctx, "java", "-Dzookeeper.admin.enableServer=false", "-Dzookeeper.forceSync=no", "-cp", zookeeperJar, zookeeperClass, strconv.Itoa(port), dir)
	server.Dir = dir
	if err := server.Start(); err != nil {
		cancel()
		return err
	}
	defer func() {
		cancel()
		_ = server.Wait() // it was killed
	}()
	var complaints bytes.Buffer
	script := exec.CommandContext(ctx, systemPython, "-c", semaphoreScript,
		strconv.Itoa(port), strconv.Itoa(c.k), strconv.Itoa(c.entries), strconv.FormatUint(c.seed, 10), strconv.FormatFloat((10*stay).Seconds(), 'g', -1, 64)) // to get a lease takes some round trips
	script.Stdout, script.Stderr = c.file, &complaints
	if err := script.Run(); err != nil {
		return fmt.Errorf("semaphore.py: %w: %s", err, complaints.String())
	}
	return nil
}

// freePort returns a port that was free a moment ago: ZooKeeper wants to be told one.
func freePort(ctx context.Context) (int, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}
