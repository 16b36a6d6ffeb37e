package ring

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
)

// A layer lists its variables in a record, with the paper's names.
type layer func(l *record) []model.Var

// shows makes the list of variables of a chain of layers.
func shows(layers ...layer) func(l *record) []model.Var {
	return func(l *record) (vars []model.Var) {
		for _, of := range layers {
			vars = append(vars, of(l)...)
		}
		return vars
	}
}

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

// recoveryVars leaves out what the scheme and the readings do not have.
func (r *ring) recoveryVars(l *record) []model.Var {
	vars := []model.Var{shown("RUP", l.RUP)}
	if r.degrades() {
		vars = append(vars, shown("ListPIds", l.CEH.List))
	}
	if l.CEH.Failure != none {
		vars = append(vars, shown("given up", either(l.CEH.Failure == unrecoverable, "unrecoverable failure",
			"popped an empty list")))
	}
	if r.repairs.orphan {
		vars = append(vars, shown("replaced", l.CEH.Orphans))
	}
	if r.scheme == 3 {
		vars = append(vars, shown("INJ", either(l.INJ.Joining, "joining", "off")))
	}
	if l.INJ.Retired {
		vars = append(vars, shown("retired", true))
	}
	return vars
}

func (r *ring) mrkVars(l *record) []model.Var {
	vars := []model.Var{shown("MrkME", either(l.Mrk.On, "ON", "OFF")), shown("time", l.Mrk.Time)}
	pending := "no"
	if l.Mrk.Pending.Present {
		pending = message{kind: clearing, time: l.Mrk.Pending.Time}.String()
	}
	vars = append(vars, shown("pending", pending))
	if r.repairs.epoch {
		vars = append(vars, shown("last clear", l.Mrk.LastClear))
	}
	if r.sendsEntered {
		vars = append(vars, shown("entered with", l.ME.Entered))
	}
	return vars
}
