package ring

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/drawing"
)

// Each layer lists its variables in a record, with the paper's names.

func shown(name string, value any) model.Var {
	return model.Var{Name: name, Value: fmt.Sprint(value)}
}

// either names a variable of two values.
func either(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

func startsVars(l *record) []model.Var { return []model.Var{shown("starts left", l.Starts)} }

func electionVars(l *record) []model.Var {
	return []model.Var{
		shown("E", either(l.E.Participant, "PARTICIPANT", "NON_PARTICIPANT")),
		shown("coordinator", l.E.Coordinator),
	}
}

func meVars(l *record) []model.Var {
	return []model.Var{
		shown("ME", l.ME.State), shown("in CS", l.ME.InCS), shown("requests left", l.ME.Budget),
	}
}

// recoveryVars leaves out variables that the scheme and the readings do not have.
func (r *ring) recoveryVars(l *record) []model.Var {
	return slices.Concat([]model.Var{shown("RUP", l.RUP)},
		when(r.degrades(), "ListPIds", l.CEH.List),
		when(l.CEH.Failure != none, "given up",
			either(l.CEH.Failure == unrecoverable, "unrecoverable failure", "popped an empty list")),
		when(r.repairs.orphan, "replaced", l.CEH.Orphans),
		when(r.scheme == 3, "INJ", either(l.INJ.Joining, "joining", "off")),
		when(l.INJ.Retired, "retired", true))
}

func (r *ring) mrkVars(l *record) []model.Var {
	pending := "no"
	if l.Mrk.Pending.Present {
		pending = message{kind: clearing, time: l.Mrk.Pending.Time}.String()
	}
	return slices.Concat([]model.Var{
		shown("MrkME", either(l.Mrk.On, "ON", "OFF")), shown("time", l.Mrk.Time), shown("pending", pending),
	}, when(r.repairs.epoch, "last clear", l.Mrk.LastClear), when(r.sendsEntered, "entered with",
		l.ME.Entered))
}

// when lists a variable that the process may have.
func when(has bool, name string, value any) []model.Var {
	if !has {
		return nil
	}
	return []model.Var{shown(name, value)}
}

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
