package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Rounds is how often a process will still request.
type Rounds uint8

// Next returns what is left after one request.
func (r Rounds) Next() Rounds {
	if r == Forever {
		return r
	}
	return r - 1
}

func (r Rounds) String() string {
	if r == Forever {
		return "inf"
	}
	return strconv.Itoa(int(r))
}

// Forever is the number of rounds of a process that requests for ever.
const Forever = 255

// maxRounds is the largest number of rounds that end.
const maxRounds = 15

// RoundsParam declares rounds= of an algorithm whose processes may request for ever.
var RoundsParam = Param{
	Name: "rounds", Doc: "how often each process requests; inf: for ever", Default: "1",
	Type: ParamType{
		Allowed: fmt.Sprintf("0 to %d or inf, one for all processes or one for each, separated by commas",
			maxRounds),
		Form: "numbers", Range: &[2]int{0, maxRounds}, Words: []string{"inf"},
		check: func(v string) bool {
			return v != "" && !slices.ContainsFunc(strings.Split(v, ","), func(f string) bool {
				return f != "inf" && !inRange(f, 0, maxRounds)
			})
		},
	},
}

// Rounds returns the value of RoundsParam for n processes: Forever is inf.
func (a *Args) Rounds(n int) ([]int, error) {
	fields := list(a.String("rounds"))
	if len(fields) == 1 {
		fields = slices.Repeat(fields, n)
	}
	if len(fields) != n {
		return nil, a.Reject("rounds", a.String("rounds"),
			fmt.Sprintf("allowed: one number, or one for each of the %d processes", n))
	}
	rounds := make([]int, n)
	for i, f := range fields {
		rounds[i] = Forever
		if f != "inf" {
			rounds[i], _ = strconv.Atoi(f) // checked by the type
		}
	}
	return rounds, nil
}

// EndlessParams declares what makes sense of runs without end: the fairness of runs,
// and bounds where the states would be infinitely many.
func EndlessParams() []Param {
	return []Param{
		FairnessParam,
		{"max-skew", "with rounds=inf: two times of a state differ by at most so much, other states are " +
			"cut off; 0: no bound", "0", IntRange(0, 1<<16)},
		{"max-in-flight", "at most so many messages are under way at a time, other states are cut " +
			"off; 0: no bound", "0", IntRange(0, 1<<16)},
	}
}

// Endless gives a composition the fairness and the bounds of EndlessParams, and, if
// some process requests for ever, its clocks.
func (c *Composition[L, M, H]) Endless(a *Args, rounds []int, clocks Clocks[L, M]) error {
	c.Network.MaxInFlight = a.Int("max-in-flight")
	clocks.MaxSkew = a.Int("max-skew")
	if slices.Contains(rounds, Forever) {
		c.Clocks = &clocks
	} else if clocks.MaxSkew > 0 {
		return a.Reject("max-skew", a.String("max-skew"),
			"it is about rounds=inf; where all runs end, allowed is 0")
	}
	c.Fair(a.String("fairness"))
	return nil
}
