package vcube

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/vcube/topology"
)

// cube is the virtual hypercube of n processes.
type cube struct{ n int }

func (c cube) logN() int { return topology.Dimension(c.n) }

// cluster is cluster_i(j).
func (c cube) cluster(i, j model.Proc) int { return topology.Cluster(i, j) }

// A set is a set of processes: a model.Set or a values.Group.
type set interface{ Has(model.Proc) bool }

// ffNeighbor is FF_neighbor_i(s) for the given correct_i; or bottom.
func (c cube) ffNeighbor(i model.Proc, s int, correct set) model.Proc {
	if k, ok := topology.FFNeighbor(i, s, correct.Has); ok {
		return k
	}
	return bottom
}

// neighborhood is neighborhood_i(h) for the given correct_i.
func (c cube) neighborhood(i model.Proc, h int, correct set) []model.Proc {
	return topology.Neighborhood(i, h, correct.Has)
}

// bottom is the null element ⊥ in the place of a process. It is in no set.
const bottom model.Proc = 0xFFFF

// names are the paper's names of processes: p0 to p(n-1).
var names = model.Names{First: 0}

// name is the name of a process that may be bottom.
func name(p model.Proc) string {
	if p == bottom {
		return "⊥"
	}
	return names.Of(p)
}

// content is the message m that Algorithm 6.1 carries: the T-th of its source. In
// a REQUEST of Algorithm 7.1 C is the timestamp of the request, otherwise 0.
type content struct {
	Source model.Proc
	T      uint32
	C      uint32
}

func (m content) String() string {
	switch {
	case m.C == 0:
		return fmt.Sprintf("%s,%d", name(m.Source), m.T)
	case m.T == 0:
		return fmt.Sprintf("%s,%d", name(m.Source), m.C)
	}
	return fmt.Sprintf("%s,%d,%d", name(m.Source), m.T, m.C)
}

type kind uint8

const (
	kindTree    kind = iota // of 5.1 (without content) and of 6.1
	kindAck                 // of 6.1
	kindRequest             // of 7.1 over one-to-all sending
	kindReply               // of 7.1
	kindInside              // of 7.1 with variant=repaired
)

// message is a message of one of the algorithms.
type message struct {
	kind  kind
	m     content // not of REPLY
	count uint32  // of REPLY
}

func (m message) String() string {
	switch {
	case m.kind == kindReply:
		return fmt.Sprintf("REPLY(%d)", m.count)
	case m == message{}:
		return "TREE"
	}
	return fmt.Sprintf("%s(%v)", [...]string{"TREE", "ACK", "REQUEST", "REPLY", "INSIDE"}[m.kind], m.m)
}

func (k kind) is(m message) bool { return m.kind == k }

type outbox = model.Outbox[message]

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
