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

	"golang.org/x/sync/errgroup"
)

// A solver is a program that decides formulas in SMT-LIB.
type solver struct{ name, path, version string }

// Solvers are the names of the solvers that can be asked.
var Solvers = []string{"z3", "cvc5"}

// arguments make a solver read its standard input, with a limit in milliseconds.
var arguments = map[string]string{"z3": "-smt2 -in -t:%d",
	"cvc5": "--lang=smt2 --finite-model-find --produce-models --tlimit=%d"}

// errNoSolver means that a solver is not installed, or does not work.
var errNoSolver = errors.New("apt-get install z3 cvc5, or take another one")

var versionNumber = regexp.MustCompile(`[0-9]+(\.[0-9]+)+`)

// findSolver finds a program in the path, and asks for its version.
func findSolver(ctx context.Context, name string) (*solver, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%s: this solver is not installed: %w", name, errNoSolver)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	text, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("%s --version: %w: this solver does not work: %w", name, err, errNoSolver)
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
	args := strings.Fields(fmt.Sprintf(arguments[s.name], limit.Milliseconds()))
	c, out := exec.CommandContext(timed, s.path, args...), &capped{}
	c.Stdin, c.Stdout, c.WaitDelay = strings.NewReader(text), out, time.Second/4
	err := c.Run()
	a.elapsed = time.Since(begun)
	word, values, _ := strings.Cut(out.String(), "\n")
	switch word = strings.TrimSpace(word); {
	case ctx.Err() != nil:
		a.reason = "interrupted"
	case err == nil && (word == sat || word == unsat):
		return answer{word, "", values, a.elapsed}
	case a.elapsed >= limit:
		a.reason = fmt.Sprintf("no answer in %v", limit)
	case err != nil:
		a.reason = fmt.Sprintf("the solver ended: %v, output %.60q", err, word)
	default:
		a.reason = fmt.Sprintf("the solver answers %.60q", word)
	}
	a.verdict = unsure
	return a
}

// answers are the answers of solvers to queries: answers[i][k] is the one of solver k to query i. done is
// called after each answer, by one goroutine at a time.
func (p *proof) answers(ctx context.Context, of []*solver, goals []*goal, done func()) [][]answer {
	answers := make([][]answer, len(goals))
	var all errgroup.Group
	var mu sync.Mutex
	all.SetLimit(max(1, p.opt.Workers))
	for i, g := range goals {
		text := p.theory.text(g, nil, nil)
		answers[i] = make([]answer, len(of))
		for k, s := range of {
			all.Go(func() error {
				answers[i][k] = s.ask(ctx, text, p.opt.Limit)
				mu.Lock()
				defer mu.Unlock()
				done()
				return nil
			})
		}
	}
	_ = all.Wait() // whatever goes wrong is an answer
	return answers
}
