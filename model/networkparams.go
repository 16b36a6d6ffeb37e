package model

import (
	"fmt"
	"strconv"
	"strings"
)

// NetworkParams declares the parameters of channels and of the crash adversary,
// as all message-passing specs have them. crashSends is the default of that key.
func NetworkParams(crashSends string) []Param {
	return append([]Param{
		{"channel", "order of messages: a bag delivers any of them next, fifo keeps the order of each " +
			"pair of processes", "bag", OneOf("bag", "fifo")},
		{"crashes", "at most so many crashes in a run, those of dead= included; default: f where there is " +
			"one, at least the number of dead=", "", ProcCount(0)},
		{"crashable", "who may crash; default: all", "", Processes},
		{"dead", "who is dead from the start", "", Processes},
		{"crash-sends", "what a process may get out when it crashes inside a handler: nothing but all or " +
			"none, a prefix by ascending target, or any subset of its messages", crashSends,
			OneOf("none", "prefix", "subset")},
	}, faultParams...)
}

// Network returns the values of NetworkParams for n processes counted from
// first; crashes is the default number of crashes. A spec without messages need declare none of
// them but dead, crashes and crashable.
func (a *Args) Network(n, first, crashes int) (nw Network, err error) {
	if nw.Dead, err = a.Processes("dead", n, first); err != nil {
		return nw, err
	}
	if !a.Given("crashes") {
		a.Set("crashes", strconv.Itoa(max(crashes, nw.Dead.Len())))
	}
	nw.Crashes = a.Int("crashes")
	if nw.Crashes < nw.Dead.Len() {
		return nw, a.Reject("crashes", a.String("crashes"),
			fmt.Sprintf("dead=%s are %d crashes already, so allowed is %d or more", a.String("dead"),
				nw.Dead.Len(), nw.Dead.Len()))
	}
	if nw.Crashes > n {
		return nw, a.Reject("crashes", a.String("crashes"),
			fmt.Sprintf("allowed: 0 to %d, the number of processes", n))
	}
	if nw.Crashable, err = a.Processes("crashable", n, first); err != nil {
		return nw, err
	}
	if !a.Given("crashable") {
		nw.Crashable = All(n)
		a.Set("crashable", strings.Trim(nw.Crashable.Format(first), "{}"))
	}
	nw.Channel = Channel(a.choice("channel", "bag", "fifo"))
	nw.CrashSends = CrashSends(a.choice("crash-sends", "none", "prefix", "subset"))
	nw.Faults, err = a.Faults(Names{First: first}, n)
	return nw, err
}
