package invariants

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
)

// Messages bounds what a request costs: the messages charged to a process from a step
// named opens to the next one named closes, both included. A most of 0 is no limit. It
// is checked on request only, because it takes the graph of all states.
func Messages[L, M, H any](opens, closes string, least, most int) model.Property[model.Global[L, M,
	H]] {
	return model.Property[model.Global[L, M, H]]{
		Name: "messages", Kind: model.Costs, OnRequest: true,
		Doc: fmt.Sprintf("from %s to %s a process is charged %s messages", opens, closes,
			limits(least, most)),
		Cost: &model.Cost[model.Global[L, M, H]]{Bound: model.Bound{Opens: []string{opens},
			Closes: []string{closes}, Least: least, Most: most}},
	}
}

// MessagesTotal bounds all messages of whole runs, for each request that is served: served
// says how many in a run that ends in a state, 0 if the run is not of interest.
func MessagesTotal[L, M, H any](least, most int,
	served func(*model.Global[L, M, H]) int) model.Property[model.Global[L, M, H]] {
	return model.Property[model.Global[L, M, H]]{
		Name: "messages-total", Kind: model.Costs, OnRequest: true,
		Doc: fmt.Sprintf("a whole run in which all are served takes %s messages for each request",
			limits(least, most)),
		Cost: &model.Cost[model.Global[L, M, H]]{
			Bound:  model.Bound{Least: least, Most: most},
			Served: served,
		},
	}
}

func limits(least, most int) string {
	switch {
	case most == 0:
		return fmt.Sprintf("at least %d", least)
	case least == 0:
		return fmt.Sprintf("at most %d", most)
	}
	return fmt.Sprintf("%d to %d", least, most)
}
