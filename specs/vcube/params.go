package vcube

import "github.com/atmostk/atmostk/model"

// paper is the source of all models of this folder.
const paper = "Rodrigues, Duarte, Arantes, A distributed k-mutual exclusion algorithm based on autonomic spanning trees, JPDC 2018"

// size declares n for the algorithms that need the whole cube.
var size = model.Param{Name: "n", Doc: "number of processes, p0..p(n-1)", Default: "4", Type: model.OneOf("2", "4", "8", "16")}

// network reads the parameters of the network. The parts of a broken-off handler
// are taken of everything that it sends, messages to the dead included.
func network(a *model.Args, n int) (model.Network, error) {
	nw, err := a.Network(n, names.First, 0)
	nw.ToDead = true
	return nw, err
}
