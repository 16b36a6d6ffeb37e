// Package quorums judges cohorts structures, other k-coteries and arbiters by enumeration.
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
	"github.com/atmostk/atmostk/tools/paperdocs/quorums/coterie"
)

// mostForDomination is how many nodes a k-coterie may have for the question whether it is dominated, which
// goes through all sets of nodes.
const mostForDomination = 12

var some = param.IntRange(1, model.FewProcs)

// keys are the arguments of the verb: families, and what they have in common.
var keys = model.Spec{Name: "quorums", Params: []param.Param{
	{Name: "cohorts", Doc: "sizes of the cohorts of a cohorts structure, C_1 first, whose size is k",
		Type: param.PerProcess(1, model.FewProcs)},
	{Name: "sets", Doc: "quorums one by one, such as 1+2,2+3,1+3", Type: param.Sums(1, model.FewProcs)},
	{Name: "majority", Doc: "the majority-like k-coterie over so many nodes", Type: some},
	{Name: "arbiter", Doc: "the uniform (h,k)-arbiter over so many nodes", Type: some},
	{Name: "cube", Doc: "the cube (h,k)-arbiter with so many nodes on a side", Type: param.IntRange(1, 4)},
	{Name: "k", Doc: "units; default: the size of C_1 with cohorts=, or else 1", Type: some},
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

// A family is a collection of quorums over the nodes 1 to nodes.
type family struct {
	coterie.Family
	name        string
	nodes, k, h int    // h of an arbiter; 0: it is a k-coterie
	walk        string // of cohorts: whether Figure 1 finds the disjoint quorums
}

// Show reads the arguments, and judges the families that they name: one in full, or several in a table.
func Show(w io.Writer, args []string) error {
	a, err := keys.ParseArgs(args)
	if err != nil {
		return err
	}
	var families []*family
	for _, p := range keys.Params[:5] {
		if !a.Given(p.Name) {
			continue
		}
		f := &family{name: p.Name + "=" + a.String(p.Name)}
		f.build(a, p.Name)
		if err := a.Err(); err != nil {
			return err
		}
		families = append(families, f)
	}
	if families == nil {
		return usage.Errorf("no family of quorums is named; allowed are cohorts=, sets=, majority=, " +
			"arbiter= and cube=")
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(tw, "family\tnodes\tk\tquorums\tsizes\tproperty\tdomination\tavailability of h=1, "+
		"2, ..") // the writer keeps its error
	remarks := ""
	for _, f := range families {
		more, err := f.row(tw, a)
		if err != nil {
			return err
		}
		remarks += more
	}
	if len(families) == 1 {
		remarks += "quorums: " + spelled(families[0].Family) + "\n"
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err = io.WriteString(w, remarks)
	return err
}

// build makes the family that an argument names.
func (f *family) build(a *model.Args, key string) {
	f.k = 1
	if a.Given("k") {
		f.k = a.Int("k")
	}
	if first, _, _ := strings.Cut(a.String("cohorts"), ","); first != "" {
		if a.Given("k") && a.String("k") != first {
			a.Reject("k", "with cohorts= allowed is the size of C_1, "+first)
		}
		_, _ = fmt.Sscan(first, &f.k) // it is a number
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
		f.Family = coterie.Uniform(f.nodes, coterie.MajoritySize(f.nodes, f.k))
	case "arbiter":
		f.nodes = a.Int(key)
		f.Family = coterie.Uniform(f.nodes, coterie.UniformArbiterSize(f.nodes, f.h, f.k))
	case "cube": // with h units it has k+2-h dimensions
		side, dim := a.Int(key), f.k+2-f.h
		if f.nodes = coterie.Power(side, dim); f.nodes > model.FewProcs {
			a.Reject(key, fmt.Sprintf(
				"a cube of %d dimensions has %d nodes then; allowed are %d", dim, f.nodes, model.FewProcs))
			return
		}
		f.Family = coterie.Cube(side, dim)
	}
}

// ofCohorts makes the quorums of a cohorts structure, and compares what Figure 1 finds with them, for all
// sets of nodes.
func (f *family) ofCohorts(a *model.Args) {
	text := a.String("cohorts")
	sizes := a.PerProcess("cohorts", strings.Count(text, ",")+1)
	for _, size := range sizes {
		f.nodes += size
	}
	if f.nodes > model.FewProcs {
		a.Reject("cohorts", fmt.Sprintf("allowed: at most %d nodes", model.FewProcs))
		return
	}
	s := coterie.Consecutive(sizes, 0)
	if err := s.Check(); err != nil {
		a.Reject("cohorts", err.Error())
		return
	}
	f.Family = s.Quorums()
	f.walk = "Figure 1 finds h disjoint quorums in every set of nodes that contains them"
	for h := 1; h <= s.K; h++ {
		for nodes := range 1 << f.nodes {
			if set := model.Set(nodes); s.Walk(set, h) != s.Contains(set, h) {
				f.walk = fmt.Sprintf("Figure 1 misses %d disjoint quorums in %v", h, set)
			}
		}
	}
}

// row writes what holds of the family, and returns what else there is to say, in lines.
func (f *family) row(w io.Writer, a *model.Args) (remarks string, err error) {
	say := func(text string) { remarks += f.name + ": " + text + "\n" }
	property, dominated, most := fmt.Sprintf("%d-coterie", f.k), "", f.k
	broken := error(nil)
	if f.h > 0 { // a request to an arbiter needs one quorum, whatever its h
		r := coterie.ArbiterSharing(f.h, f.k)
		property, most, broken = fmt.Sprintf("any %d quorums have a common member", r), 1, f.Common(r)
	} else {
		broken = f.Check(f.k)
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
	case f.nodes > mostForDomination:
		dominated = fmt.Sprintf("not asked: more than %d nodes", mostForDomination)
	default:
		d, by := f.Dominate(f.k)
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
			available = append(available, f.Availability(up, h).FloatString(6))
		}
	}
	least, largest := f.Sizes()
	_, err = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d to %d\t%s\t%s\t%s\n", f.name, f.nodes, f.k, len(f.Family),
		least, largest, property+verdict, cmp.Or(dominated, "-"), cmp.Or(strings.Join(available, " "), "-"))
	return remarks, err
}

// spelled writes sets of nodes, which are counted from 1.
func spelled(sets coterie.Family) string {
	var texts []string
	for _, s := range sets {
		texts = append(texts, s.String())
	}
	return strings.Join(texts, " ")
}
