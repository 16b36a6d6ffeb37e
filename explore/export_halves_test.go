package explore

import (
	"context"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

// LaterHalfFirst searches twice: the second search begins with a space whose tables already hold what one
// half of the states leads to, those that the first search keeps last. They are told to it as canonical
// bytes, as states are told to another process. So things have other numbers in it, and what the first search
// began with comes last. It returns the codes of all states that the second search visits, and how many parts
// of the states have another number than in the first.
func LaterHalfFirst(in model.Instance, opt Options) (codes map[protocol.Code]bool, renumbered int) {
	first := searched(in, opt)
	defer first.free()
	s := begun(context.Background(), in, opt)
	defer s.free()
	var states [][]uint32
	for _, v := range first.tables.Nodes {
		states = append(states, v)
	}
	for _, v := range states[len(states)/2:] {
		renumbered += s.fillAbroad(first, v)
	}
	return s.codes(), renumbered
}

// fillAbroad learns the steps of a state of another search, and returns how many of its parts have another
// number here.
func (s *search) fillAbroad(other *search, state []uint32) (renumbered int) {
	slots := other.space.Slots()
	if slots == nil { // the state of a System is its own name
		return 0
	}
	numbers := make([]uint32, len(slots))
	for i, slot := range slots {
		there := state[slot.Word] >> slot.Shift & slot.Mask
		if numbers[i] = s.space.Intern(i, other.space.Part(i, there)); numbers[i] != there {
			renumbered++
		}
	}
	grow, err := s.space.Outgrown()
	for {
		if err != nil {
			panic(err)
		}
		if grow {
			s.space.Grow()
			s.width = s.space.Width()
			s.newCursors()
		}
		v := make([]uint32, s.width)
		for i, slot := range s.space.Slots() {
			v[slot.Word] |= numbers[i] << slot.Shift
		}
		var b kernel.Batch
		b.Reset(s.width)
		if _, ok := s.filler.Expand(v, 0, &b); ok {
			s.filler.Verify(&v)
			return renumbered
		}
		grow, err = true, s.filler.Err()
	}
}

// codes searches and returns the codes of all visited states.
func (s *search) codes() map[protocol.Code]bool {
	if err := s.explore(); err != nil {
		panic(err)
	}
	codes := map[protocol.Code]bool{}
	for _, v := range s.tables.Nodes {
		codes[s.space.Code(v)] = true
	}
	return codes
}
