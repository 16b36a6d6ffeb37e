// Package topology holds the functions that define VCube, the virtual hypercube
// of Rodrigues, Duarte and Arantes (sections 4 and 5.1 of their k-mutual exclusion
// paper). Processes are 0 to n-1, n a power of two; clusters are counted from 1.
package topology

import (
	"iter"
	"math/bits"
)

// A process is a number from 0 on.
type process interface{ ~int | ~uint16 }

// Dimension returns log2 n, the number of clusters of each process.
func Dimension(n int) int { return bits.Len(uint(n)) - 1 }

// C yields c_{i,s}, the processes of the s-th cluster of i in the order in
// which i turns to them: equation (1).
func C[P process](i P, s int) iter.Seq[P] {
	return func(yield func(P) bool) { turn(i, s, yield) }
}

// turn yields c_{i,s} and reports whether more is wanted.
func turn[P process](i P, s int, yield func(P) bool) bool {
	j := i ^ 1<<(s-1)
	if !yield(j) {
		return false
	}
	for k := 1; k <= s-1; k++ {
		if !turn(j, k, yield) {
			return false
		}
	}
	return true
}

// Cluster returns cluster_i(j), the s with j in c_{i,s}, for j other than i. The
// neighbour i xor 2^(s-1) and the clusters below s of it are the numbers that agree with i in
// all bits above s-1 and differ in bit s-1.
func Cluster[P process](i, j P) int { return bits.Len(uint(i ^ j)) }

// FFNeighbor returns FF_neighbor_i(s), the first process of c_{i,s} that i
// considers correct. ok is false if there is no such process (⊥).
func FFNeighbor[P process](i P, s int, correct func(j P) bool) (j P, ok bool) {
	for j := range C(i, s) {
		if correct(j) {
			return j, true
		}
	}
	return 0, false
}

// Neighborhood returns neighborhood_i(h), the first correct process of each of
// the clusters 1 to h that has one. The paper lets h start at 1, but Algorithm 5.1
// asks for h=0 at processes of the sender's first cluster: the set is empty then.
func Neighborhood[P process](i P, h int, correct func(j P) bool) (js []P) {
	for s := 1; s <= h; s++ {
		if j, ok := FFNeighbor(i, s, correct); ok {
			js = append(js, j)
		}
	}
	return js
}

// Tree returns the edges from parents to children over which Algorithm 5.1 spreads a
// message from root if no process crashes meanwhile and all consider the same processes
// correct. Each edge comes before the edges below it.
func Tree[P process](root P, n int, correct func(j P) bool) (edges [][2]P) {
	var spread func(i P, h int)
	spread = func(i P, h int) {
		for _, k := range Neighborhood(i, h, correct) { // lines 3 and 7
			edges = append(edges, [2]P{i, k})
			spread(k, Cluster(k, i)-1)
		}
	}
	spread(root, Dimension(n))
	return edges
}

// Links returns the edges of VCube: each correct process is connected to the first
// correct one of each of its clusters (section 4). An edge that both ends have in
// this way is listed once; the smaller end comes first.
func Links[P process](n int, correct func(j P) bool) (edges [][2]P) {
	for i := P(0); int(i) < n; i++ {
		if !correct(i) {
			continue
		}
		for _, j := range Neighborhood(i, Dimension(n), correct) {
			if back, _ := FFNeighbor(j, Cluster(i, j), correct); i < j || back != i {
				edges = append(edges, [2]P{min(i, j), max(i, j)})
			}
		}
	}
	return edges
}
