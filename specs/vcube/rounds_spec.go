package vcube

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
)

// Rounds is the model vcube-rounds.
var Rounds = model.Spec{
	Name:   "vcube-rounds",
	Title:  "how VCube diagnoses crashes: synchronous testing rounds (section 4)",
	Source: paper + ", section 4",
	Doc: "In a round each process tests those of one of its clusters for which it is the first " +
		"fault-free tester, and takes over what they know.",
	Params: slices.Concat([]param.Param{
		size,
		{Name: "offsets", Doc: "where processes start their cycle of clusters: common, all with the first; " +
			"own, each anywhere (n up to 8)", Default: "own", Type: param.OneOf("own", "common")},
		{Name: "tests", Doc: "counted: the state holds how many tests the last log2 n rounds took, for the " +
			"property tests", Default: "off", Type: param.OneOf("off", "counted")},
		{Name: "bound", Doc: "so many rounds after a crash everybody should know of it; default: the " +
			"square of log2 n, as the paper claims", Type: param.IntRange(1, 64)},
	}, roundsAdversary()),
	Build:      buildRounds,
	References: roundsReferences,
	Paper:      heading,
}

// roundsAdversary is what of the network parameters makes sense without messages.
func roundsAdversary() []param.Param {
	return slices.DeleteFunc(param.Network("none"), func(p param.Param) bool {
		return !slices.Contains([]string{"crashes", "crashable", "dead"}, p.Name)
	})
}

func buildRounds(a *model.Args) (model.Instance, error) {
	d := &diagnosis{cube: cube{a.Int("n")}, own: a.Is("offsets", "own"), counts: a.Is("tests", "counted")}
	if d.own && d.n > 8 {
		return model.Instance{}, a.Reject("offsets", "own",
			"allowed: common with n=16, which has 4^16 combinations of offsets")
	}
	if !a.Given("bound") {
		a.Set("bound", strconv.Itoa(d.logN()*d.logN()))
	}
	d.bound = uint8(a.Int("bound"))
	var err error
	if d.network, err = network(a, d.n); err != nil {
		return model.Instance{}, err
	}
	return model.NewSystem(d.system()), nil
}

func (d *diagnosis) system() model.System[roundsState] {
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
			{
				Name: "accuracy", Kind: model.Invariant, Source: "section 3",
				Doc:   "no live process takes a live process for faulty",
				Holds: d.accuracy,
			},
			{
				Name: "latency", Kind: model.Invariant, Source: "section 4",
				Doc:   "so many rounds after a crash as bound= says every live process knows of it",
				Holds: d.latency,
			},
			{
				Name: "latency-last", Kind: model.Invariant, Source: "section 4",
				Doc:   "so many rounds after the last crash every live process knows of all crashes",
				Holds: d.latencyLast,
			},
		},
		Vars: d.vars,
	}
	if d.counts {
		s.Properties = append(s.Properties, model.Property[roundsState]{
			Name: "tests", Kind: model.Invariant, Source: "section 4",
			Doc:   "any log2 n rounds in a row take at most n log2 n tests",
			Holds: d.fewTests,
		})
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

// roundsReferences can be counted by hand. Without crashes there is nothing but
// the position of each process in its cycle; of two processes one may crash, and
// the other finds out in the next round.
var roundsReferences = []model.Reference{
	{Args: "n=8 offsets=common crashes=0", States: 3, Depth: 3, From: "by hand"},
	{Args: "n=8 offsets=own crashes=0", States: 6_561, Depth: 1, From: "by hand"},
	{Args: "n=2 crashes=1", States: 5, Depth: 3, From: "by hand"},
}
