package cohorts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
)

const paper = "Jiang, A fault-tolerant h-out of-k mutual exclusion algorithm using cohorts coteries for " +
	"distributed systems"

const heading = paper + ", 2004"

// networkParams are the parameters of the network, with the defaults of this folder.
func networkParams() []param.Param {
	params := param.Network("none")
	params[0].Default = "fifo"
	return append(params, param.Fairness)
}

// units declares h= of as many requesters as it has numbers.
var units = param.Numbers("h", "units per requester, r1 first; as many requesters as numbers", "1,1", 1,
	model.FewProcs)

var rounds = param.Numbers("rounds", "how often each requester requests", "1", 0, 15)

// apartParams are the parameters of the network where arbiters are processes of
// their own, whose crashes and the crashes of requesters are counted apart.
func apartParams() []param.Param {
	nodes := map[string]string{
		"crashable": "which nodes may crash; default: all",
		"dead":      "nodes that are dead from the start",
	}
	params := []param.Param{
		param.Number("stay", "1: requester 1 never leaves the critical section", 0, 0, 1),
		param.Number("crashes-arbiters", "the most nodes that crash in a run, the nodes of dead= included; "+
			"default: the number of dead=", 0, 0, model.FewProcs).Else(""),
		param.Number("crashes-requesters", "the most requesters that crash in a run, in any state",
			0, 0, model.FewProcs),
	}
	for _, p := range networkParams() {
		if doc, ok := nodes[p.Name]; ok {
			p.Doc = doc
		}
		if p.Name != "crashes" {
			params = append(params, p)
		}
	}
	return params
}

// apart reads the network of r requesters and n nodes.
func apart(a *model.Args, r, n int) (nw model.Network) {
	nw.Dead, nw.Crashable = a.Processes("dead", n, 1), a.Processes("crashable", n, 1)
	if !a.Given("crashable") {
		nw.Crashable = model.All(n)
		a.Set("crashable", strings.Trim(nw.Crashable.String(), "{}"))
	}
	if !a.Given("crashes-arbiters") {
		a.Set("crashes-arbiters", strconv.Itoa(nw.Dead.Len()))
	}
	arbiters, requesters := a.Int("crashes-arbiters"), a.Int("crashes-requesters")
	if arbiters < nw.Dead.Len() || arbiters > n {
		a.Reject("crashes-arbiters", fmt.Sprintf("allowed: %d, the number of dead=, to %d, the number of "+
			"nodes", nw.Dead.Len(), n))
	}
	if requesters > r {
		a.Reject("crashes-requesters", fmt.Sprintf("allowed: 0 to %d, the number of requesters", r))
	}
	nw.Dead <<= r
	nw.Crashable = nw.Crashable<<r | model.All(r)
	nw.Crashes = arbiters + requesters
	nw.Limits = []model.Limit{
		{Among: model.All(r+n) &^ model.All(r), Crashes: arbiters},
		{Among: model.All(r), Crashes: requesters},
	}
	nw.Channel = model.Channel(slices.Index([]string{"bag", "fifo"}, a.String("channel")))
	nw.CrashSends = model.CrashSends(slices.Index([]string{"none", "prefix", "subset"},
		a.String("crash-sends")))
	nw.Faults = a.Faults(apartNames(r, n), r+n)
	return nw
}

// apartNames are the names of r requesters, r1 and so on, and n nodes, 1 and so on.
// Sets are sets of nodes.
func apartNames(r, n int) model.Names {
	names := model.Names{First: 1 - r}
	for i := range r {
		names.Each = append(names.Each, fmt.Sprintf("r%d", i+1))
	}
	for i := range n {
		names.Each = append(names.Each, strconv.Itoa(i+1))
	}
	return names
}

func count(value string) int { return strings.Count(value, ",") + 1 }
