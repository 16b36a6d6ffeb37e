package cohorts

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/drawing"
)

// The picture of a state has requesters in the first row and nodes in the second. A link from a node to a
// requester is a permission that the node has given; a link without direction is a request to the node.

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

// pictureOfAsked shows the requests of models in which a requester remembers the nodes that it asked.
func pictureOfAsked(_ *model.Args, s model.State) drawing.Drawing {
	return pictured(s, func(_ int, vars map[string]string) []string { return words(vars["P"]) })
}

// pictureOfCohorts shows the same, with a frame around each cohort.
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

func words(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// pictured draws a state; asks returns the nodes that a requester asks, by its number and its variables.
func pictured(s model.State, asks func(i int, vars map[string]string) []string) (d drawing.Drawing) {
	values, requesters := map[string]map[string]string{}, 0
	for _, v := range s.Vars() {
		if values[v.Owner] == nil {
			values[v.Owner] = map[string]string{}
			d.Nodes = append(d.Nodes, drawing.Node{Name: v.Owner, Row: 2})
		}
		values[v.Owner][v.Name] = v.Value
	}
	d.Nodes = slices.DeleteFunc(d.Nodes, func(n drawing.Node) bool { // no process, such as the network
		vars := values[n.Name]
		return vars["state"]+vars["lock"]+vars["holders"] == ""
	})
	for i := range d.Nodes {
		n, vars := &d.Nodes[i], values[d.Nodes[i].Name]
		n.Dead = vars["crashed"] != ""
		if state, is := vars["state"]; is {
			n.Row, n.Inside, n.Note = 1, state == cs.String(), state
			requesters++
		}
	}
	for _, n := range d.Nodes[requesters:] {
		for _, holder := range words(values[n.Name]["lock"] + values[n.Name]["holders"]) {
			if _, requester := values[holder]["state"]; requester {
				d.Links = append(d.Links, drawing.Link{From: n.Name, To: holder, Tree: true})
			}
		}
	}
	for i, r := range d.Nodes[:requesters] {
		for _, node := range asks(i, values[r.Name]) {
			if !slices.Contains(d.Links, drawing.Link{From: node, To: r.Name, Tree: true}) {
				d.Links = append(d.Links, drawing.Link{From: r.Name, To: node})
			}
		}
	}
	return d
}
