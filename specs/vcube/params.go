package vcube

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
)

// paper is the source of all models of this folder.
const (
	title = "Rodrigues, Duarte, Arantes, A distributed k-mutual exclusion algorithm based on autonomic " +
		"spanning trees"
	paper   = title + ", JPDC 2018"
	heading = title + ", 2018" // Spec.Paper
)

// size declares n for the algorithms that need the whole cube.
var size = param.Param{Name: "n", Doc: "number of processes, p0..p(n-1)", Default: "4", Type: param.OneOf("2",
	"4", "8", "16").Staged(param.OneOf("32", "64", "128", "256", "512", "1024"))}

// variant declares the algorithms as printed, and with all the changes that the claims need.
var variant = param.Choice("variant", "printed; or repaired, with every change that the claims of the "+
	"paper need", "printed", "repaired")

// read fills in a reading that is not given, whose default is one value as printed and another with
// variant=repaired, and returns it. Other values are rejected with variant=repaired.
func read(a *model.Args, key, printed, repaired string) string {
	value := printed
	if a.Is("variant", "repaired") {
		value = repaired
	}
	if !a.Given(key) {
		a.Set(key, value)
	}
	if a.Is("variant", "repaired") && !a.Is(key, value) {
		a.Reject(key, "with variant=repaired allowed is "+value)
	}
	return a.String(key)
}

// network reads the parameters of the network. A process that crashes inside a
// handler sends a part of all its messages, messages to the dead included.
func network(a *model.Args, n int) model.Network {
	nw := a.Network(n, names.First, 0)
	nw.ToDead = true
	return nw
}

// only sets the rounds of processes that are not in s to 0, and returns them.
func only(s model.Set, rounds []int) []int {
	for p := range rounds {
		if !s.Has(model.Proc(p)) {
			rounds[p] = 0
		}
	}
	return rounds
}
