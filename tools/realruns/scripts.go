package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

//go:embed scripts
var scripts embed.FS

// script runs one of the embedded scripts with arguments and returns what it writes. Whatever it has
// started ends with it.
func script(ctx context.Context, interpreter, name string, c *contest, args ...string) error {
	text, err := scripts.ReadFile("scripts/" + name)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "realruns-script-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is a directory for things of no use
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	var complaints bytes.Buffer
	run := exec.CommandContext(ctx, interpreter, append([]string{file}, args...)...)
	run.Dir, run.Stderr = dir, &complaints
	run.Stdout = c.file
	if name == "pool.py" { // multiprocessing logs to standard error
		run.Stdout, run.Stderr = &complaints, c.file
	}
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	run.Cancel = func() error { return syscall.Kill(-run.Process.Pid, syscall.SIGTERM) }
	if err := run.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, complaints.String())
	}
	return nil
}

// how is what scripts call a run.
func (c *contest) how() string {
	if c.broken {
		return "broken"
	}
	return "right"
}

// shell is a scenario that a script of the shell is, if the programs are there that it wants.
func shell(name string, needs ...string) func(context.Context, *contest) error {
	return func(ctx context.Context, c *contest) error {
		for _, program := range needs {
			if found, _ := filepath.Glob(program); len(found) > 0 {
				continue
			}
			if _, err := exec.LookPath(program); err != nil {
				return fmt.Errorf("%s is %w", program, errMissing)
			}
		}
		if name == "systemd.sh" && os.Geteuid() != 0 {
			return fmt.Errorf("the right to make namespaces (root) is %w", errMissing)
		}
		port, err := freePort(ctx)
		if err != nil {
			return err
		}
		log, err := filepath.Abs(c.file.Name())
		if err != nil {
			return err
		}
		return script(ctx, "bash", name, c, log, strconv.Itoa(c.entries), c.how(), strconv.Itoa(port))
	}
}

// pool runs processes of Python's multiprocessing.
func pool(ctx context.Context, c *contest) error {
	return script(ctx, "python3", "pool.py", c, strconv.Itoa(c.entries), strconv.FormatUint(c.seed, 10),
		c.how())
}

// errMissing is wrapped by errors that say what is not installed.
var errMissing = errors.New("not installed")
