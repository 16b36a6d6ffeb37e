<<<<<<<< HEAD:cmd/internal/cli/quorums.go
//go:build !js

package cli
========
// Package quorums judges cohorts structures, other k-coteries and arbiters by enumeration.
package quorums
>>>>>>>> papers:tools/paperdocs/quorums/quorums.go

import (
	"fmt"
	"io"
	"math/big"
	"strings"
	"text/tabwriter"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
)

// mostForDomination is how many nodes a k-coterie may have for the question whether it
// is dominated, which goes through all sets of nodes.
const mostForDomination = 12

// quorumKeys are the arguments of the verb quorums. They are no model's.
var quorumKeys = model.Spec{
	Name: "quorums",
	Params: []param.Param{
		{Name: "cohorts", Doc: "sizes of the cohorts of a cohorts structure, C_1 first, whose size is k",
			Type: param.PerProcess(1, model.FewProcs)},
		{Name: "sets", Doc: "quorums one by one, such as 1+2,2+3,1+3", Type: param.Sums(1, model.FewProcs)},
		{Name: "majority", Doc: "the majority-like k-coterie over so many nodes", Type: param.IntRange(1,
			model.FewProcs)},
		{Name: "arbiter", Doc: "the uniform (h,k)-arbiter over so many nodes", Type: param.IntRange(1,
			model.FewProcs)},
		{Name: "cube", Doc: "the cube (h,k)-arbiter with so many nodes on a side", Type: param.IntRange(1,
			4)},
		{Name: "k", Doc: "units; default: the size of C_1 with cohorts=, or else 1", Type: param.IntRange(1,
			model.FewProcs)},
		{Name: "h", Doc: "units per request, for arbiters", Default: "1", Type: param.IntRange(1,
			model.FewProcs)},
		{Name: "p", Doc: "probability that a node is up, for availability; one for all or one for each node",
			Type: param.Probabilities},
	},
}

// Help describes the arguments.
func Help() string {
	var b strings.Builder
	for _, p := range quorumKeys.Params {
		fmt.Fprintf(&b, "  %-9s %s\n", p.Name+"=", p.Doc)
	}
	return b.String()
}

// Judged is what there is to say about one family of quorums.
type Judged struct {
	Family     string
	Nodes      int
	K          int
	H          int // arbiters
	Count      int
	Smallest   int
	Largest    int
	Property   string // what is asked of such a family
	Holds      bool
	Broken     string // and where, if it does not hold
	Domination string
	By         []string
	Walk       string // cohorts: whether Figure 1 finds what there is
	Quorums    []string
	// Availability has at index h-1 the probability that h disjoint quorums are up.
	Availability []exact
}

// exact is a probability as a fraction and as a rounded decimal.
type exact struct {
	H        int
	Fraction string
	Decimal  string
}

// Judge reads the arguments and judges the families that they name.
func Judge(args []string) (fs []*Judged, err error) {
	values, err := quorumKeys.ParseArgs(args)
	if err != nil {
		return nil, err
	}
	for _, build := range []func(*model.Args) (*Judged, coterie.Family, error){
		cohortsFamily, setsFamily, majorityFamily, arbiterFamily, cubeFamily,
	} {
		f, quorums, err := build(values)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		if err := f.complete(values, quorums); err != nil {
			return nil, err
		}
		fs = append(fs, f)
	}
	if fs == nil {
		return nil, usage.Errorf("no family of quorums is named; allowed are cohorts=, sets=, majority=, " +
			"arbiter= and cube=")
	}
	return fs, nil
}

// units returns k.
func units(a *model.Args) (int, error) {
	if !a.Given("cohorts") {
		if a.Given("k") {
			return a.Int("k"), nil
		}
		return 1, nil
	}
	first, _, _ := strings.Cut(a.String("cohorts"), ",")
	if a.Given("k") && a.String("k") != first {
		return 0, a.Reject("k", a.String("k"), "with cohorts= allowed is the size of C_1, "+first)
	}
	a.Set("k", first)
	return a.Int("k"), nil
}

func cohortsFamily(a *model.Args) (*Judged, coterie.Family, error) {
	k, err := units(a)
	if err != nil || !a.Given("cohorts") {
		return nil, nil, err
	}
	sizes, err := a.PerProcess("cohorts", strings.Count(a.String("cohorts"), ",")+1)
	if err != nil {
		return nil, nil, err
	}
	n := 0
	for _, size := range sizes {
		n += size
	}
	if n > model.FewProcs {
		return nil, nil, a.Reject("cohorts", a.String("cohorts"), fmt.Sprintf("allowed: at most %d nodes",
			model.FewProcs))
	}
	s := coterie.Consecutive(sizes, 0)
	if err := s.Check(); err != nil {
		return nil, nil, a.Reject("cohorts", a.String("cohorts"), err.Error())
	}
	f := &Judged{Family: "cohorts=" + a.String("cohorts"), Nodes: n, K: k, Walk: figure1(s)}
	quorums := s.Quorums()
	f.asCoterie(quorums)
	return f, quorums, nil
}

// figure1 compares what Figure 1 finds with what there is, for all sets of nodes.
func figure1(s coterie.Structure) string {
	for h := 1; h <= s.K; h++ {
		for nodes := range 1 << s.Nodes().Len() {
			if set := model.Set(nodes); s.Walk(set, h) != s.Contains(set, h) {
				return fmt.Sprintf("Figure 1 misses %d disjoint quorums in %v", h, set)
			}
		}
	}
	return "Figure 1 finds h disjoint quorums in every set of nodes that contains them"
}

