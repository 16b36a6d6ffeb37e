package cohorts

import (
	"fmt"
	"regexp"
	"slices"
	"sync"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/drawing"
)

// A pictured state has requesters in the first row and nodes in the second. A link from a node to a requester
// is a permission that the node has given; one without direction, that the requester asks it.

// pictureOfSets shows the requests of models in which each requester has a set of nodes.
func pictureOfSets(a *model.Args, s model.State) drawing.Drawing {
	lists := a.Sums("sets", model.FewProcs)
	return pictured(s, func(i int, vars map[string]string) (asked []string) {
		if vars["state"] == idle.String() || i >= len(lists) {
			return nil
		}
		for _, node := range lists[i] {
			asked = append(asked, fmt.Sprint(node))
		}
		return asked
	})
}

// pictureOfAsked shows the requests of models in which a requester remembers whom it asked.
func pictureOfAsked(_ *model.Args, s model.State) drawing.Drawing {
	return pictured(s, func(_ int, vars map[string]string) []string {
		return words().FindAllString(vars["P"],
			-1)
	})
}

// pictureOfCohorts does that with a frame around each cohort.
func pictureOfCohorts(a *model.Args, s model.State) drawing.Drawing {
	d := pictureOfAsked(a, s)
	at := slices.IndexFunc(d.Nodes, func(n drawing.Node) bool { return n.Row == 2 })
	for c, size := range a.PerProcess("cohorts", count(a.String("cohorts"))) {
		for range size {
			d.Nodes[at].Frame = fmt.Sprintf("C%d", c+1)
			at++
		}
	}
	return d
}

// words are the names in a value.
var words = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\w+`)
})

// pictured draws a state; asks says whom a requester asks, by its number and its variables.
func pictured(s model.State, asks func(i int, vars map[string]string) []string) (d drawing.Drawing) {
	var owners []string
	values := map[string]map[string]string{}
	for _, v := range s.Vars() {
		if values[v.Owner] == nil {
			owners, values[v.Owner] = append(owners, v.Owner), map[string]string{}
		}
		values[v.Owner][v.Name] = v.Value
	}
	var requesters []string
	for _, owner := range owners {
		vars := values[owner]
		n := drawing.Node{Name: owner, Row: 2, Dead: vars["crashed"] != ""}
		if state, is := vars["state"]; is {
			n.Row, n.Inside, n.Note = 1, state == cs.String(), state
			requesters = append(requesters, owner)
		} else if vars["lock"] == "" && vars["holders"] == "" {
			continue // the history, or what else is no process
		}
		d.Nodes = append(d.Nodes, n)
	}
	for _, n := range d.Nodes {
		if n.Row == 2 {
			held := values[n.Name]["lock"] + values[n.Name]["holders"]
			for _, holder := range words().FindAllString(held, -1) {
				if slices.Contains(requesters, holder) {
					d.Links = append(d.Links, drawing.Link{From: n.Name, To: holder, Tree: true})
				}
			}
		}
	}
	for i, r := range requesters {
		for _, node := range asks(i, values[r]) {
			if !slices.Contains(d.Links, drawing.Link{From: node, To: r, Tree: true}) {
				d.Links = append(d.Links, drawing.Link{From: r, To: node})
			}
		}
	}
	return d
}
