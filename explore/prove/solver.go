package prove

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A solver is a program that decides formulas in SMT-LIB.
type solver struct {
	name, path, version string
}

// arguments are the arguments with which each solver reads its standard input, with a limit in seconds.
var arguments = map[string]func(seconds float64) []string{
	"z3": func(s float64) []string { return []string{"-smt2", "-in", fmt.Sprintf("-t:%.0f", s*1000)} },
	"cvc5": func(s float64) []string {
		limit := fmt.Sprintf("--tlimit=%.0f", s*1000)
		return []string{"--lang=smt2", "--finite-model-find", "--produce-models", limit}
	},
}

// SolverNames are the solvers that Run can use.
var SolverNames = []string{"z3", "cvc5"}

// ErrNoSolver means that a solver is not installed.
var ErrNoSolver = errors.New("it is not installed: apt-get install z3 cvc5, or see the pages of z3 and cvc5")

var versionNumber = regexp.MustCompile(`[0-9]+\.[0-9]+(\.[0-9]+)?`)

// findSolver finds a program in the path, and asks for its version.
func findSolver(ctx context.Context, name string) (*solver, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, ErrNoSolver)
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	text, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("%s --version: %w", path, err)
	}
	return &solver{name, path, string(versionNumber.Find(text))}, nil
}

// Answers of solvers.
const (
	sat    = "sat"
	unsat  = "unsat"
	unsure = "unknown"
)

// An answer is the answer of a solver to a question.
type answer struct {
	verdict string
	reason  string // for the verdict unknown
	values  string // behind the verdict
	elapsed time.Duration
}

// mostOutput bounds the bytes that are read of a solver.
const mostOutput = 8 << 20

// capped keeps the first bytes that are written.
type capped struct{ bytes.Buffer }

func (c *capped) Write(p []byte) (int, error) {
	if free := mostOutput - c.Len(); free < len(p) {
		c.Buffer.Write(p[:max(0, free)])
		return len(p), nil
	}
	return c.Buffer.Write(p)
}

// ask asks a solver a question. Whatever goes wrong is the answer unknown.
func (s *solver) ask(ctx context.Context, text string, limit time.Duration) answer {
	begun := time.Now()
	timed, cancel := context.WithTimeout(ctx, limit+time.Second)
	defer cancel()
	c := exec.CommandContext(timed, s.path, arguments[s.name](limit.Seconds())...)
	c.Stdin, c.WaitDelay = strings.NewReader(text), time.Second
	out := &capped{}
	c.Stdout, c.Stderr = out, io.Discard
	err := c.Run()
	a := answer{verdict: unsure, elapsed: time.Since(begun)}
	word, rest, _ := strings.Cut(out.String(), "\n")
	word = strings.TrimSpace(word)
	switch {
	case ctx.Err() != nil:
		a.reason = "interrupted"
	case word == sat || word == unsat:
		a.verdict, a.values = word, rest
	case timed.Err() != nil || word == "timeout" || strings.Contains(word, "interrupted by timeout"),
		word == unsure && a.elapsed >= limit:
		a.reason = fmt.Sprintf("no answer in %v", limit)
	case word == unsure:
		a.reason = "the solver answers unknown"
	case word == "" && err != nil:
		a.reason = fmt.Sprintf("the solver ended: %v", err)
	default:
		a.reason = fmt.Sprintf("the solver answers %.60q", word)
	}
	return a
}

// askAll asks each solver all questions. answers[i][k] is what solver k answers to question i. done is called
// after each answer, by one goroutine at a time.
func askAll(ctx context.Context, solvers []*solver, texts []string, limit time.Duration, workers int,
	done func(i int)) (answers [][]answer) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	answers = make([][]answer, len(texts))
	for i := range answers {
		answers[i] = make([]answer, len(solvers))
	}
	jobs := make(chan [2]int)
	var all sync.WaitGroup
	var mu sync.Mutex
	for range workers {
		all.Go(func() {
			for j := range jobs {
				a := solvers[j[1]].ask(ctx, texts[j[0]], limit)
				mu.Lock()
				answers[j[0]][j[1]] = a
				done(j[0])
				mu.Unlock()
			}
		})
	}
	for i := range texts {
		for k := range solvers {
			jobs <- [2]int{i, k}
		}
	}
	close(jobs)
	all.Wait()
	return answers
}
