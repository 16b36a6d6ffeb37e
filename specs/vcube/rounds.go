package vcube

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/vcube/topology"
)

// roundsState is the state of section 4's diagnosis between two testing rounds.
// No process recovers, so that a timestamp t_i[j] is 0 (correct) or 1 (faulty).
type roundsState struct {
	Dead   model.Set
	Faulty [model.FewProcs]model.Set // of each live process i: the j with t_i[j] = 1
	Next   [model.FewProcs]uint8     // of each live process i: the cluster tested next, counted from 0
	Age    [model.FewProcs]uint8     // of each dead process: the rounds since its crash, up to the bound
	Tests  [4]uint8                  // tests=counted: of the last log2 n rounds, the latest first
}

// diagnosis is the testing of section 4.
type diagnosis struct {
	cube
	network model.Network // only the crashes
	bound   uint8         // rounds from a crash until all should know of it
	own     bool          // offsets=own: each process starts its cycle anywhere
	counts  bool          // tests=counted
}

// init returns the initial states: one, or one for each combination of offsets of
// the processes that are live.
func (d *diagnosis) init() []roundsState {
	first := roundsState{Dead: d.network.Dead}
	for i := range model.Proc(d.n) {
		if first.Dead.Has(i) {
			first.Age[i] = d.bound
		} else {
			first.Faulty[i] = first.Dead
		}
	}
	all := []roundsState{first}
	for i := range model.Proc(d.n) {
		if !d.own || first.Dead.Has(i) {
			continue
		}
		for _, s := range all {
			for offset := 1; offset < d.logN(); offset++ {
				s.Next[i] = uint8(offset)
				all = append(all, s)
			}
		}
	}
	return all
}

// round: every live process tests in one cluster. The tests of a round are
// simultaneous: a tester learns the knowledge that the tested process had before.
func (d *diagnosis) round(s *roundsState, _ int, _ *model.Choice) bool {
	if s.Dead == model.All(d.n) {
		return false
	}
	before := *s
	tests := 0
	for i := range model.Proc(d.n) {
		if s.Dead.Has(i) {
			s.Age[i] = min(s.Age[i]+1, d.bound)
			continue
		}
		js := d.tests(i, &before)
		tests += len(js)
		for _, j := range js {
			if s.Dead.Has(j) {
				s.Faulty[i] = s.Faulty[i].With(j)
			} else {
				s.Faulty[i] |= before.Faulty[j] // the larger of both timestamps
			}
		}
		s.Next[i] = (s.Next[i] + 1) % uint8(d.logN())
	}
	if d.counts {
		copy(s.Tests[1:d.logN()], s.Tests[:])
		s.Tests[0] = uint8(tests)
	}
	return true
}

// tests returns the processes that i tests: of its next cluster s each j for which
// it is the first fault-free process in c_{j,s}, as far as i knows.
func (d *diagnosis) tests(i model.Proc, before *roundsState) (js []model.Proc) {
	s := int(before.Next[i]) + 1
	correct := model.All(d.n) &^ before.Faulty[i]
	for j := range topology.C(i, s) {
		if d.ffNeighbor(j, s, correct) == i {
			js = append(js, j)
		}
	}
	return js
}

// crash: process i stops between two rounds.
func (d *diagnosis) crash(s *roundsState, i int, _ *model.Choice) bool {
	p := model.Proc(i)
	if s.Dead.Has(p) || s.Dead.Len() >= d.network.Crashes || !d.network.Crashable.Has(p) {
		return false
	}
	s.Dead = s.Dead.With(p)
	s.Faulty[p], s.Next[p] = 0, 0
	return true
}

// fewTests: the last log2 n rounds took at most n log2 n tests.
func (d *diagnosis) fewTests(s *roundsState) bool {
	sum := 0
	for _, tests := range s.Tests {
		sum += int(tests)
	}
	return sum <= d.n*d.logN()
}

// accuracy: no process takes a live process for faulty.
func (d *diagnosis) accuracy(s *roundsState) bool {
	return !slices.ContainsFunc(s.Faulty[:], func(faulty model.Set) bool { return faulty&^s.Dead != 0 })
}

// latency: every live process knows of the crashes that are as old as the bound.
func (d *diagnosis) latency(s *roundsState) bool { return d.old(s)&^d.known(s) == 0 }

// old returns the processes whose crashes are as old as the bound.
func (d *diagnosis) old(s *roundsState) (old model.Set) {
	for j := range s.Dead.Each() {
		if s.Age[j] == d.bound {
			old = old.With(j)
		}
	}
	return old
}

