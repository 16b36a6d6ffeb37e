// Package topology holds the functions that define VCube, the virtual hypercube
// of Rodrigues, Duarte and Arantes (sections 4 and 5.1 of their k-mutual exclusion
// paper). Processes are 0 to n-1, n a power of two; clusters are counted from 1.
package topology

import "math/bits"

// Dimension returns log2 n, the number of clusters of each process.
func Dimension(n int) int { return bits.Len(uint(n)) - 1 }

// C returns c_{i,s}, the processes of the s-th cluster of i in the order in
// which i turns to them: equation (1).
func C(i, s int) []int {
	j := i ^ 1<<(s-1)
	c := []int{j}
	for k := 1; k <= s-1; k++ {
		c = append(c, C(j, k)...)
	}
	return c
}

// Cluster returns cluster_i(j), the s with j in c_{i,s}, for j other than i. The
// neighbour i xor 2^(s-1) and the clusters below s of it are what agrees with i in
// all bits above s-1 and differs there.
func Cluster(i, j int) int { return bits.Len(uint(i ^ j)) }

// FFNeighbor returns FF_neighbor_i(s), the first process of c_{i,s} that i
// considers correct. There is none (⊥) if ok is false.
func FFNeighbor(i, s int, correct func(j int) bool) (j int, ok bool) {
	for _, j := range C(i, s) {
		if correct(j) {
			return j, true
		}
	}
	return 0, false
}

// Neighborhood returns neighborhood_i(h), the first correct process of each of
// the clusters 1 to h that has one.
func Neighborhood(i, h int, correct func(j int) bool) (js []int) {
	for s := 1; s <= h; s++ {
		if j, ok := FFNeighbor(i, s, correct); ok {
			js = append(js, j)
		}
	}
	return js
}
