package param

import (
	"fmt"
	"slices"
	"strings"
)

// Network declares the parameters of channels and of the crash adversary,
// as all message-passing specs have them. crashSends is the default of that key.
func Network(crashSends string) []Param {
	return append([]Param{
		{"channel", "order of messages: a bag delivers any of them next, fifo keeps the order of each " +
			"pair of processes", "bag", OneOf("bag", "fifo")},
		{"crashes", "the largest number of crashes in a run, with dead= included; default: f where there " +
			"is one, at least the number of dead=", "", ProcCount(0)},
		{"crashable", "the processes that may crash; default: all", "", Processes},
		{"dead", "the processes that are dead from the start", "", Processes},
		{"crash-sends", "the messages that a process may send when it crashes inside a handler: all or " +
			"none, a prefix by ascending target, or any subset", crashSends,
			OneOf("none", "prefix", "subset")},
	}, faultParams...)
}

// faultParams declare protocol.Faults. By default there are no faults.
var faultParams = []Param{
	{"losses", "the largest number of messages lost in a run; default: none", "", IntRange(0, 255)},
	{"copies", "the largest number of messages copied in a run; default: none", "", IntRange(0, 255)},
	{"links", "the channels whose messages may be lost or copied, 1:2: from p1 to p2; default: all",
		"", Channels},
	{"partition", "the processes on one side of a partition, which may begin at any time: no message " +
		"crosses it; default: none", "", Members},
	{"heals", "yes: a partition has to end, and messages under way are received then; no: it " +
		"stays; default: no", "", OneOf("yes", "no")},
}

// Fairness declares the fairness of a composition.
var Fairness = Param{
	Name: "fairness",
	Doc: "which runs without end are considered: weak, where a step or a message that is possible from " +
		"some point on is not put off for ever; strong, one that is possible again and again; none, all. " +
		"Nobody is ever forced to request or to crash",
	Default: "weak", Type: OneOf("weak", "strong", "none"),
}

// maxRounds is the largest number of rounds that end.
const maxRounds = 15

// Rounds declares rounds= of an algorithm whose processes may request for ever.
var Rounds = Param{
	Name: "rounds", Default: "1",
	Doc: "how often each process requests; inf: for ever; any: for ever, and times count by their order " +
		"only, so what holds then holds for every number of requests",
	Type: Type{
		Allowed: fmt.Sprintf("0 to %d or inf, or any in place of inf, one for all processes or one for "+
			"each, separated by commas", maxRounds),
		Form: "numbers", Range: &[2]int{0, maxRounds}, Words: []string{"inf", "any"},
		check: func(v string) bool {
			all := strings.Split(v, ",")
			return v != "" && (!slices.Contains(all, "inf") || !slices.Contains(all, "any")) &&
				!slices.ContainsFunc(all, func(f string) bool {
					return f != "inf" && f != "any" && !inRange(f, 0, maxRounds)
				})
		},
	},
}

// Endless declares the parameters of runs without end: their fairness,
// and bounds on values that grow for ever.
func Endless() []Param {
	return []Param{
		Fairness,
		{"max-skew", "with rounds=inf: the largest difference of two times of a state; other states are " +
			"cut off; 0: no bound", "0", IntRange(0, 1<<16)},
		{"max-in-flight", "the largest number of messages under way at a time; other states are cut " +
			"off; 0: no bound", "0", IntRange(0, 1<<16)},
	}
}
