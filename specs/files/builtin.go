package files

import (
	_ "embed" // the texts of the models
	"strconv"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/param"
	starfile "github.com/atmostk/atmostk/model/starlark"
)

// The files that are models of the program too. What is said about them here stands in the file as well,
// which is executed only when its model is built: a test compares both.
var (
	//go:embed die-hard.star
	dieHard string
	//go:embed ewd840.star
	ewd840 string
)

// DieHard is the puzzle of the two jugs from the film Die Hard 3. It is a conformance model (case P3).
var DieHard = model.Spec{
	Name:    "die-hard",
	Title:   "the puzzle of the two jugs",
	Source:  "TLA+ Examples, DieHard",
	Doc:     "With a jug of 5 and one of 3 gallons, measure 4 gallons. The solution is the counterexample.",
	Build:   starfile.Builder("die-hard", dieHard),
	Picture: jugs,
	References: []model.Reference{
		{States: 16, Generated: 97, Depth: 8, Violated: map[string]int{"big-not-4": 6}, From: "P3"},
	},
}

// jugs shows the contents of the jugs, in gallons.
func jugs(_ *model.Args, s model.State) (d drawing.Drawing) {
	for _, v := range s.Vars() {
		n, _ := strconv.Atoi(v.Value) // 0 if it is no number
		d.Nodes = append(d.Nodes, drawing.Node{Name: v.Name, Note: v.Value, Holds: n,
			Of: map[string]int{"Big": 5, "Small": 3}[v.Name]})
	}
	return d
}

// EWD840 is Dijkstra's termination detection on a ring. It is a conformance model (case P6).
var EWD840 = model.Spec{
	Name:   "ewd840",
	Title:  "termination detection on a ring",
	Source: "Dijkstra, Feijen and van Gasteren, EWD 840, 1983; TLA+ Examples, ewd840",
	Doc: "A token goes round to find out whether all nodes are inactive. Any activity, colours and token " +
		"position to begin with.",
	Params: []param.Param{
		// More nodes would have more than 10 million initial states.
		param.Number("n", "number of nodes", 3, 2, 10),
		param.Choice("fairness", "what does not rest for ever while it could go on: the system, that is "+
			"the token, or none", "system", "none"),
	},
	Build: starfile.Builder("ewd840", ewd840),
	References: []model.Reference{
		{Args: "n=3", States: 302, Generated: 1_817, Depth: 9,
			Violated: map[string]int{"deadlock-freedom": 3}, From: "P6a, P6e"},
		{Args: "n=4", States: 1_566, Generated: 14_962, Depth: 12, From: "P6b"},
		{Args: "n=5", States: 7_742, Generated: 108_963, Depth: 15, From: "P6f"},
	},
}
