package vcube

import (
	"fmt"
	"slices"

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
	Doc: "p0 spreads a message along the tree of first correct neighbours; whoever learns of a crash " +
		"sends it to the next one in that cluster.",
	Params: append([]param.Param{
		size,
		variant,
		{Name: "guard", Doc: "who sends in lines 11-12 when it learns of a crash: off, everybody, as " +
			"printed; on, only those that have accepted the message; default: off, repaired on",
			Type: param.OneOf("off", "on")},
		{Name: "track", Doc: "on: the state holds each process's parents and the number of TREEs it has sent",
			Default: "off", Type: param.OneOf("off", "on")},
	}, param.Network("subset")...),
	Build:      buildTree,
	Draw:       drawTree,
	Picture:    picture,
	References: treeReferences,
	Paper:      heading,
}

// picture shows the tree with those that are dead in a state.
func picture(a *model.Args, s model.State) drawing.Drawing {
	d, err := drawTree(a)
	if err != nil {
		return drawing.Drawing{} // such an instance is not built
	}
	for _, v := range s.Vars() {
		i := slices.IndexFunc(d.Nodes, func(n drawing.Node) bool { return n.Name == v.Owner })
		if i >= 0 && v.Name == "crashed" {
			d.Nodes[i].Dead = true
		}
	}
	return d
}

// drawTree draws the hypercube that is left by those dead from the start, with the
// tree of the source.
func drawTree(a *model.Args) (d drawing.Drawing, err error) {
	n := a.Int("n")
	dead, err := a.Processes("dead", n, names.First)
	if err != nil {
		return d, err
	}
	correct := member(model.All(n) &^ dead)
	d.Title = fmt.Sprintf("VCube of %d processes, with the tree of %s", n, name(source))
	for p := range model.Proc(n) {
		node := drawing.Node{Name: name(p), Note: fmt.Sprintf("%0*b", topology.Dimension(n), p),
			Dead: dead.Has(p)}
		if node.Dead {
			node.Note += ", dead"
		}
		d.Nodes = append(d.Nodes, node)
	}
	var tree [][2]int
	if !dead.Has(source) {
		tree = topology.Tree(int(source), n, correct)
	}
	for _, e := range tree {
		d.Links = append(d.Links, drawing.Link{From: d.Nodes[e[0]].Name, To: d.Nodes[e[1]].Name,
			Tree: true})
	}
	for _, e := range topology.Links(n, correct) {
		if !slices.Contains(tree, e) && !slices.Contains(tree, [2]int{e[1], e[0]}) {
			d.Links = append(d.Links, drawing.Link{From: d.Nodes[e[0]].Name, To: d.Nodes[e[1]].Name})
		}
	}
	return d, nil
}

type treeGlobal = model.Global[treeState, message, model.None]

func buildTree(a *model.Args) (model.Instance, error) {
	if err := read(a, reading{"guard", "off", "on"}); err != nil {
		return model.Instance{}, err
	}
	t := &tree{cube: cube{a.Int("n")}, guard: a.Is("guard", "on"), track: a.Is("track", "on")}
	nw, err := network(a, t.n)
	if err != nil {
		return model.Instance{}, err
	}
	t.dead = nw.Dead
	return model.Compose(t.composition(nw)), nil
}

func (t *tree) composition(nw model.Network) model.Composition[treeState, message, model.None] {
	return model.Composition[treeState, message, model.None]{
		N:     t.n,
		Names: names,
		Init:  t.init,
		Local: []model.Handler[treeState, message]{
			{Name: "start", Source: "lines 2-4", Do: t.startTree},
		},
		Receive: []model.Receiver[treeState, message]{
			{Name: "receive TREE", Source: "lines 5-8", Accepts: isTree, Do: t.receive},
		},
		Notice:     &model.Notice[treeState, message]{Name: "notify", Source: "lines 9-12", Do: t.hear},
		Crash:      t.crash,
		Network:    nw,
		Properties: t.properties(nw),
	}
}

func (t *tree) properties(nw model.Network) []model.Property[treeGlobal] {
	return []model.Property[treeGlobal]{
		{
			Name: "all-reached", Kind: model.Quiet, Source: "Lemma 5.1",
			Doc:   "when nothing is left to do and the source is live, every live process has received TREE",
			Holds: func(g *treeGlobal) bool { return !g.Live(source) || reached(g, refused) },
		},
		{
			Name: "all-accepted", Kind: model.Quiet, Source: "Lemma 5.1",
			Doc: "when nothing is left to do and the source is live, every live process has accepted " +
				"a TREE (line 6)",
			Holds: func(g *treeGlobal) bool { return !g.Live(source) || reached(g, accepted) },
		},
		{
			Name: "no-creation", Kind: model.Invariant, Source: "Algorithm 5.1, lines 2-4",
			Doc:   "no TREE is in transit before the source has started",
			Holds: treeNoCreation,
		},
		{
			Name: "tree-shape", Kind: model.Quiet, Source: "section 5.2",
			Doc: "without crashes and with track=on: n-1 messages, one parent for each process, none " +
				"for the source",
			Holds: func(g *treeGlobal) bool { return !t.track || nw.Crashes > 0 || t.shape(g) },
		},
	}
}

// reached: all live processes got at least so much.
func reached(g *treeGlobal, least got) bool {
	return g.Count(func(l *treeState) bool { return l.Got < least }) == 0
}

func treeNoCreation(g *treeGlobal) bool {
	if g.Local(source).Started {
		return true
	}
	for p := range model.Proc(g.N) {
		if len(g.Inbox(p)) > 0 {
			return false
		}
	}
	return true
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

var treeReferences = []model.Reference{
	{Args: "n=4 crashes=1 crashable=1,2,3 guard=off crash-sends=subset", States: 283, Depth: 10,
		From: "contract"},
	{Args: "n=8 crashes=0 track=on", States: 43, Depth: 9, From: "contract"},
	{Args: "n=4 crashes=3 crashable=0,1,2,3 guard=on crash-sends=subset", States: 2_989, Depth: 13,
		From: "contract"},
}
