// Package twophase is the two-phase commit protocol as Gray and Lamport specify
// it in "Consensus on Transaction Commit" (ACM TODS 31, 2006): messages are never
// removed, so the network is the set of messages ever sent. It is a conformance
// model (case P1), known from the TLA+ examples and from Stateright.
package twophase

import (
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/references"
)

// Spec is the model 2pc.
var Spec = model.Spec{
	Name:   "2pc",
	Title:  "two-phase commit",
	Source: "Gray and Lamport, Consensus on Transaction Commit, 2006; TLA+ Examples, TwoPhase",
	Doc: "A coordinator and n resource managers agree to commit or to abort. A conformance model for " +
		"counts and speed.",
	Params: []param.Param{
		param.Number("n", "number of resource managers", 3, 1, maxManagers),
		param.Choice("symmetry", "on: managers are interchangeable, states are counted up to permutations "+
			"of them", "off", "on"),
		param.Fairness,
	},
	Build:      build,
	References: references.Of("2pc"),
}

// maxManagers is limited by two bits for each manager in state.RM.
const maxManagers = 16

const (
	working = iota
	prepared
	committed
	aborted

	initial = working // the coordinator's states: initial, committed, aborted
)

const (
	commitSent uint16 = 1 << iota
	abortSent
)

// state packs the states of the managers, so that millions of states fit into memory.
type state struct {
	RM       uint32 // two bits for each manager
	Prepared uint16 // managers that the coordinator knows to be prepared
	Sent     uint16 // managers that have sent Prepared
	TM       uint16 // the coordinator
	Decision uint16 // commitSent, abortSent
}

func (s *state) rm(i int) uint32        { return s.RM >> (2 * i) & 3 }
func (s *state) setRM(i int, to uint32) { s.RM = s.RM&^(3<<(2*i)) | to<<(2*i) }

var claims invariants.For[state]

type protocol struct{ n int }

func build(a *model.Args) (model.Instance, error) {
	p := protocol{a.Int("n")}
	sys := p.system()
	if a.Is("symmetry", "on") {
		sys.Symmetry = []model.Symmetry[state]{{Size: p.n, Colour: colour, Swap: swap}}
	}
	sys.Fair(a.String("fairness"))
	return model.NewSystem(sys), nil
}

func (p protocol) system() model.System[state] {
	return model.System[state]{
		Init: []state{{}},
		Actions: []model.SystemAction[state]{
			{Name: "TMCommit", Do: p.tmCommit},
			{Name: "TMAbort", Do: p.tmAbort},
			{Name: "TMRcvPrepared", Instances: p.n, Do: p.tmRcvPrepared},
			{Name: "RMPrepare", Instances: p.n, Do: p.rmPrepare},
			{Name: "RMChooseToAbort", Instances: p.n, Do: p.rmChooseToAbort},
			{Name: "RMRcvCommit", Instances: p.n, Do: p.rmRcvCommit},
			{Name: "RMRcvAbort", Instances: p.n, Do: p.rmRcvAbort},
		},
		Properties: []model.Property[state]{
			claims.Always("consistent", "no manager has committed while another has aborted",
				func(s *state) bool {
					return !p.some(s, committed) || !p.some(s,
						aborted)
				}).From("TCConsistent"),
			claims.DeadlockFreedom("").
				As("deadlock-freedom", "every state has a successor", "conformance case P1"),
			claims.Always("never-commits",
				"no manager ever commits (false; its counterexample is the shortest run that commits)",
				func(s *state) bool { return !p.some(s, committed) }).
				From("conformance case P1i").OnlyOnRequest(true),
			invariants.Served(p.n, func(s *state, i int) bool { return s.rm(i) == prepared }).
				As("decided", "in fair runs, no manager stays prepared for ever",
					"Gray and Lamport 2006, section 2").OnlyOnRequest(true),
		},
		Vars: p.vars,
	}
}

func (p protocol) tmCommit(s *state, _ int, _ *model.Choice) bool {
	if s.TM != initial || s.Prepared != 1<<p.n-1 {
		return false
	}
	s.TM = committed
	s.Decision |= commitSent
	return true
}

func (p protocol) tmAbort(s *state, _ int, _ *model.Choice) bool {
	if s.TM != initial {
		return false
	}
	s.TM = aborted
	s.Decision |= abortSent
	return true
}

func (p protocol) tmRcvPrepared(s *state, i int, _ *model.Choice) bool {
	s.Prepared |= 1 << i
	return s.TM == initial && s.Sent>>i&1 == 1
}

func (p protocol) rmPrepare(s *state, i int, _ *model.Choice) bool {
	if s.rm(i) != working {
		return false
	}
	s.setRM(i, prepared)
	s.Sent |= 1 << i
	return true
}

func (p protocol) rmChooseToAbort(s *state, i int, _ *model.Choice) bool {
	if s.rm(i) != working {
		return false
	}
	s.setRM(i, aborted)
	return true
}

func (p protocol) rmRcvCommit(s *state, i int, _ *model.Choice) bool {
	s.setRM(i, committed)
	return s.Decision&commitSent != 0
}

func (p protocol) rmRcvAbort(s *state, i int, _ *model.Choice) bool {
	s.setRM(i, aborted)
	return s.Decision&abortSent != 0
}

func (p protocol) some(s *state, in uint32) bool {
	const low = 0x55555555   // the lower bit of each pair
	differs := s.RM ^ in*low // 00 where a manager is in that state
	equal := ^(differs | differs>>1) & low
	return equal&(1<<(2*p.n)-1) != 0
}

// colour is the part of a state about manager i: managers of one colour are twins.
func colour(s *state, i int) uint64 {
	return uint64(s.rm(i)) | uint64(s.Prepared>>i&1)<<2 | uint64(s.Sent>>i&1)<<3
}

func swap(s *state, i, j int) {
	a, b := s.rm(i), s.rm(j)
	s.setRM(i, b)
	s.setRM(j, a)
	s.Prepared = swapBits(s.Prepared, i, j)
	s.Sent = swapBits(s.Sent, i, j)
}

func swapBits(x uint16, i, j int) uint16 {
	d := (x>>i ^ x>>j) & 1
	return x ^ d<<i ^ d<<j
}

func (p protocol) vars(s *state) (vars []model.Var) {
	name := [...]string{"working", "prepared", "committed", "aborted"}
	for i := range p.n {
		vars = append(vars, model.Var{Owner: fmt.Sprintf("rm%d", i), Name: "state", Value: name[s.rm(i)]})
	}
	name[initial] = "init"
	vars = append(vars,
		model.Var{Owner: "tm", Name: "state", Value: name[s.TM]},
		model.Var{Owner: "tm", Name: "prepared", Value: model.Set(s.Prepared).Format(0)})
	var msgs []string
	for i := range model.Set(s.Sent).Each() {
		msgs = append(msgs, fmt.Sprintf("Prepared(%d)", i))
	}
	if s.Decision&commitSent != 0 {
		msgs = append(msgs, "Commit")
	}
	if s.Decision&abortSent != 0 {
		msgs = append(msgs, "Abort")
	}
	return append(vars, model.Var{Name: "msgs", Value: "{" + strings.Join(msgs, ", ") + "}"})
}
