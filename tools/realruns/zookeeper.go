package main

import (
	"context"
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

// zookeeper runs clients of kazoo's Semaphore, which are threads of a script. In the broken run the session
// of one of them ends while it has a lease.
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
	server := exec.CommandContext(ctx, "java", "-Dzookeeper.admin.enableServer=false",
		"-Dzookeeper.forceSync=no",
		"-Dzookeeper.clientPortAddress=127.0.0.1", "-cp", zookeeperJar, zookeeperClass, strconv.Itoa(port),
		dir)
	server.Dir = dir
	if err := server.Start(); err != nil {
		cancel()
		return err
	}
	defer func() {
		cancel()
		_ = server.Wait() // it was killed
	}()
	return script(ctx, systemPython, "zookeeper.py", c, strconv.Itoa(port), strconv.Itoa(c.k),
		strconv.Itoa(c.entries),
		strconv.FormatUint(c.seed, 10), strconv.FormatFloat((5*stay).Seconds(), 'g', -1, 64), c.how())
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
