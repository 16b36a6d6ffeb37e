package explore

import (
	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/compact"
)

// Codes of states in files are those of their canonical bytes, which for a composition are sums of the codes
// of what it consists of. The state of a system would have to be hashed whole, each time that it is met:
// SHA-256 took a quarter of a search. Its words are the same wherever the program runs, so there the codes
// are those of a coder whose keys were drawn once. The bound of its probability is a theorem about the keys,
// and no model was written with a view to these.

// fixedSeed is that of the keys, which are the same on all machines.
var fixedSeed = [32]byte{'s', 't', 'a', 't', 'e', 's', ' ', 'o', 'f', ' ', 's', 'y', 's', 't', 'e', 'm', 's'}

// newWordCoder returns the coder of the states of a system; nil: the space is of a composition.
func newWordCoder(space kernel.Space) *compact.Coder {
	if space.Slots() != nil {
		return nil
	}
	return compact.NewCoder(space, 128, fixedSeed)
}

// wordCode returns the code of a system's state.
func wordCode(c *compact.Coder, v []uint32) store.Code {
	return store.Cut(store.Code{Hi: mixed(c.Half(v, 0)), Lo: c.Half(v, 1)})
}

// mixed makes of different numbers different ones that are spread like random numbers, as runs that are
// sorted want them: sums of products of regular numbers are not. It is the last step of splitmix64.
func mixed(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// coder returns a function that computes codes of states, for one goroutine.
func (s *search) coder() func(v []uint32) store.Code {
	switch {
	case s.compact != nil:
		return func(v []uint32) store.Code { return store.Code{Hi: s.compact.code(v)} }
	case s.words != nil:
		return func(v []uint32) store.Code { return wordCode(s.words, v) }
	}
	code := s.space.NewCoder()
	return func(v []uint32) store.Code { return store.Cut(code(v)) }
}

// code returns the code by which states are told apart.
func (s *search) code(v []uint32) store.Code { return s.coder()(v) }
