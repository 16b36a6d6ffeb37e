package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/specs"
)

// A bench is an engine, workers and a place for files, all on this machine.
type bench struct {
	*testing.T
	dir, program, files string
	port                int
	engine              *exec.Cmd
	workers             []*exec.Cmd
	env                 []string
}

// sweep skips tests that take long: they build the engine.
func sweep(t *testing.T) {
	if os.Getenv("ATMOSTK_SWEEP") == "" {
		t.Skip("ATMOSTK_SWEEP=1 runs it")
	}
}

// build builds a program of this module.
func build(t *testing.T, name, pkg string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if out, err := exec.Command("go", "build", "-o", file, pkg).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", pkg, err, out)
	}
	return file
}

// newBench starts an engine and workers. files are where their files are; "": a directory.
func newBench(t *testing.T, program, files string, workers int, env ...string) *bench {
	t.Helper()
	ports, err := freePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	c := &bench{T: t, dir: t.TempDir(), program: program, files: files, port: ports[0]}
	if files == "" {
		c.files = "file://" + filepath.Join(c.dir, "files")
	}
	c.env = append(append(os.Environ(), "TEMPORAL_ADDRESS="+at(c.port), "ATMOSTK_FILES="+c.files), env...)
	c.startEngine()
	for range workers {
		c.startWorker()
	}
	t.Cleanup(func() {
		for _, p := range append(c.workers, c.engine) {
			kill(p)
		}
	})
	return c
}

func (c *bench) start(args ...string) *exec.Cmd {
	c.Helper()
	p := exec.Command(c.program, args...)
	p.Env, p.Stderr = c.env, os.Stderr
	if err := p.Start(); err != nil {
		c.Fatal(err)
	}
	return p
}

// startEngine starts the engine, with its former state, and waits until it listens.
func (c *bench) startEngine() {
	c.Helper()
	c.engine = c.start("server", "--file", filepath.Join(c.dir, "engine"), "--port", fmt.Sprint(c.port))
	for range 600 {
		if l, err := net.Dial("tcp", at(c.port)); err == nil {
			_ = l.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	c.Fatal("the engine does not listen")
}

func (c *bench) startWorker() {
	c.Helper()
	c.workers = append(c.workers, c.start("worker", "--workers", "1", "--memory", "256M"))
}

// kill ends a process at once, and waits for it.
func kill(p *exec.Cmd) {
	_ = p.Process.Signal(syscall.SIGCONT)
	_ = p.Process.Kill()
	_ = p.Wait()
}

// A result is the part of the JSON of check that is compared.
type result struct {
	Verdict    string  `json:"verdict"`
	Complete   bool    `json:"complete"`
	States     int64   `json:"states"`
	Generated  int64   `json:"generated"`
	Levels     []int64 `json:"levels"`
	Depth      int     `json:"depth"`
	Properties []struct {
		Name    string `json:"name"`
		Verdict string `json:"verdict"`
		Length  int    `json:"length"`
	} `json:"properties"`
}

// check has an instance checked by the cluster.
func (c *bench) check(args ...string) string {
	c.Helper()
	text, err := c.checked(args...)
	if err != nil {
		c.Fatal(err)
	}
	return text
}

// An answer is the outcome of a check in the background: only the test's own goroutine may end the test.
type answer struct {
	text string
	err  error
}

// checking begins a check.
func (c *bench) checking(args ...string) <-chan answer {
	done := make(chan answer, 1)
	go func() {
		text, err := c.checked(args...)
		done <- answer{text, err}
	}()
	return done
}

// judge compares an answer.
func (c *bench) judge(got answer, want string) {
	c.Helper()
	if got.err != nil || got.text != want {
		c.Errorf("%v\n%s, want\n%s", got.err, got.text, want)
	}
}

func (c *bench) checked(args ...string) (string, error) {
	p := exec.Command(
		c.program,
		append(
			append([]string{"check"}, args...),
			"--format",
			"json",
			"--progress",
			"0",
			"--lost-after",
			"3s",
		)...)
	var out, diag bytes.Buffer
	p.Env, p.Stdout, p.Stderr = c.env, &out, &diag
	begun := time.Now()
	if err := p.Run(); err != nil && p.ProcessState.ExitCode() > 2 {
		return "", fmt.Errorf("%v: %w\n%s", args, err, diag.String())
	}
	var r result
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return "", fmt.Errorf("%v: %w\n%s%s", args, err, out.String(), diag.String())
	}
	c.Logf("%v: %d states in %.1f s", args, r.States, time.Since(begun).Seconds())
	return fmt.Sprintf("%+v", r), nil
}

// instance returns an instance of a built-in model, or of a model in a file.
func instance(t *testing.T, args string) (in model.Instance) {
	t.Helper()
	words := strings.Fields(args)
	spec, err := starfile.Load(words[0])
	if i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == words[0] }); i >= 0 {
		spec, err = &specs.All[i], nil
	}
	if err == nil {
		in, _, err = spec.Instantiate(words[1:])
	}
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// alone has an instance checked by this process.
func alone(t *testing.T, args string, reduce model.Reduction, properties ...int) string {
	t.Helper()
	report, err := explore.Run(context.Background(), instance(t, args), explore.Options{
		KeepGoing: true, Store: explore.Store{Kind: explore.Disk, Dir: t.TempDir()}, Memory: 1 << 30,
		Properties: properties, Reduce: reduce,
	})
	if err != nil {
		t.Fatal(err)
	}
	r := result{
		Verdict: string(report.Verdict), Complete: report.Complete, States: report.States,
		Generated: report.Generated, Levels: report.Levels, Depth: report.Depth,
	}
	for _, p := range report.Properties {
		r.Properties = append(r.Properties, struct {
			Name    string `json:"name"`
			Verdict string `json:"verdict"`
			Length  int    `json:"length"`
		}{p.Name, string(p.Verdict), max(p.Length, 0)})
	}
	return fmt.Sprintf("%+v", r)
}