func setsFamily(a *model.Args) (*Judged, coterie.Family, error) {
	lists, err := a.Sums("sets", model.FewProcs)
	if err != nil || lists == nil {
		return nil, nil, err
	}
	var quorums coterie.Family
	n := 0
	for _, nodes := range lists {
		var q model.Set
		for _, node := range nodes {
			q = q.With(model.Proc(node - 1))
			n = max(n, node)
		}
		quorums = append(quorums, q)
	}
	k, err := units(a)
	if err != nil {
		return nil, nil, err
	}
	f := &Judged{Family: "sets=" + a.String("sets"), Nodes: n, K: k}
	f.asCoterie(quorums)
	return f, quorums, nil
}

func majorityFamily(a *model.Args) (*Judged, coterie.Family, error) {
	k, err := units(a)
	if err != nil || !a.Given("majority") {
		return nil, nil, err
	}
	n := a.Int("majority")
	quorums := coterie.Uniform(n, coterie.MajoritySize(n, k))
	f := &Judged{Family: "majority=" + a.String("majority"), Nodes: n, K: k}
	f.asCoterie(quorums)
	return f, quorums, nil
}

func arbiterFamily(a *model.Args) (*Judged, coterie.Family, error) {
	k, err := units(a)
	if err != nil || !a.Given("arbiter") {
		return nil, nil, err
	}
	n, h := a.Int("arbiter"), a.Int("h")
	if h > k {
		return nil, nil, a.Reject("h", a.String("h"), fmt.Sprintf("allowed: 1 to k=%d", k))
	}
	quorums := coterie.Uniform(n, coterie.UniformArbiterSize(n, h, k))
	f := &Judged{Family: "arbiter=" + a.String("arbiter"), Nodes: n, K: k, H: h}
	f.asArbiter(quorums)
	return f, quorums, nil
}

// cubeFamily: with h units the cube has k+2-h dimensions.
func cubeFamily(a *model.Args) (*Judged, coterie.Family, error) {
	k, err := units(a)
	if err != nil || !a.Given("cube") {
		return nil, nil, err
	}
	side, h := a.Int("cube"), a.Int("h")
	if h > k {
		return nil, nil, a.Reject("h", a.String("h"), fmt.Sprintf("allowed: 1 to k=%d", k))
	}
	dim := k + 2 - h
	if n := coterie.Power(side, dim); n > model.FewProcs {
		return nil, nil, a.Reject("cube", a.String("cube"),
			fmt.Sprintf("a cube of %d dimensions has %d nodes then; allowed are %d", dim, n, model.FewProcs))
	}
	quorums := coterie.Cube(side, dim)
	f := &Judged{Family: "cube=" + a.String("cube"), Nodes: coterie.Power(side, dim), K: k, H: h}
	f.asArbiter(quorums)
	return f, quorums, nil
}

// asCoterie judges the quorums as those of a k-coterie.
func (f *Judged) asCoterie(quorums coterie.Family) {
	f.Property = fmt.Sprintf("%d-coterie", f.K)
	f.Quorums = spell(quorums)
	if err := quorums.Check(f.K); err != nil {
		f.Broken = err.Error()
		return
	}
	f.Holds = true
	if f.Nodes > mostForDomination {
		f.Domination = fmt.Sprintf("not asked: more than %d nodes", mostForDomination)
		return
	}
	verdict, by := quorums.Dominate(f.K)
	f.Domination, f.By = string(verdict), spell(by)
}

// asArbiter judges the quorums as those of an (h,k)-arbiter.
func (f *Judged) asArbiter(quorums coterie.Family) {
	r := coterie.ArbiterSharing(f.H, f.K)
	f.Property = fmt.Sprintf("any %d quorums have a common member", r)
	f.Quorums = spell(quorums)
	if err := quorums.Common(r); err != nil {
		f.Broken = err.Error()
		return
	}
	f.Holds = true
}

// complete fills in what is the same for all families.
func (f *Judged) complete(a *model.Args, quorums coterie.Family) error {
	f.Count = len(quorums)
	f.Smallest, f.Largest = quorums.Sizes()
	if !a.Given("p") {
		return nil
	}
	up, err := a.Probabilities("p", f.Nodes)
	if err != nil {
		return err
	}
	most := f.K
	if f.H > 0 {
		most = 1 // a request to an arbiter needs one quorum, whatever its h
	}
	for h := 1; h <= most; h++ {
		f.Availability = append(f.Availability, exactly(h, quorums.Availability(up, h)))
	}
	return nil
}

func exactly(h int, p *big.Rat) exact { return exact{h, p.RatString(), p.FloatString(6)} }

// spell writes sets of nodes, which are counted from 1.
func spell(sets coterie.Family) (texts []string) {
	for _, s := range sets {
		texts = append(texts, s.String())
	}
	return texts
}

// Show writes one family in full, or several as a table.
func Show(w io.Writer, fs []*Judged) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw,
		"family\tnodes\tk\tquorums\tsizes\tproperty\tdomination\tavailability of h=1, 2, ..\n")
	for _, f := range fs {
		holds := "yes"
		if !f.Holds {
			holds = "no"
		}
		var available []string
		for _, p := range f.Availability {
			available = append(available, p.Decimal)
		}
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d to %d\t%s: %s\t%s\t%s\n", f.Family, f.Nodes, f.K, f.Count,
			f.Smallest, f.Largest,
			f.Property, holds, dash(f.Domination), dash(strings.Join(available, " ")))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, f := range fs {
		for _, remark := range []string{f.Broken, f.Walk} {
			if remark != "" {
				fmt.Fprintf(w, "%s: %s\n", f.Family, remark)
			}
		}
		if f.By != nil {
			fmt.Fprintf(w, "%s: dominated by %s\n", f.Family, strings.Join(f.By, " "))
		}
		if len(fs) == 1 {
			fmt.Fprintf(w, "quorums: %s\n", strings.Join(f.Quorums, " "))
		}
	}
	return nil
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
