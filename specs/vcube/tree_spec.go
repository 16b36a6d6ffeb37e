package vcube

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/vcube/topology"
)

// Tree is the model vcube-tree.
var Tree = model.Spec{
	Name:   "vcube-tree",
	Title:  "spanning tree over the virtual hypercube (Algorithm 5.1)",
	Source: paper + ", section 5",
	Doc: "p0 spreads a message along the tree of first correct neighbours; a process that learns of a " +
		"crash sends it to the next one in that cluster.",
	Params: append([]param.Param{
		size, variant,
		param.Choice("guard", "which processes send in lines 11-12 when they learn of a crash: off, all, "+
			"as printed; on, only those that have accepted the message; default: off, repaired on",
			"off", "on").Else(""),
		param.Choice("track", "on: the state holds each process's parents and the number of TREEs it has "+
			"sent",
			"off", "on"),
	}, param.Network("subset")...),
	Build: func(a *model.Args) (model.Instance, error) {
		t := &tree{cube: cube{a.Int("n")}, guard: read(a, "guard", "off", "on") == "on",
			track: a.Is("track", "on")}
		nw := network(a, t.n)
		t.dead = nw.Dead
		return model.Compose(t.composition(nw)), nil
	},
	Picture: picture,
	Paper:   heading,
}

// picture draws the hypercube of the processes that are not dead from the start, with the
// tree of the source, and marks the processes that are dead in a state.
func picture(a *model.Args, s model.State) (d drawing.Drawing) {
	n := a.Int("n")
	dead := a.Processes("dead", n, names.First)
	correct := (model.All(n) &^ dead).Has
	d.Title = fmt.Sprintf("VCube of %d processes, with the tree of %s", n, name(source))
	for p := range model.Proc(n) {
		node := drawing.Node{Name: name(p), Note: fmt.Sprintf("%0*b", topology.Dimension(n), p),
			Dead: dead.Has(p)}
		if node.Dead {
			node.Note += ", dead"
		}
		d.Nodes = append(d.Nodes, node)
	}
	var tree [][2]model.Proc
	if !dead.Has(source) {
		tree = topology.Tree(source, n, correct)
	}
	for _, e := range tree {
		d.Links = append(d.Links, drawing.Link{From: name(e[0]), To: name(e[1]), Tree: true})
	}
	for _, e := range topology.Links(n, correct) {
		if !slices.Contains(tree, e) && !slices.Contains(tree, [2]model.Proc{e[1], e[0]}) {
			d.Links = append(d.Links, drawing.Link{From: name(e[0]), To: name(e[1])})
		}
	}
	for _, v := range s.Vars() {
		i := slices.IndexFunc(d.Nodes, func(n drawing.Node) bool { return n.Name == v.Owner })
		if i >= 0 && v.Name == "crashed" {
			d.Nodes[i].Dead = true
		}
	}
	return d
}

type treeGlobal = model.Global[treeState, message, model.None]

var treeClaims invariants.Of[treeState, message, model.None]

func (t *tree) composition(nw model.Network) model.Composition[treeState, message, model.None] {
	return model.Composition[treeState, message, model.None]{
		N:     t.n,
		Names: names,
		Init:  t.init,
		Local: []model.Handler[treeState, message]{{Name: "start", Source: "lines 2-4", Do: t.startTree}},
		Receive: []model.Receiver[treeState, message]{
			{Name: "receive TREE", Source: "lines 5-8", Accepts: kindTree.is, Do: t.receive},
		},
		Notice:     &model.Notice[treeState, message]{Name: "notify", Source: "lines 9-12", Do: t.hear},
		Crash:      func(_ model.Proc, l *treeState) { *l = treeState{Started: l.Started} },
		Network:    nw,
		Properties: t.properties(nw),
	}
}

func (t *tree) properties(nw model.Network) []model.Property[treeGlobal] {
	return []model.Property[treeGlobal]{
		treeClaims.AtRest("all-reached",
			"when nothing is left to do and the source is live, every live process has received TREE",
			reached(refused)).From("Lemma 5.1"),
		treeClaims.AtRest("all-accepted", "when nothing is left to do and the source is live, every live "+
			"process has accepted a TREE (line 6)", reached(accepted)).From("Lemma 5.1"),
		treeClaims.Always("no-creation", "no TREE is in transit before the source has started",
			func(g *treeGlobal) bool {
				return g.Local(source).Started ||
					g.UnderWay(func(_, _ model.Proc, _ message) bool { return true }) == 0
			}).From("Algorithm 5.1, lines 2-4").
			Blaming(func(func(model.Proc) string, *treeGlobal, model.Proc, *treeGlobal) (model.Set, string) {
				return 0, "a TREE is under way, and the source has not started"
			}),
		treeClaims.AtRest("tree-shape", "without crashes and with track=on: n-1 messages, one parent for "+
			"each process, none for the source", func(g *treeGlobal) bool {
			return !t.track || nw.Crashes > 0 || t.shape(g)
		}).From("section 5.2"),
	}
}

// reached: the source is dead, or every live process has got at least the given part.
func reached(least got) func(*treeGlobal) bool {
	return func(g *treeGlobal) bool {
		return !g.Live(source) || g.Count(func(l *treeState) bool { return l.Got < least }) == 0
	}
}

func (t *tree) shape(g *treeGlobal) bool {
	sent := 0
	for p := range model.Proc(g.N) {
		l := g.Local(p)
		sent += int(l.Sent)
		parents := 1
		if p == source {
			parents = 0
		}
		if l.Parents.Len() != parents {
			return false
		}
	}
	return sent == t.n-1
}