// instances are the instances of the sweep, or of ATMOSTK_INSTANCES, separated by semicolons: arguments
// have commas.
func instances() []string {
	if s := os.Getenv("ATMOSTK_INSTANCES"); s != "" {
		return strings.Split(s, ";")
	}
	return []string{"2pc n=9", "timerfree n=3", "vcube-stack n=4 k=2 rounds=2,2,0,0"}
}

// TestCluster has the instances checked by four workers, over a directory and over an S3 server.
func TestCluster(t *testing.T) {
	sweep(t)
	program, gateway := build(
		t,
		"atmostk-cluster",
		".",
	), build(
		t,
		"versitygw",
		"github.com/versity/versitygw/cmd/versitygw",
	)
	ports, err := freePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	bucket := filepath.Join(t.TempDir(), "bucket")
	if err := os.Mkdir(bucket, 0o777); err != nil {
		t.Fatal(err)
	}
	s3 := exec.Command(
		gateway,
		"--port",
		at(ports[0]),
		"--access",
		"user",
		"--secret",
		"secret",
		"posix",
		filepath.Dir(bucket),
	)
	if err := s3.Start(); err != nil {
		t.Fatal(err)
	}
	defer kill(s3)
	shared := newBench(t, program, "", 4)
	object := newBench(t, program,
		"s3://bucket?region=us-east-1&use_path_style=true&endpoint=http://"+at(ports[0]), 4,
		"AWS_ACCESS_KEY_ID=user", "AWS_SECRET_ACCESS_KEY=secret")
	for _, args := range instances() {
		want := alone(t, args, model.Reduction{})
		for i, c := range []*bench{shared, object} {
			if got := c.check(append(strings.Fields(args), "--keep-going")...); got != want {
				t.Errorf("%s, files %d:\n%s, want\n%s", args, i, got, want)
			}
		}
	}
}

// TestTimeLimitWithoutWorkers: a search that no worker takes ends at its time limit, undecided, and goes on
// later.
func TestTimeLimitWithoutWorkers(t *testing.T) {
	sweep(t)
	c := newBench(t, build(t, "atmostk-cluster", "."), "", 0)
	args := []string{"2pc", "n=3", "--keep-going", "--id", "late"}
	got := c.check(append(args, "--timeout", "1s")...)
	if !strings.Contains(got, "Verdict:unknown Complete:false") {
		t.Error(got)
	}
	c.startWorker()
	want := alone(t, "2pc n=3", model.Reduction{})
	for range 20 { // until the cancelled search is over
		if got := c.check(args...); got == want {
			return
		}
	}
	t.Error("it does not go on")
}

