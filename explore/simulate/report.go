package simulate

import (
	"time"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// A Report is the result of random runs.
type Report struct {
	// Verdict is violated, a model error, or unknown: runs without a violation do not show that a property
	// holds.
	Verdict explore.Verdict
	Stopped string // why there were fewer runs than wanted, a sentence; "": there were not

	Runs    int64
	Steps   int64
	Longest int // steps of a run
	Ends    [numEnds]int64
	Actions []lts.Action
	Fired   []int64 // per action: how often it was taken
	Threads int     // of a run at most, where the scheduler is PCT

	Coverage   *Coverage // nil: nothing was counted
	Properties []Result
	Unasked    []model.PropertyInfo // of kinds that runs do not judge

	Mistake    *model.Error // of the model; nil: none was met
	MistakeRun int64        // the number of the run in which it was
	MistakeAt  int          // the steps before it

	Elapsed time.Duration
}

// A Result is the result of the runs for one property.
type Result struct {
	model.PropertyInfo
	// Verdict is violated, holds for a goal that was reached, and unknown otherwise.
	Verdict explore.Verdict
	Run     int64 // the number of the first run that violates it, or reaches the goal; -1: none
	Length  int   // the steps of this run up to there
	Late    bool  // a Liveness property was unfulfilled for longer than it may be
	Runs    int64 // the number of runs like Run
}

// Coverage counts the parts of a model that runs have seen.
type Coverage struct {
	States int64 // distinct ones
	Locals int64 // distinct local states, of all processes
	Pairs  int   // of actions that were seen to be concurrent
	// Once and Twice are the numbers of states that were seen in one run only, and in two.
	Once, Twice int64
	// Last is the number of states that the last tenth of the runs, LastRuns, was the first to see.
	Last     int64
	LastRuns int64
}

// Next estimates the number of states that the next run will be the first to see (Good, The population
// frequencies of species and the estimation of population parameters, 1953, for samples that are sets).
func (c *Coverage) Next(runs int64) float64 { return float64(c.Once) / float64(max(runs, 1)) }

// Least estimates a lower bound of the number of states (Chao, Estimating the population size for
// capture-recapture data with unequal catchability, 1987).
func (c *Coverage) Least(runs int64) float64 {
	q1, q2 := float64(c.Once), float64(c.Twice)
	rest := float64(max(runs-1, 0)) / float64(max(runs, 1))
	if c.Twice == 0 {
		return float64(c.States) + rest*q1*(q1-1)/2
	}
	return float64(c.States) + rest*q1*q1/(2*q2)
}
