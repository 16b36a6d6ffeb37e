package ring

import (
	"regexp"
	"strings"
	"sync"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/drawing"
)

// linkText matches an output link in a state: its condition, its target, and the messages on it.
var linkText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\w+) to (\w+) \[(.*)\]$`)
})

// picture shows the ring: the links with their messages, the processes in the critical section, and the dead.
func picture(_ *model.Args, s model.State) (d drawing.Drawing) {
	at := map[string]int{}
	for _, v := range s.Vars() {
		m := linkText().FindStringSubmatch(v.Value)
		if v.Owner == "" || v.Owner == "network" {
			continue
		}
		i, known := at[v.Owner]
		if !known {
			i = len(d.Nodes)
			at[v.Owner] = i
			d.Nodes = append(d.Nodes, drawing.Node{Name: v.Owner})
		}
		switch node := &d.Nodes[i]; {
		case v.Name == "crashed":
			node.Dead = true
		case v.Name == "in CS":
			node.Inside = v.Value == "true"
		case v.Name == "coordinator" && v.Value != "NULL":
			node.Note = "names " + v.Value
		case v.Name == "out" && m != nil:
			l := drawing.Link{From: v.Owner, To: m[2], Note: m[3]}
			if m[1] != "open" {
				l.Note = strings.TrimSpace(m[1] + " " + l.Note)
			}
			d.Links = append(d.Links, l)
		}
	}
	return d
}
