package starfile

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
)

// The layout of the variables of a system in the words of its states, and functions of such states: actions,
// remembered by their reads and picks, and questions.

// A place is where a field stands in a state, with the reads of its parts: the elements of an array, each by
// itself, or the whole field.
type place struct {
	at, bits int // of the first part, and of each
	parts    [][]uint32
}

// A read is a part of a word that is read at once.
type read struct{ word, mask uint32 }

// lay gives each field its bits. A field of up to 32 bits stands in one word.
func (s *system) lay() error {
	at := 0
	for i, of := range s.state.types {
		n := of.bits()
		if n == unbounded {
			return fmt.Errorf(
				"system: variable %s has values without bounds (%s): a state of a system has a fixed size, "+
					"so numbers need a range(...), and lists need max=", s.state.fields[i], of)
		}
		if n > 32-at%32 && at%32 != 0 {
			at += 32 - at%32
		}
		p := place{at: at, bits: n, parts: make([][]uint32, 1)}
		if a, ok := of.(*arrayType); ok {
			p.bits, p.parts = a.of.bits(), make([][]uint32, len(a.keys.values))
		}
		for k := range p.parts {
			p.parts[k] = s.readsOf(at, at+p.bits)
			at += p.bits
		}
		s.places = append(s.places, p)
	}
	s.words = max(1, (at+31)/32)
	if s.words > largest {
		return fmt.Errorf("system: a state takes %d bits; allowed are %d", at, 32*largest)
	}
	return nil
}

// readsOf returns the reads of some bits.
func (s *system) readsOf(from, to int) (reads []uint32) {
	for from < to {
		end := min(to, from-from%32+32)
		reads = append(reads, uint32(len(s.reads)))
		s.reads = append(s.reads, read{uint32(from / 32), uint32(1<<(end-from)-1) << (from % 32)})
		from = end
	}
	return reads
}

// find returns the value of read x in a state.
func (s *system) find(x uint32, words []uint32) key {
	r := s.reads[x]
	return key{x: uint64(words[r.word] & r.mask)}
}

// tracked is a state as a function of the model sees it; it records the reads.
type tracked struct {
	s     *system
	words []uint32
	first int // number of its first read: the reads of a second state follow the reads of the first
	trace *[]step
}

func (t *tracked) record(frozen bool) *record {
	return &record{t: t.s.state,
		parts: parts{xs: make([]starlark.Value, len(t.s.places)), source: t.field, frozen: frozen}}
}

func (t *tracked) field(i int) starlark.Value {
	p, of := &t.s.places[i], t.s.state.types[i]
	if a, ok := of.(*arrayType); ok {
		element := func(k int) starlark.Value { return t.part(p, k, a.of) }
		return &array{t: a, parts: parts{xs: make([]starlark.Value, len(p.parts)), source: element}}
	}
	return t.part(p, 0, of)
}

// part reads a part of a field.
func (t *tracked) part(p *place, k int, of valueType) starlark.Value {
	for _, x := range p.parts[k] {
		*t.trace = append(*t.trace, step{uint32(t.first) + x, t.s.find(x, t.words)})
	}
	return of.unpack(&unpacker{words: t.words, at: p.at + k*p.bits})
}

// asks makes a function of one or two states of a system from a question, with more arguments behind them.
func asks[R any](s *system, q *question[R], more ...starlark.Value) func(states ...[]uint32) R {
	n := uint32(len(s.reads))
	return func(states ...[]uint32) R {
		return q.ask(func(what uint32) key { return s.find(what%n, states[what/n]) },
			func(trace *[]step) (args []starlark.Value) {
				for i, words := range states {
					t := &tracked{s: s, words: words, first: i * int(n), trace: trace}
					args = append(args, t.record(true))
				}
				return append(args, more...)
			})
	}
}

// An effect is the result of an action.
type effect struct {
	enabled bool
	writes  []write
}

type write struct{ word, mask, bits uint32 }

// picked marks a step of a trace that is a pick among n, where n is the rest of the number.
const picked = 1 << 31

// A systemFunction is a function of the state, with arguments, that picks.
type systemFunction struct {
	s    *system
	f    starlark.Callable
	args []starlark.Value
	memo memo[effect]
}

func (s *system) newFunction(f starlark.Callable, args ...starlark.Value) *systemFunction {
	return &systemFunction{s: s, f: f, args: args, memo: memo[effect]{room: &s.b.room}}
}

// do takes the step in place, or returns false if it is not enabled.
func (a *systemFunction) do(words []uint32, c *model.Choice) bool {
	var picks []int // made on the way
	e, found := a.memo.find(func(what uint32) key {
		if what&picked == 0 {
			return a.s.find(what, words)
		}
		x := c.Pick(int(what &^ picked))
		picks = append(picks, x)
		return key{x: uint64(x)}
	})
	if !found {
		e = a.run(words, c, picks)
	}
	for _, w := range e.writes {
		words[w.word] = words[w.word]&^w.mask | w.bits
	}
	return e.enabled
}

// run executes the action, which makes the given picks first.
func (a *systemFunction) run(words []uint32, c *model.Choice, picks []int) effect {
	var trace []step
	t := &tracked{s: a.s, words: words, trace: &trace}
	state := t.record(false)
	asked := &call{pick: func(n int) int {
		x := 0
		if len(picks) > 0 {
			x, picks = picks[0], picks[1:]
		} else {
			x = c.Pick(n)
		}
		trace = append(trace, step{picked | uint32(n), key{x: uint64(x)}})
		return x
	}}
	_, enabled := a.s.b.searches.run(asked, a.f, append([]starlark.Value{state}, a.args...)...)
	e := effect{enabled: enabled}
	if enabled {
		e.writes = a.s.changes(state, a.f)
	}
	a.memo.add(trace, e)
	return e
}

// changes returns the writes that bring a state to the values of a record.
func (s *system) changes(state *record, f starlark.Callable) (ws []write) {
	next := &packer{words: make([]uint32, s.words)}
	for i, v := range state.xs {
		of, parts := s.state.types[i], []starlark.Value{v}
		if a, ok := v.(*array); ok {
			of, parts = a.t.of, a.xs
		}
		p := &s.places[i]
		for k, v := range parts {
			if v == nil {
				continue // neither read nor written
			}
			next.at = p.at + k*p.bits
			if err := of.pack(next, v); err != nil {
				panic(mistakeIn(f, within("variable "+s.state.fields[i], err).Error()))
			}
			for _, x := range p.parts[k] {
				r := s.reads[x]
				ws = append(ws, write{r.word, r.mask, next.words[r.word] & r.mask})
			}
		}
	}
	return ws
}
