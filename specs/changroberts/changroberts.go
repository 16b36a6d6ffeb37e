// Package changroberts is leader election on a ring after Chang and Roberts (CACM
// 22(5), 1979), as in the TLA+ examples: the initiator with the least identity
// wins. It is a conformance model (case P5).
package changroberts

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/references"
)

// Spec is the model chang-roberts.
var Spec = model.Spec{
	Name:  "chang-roberts",
	Title: "leader election on a ring",
	Source: "Chang and Roberts, An improved algorithm for decentralized extrema-finding in circular " +
		"configurations of processes, 1979; TLA+ Examples, chang_roberts",
	Doc: "Any set of initiators; identities travel round the ring and the least one comes back to its owner.",
	Params: []param.Param{
		param.Number("n", "number of nodes", 3, 1, maxNodes),
		param.Choice("fairness", "which nodes do not rest for ever while they could start or handle an "+
			"identity: each, none, or all but node 2", "each", "none", "all-but-2"),
	},
	Build:      build,
	References: references.Of("chang-roberts"),
}

const maxNodes = 12

// actionStart is the index of Start among the actions.
const actionStart = 0

const (
	cand uint8 = iota
	lost
	won
)

// state: node i of the paper has index i-1.
type state struct {
	Msgs      [maxNodes]uint16 // identities waiting at each node, a set
	State     [maxNodes]uint8
	Started   uint16 // nodes whose pc is past start
	Initiator uint16
}

var claims invariants.For[state]

type ring struct{ n int }

func build(a *model.Args) (model.Instance, error) {
	r := ring{a.Int("n")}
	sys := r.system()
	switch a.String("fairness") {
	case "each":
		sys.Fairness = r.fairness(model.All(r.n))
	case "all-but-2":
		if r.n < 2 {
			a.Reject("fairness", "there is no node 2; allowed: each, none")
		}
		sys.Fairness = r.fairness(model.All(r.n).Without(1))
	}
	return model.NewSystem(sys), nil
}

// fairness is weak fairness of each of the nodes, one condition for all its steps.
func (r ring) fairness(nodes model.Set) (fs []model.Fairness) {
	for i := range nodes.Each() {
		fs = append(fs, model.Fairness{Name: fmt.Sprintf("weak fairness of node %d", i+1),
			Has: func(l model.Label) bool {
				if l.Action == actionStart {
					return l.Proc == uint8(i)
				}
				return l.Instance()/r.n == int(i) // Handle
			}})
	}
	return fs
}

func (r ring) system() model.System[state] {
	return model.System[state]{
		Processes: r.names(),
		Init:      r.initial(),
		Actions: []model.SystemAction[state]{
			{Name: "Start", Instances: r.n, Do: r.start, Owner: model.First, Text: func(is ...int) string {
				return fmt.Sprintf("node %d starts", is[0]+1)
			}},
			{Name: "Handle", Ranges: []int{r.n, r.n}, DoAll: r.handle, Owner: model.First,
				Text: func(is ...int) string {
					return fmt.Sprintf("node %d handles identity %d", is[0]+1, is[1]+1)
				}},
		},
		Properties: []model.Property[state]{
			claims.Always("correct",
				"a node that has won was an initiator, no smaller one was, and all others have lost",
				r.correct).From("TLA+ Examples, Correctness"),
			invariants.Eventually(r.some(cand), r.some(won)).As("election",
				"if there is an initiator, some node wins",
				"TLA+ Examples, Liveness; conformance cases P5a-e, P5g"),
			claims.DeadlockFreedom("").As("deadlock-freedom",
				"every state has a successor (false: elections end)", "conformance case P5f").
				MootIf("elections end, and nothing happens afterwards"),
		},
		Vars: r.vars,
	}
}

func (r ring) names() (names []string) {
	for i := range r.n {
		names = append(names, fmt.Sprintf("node %d", i+1))
	}
	return names
}

// initial returns the initial states, one for each set of initiators.
func (r ring) initial() (ss []state) {
	for initiators := range uint16(1) << r.n {
		s := state{Initiator: initiators}
		for i := range r.n {
			if initiators>>i&1 == 0 {
				s.State[i] = lost
			}
		}
		ss = append(ss, s)
	}
	return ss
}

func (r ring) next(i int) int { return (i + 1) % r.n }

func (r ring) start(s *state, i int, _ *model.Choice) bool {
	if s.Started>>i&1 == 1 {
		return false
	}
	s.Started |= 1 << i
	if s.Initiator>>i&1 == 1 {
		s.Msgs[r.next(i)] |= 1 << i
	}
	return true
}

// handle is the receipt of identity d at node i.
func (r ring) handle(s *state, is []int, _ *model.Choice) bool {
	i, d := is[0], is[1]
	if s.Started>>i&1 == 0 || s.Msgs[i]>>d&1 == 0 {
		return false
	}
	s.Msgs[i] &^= 1 << d
	switch {
	case s.State[i] == lost:
		s.Msgs[r.next(i)] |= 1 << d
	case d < i:
		s.State[i] = lost
		s.Msgs[r.next(i)] |= 1 << d
	case d == i:
		s.State[i] = won
	}
	return true
}

func (r ring) correct(s *state) bool {
	for i := range r.n {
		if s.State[i] != won {
			continue
		}
		smallest := s.Initiator&-s.Initiator == 1<<i
		for j := range r.n {
			if !smallest || j != i && s.State[j] != lost {
				return false
			}
		}
	}
	return true
}

// some is the property that some node is in a state.
func (r ring) some(in uint8) func(*state) bool {
	return func(s *state) bool { return slices.Contains(s.State[:r.n], in) }
}

func (r ring) vars(s *state) (vars []model.Var) {
	for i, owner := range r.names() {
		vars = append(vars,
			model.Var{Owner: owner, Name: "started", Value: fmt.Sprint(s.Started>>i&1 == 1)},
			model.Var{Owner: owner, Name: "initiator", Value: fmt.Sprint(s.Initiator>>i&1 == 1)},
			model.Var{Owner: owner, Name: "state", Value: [...]string{"cand", "lost", "won"}[s.State[i]]},
			model.Var{Owner: owner, Name: "msgs", Value: model.Set(s.Msgs[i]).Format(1)})
	}
	return vars
}
