package coterie

import (
	"github.com/atmostk/atmostk/model"
)

// Uniform returns all sets of the given size among the first n nodes.
func Uniform(n, size int) Family { return subsets(model.All(n), size) }

// MajoritySize is the size of the quorums of the majority-like k-coterie over n
// nodes: the smallest of which k+1 cannot be disjoint.
func MajoritySize(n, k int) int { return n/(k+1) + 1 }

// UniformArbiterSize is the size of the quorums of the uniform (h,k)-arbiter over n
// nodes as section 2 gives it; with h=1 that of the uniform k-arbiter.
func UniformArbiterSize(n, h, k int) int { return k*n/(k+h) + 1 }

// ArbiterSharing is how many quorums of an (h,k)-arbiter must have a common member:
// so many requests of h units are more than k units together.
func ArbiterSharing(h, k int) int { return k/h + 1 }

// Cube returns the quorums over side^dim nodes in a cube of the given dimension: for
// each node, all nodes that agree with it in some coordinate. Any dim quorums have a
// common member: take coordinate i from the i-th. With dim=k+1 it is the cube
// k-arbiter of section 2.
func Cube(side, dim int) (f Family) {
	n := Power(side, dim)
	for center := range n {
		var q model.Set
		for p := range n {
			if agree(center, p, side, dim) {
				q = q.With(model.Proc(p))
			}
		}
		f = append(f, q)
	}
	return f.minimal()
}

// agree reports whether two nodes have a coordinate in common, which are the digits of
// their numbers.
func agree(p, q, side, dim int) bool {
	for range dim {
		if p%side == q%side {
			return true
		}
		p, q = p/side, q/side
	}
	return false
}

// Power returns base to the power of exponent.
func Power(base, exponent int) int {
	n := 1
	for range exponent {
		n *= base
	}
	return n
}

// CubeSize returns the size of the quorums of Cube.
func CubeSize(side, dim int) int { return Power(side, dim) - Power(side-1, dim) }
