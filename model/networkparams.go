package model

import (
	"fmt"
	"strconv"
	"strings"
)

// Network returns the values of param.Network for n processes counted from first, and rejects those that do
// not fit; crashes is the default number of crashes. A spec without messages need declare none of them but
// dead, crashes and crashable.
func (a *Args) Network(n, first, crashes int) (nw Network) {
	nw.Dead = a.Processes("dead", n, first)
	if !a.Given("crashes") {
		a.Set("crashes", strconv.Itoa(max(crashes, nw.Dead.Len())))
	}
	nw.Crashes = a.Int("crashes")
	if nw.Crashes < nw.Dead.Len() {
		a.Reject("crashes",
			fmt.Sprintf("dead=%s are %d crashes already, so allowed is %d or more", a.String("dead"),
				nw.Dead.Len(), nw.Dead.Len()))
	}
	if nw.Crashes > n {
		a.Reject("crashes",
			fmt.Sprintf("allowed: 0 to %d, the number of processes", n))
	}
	nw.Crashable = a.Processes("crashable", n, first)
	if !a.Given("crashable") {
		nw.Crashable = All(n)
		a.Set("crashable", strings.Trim(nw.Crashable.Format(first), "{}"))
	}
	nw.Channel = Channel(a.choice("channel", "bag", "fifo"))
	nw.CrashSends = CrashSends(a.choice("crash-sends", "none", "prefix", "subset"))
	nw.Faults = a.Faults(Names{First: first}, n)
	return nw
}
