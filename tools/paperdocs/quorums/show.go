package quorums

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
)

// mostForDomination is the number of nodes up to which Dominate, which goes through all sets, is asked.
const mostForDomination = 12

var some = param.IntRange(1, model.FewProcs)

// keys are the arguments of the command: five kinds of families, and their common parameters.
var keys = model.Spec{Name: "quorums", Params: []param.Param{
	{Name: "cohorts", Doc: "sizes of the cohorts of a cohorts structure, C_1 first, whose size is k",
		Type: param.PerProcess(1, model.FewProcs)},
	{Name: "sets", Doc: "quorums one by one, such as 1+2,2+3,1+3", Type: param.Sums(1, model.FewProcs)},
	{Name: "majority", Doc: "the majority-like k-coterie over this many nodes", Type: some},
	{Name: "arbiter", Doc: "the uniform (h,k)-arbiter over this many nodes", Type: some},
	{Name: "cube", Doc: "the cube (h,k)-arbiter with this many nodes on a side", Type: param.IntRange(1, 4)},
	{Name: "k", Doc: "units; default: the size of C_1 with cohorts=, otherwise 1", Type: some},
	{Name: "h", Doc: "units per request, for arbiters", Default: "1", Type: some},
	{Name: "p", Doc: "probability that a node is up, for availability; one for all or one for each node",
		Type: param.Probabilities},
}}

// Help describes the arguments.
func Help() string {
	var b strings.Builder
	for _, p := range keys.Params {
		fmt.Fprintf(&b, "  %-9s %s\n", p.Name+"=", p.Doc)
	}
	return b.String()
}

// A subject is a family of quorums over the nodes 1 to nodes.
type subject struct {
	Family
	name     string
	nodes, k int
	h        int    // of an arbiter; 0: it is a k-coterie
	walk     string // of cohorts: whether Figure 1 finds the disjoint quorums
	// addition, if not 0, is a quorum with which a cohorts coterie is dominated.
	addition model.Set
}

