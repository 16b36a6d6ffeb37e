package explore

import (
	"fmt"
	"iter"
	"sort"
)

// The visited states are the nodes of the state graph: a node's number is that of its cell.

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