// known returns the dead processes whose crashes all live processes know.
func (d *diagnosis) known(s *roundsState) model.Set {
	known := s.Dead
	for i := range (model.All(d.n) &^ s.Dead).Each() {
		known &= s.Faulty[i]
	}
	return known
}

// ignorant blames the first live process that does not know of a crash that is as old as the bound.
func (d *diagnosis) ignorant(_ func(model.Proc) string, _ *roundsState, _ model.Proc,
	s *roundsState) (model.Set, string) {
	for i := range (model.All(d.n) &^ s.Dead).Each() {
		for j := range (d.old(s) &^ s.Faulty[i]).Each() {
			return 0, fmt.Sprintf("%s does not know of the crash of %s, though the rounds since then are %d",
				name(i), name(j), d.bound)
		}
	}
	return 0, ""
}

// Rounds is the model vcube-rounds.
var Rounds = model.Spec{
	Name:   "vcube-rounds",
	Title:  "diagnosis of crashes in VCube by synchronous testing rounds (section 4)",
	Source: paper + ", section 4",
	Doc: "In a round each process tests the processes of one of its clusters for which it is the first " +
		"fault-free tester, and takes over what they know.",
	Params: slices.Concat([]param.Param{
		size,
		param.Choice("offsets", "where processes start their cycle of clusters: common, all with the "+
			"first; own, each anywhere (n up to 8)", "own", "common"),
		param.Choice("tests", "counted: the state holds the number of tests in the last log2 n rounds, for "+
			"the property tests", "off", "counted"),
		{Name: "bound", Doc: "rounds from a crash until all processes should know of it; default: the " +
			"square of log2 n, as the paper claims", Type: param.IntRange(1, 64)},
	}, slices.DeleteFunc(param.Network("none"), func(p param.Param) bool { // there are no messages
		return !slices.Contains([]string{"crashes", "crashable", "dead"}, p.Name)
	})),
	Build: buildRounds,
	Paper: heading,
}

func buildRounds(a *model.Args) (model.Instance, error) {
	d := &diagnosis{cube: cube{a.Int("n")}, own: a.Is("offsets", "own"), counts: a.Is("tests", "counted")}
	if d.own && d.n > 8 {
		a.Reject("offsets", "allowed: common with n=16, which has 4^16 combinations of offsets")
	}
	if !a.Given("bound") {
		a.Set("bound", strconv.Itoa(d.logN()*d.logN()))
	}
	d.bound = uint8(a.Int("bound"))
	d.network = network(a, d.n)
	if a.Err() != nil { // n=16 offsets=own has billions of initial states
		return model.Instance{}, a.Err()
	}
	return model.NewSystem(d.system()), nil
}

func (d *diagnosis) system() model.System[roundsState] {
	var claims invariants.For[roundsState]
	s := model.System[roundsState]{
		Init: d.init(),
		Actions: []model.SystemAction[roundsState]{
			{Name: "round", Source: "section 4", Do: d.round},
			{
				Name: "crash", Kind: model.Fault, Instances: d.n, Do: d.crash,
				Text: func(i int) string { return name(model.Proc(i)) + " crash" },
			},
		},
		Properties: []model.Property[roundsState]{
			claims.Always("accuracy", "no live process takes a live process for faulty", d.accuracy).
				From("section 3"),
			claims.Always("latency", "bound= rounds after a crash every live process knows of it",
				d.latency).From("section 4").Blaming(d.ignorant),
			claims.Always("latency-last",
				"bound= rounds after the last crash every live process knows of all crashes",
				func(s *roundsState) bool { return d.old(s) != s.Dead || d.known(s) == s.Dead }).
				From("section 4").Blaming(d.ignorant),
		},
		Vars: d.vars,
	}
	if d.counts {
		s.Properties = append(s.Properties, claims.Always("tests",
			"any log2 n rounds in a row take at most n log2 n tests", d.fewTests).From("section 4"))
	}
	return s
}

func (d *diagnosis) vars(s *roundsState) (vars []model.Var) {
	for i := range model.Proc(d.n) {
		if s.Dead.Has(i) {
			vars = append(vars,
				model.Var{Owner: name(i), Name: "crashed", Value: "true"},
				model.Var{Owner: name(i), Name: "rounds since", Value: fmt.Sprint(s.Age[i])})
			continue
		}
		vars = append(vars,
			model.Var{Owner: name(i), Name: "faulty", Value: s.Faulty[i].Format(names.First)},
			model.Var{Owner: name(i), Name: "next cluster", Value: fmt.Sprint(s.Next[i] + 1)})
	}
	return vars
}