// Show reads the arguments, and judges the families that they name: one in full, or several in a table.
func Show(w io.Writer, args []string) error {
	a, err := keys.ParseArgs(args)
	if err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(tw, "family\tnodes\tk\tquorums\tsizes\tproperty\tdomination\t"+
		"availability of h=1, 2, ..") // the writer keeps its error
	var last *subject
	remarks, n := "", 0
	for _, p := range keys.Params[:5] {
		if !a.Given(p.Name) {
			continue
		}
		last, n = &subject{name: p.Name + "=" + a.String(p.Name), k: 1}, n+1
		last.build(a, p.Name)
		if err := a.Err(); err != nil {
			return err
		}
		more, err := last.row(tw, a)
		if err != nil {
			return err
		}
		remarks += more
	}
	switch n {
	case 0:
		return usage.Errorf("no family of quorums is named; allowed are cohorts=, sets=, majority=, " +
			"arbiter= and cube=")
	case 1:
		remarks += "quorums: " + spelled(last.Family) + "\n"
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err = io.WriteString(w, remarks)
	return err
}

// build makes the family that an argument names.
func (f *subject) build(a *model.Args, key string) {
	if a.Given("k") {
		f.k = a.Int("k")
	}
	if key == "arbiter" || key == "cube" {
		if f.h = a.Int("h"); f.h > f.k {
			a.Reject("h", fmt.Sprintf("allowed: 1 to k=%d", f.k))
			return
		}
	}
	switch key {
	case "cohorts":
		f.ofCohorts(a)
	case "sets":
		for _, nodes := range a.Sums("sets", model.FewProcs) {
			var q model.Set
			for _, node := range nodes {
				q, f.nodes = q.With(model.Proc(node-1)), max(f.nodes, node)
			}
			f.Family = append(f.Family, q)
		}
	case "majority":
		f.nodes = a.Int(key)
		f.Family = Uniform(f.nodes, MajoritySize(f.nodes, f.k))
	case "arbiter":
		f.nodes = a.Int(key)
		f.Family = Uniform(f.nodes, UniformArbiterSize(f.nodes, f.h, f.k))
	case "cube": // with h units it has k+2-h dimensions
		side, dim := a.Int(key), f.k+2-f.h
		if f.nodes = Power(side, dim); f.nodes > model.FewProcs {
			a.Reject(key, fmt.Sprintf(
				"a cube of %d dimensions has %d nodes then; allowed are %d", dim, f.nodes, model.FewProcs))
			return
		}
		f.Family = Cube(side, dim)
	}
}

// ofCohorts makes the quorums of a cohorts structure, and compares the finds of Figure 1 with them, for all
// sets of nodes.
func (f *subject) ofCohorts(a *model.Args) {
	sizes := a.PerProcess("cohorts", strings.Count(a.String("cohorts"), ",")+1)
	if a.Err() != nil {
		return
	}
	if f.k = sizes[0]; a.Given("k") && a.Int("k") != f.k {
		a.Reject("k", fmt.Sprintf("with cohorts= allowed is the size of C_1, %d", f.k))
		return
	}
	for _, size := range sizes {
		f.nodes += size
	}
	s := coterie.Consecutive(sizes, 0)
	if f.nodes > model.FewProcs {
		a.Reject("cohorts", fmt.Sprintf("allowed: at most %d nodes", model.FewProcs))
		return
	}
	if err := s.Check(); err != nil {
		a.Reject("cohorts", err.Error())
		return
	}
	f.Family = Of(s)
	if f.k > 1 && len(sizes) >= f.k {
		f.addition = Addition(s)
	}
	f.walk = "Figure 1 finds h disjoint quorums in every set of nodes that contains them"
	for h := 1; h <= s.K; h++ {
		for nodes := range 1 << f.nodes {
			if set := model.Set(nodes); Walk(s, set, h) != s.Contains(set, h) {
				f.walk = fmt.Sprintf("Figure 1 misses %d disjoint quorums in %v", h, set)
			}
		}
	}
}

// row writes the properties of the family, and returns further remarks, in lines.
func (f *subject) row(w io.Writer, a *model.Args) (remarks string, err error) {
	say := func(text string) { remarks += f.name + ": " + text + "\n" }
	property, dominated, most := fmt.Sprintf("%d-coterie", f.k), "", f.k
	broken := f.Check(f.k)
	if f.h > 0 { // a request to an arbiter needs one quorum, whatever its h
		r := ArbiterSharing(f.h, f.k)
		property, most, broken = fmt.Sprintf("any %d quorums have a common member", r), 1, Common(f.Family, r)
	}
	verdict := ": yes"
	if broken != nil {
		verdict = ": no"
		say(broken.Error())
	}
	if f.walk != "" {
		say(f.walk)
	}
	switch {
	case broken != nil || f.h > 0:
	case f.nodes > mostForDomination && f.addition != 0:
		dominated = string(Dominated)
		say("dominated with the further quorum " + f.addition.String())
	case f.nodes > mostForDomination:
		dominated = fmt.Sprintf("not asked: more than %d nodes", mostForDomination)
	default:
		d, by := Dominate(f.Family, f.k)
		if dominated = string(d); by != nil {
			say("dominated by " + spelled(by))
		}
	}
	var available []string
	if a.Given("p") {
		up := a.Probabilities("p", f.nodes)
		if err := a.Err(); err != nil {
			return "", err
		}
		for h := 1; h <= most; h++ {
			available = append(available, Availability(f.Family, up, h).FloatString(6))
		}
	}
	least, largest := f.Sizes()
	_, err = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d to %d\t%s\t%s\t%s\n", f.name, f.nodes, f.k, len(f.Family),
		least, largest, property+verdict, cmp.Or(dominated, "-"), cmp.Or(strings.Join(available, " "), "-"))
	return remarks, err
}

// spelled writes sets of nodes, which are counted from 1.
func spelled(sets Family) string {
	return strings.Trim(fmt.Sprint([]model.Set(sets)), "[]")
}
