// Package topology holds the functions that define VCube, the virtual hypercube
// of Rodrigues, Duarte and Arantes (sections 4 and 5.1 of their k-mutual exclusion
// paper). Processes are 0 to n-1, n a power of two; clusters are counted from 1.
package topology

import (
	"iter"
	"math/bits"
)

// Dimension returns log2 n, the number of clusters of each process.
func Dimension(n int) int { return bits.Len(uint(n)) - 1 }

// C yields c_{i,s}, the processes of the s-th cluster of i in the order in
// which i turns to them: equation (1).
func C(i, s int) iter.Seq[int] {
	return func(yield func(int) bool) { turn(i, s, yield) }
}

// turn yields c_{i,s} and reports whether more is wanted.
func turn(i, s int, yield func(int) bool) bool {
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
// neighbour i xor 2^(s-1) and the clusters below s of it are what agrees with i in
// all bits above s-1 and differs there.
func Cluster(i, j int) int { return bits.Len(uint(i ^ j)) }

// FFNeighbor returns FF_neighbor_i(s), the first process of c_{i,s} that i
// considers correct. There is none (⊥) if ok is false.
func FFNeighbor(i, s int, correct func(j int) bool) (j int, ok bool) {
	for j := range C(i, s) {
		if correct(j) {
			return j, true
		}
	}
	return 0, false
}

// Neighborhood returns neighborhood_i(h), the first correct process of each of
// the clusters 1 to h that has one. The paper lets h start at 1, but Algorithm 5.1
// asks for h=0 at processes of the sender's first cluster: there is nobody then.
func Neighborhood(i, h int, correct func(j int) bool) (js []int) {
	for s := 1; s <= h; s++ {
		if j, ok := FFNeighbor(i, s, correct); ok {
			js = append(js, j)
		}
	}
	return js
}

// Tree returns the edges from parents to children over which Algorithm 5.1 spreads a
// message from root if nobody crashes meanwhile and all consider the same processes
// correct, each before those that it leads to.
func Tree(root, n int, correct func(j int) bool) (edges [][2]int) {
	var spread func(i, h int)
	spread = func(i, h int) {
		for _, k := range Neighborhood(i, h, correct) { // lines 3 and 7
			edges = append(edges, [2]int{i, k})
			spread(k, Cluster(k, i)-1)
		}
	}
	spread(root, Dimension(n))
	return edges
}

// Links returns the edges of VCube: each correct process is connected to the first
// correct one of each of its clusters (section 4). An edge that both ends have in
// this way is listed once; the smaller end comes first.
func Links(n int, correct func(j int) bool) (edges [][2]int) {
	for i := range n {
		if !correct(i) {
			continue
		}
		for _, j := range Neighborhood(i, Dimension(n), correct) {
			if back, _ := FFNeighbor(j, Cluster(i, j), correct); i < j || back != i {
				edges = append(edges, [2]int{min(i, j), max(i, j)})
			}
		}
	}
	return edges
}
