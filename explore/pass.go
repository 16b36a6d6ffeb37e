package explore

import (
	"errors"
	"fmt"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store/memory"
)

// A pass is what goes through the graph of all visited states after the search, for liveness,
// costs and goals out of reach. It has to end as soon as a search has, deep inside as it
// may be, and all that it has by then is worth nothing: so it panics with a halt, which pass
// recovers.
type halt string

// pass runs a pass. It returns why it was given up, "" if it was not.
func (s *search) pass(run func() error) (why string, err error) {
	s.stand()
	s.opt.mayBeLeft(true)
	defer func() {
		s.opt.mayBeLeft(false)
		x := recover()
		if f, ok := x.(*failure); ok {
			x = f.value
		}
		switch x := x.(type) {
		case nil:
		case halt:
			why = string(x)
		case error:
			if !errors.Is(x, ErrInternal) {
				panic(x)
			}
			err = x
		default:
			panic(x)
		}
	}()
	return "", run()
}

// tick ends the pass if there is a reason to stop. Loops call it with the number of their
// iteration; it looks at every 8192nd.
func (s *search) tick(iteration int) {
	if iteration&(1<<13-1) != 0 {
		return
	}
	why := s.interruption(atPass)
	if why == "" {
		why = s.excess(0)
	}
	if why != "" {
		panic(halt(why))
	}
}

// A stepCount adds up the states and steps that a pass generates: they have to be as many as the search
// generated, else the graph lacks something.
type stepCount struct {
	states int64
	fired  [256]int64 // per action
}

// add takes what was counted in a batch, and empties that.
func (r *stepCount) add(states int64, b *kernel.Batch) {
	r.states += states
	for a := range b.Fired {
		r.fired[a] += b.Fired[a]
		b.Fired[a] = 0
	}
}

// check ends the pass with an internal error if something is missing.
func (r *stepCount) check(s *search) {
	if r.states != s.report.States {
		panic(fmt.Errorf("%w: the graph has %d of %d states", ErrInternal, r.states, s.report.States))
	}
	for a, n := range s.report.Fired {
		if r.fired[a] != n {
			name := s.report.Actions[a].Name
			panic(fmt.Errorf("%w: the graph has %d of %d steps %q", ErrInternal, r.fired[a], n, name))
		}
	}
}

// partSize is how many nodes a worker takes at a time.
const partSize = 1 << 16

// parts returns into how many parts so many nodes are cut.
func parts(nodes uint32) int { return int((nodes + partSize - 1) / partSize) }

// eachPart calls f for each part of the nodes, those from first to before end, by the workers.
func (s *search) eachPart(nodes uint32, f func(worker, part int, first, end uint32)) {
	s.tick(0)
	s.workers.run(parts(nodes), func(w, part int) {
		first := uint32(part) * partSize
		f(w, part, first, first+min(partSize, nodes-first))
	})
}

// initialNodes returns the initial states.
func (s *search) initialNodes(base *[memory.Shards]uint32) (nodes []uint32) {
	var b kernel.Batch
	b.Reset(s.width)
	s.space.Init(&b)
	for i := range b.Len() {
		nodes = append(nodes, s.node(base, b.At(i), b.Hash(i)))
	}
	return nodes
}

// node returns the number of a visited state with the given hash.
func (s *search) node(base *[memory.Shards]uint32, v []uint32, h uint64) uint32 {
	n, found := s.tables.Node(base, v, h)
	if !found {
		panic(fmt.Errorf("%w: a step leads to a state that was not visited", ErrInternal))
	}
	return n
}
