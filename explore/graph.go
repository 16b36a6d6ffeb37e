package explore

import (
	"fmt"
	"iter"
	"math"
	"sort"

	"github.com/atmostk/atmostk/explore/kernel"
)

// A graph has the visited states as nodes, numbered by their cells, and for each
// node those that lead to it.
type graph struct {
	nodes uint32
	begin []uint32 // per node: where its predecessors begin; one more at the end
	edges []uint32
}

// of returns the predecessors of node n, repeats included.
func (g *graph) of(n uint32) []uint32 { return g.edges[g.begin[n]:g.begin[n+1]] }

// number returns the number in its shard of the cell at an index: cells are counted.
func (s *shard) number(at int) uint32 {
	return uint32(at/s.bucket*(s.bucket/s.stride) + at%s.bucket/s.stride)
}

// numbers returns how many numbers the shard takes.
func (s *shard) numbers() uint32 { return uint32(s.capacity()) }

// cell returns the state in the cell with a number; nil if the cell is free.
func (s *shard) cell(number uint32) []uint32 {
	per := s.bucket / s.stride
	at := int(number)/per*s.bucket + int(number)%per*s.stride
	if s.cells[at+s.stride-1] == 0 {
		return nil
	}
	return s.cells[at : at+s.stride-1]
}

// nodes yields the visited states with their numbers.
func (s *search) nodes() iter.Seq2[uint32, []uint32] {
	return func(yield func(uint32, []uint32) bool) {
		base := uint32(0)
		for i := range s.shards {
			sh := &s.shards[i]
			for at, cell := range sh.each {
				if !yield(base+sh.number(at), cell[:s.width]) {
					return
				}
			}
			base += sh.numbers()
		}
	}
}

// bases returns the first number of each shard, and how many numbers there are.
func (s *search) bases() (*[numShards]uint32, uint64) {
	var base [numShards]uint32
	var cells uint64
	for i := range s.shards {
		base[i] = uint32(cells)
		cells += uint64(s.shards[i].numbers())
	}
	return &base, cells
}

// node returns the number of a visited state with the given hash.
func (s *search) node(base *[numShards]uint32, v []uint32, h uint64) uint32 {
	i := shardOf(h)
	at, found := s.shards[i].find(v, placeOf(h))
	if !found {
		panic(fmt.Errorf("%w: a step leads to a state that was not visited", ErrInternal))
	}
	return base[i] + s.shards[i].number(at)
}

// vector returns the state with a number; nil if its cell is free.
func (s *search) vector(base *[numShards]uint32, n uint32) []uint32 {
	i := sort.Search(numShards, func(i int) bool { return base[i] > n }) - 1
	for s.shards[i].capacity() == 0 || n-base[i] >= s.shards[i].numbers() {
		i-- // an empty shard with the same base
	}
	return s.shards[i].cell(n - base[i])
}

// predecessors builds the graph in a pass, when it is first asked for, by expanding every
// state twice: to count the edges into each node, and to enter them.
func (s *search) predecessors() *graph {
	if s.graph != nil {
		return s.graph
	}
	base, cells := s.bases()
	if cells >= math.MaxUint32 || s.report.Generated >= math.MaxUint32 {
		panic(halt("the state graph is too large"))
	}
	s.afford("the state graph", 4*(int64(cells)+s.report.Generated))
	g := &graph{nodes: uint32(cells), begin: make([]uint32, cells+1)}
	count := func(_, to uint32) { g.begin[to]++ }
	s.eachEdge(base, count)
	sum := uint32(0)
	for n, k := range g.begin {
		sum += k
		g.begin[n] = sum
	}
	g.edges = make([]uint32, sum)
	s.eachEdge(base, func(from, to uint32) { // fills each node's part from its end
		g.begin[to]--
		g.edges[g.begin[to]] = from
	})
	s.graph = g
	return g
}

// eachEdge calls f for all steps between visited states.
func (s *search) eachEdge(base *[numShards]uint32, f func(from, to uint32)) {
	s.expandAll(func(from uint32, _ []uint32, _ kernel.Enabled, b *kernel.Batch) {
		for i := range b.Len() {
			f(from, s.node(base, b.At(i), b.Hash(i)))
		}
	})
}

// A bitset is a set of nodes.
type bitset []uint64

func newBitset(n uint32) bitset    { return make(bitset, n/64+1) }
func (b bitset) set(n uint32)      { b[n/64] |= 1 << (n % 64) }
func (b bitset) has(n uint32) bool { return b[n/64]>>(n%64)&1 == 1 }
