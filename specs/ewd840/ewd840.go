// Package ewd840 is Dijkstra's termination detection on a ring (EWD 840, with
// Feijen and van Gasteren, 1983), as in the TLA+ examples. It is a conformance
// model (case P6).
package ewd840

import (
	"fmt"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/references"
)

// Spec is the model ewd840.
var Spec = model.Spec{
	Name:   "ewd840",
	Title:  "termination detection on a ring",
	Source: "Dijkstra, Feijen and van Gasteren, EWD 840, 1983; TLA+ Examples, ewd840",
	Doc: "A token goes round to find out whether all nodes are inactive. Any activity, colours and token " +
		"position to begin with.",
	Params: []param.Param{
		param.Number("n", "number of nodes", 3, 2, maxNodes),
		param.Choice("fairness", "what does not rest for ever while it could go on: the system, that is "+
			"the token, or none", "system", "none"),
	},
	Build:      build,
	References: references.Of("ewd840"),
}

const maxNodes = 10 // more would have more than 10 million initial states

// state: sets of nodes as bits; all other nodes are white.
type state struct {
	Active     uint16
	Black      uint16
	TokenAt    uint8
	TokenBlack bool
}

var claims invariants.For[state]

type ring struct{ n int }

func build(a *model.Args) (model.Instance, error) {
	sys := ring{a.Int("n")}.system()
	if a.Is("fairness", "system") {
		sys.Fairness = []model.Fairness{{Name: "weak fairness of the system", Has: func(l model.Label) bool {
			return l.Action == actionInitiate || l.Action == actionPass
		}}}
	}
	return model.NewSystem(sys), nil
}

const (
	actionInitiate = iota
	actionPass
)

func (r ring) system() model.System[state] {
	return model.System[state]{
		Init: r.initial(),
		Actions: []model.SystemAction[state]{
			{Name: "Initiate", Do: r.initiate},
			{Name: "Pass", Do: r.pass},
			{Name: "Send", Ranges: []int{r.n, r.n}, DoAll: r.send, Text: func(is ...int) string {
				return fmt.Sprintf("node %d activates node %d", is[0], is[1])
			}},
			{Name: "Deactivate", Instances: r.n, Do: r.deactivate, Text: func(is ...int) string {
				return fmt.Sprintf("node %d becomes inactive", is[0])
			}},
		},
		Properties: []model.Property[state]{
			claims.Always("termination-detection", "when termination is detected, no node is active",
				func(s *state) bool { return !detected(s) || terminated(s) }).
				From("TLA+ Examples, TerminationDetection"),
			invariants.LeadsTo(terminated, detected).As("detection",
				"termination is detected", "TLA+ Examples, Liveness; conformance cases P6a, P6b, P6d"),
			r.falseLiveness(),
			claims.DeadlockFreedom("").As("deadlock-freedom",
				"every state has a successor (false: after detection nothing is left to do)",
				"conformance case P6e").MootIf("after detection nothing is left to do"),
		},
		Vars: r.vars,
	}
}

func (r ring) initial() (ss []state) {
	all := uint16(1) << r.n
	for active := range all {
		for black := range all {
			for at := range r.n {
				ss = append(ss, state{active, black, uint8(at), true})
			}
		}
	}
	return ss
}

// detected: the token is back at node 0, both are white, and node 0 is not active.
func detected(s *state) bool {
	return s.TokenAt == 0 && !s.TokenBlack && s.Black&1 == 0 && s.Active&1 == 0
}

func terminated(s *state) bool { return s.Active == 0 }

// falseLiveness does not hold: nodes may keep each other active in turns.
func (r ring) falseLiveness() model.Property[state] {
	var inactive []func(*state) bool
	for i := range r.n {
		inactive = append(inactive, func(s *state) bool { return s.Active>>i&1 == 0 })
	}
	return invariants.InfinitelyOften(inactive, detected).As("false-liveness",
		"if each node is inactive again and again, termination is detected (false: nodes may take turns)",
		"TLA+ Examples, FalseLiveness; conformance case P6c").OnlyOnRequest(true)
}

func (r ring) initiate(s *state, _ int, _ *model.Choice) bool {
	if s.TokenAt != 0 || !s.TokenBlack && s.Black&1 == 0 {
		return false
	}
	s.TokenAt = uint8(r.n - 1)
	s.TokenBlack = false
	s.Black &^= 1
	return true
}

func (r ring) pass(s *state, _ int, _ *model.Choice) bool {
	i := s.TokenAt
	black := s.Black>>i&1 == 1
	if i == 0 || s.Active>>i&1 == 1 && !black && !s.TokenBlack {
		return false
	}
	s.TokenAt--
	s.TokenBlack = s.TokenBlack || black
	s.Black &^= 1 << i
	return true
}

// send is node k/n activating node k%n.
func (r ring) send(s *state, is []int, _ *model.Choice) bool {
	i, j := is[0], is[1]
	if i == j || s.Active>>i&1 == 0 {
		return false
	}
	s.Active |= 1 << j
	if j > i {
		s.Black |= 1 << i
	}
	return true
}

func (r ring) deactivate(s *state, i int, _ *model.Choice) bool {
	if s.Active>>i&1 == 0 {
		return false
	}
	s.Active &^= 1 << i
	return true
}

func (r ring) vars(s *state) []model.Var {
	colour := "white"
	if s.TokenBlack {
		colour = "black"
	}
	return []model.Var{
		{Name: "active", Value: model.Set(s.Active).Format(0)},
		{Name: "black", Value: model.Set(s.Black).Format(0)},
		{Name: "token at", Value: fmt.Sprint(s.TokenAt)},
		{Name: "token", Value: colour},
	}
}
