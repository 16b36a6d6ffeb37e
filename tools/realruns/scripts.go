package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

//go:embed scripts
var scripts embed.FS

// errMissing is wrapped by errors that name a missing program or file.
var errMissing = errors.New("not installed")

// script is a scenario in a script of its own, which needs some programs or files. Its arguments are the
// log, the entries of each client, right or broken, a free port, the seed and k. Everything that it starts
// ends with it.
func script(interpreter, name string, needs ...string) func(context.Context, *contest) error {
	return func(ctx context.Context, c *contest) error {
		if err := installed(needs); err != nil {
			return err
		}
		if name == "systemd.sh" && os.Geteuid() != 0 {
			return fmt.Errorf("the right to make namespaces (root) is %w", errMissing)
		}
		text, err := scripts.ReadFile("scripts/" + name)
		if err != nil {
			return err
		}
		dir, err := os.MkdirTemp("", "realruns-script-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // nothing in it is used again
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return err
		}
		log, err := filepath.Abs(c.file.Name())
		if err != nil {
			return err
		}
		port, err := freePort(ctx)
		if err != nil {
			return err
		}
		how := "right"
		if c.broken {
			how = "broken"
		}
		var diagnostics bytes.Buffer
		run := exec.CommandContext(ctx, interpreter, file, log, strconv.Itoa(c.entries), how,
			strconv.Itoa(port), strconv.FormatUint(c.seed, 10), strconv.Itoa(c.k))
		run.Dir, run.Stdout, run.Stderr = dir, &diagnostics, &diagnostics
		run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		run.Cancel = func() error { return syscall.Kill(-run.Process.Pid, syscall.SIGTERM) }
		if err := run.Run(); err != nil {
			return fmt.Errorf("%s: %w: %s", name, err, diagnostics.String())
		}
		return nil
	}
}

// installed returns an error unless all programs are in PATH, and all patterns of files match.
func installed(needs []string) error {
	for _, need := range needs {
		if found, _ := filepath.Glob(need); len(found) > 0 {
			continue
		}
		if _, err := exec.LookPath(need); err != nil {
			return fmt.Errorf("%s is %w", need, errMissing)
		}
	}
	return nil
}

// freePort returns a port that was free a moment ago, for servers that cannot choose one.
func freePort(ctx context.Context) (int, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}
