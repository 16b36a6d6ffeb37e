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
var variant = param.Param{Name: "variant", Doc: "printed; or repaired, with every change that the claims " +
	"of the paper need", Default: "printed", Type: param.OneOf("printed", "repaired")}

// A reading is a parameter whose default depends on variant=.
type reading struct{ key, printed, repaired string }

// read fills in the readings that are not given, and refuses what variant=repaired excludes.
func read(a *model.Args, readings ...reading) error {
	repaired := a.Is("variant", "repaired")
	for _, r := range readings {
		value := r.printed
		if repaired {
			value = r.repaired
		}
		if !a.Given(r.key) {
			a.Set(r.key, value)
		}
		if repaired && !a.Is(r.key, value) {
			return a.Reject(r.key, a.String(r.key), "with variant=repaired allowed is "+value)
		}
	}
	return nil
}

// network reads the parameters of the network. The parts of a broken-off handler
// are taken of everything that it sends, messages to the dead included.
func network(a *model.Args, n int) (model.Network, error) {
	nw, err := a.Network(n, names.First, 0)
	nw.ToDead = true
	return nw, err
}
