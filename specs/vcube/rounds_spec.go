package vcube

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/references"
)

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
	Build:      buildRounds,
	References: references.Of("vcube-rounds"),
	Paper:      heading,
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
				Text: func(is ...int) string { return name(model.Proc(is[0])) + " crash" },
			},
		},
		Properties: []model.Property[roundsState]{
			claims.Always("accuracy", "no live process takes a live process for faulty", d.accuracy).
				From("section 3"),
			claims.Always("latency", "bound= rounds after a crash every live process knows of it",
				d.latency).From("section 4").Blaming(d.ignorant),
			claims.Always("latency-last",
				"bound= rounds after the last crash every live process knows of all crashes",
				d.latencyLast).From("section 4").Blaming(d.ignorant),
		},
		Vars: d.vars,
	}
	if d.counts {
		s.Properties = append(s.Properties, claims.Always("tests",
			"any log2 n rounds in a row take at most n log2 n tests", d.fewTests).From("section 4"))
	}
	return s
}

// vars lists the state of each process under the paper's names.
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
