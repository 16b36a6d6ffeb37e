package prove

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"
)

// A solver is a program that decides formulas in SMT-LIB.
type solver struct{ name, path, version string }

// Solvers are the names of the solvers that can be asked.
var Solvers = []string{"z3", "cvc5"}

// arguments make a solver read its standard input, with a limit in milliseconds.
var arguments = map[string][]string{"z3": {"-smt2", "-in", "-t:%d"},
	"cvc5": {"--lang=smt2", "--finite-model-find", "--produce-models", "--tlimit=%d"}}

// errNoSolver means that a solver is not installed.
var errNoSolver = errors.New("this solver is not installed: apt-get install z3 cvc5, or take another one")

var versionNumber = regexp.MustCompile(`[0-9]+(\.[0-9]+)+`)

// findSolver finds a program in the path, and asks for its version.
func findSolver(ctx context.Context, name string) (*solver, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, errNoSolver)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	text, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("%s --version: %w: %w", name, err, errNoSolver)
	}
	return &solver{name, path, string(versionNumber.Find(text))}, nil
}

// Answers of solvers.
const sat, unsat, unsure = "sat", "unsat", "unknown"

// An answer is the answer of a solver to a question.
type answer struct {
	verdict string
	reason  string // for the answer unknown
	values  string // behind the answer
	elapsed time.Duration
}

// capped keeps the first bytes that are written.
type capped struct{ bytes.Buffer }

func (c *capped) Write(p []byte) (int, error) {
	c.Buffer.Write(p[:min(len(p), max(0, 8<<20-c.Len()))])
	return len(p), nil
}

// ask asks a solver a question. Whatever goes wrong is the answer unknown.
func (s *solver) ask(ctx context.Context, text string, limit time.Duration) (a answer) {
	begun := time.Now()
	timed, cancel := context.WithTimeout(ctx, limit+time.Second)
	defer cancel()
	last := len(arguments[s.name]) - 1
	args := append(append([]string{}, arguments[s.name][:last]...),
		fmt.Sprintf(arguments[s.name][last], limit.Milliseconds()))
	c, out := exec.CommandContext(timed, s.path, args...), &capped{}
	c.Stdin, c.Stdout, c.WaitDelay = strings.NewReader(text), out, time.Second
	err := c.Run()
	a.elapsed = time.Since(begun)
	word, values, _ := strings.Cut(out.String(), "\n")
	switch word = strings.TrimSpace(word); {
	case ctx.Err() != nil:
		a.reason = "interrupted"
	case word == sat || word == unsat:
		return answer{word, "", values, a.elapsed}
	case a.elapsed >= limit:
		a.reason = fmt.Sprintf("no answer in %v", limit)
	case word == "" && err != nil:
		a.reason = "the solver ended: " + err.Error()
	default:
		a.reason = fmt.Sprintf("the solver answers %.60q", word)
	}
	a.verdict = unsure
	return a
}

// askAll asks each solver all questions. answers[i][k] is the answer of solver k to question i. done is
// called after each answer, by one goroutine at a time.
func askAll(ctx context.Context, solvers []*solver, texts []string, opt *Options, done func()) [][]answer {
	answers, jobs := make([][]answer, len(texts)), make(chan [2]int)
	for i := range answers {
		answers[i] = make([]answer, len(solvers))
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	for range max(1, opt.Workers) {
		all.Go(func() {
			for j := range jobs {
				a := solvers[j[1]].ask(ctx, texts[j[0]], opt.Limit)
				mu.Lock()
				answers[j[0]][j[1]] = a
				done()
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
