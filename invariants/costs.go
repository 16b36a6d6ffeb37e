package invariants

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
)

// Messages bounds the cost of a request: the messages charged to a process from a step
// named opens to the next one named closes, both included. If most is 0 there is no upper limit.
// It is checked on request only, because it takes the graph of all states.
func (For[S]) Messages(opens, closes string, least, most int) model.Property[S] {
	return model.Property[S]{
		Name: "messages", Kind: model.Costs, OnRequest: true,
		Doc: fmt.Sprintf("from %s to %s a process is charged %s messages", opens, closes,
			limits(least, most)),
		Cost: &model.Cost[S]{Bound: model.Bound{Opens: []string{opens}, Closes: []string{closes},
			Least: least, Most: most}},
	}
}

// MessagesTotal bounds all messages of whole runs, for each request that is served. served
// returns the number of these in a run that ends in a state; 0: the bound is not about the run.
func MessagesTotal[S any](least, most int, served func(*S) int) model.Property[S] {
	return model.Property[S]{
		Name: "messages-total", Kind: model.Costs, OnRequest: true,
		Doc: fmt.Sprintf("a whole run in which all are served takes %s messages for each request",
			limits(least, most)),
		Cost: &model.Cost[S]{Bound: model.Bound{Least: least, Most: most}, Served: served},
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
