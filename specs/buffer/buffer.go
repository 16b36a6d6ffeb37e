// Package buffer is a bounded buffer with a single wait set, after the
// BlockingQueue tutorial of Lemmy (M. A. Kuppe): notify wakes any waiting thread,
// even one of the wrong kind, and the system can deadlock. It is a conformance
// model (case P4).
package buffer

import (
	"fmt"
	"math/bits"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/references"
)

// Spec is the model bounded-buffer.
var Spec = model.Spec{
	Name:   "bounded-buffer",
	Title:  "bounded buffer with one wait set",
	Source: "lemmy/BlockingQueue",
	Doc: "Producers and consumers share a buffer and wait in one set; notify wakes any one of them. It " +
		"deadlocks if and only if 2*capacity < producers+consumers.",
	Params: []param.Param{
		param.Number("producers", "number of producers", 2, 1, maxThreads),
		param.Number("consumers", "number of consumers", 1, 1, maxThreads),
		param.Number("capacity", "elements that the buffer holds", 1, 1, maxCapacity),
		param.Choice("symmetry", "on: producers are interchangeable, and consumers are", "off", "on"),
		param.Fairness,
	},
	Build:      build,
	References: references.Of("bounded-buffer"),
}

const (
	maxThreads  = 8
	maxCapacity = 8
)

// state: an element is the number of its producer, plus 1; the free places are 0.
// Threads are numbered through, producers first.
type state struct {
	Buffer  [maxCapacity]uint8
	Waiting uint16
}

var claims invariants.For[state]

type monitor struct{ producers, consumers, capacity int }

func build(a *model.Args) (model.Instance, error) {
	m := monitor{a.Int("producers"), a.Int("consumers"), a.Int("capacity")}
	sys := model.System[state]{
		Init: []state{{}},
		Actions: []model.SystemAction[state]{
			{Name: "Put", Instances: m.producers, Do: m.put, Text: m.text("puts or waits", 0)},
			{Name: "Get", Instances: m.consumers, Do: m.get, Text: m.text("gets or waits", m.producers)},
		},
		Properties: []model.Property[state]{
			claims.DeadlockFreedom("conformance case P4"),
			invariants.Served(m.producers+m.consumers,
				func(s *state, i int) bool { return s.Waiting>>i&1 == 1 }).
				As("woken", "in fair runs, no thread waits for ever (false where notify can pass over one "+
					"again and again)", "lemmy/BlockingQueue").OnlyOnRequest(true),
		},
		Vars: m.vars,
	}
	if a.Is("symmetry", "on") {
		sys.Symmetry = []model.Symmetry[state]{
			{Size: m.producers, Colour: m.producerColour, Swap: m.swapProducers},
			{Size: m.consumers, Colour: m.consumerColour, Swap: m.swapConsumers},
		}
	}
	sys.Fair(a.String("fairness"))
	return model.NewSystem(sys), nil
}

func (m monitor) length(s *state) (n int) {
	for n < m.capacity && s.Buffer[n] != 0 {
		n++
	}
	return n
}

func (m monitor) put(s *state, i int, c *model.Choice) bool {
	if s.Waiting>>i&1 == 1 {
		return false
	}
	n := m.length(s)
	if n == m.capacity {
		s.Waiting |= 1 << i
		return true
	}
	s.Buffer[n] = uint8(i + 1)
	notify(s, c)
	return true
}

func (m monitor) get(s *state, i int, c *model.Choice) bool {
	t := m.producers + i
	if s.Waiting>>t&1 == 1 {
		return false
	}
	if s.Buffer[0] == 0 {
		s.Waiting |= 1 << t
		return true
	}
	copy(s.Buffer[:], s.Buffer[1:])
	s.Buffer[maxCapacity-1] = 0
	notify(s, c)
	return true
}

// notify wakes any one thread that waits, if there is one.
func notify(s *state, c *model.Choice) {
	if s.Waiting == 0 {
		return
	}
	w := s.Waiting
	for range c.Pick(bits.OnesCount16(w)) {
		w &= w - 1
	}
	s.Waiting &^= w & -w
}

// producerColour is the part of a state about a producer: whether it waits, and
// the places of its elements.
func (m monitor) producerColour(s *state, i int) uint64 {
	c := uint64(s.Waiting >> i & 1)
	for _, x := range s.Buffer {
		c <<= 1
		if int(x) == i+1 {
			c |= 1
		}
	}
	return c
}

func (m monitor) swapProducers(s *state, i, j int) {
	s.Waiting = swapBits(s.Waiting, i, j)
	for k, x := range s.Buffer {
		switch int(x) {
		case i + 1:
			s.Buffer[k] = uint8(j + 1)
		case j + 1:
			s.Buffer[k] = uint8(i + 1)
		}
	}
}

func (m monitor) consumerColour(s *state, i int) uint64 {
	return uint64(s.Waiting >> (m.producers + i) & 1)
}

func (m monitor) swapConsumers(s *state, i, j int) {
	s.Waiting = swapBits(s.Waiting, m.producers+i, m.producers+j)
}

func swapBits(x uint16, i, j int) uint16 {
	d := (x>>i ^ x>>j) & 1
	return x ^ d<<i ^ d<<j
}

func (m monitor) name(t int) string {
	if t < m.producers {
		return fmt.Sprintf("p%d", t+1)
	}
	return fmt.Sprintf("c%d", t-m.producers+1)
}

func (m monitor) text(what string, first int) func(...int) string {
	return func(is ...int) string { return m.name(first+is[0]) + " " + what }
}

func (m monitor) vars(s *state) []model.Var {
	buffer, waiting := []string{}, []string{}
	for _, x := range s.Buffer[:m.length(s)] {
		buffer = append(buffer, m.name(int(x)-1))
	}
	for t := range m.producers + m.consumers {
		if s.Waiting>>t&1 == 1 {
			waiting = append(waiting, m.name(t))
		}
	}
	return []model.Var{{Name: "buffer", Value: fmt.Sprint(buffer)},
		{Name: "waiting", Value: fmt.Sprint(waiting)}}
}