// TestLosses kills workers at twenty random moments, and the engine at two, and pauses a worker for
// longer than it takes to be lost. Nothing changes.
func TestLosses(t *testing.T) {
	sweep(t)
	args := instances()[0]
	want := alone(t, args, model.Reduction{})
	c := newBench(t, build(t, "atmostk-cluster", "."), "", 4)
	seed := uint64(time.Now().UnixNano())
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	done := c.checking(append(strings.Fields(args), "--keep-going", "--id", "lossy", "--alone", "5000",
		"--shards", "16")...)
	killed, engines, paused := 0, 0, 0
	for tick := 0; ; tick++ {
		select {
		case got := <-done:
			t.Logf("%d workers and %d engines killed, %d paused", killed, engines, paused)
			c.judge(got, want)
			if killed < 20 {
				t.Errorf("only %d workers were killed: the instance is too small", killed)
			}
			return
		case <-time.After(time.Duration(200+r.IntN(1500)) * time.Millisecond):
		}
		i := r.IntN(len(c.workers))
		switch {
		case tick == 7 || tick == 15:
			kill(c.engine)
			c.startEngine()
			engines++
		case tick%8 == 3:
			_ = c.workers[i].Process.Signal(syscall.SIGSTOP)
			paused++
			time.AfterFunc(6*time.Second, func() { _ = c.workers[i].Process.Signal(syscall.SIGCONT) })
		case killed < 20:
			kill(c.workers[i])
			c.workers = append(c.workers[:i], c.workers[i+1:]...)
			c.startWorker()
			killed++
		}
	}
}

// TestFileOnCluster has a model in a file searched by four workers. Two of them are killed on the way, and
// not replaced.
func TestFileOnCluster(t *testing.T) {
	sweep(t)
	const path = "../../../specs/files/2pc.star"
	want := alone(t, path+" n=7", model.Reduction{})
	c := newBench(t, build(t, "atmostk-cluster", "."), "", 4)
	done := c.checking(path, "n=7", "--keep-going", "--id", "file", "--alone", "500", "--shards", "16")
	saved := filepath.Join(c.dir, "files", "file", store.SearchFile)
	for killed := 0; ; {
		select {
		case got := <-done:
			c.judge(got, want)
			if killed != 2 {
				t.Errorf("only %d workers were killed: the instance is too small", killed)
			}
			return
		case <-time.After(300 * time.Millisecond):
		}
		if _, err := os.Stat(saved); err == nil && killed < 2 {
			kill(c.workers[killed])
			killed++
		}
	}
}

// TestMoversOnCluster has a search with receipts at once done by two workers. One of them is killed in each
// level from the sixth on, and in the tenth or so the search is cancelled, and joined again.
func TestMoversOnCluster(t *testing.T) {
	sweep(t)
	const args = "raymond n=4 k=1"
	want := alone(t, args, model.Reduction{Dead: true, Movers: true}, 0)
	c := newBench(t, build(t, "atmostk-cluster", "."), "", 2)
	flags := append(strings.Fields(args), "--keep-going", "--property", "at-most-k", "--reduce",
		"dead,movers", "--id", "movers", "--alone", "2000", "--shards", "8")
	done := c.checking(flags...)
	files := store.Dir(filepath.Join(c.dir, "files", "movers"))
	for level, killed, joined := 0, 0, 0; ; {
		select {
		case got := <-done:
			if joined == 1 {
				done, joined = c.checking(flags...), 2
				continue
			}
			c.judge(got, want)
			if killed < 4 || joined == 0 {
				t.Errorf("only %d workers were killed", killed)
			}
			return
		case <-time.After(20 * time.Millisecond):
		}
		at, err := store.Load(files)
		if err != nil || at.Attempt == 0 || at.Level() < 6 || at.Level() <= level { // before it began again
			continue
		}
		if level = at.Level(); level >= 10 && joined == 0 {
			joined = 1
			_ = c.start("cancel", "movers").Wait()
		} else {
			kill(c.workers[0])
			c.workers = c.workers[1:]
			c.startWorker()
			killed++
		}
	}
}
