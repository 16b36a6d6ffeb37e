package file

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unsafe"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
)

// A system is what a file declares with system(...).
type system struct {
	b       *builder
	state   *recordType
	places  []place // of the fields
	words   int
	reads   []read           // what can be read at once
	members []starlark.Value // who acts
	names   []string         // of the members
}

// A place says where a field stands in a state, and which of the reads make up its parts: the
// elements of an array, which are read one by one, or all of it.
type place struct {
	at, bits int // of the first part, and of each
	parts    [][]uint32
}

// A read is a part of a word.
type read struct{ word, mask uint32 }

// lay gives each field its bits. A field of up to 32 bits stands in one word.
func (s *system) lay() error {
	at := 0
	for i, of := range s.state.types {
		n := of.bits()
		if n == unbounded {
			return fmt.Errorf(
				"system: variable %s has values without bounds (%s): a state of a system has a fixed size, "+
					"so numbers need a range(...), and lists need max=",
				s.state.fields[i],
				of,
			)
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

// tracked is a state as a function of the model sees it, which keeps what is read.
type tracked struct {
	s     *system
	words []uint32
	first int // of the reads: those of a second state follow those of the first
	trace *[]step
}

func (t *tracked) record(frozen bool) *record {
	return &record{t: t.s.state, xs: make([]starlark.Value, len(t.s.places)), source: t.field, frozen: frozen}
}

func (t *tracked) field(i int) starlark.Value {
	p, of := &t.s.places[i], t.s.state.types[i]
	if a, ok := of.(*arrayType); ok {
		return &array{t: a, xs: make([]starlark.Value, len(p.parts)), source: func(k int) starlark.Value {
			return t.part(p, k, a.of)
		}}
	}
	return t.part(p, 0, of)
}

// part reads a part of a field.
func (t *tracked) part(p *place, k int, of valueType) starlark.Value {
	for _, x := range p.parts[k] {
		r := t.s.reads[x]
		*t.trace = append(*t.trace, step{uint32(t.first) + x, key{x: uint64(t.words[r.word] & r.mask)}})
	}
	return of.unpack(&bitReader{t.words, p.at + k*p.bits})
}

// An effect is what an action came to.
type effect struct {
	enabled bool
	writes  []write
}

type write struct{ word, mask, bits uint32 }

// picked marks what is no read but a pick, among so many.
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
	e, picks, found := a.find(words, c)
	if !found {
		e = a.run(words, c, picks)
	}
	for _, w := range e.writes {
		words[w.word] = words[w.word]&^w.mask | w.bits
	}
	return e.enabled
}

// find looks up what the action came to before; picks are those that it has made on the way.
func (a *systemFunction) find(words []uint32, c *model.Choice) (e effect, picks []int, found bool) {
	a.memo.mu.RLock()
	defer a.memo.mu.RUnlock()
	n := a.memo.root
	for n != nil && n.next != nil {
		var k key
		if n.what&picked != 0 {
			x := c.Pick(int(n.what &^ picked))
			picks = append(picks, x)
			k.x = uint64(x)
		} else {
			r := a.s.reads[n.what]
			k.x = uint64(words[r.word] & r.mask)
		}
		n = n.next[k]
	}
	if n == nil {
		return e, picks, false
	}
	return n.leaf, picks, true
}

// run runs the action, which makes the given picks first.
func (a *systemFunction) run(words []uint32, c *model.Choice, picks []int) effect {
	var trace []step
	t := &tracked{s: a.s, words: words, trace: &trace}
	state := t.record(false)
	asked := &call{what: "an action", pick: func(n int) int {
		x := 0
		if len(picks) > 0 {
			x, picks = picks[0], picks[1:]
		} else {
			x = c.Pick(n)
		}
		trace = append(trace, step{picked | uint32(n), key{x: uint64(x)}})
		return x
	}}
	_, enabled := run(asked, a.f, append([]starlark.Value{state}, a.args...)...)
	e := effect{enabled: enabled}
	if enabled {
		e.writes = a.s.changes(state, a.f)
	}
	a.memo.add(trace, e)
	return e
}

// changes returns what has to be written into a state.
func (s *system) changes(state *record, f starlark.Callable) (ws []write) {
	next := &bitWriter{words: make([]uint32, s.words)}
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
				panic(
					&model.Error{
						What:  within("variable "+s.state.fields[i], err).Error(),
						Where: position(f),
					},
				)
			}
			for _, x := range p.parts[k] {
				r := s.reads[x]
				ws = append(ws, write{r.word, r.mask, next.words[r.word] & r.mask})
			}
		}
	}
	return ws
}

// largest is the largest number of words of a state.
const largest = 64

// vectors are the states of systems of files; vectorSizes has those that a program has.
type vectors interface {
	[1]uint32 | [2]uint32 | [3]uint32 | [4]uint32 | [6]uint32 | [8]uint32 | [16]uint32 | [64]uint32
}

// A vectorSize is one of a state, in words, and what builds systems of such states.
type vectorSize struct {
	words int
	build func(*system, *settings) (model.Instance, error)
}

// wordsOf returns the words of a state, which may be written.
func wordsOf[S vectors](s *S) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(s)), unsafe.Sizeof(*s)/4)
}

// systemSettings are what system(...) takes.
var systemSettings = []string{
	"state",
	"actions",
	"properties",
	"init",
	"constraint",
	"fairness",
	"members",
	"names",
	"units",
	"capacity",
	"dead",
	"assume",
}

func (b *builder) system(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	set := settingsOf("system", args, named, systemSettings...)
	s := &system{b: b, members: set.list("members")}
	state, ok := set.given("state").(*recordType)
	if !ok {
		set.fail("state is missing: record(...), the variables with their types")
	}
	if set.err == nil {
		s.state = state
		if err := s.lay(); err != nil {
			return nil, err
		}
	}
	s.names = memberNames(set, s.members)
	if set.err != nil {
		return starlark.None, set.err
	}
	if b.enterSystem(set, s); b.args == nil || b.looks {
		return starlark.None, b.make(model.Instance{}, set.err)
	}
	for _, n := range vectorSizes {
		if s.words <= n.words {
			in, err := n.build(s, set)
			return starlark.None, b.make(in, err)
		}
	}
	return starlark.None, nil
}

// memberNames returns the names of those who act: after a pattern with {}.
func memberNames(set *settings, members []starlark.Value) (names []string) {
	pattern := set.text("names")
	for _, m := range members {
		name, err := word(m)
		if err != nil {
			set.fail("members: %v", err)
		}
		if pattern != "" {
			name = strings.ReplaceAll(pattern, "{}", name)
		}
		names = append(names, name)
	}
	return names
}

// build makes the model.
func build[S vectors](s *system, set *settings) (model.Instance, error) {
	bound := systemBinding[S]{s}
	sys := model.System[S]{Processes: s.names, Capacity: set.whole("capacity", 0), Vars: bound.vars}
	if f := set.function("constraint"); f != nil {
		sys.Constraint = bound.state(f)
	}
	if f := set.function("units"); f != nil {
		sys.Units = bound.ofMember(f)
	}
	if f := set.function("dead"); f != nil {
		dead := ofEach[S](f, bound)
		sys.Dead = func(x *S, i int) bool { return dead[i](x) }
	}
	for _, v := range set.list("actions") {
		a, ok := v.(*stepValue)
		if f, is := v.(starlark.Callable); is && !ok {
			a, ok = &stepValue{name: f.Name(), f: f}, true
		}
		if !ok {
			set.fail("actions holds %s; allowed: functions, and what action(...) returns", short(v))
			break
		}
		sys.Actions = append(sys.Actions, bound.action(a))
	}
	bound.fairness(&sys, set)
	var err error
	if sys.Properties, err = properties(set.list("properties"), bound); err != nil {
		return model.Instance{}, err
	}
	if set.err != nil {
		return model.Instance{}, set.err
	}
	sys.Init = bound.initial(set)
	return model.NewSystem(sys), set.err
}

// initial returns the initial states: the first value of each variable, changed by init in all ways.
func (b systemBinding[S]) initial(set *settings) (all []S) {
	var zero S
	w := &bitWriter{words: wordsOf(&zero)}
	first := b.s.state.zero().(*record)
	for i, of := range b.s.state.types {
		w.at = b.s.places[i].at
		if err := of.pack(w, first.xs[i]); err != nil {
			set.fail("variable %s: %v", b.s.state.fields[i], err)
			return nil
		}
	}
	f := set.function("init")
	if f == nil {
		return []S{zero}
	}
	do, choice, known, began := b.s.newFunction(f), model.Choice{}, map[S]bool{}, time.Now()
	for again := true; again; again = choice.Again() {
		if time.Since(began) > maxTime {
			set.fail("init takes longer than %v, with all that it picks", maxTime)
			return nil
		}
		s := zero
		if do.do(wordsOf(&s), &choice) && !known[s] {
			known[s], all = true, append(all, s)
		}
	}
	return all
}

// vars are the variables as a person reads them: an array over the members is one of each of them.
func (b systemBinding[S]) vars(x *S) (vars []model.Var) {
	words := wordsOf(x)
	for i, name := range b.s.state.fields {
		of := b.s.state.types[i]
		v := of.unpack(&bitReader{words, b.s.places[i].at})
		if a, ok := v.(*array); ok && len(b.s.members) > 0 &&
			slices.Equal(a.t.keys.texts, texts(b.s.members)) {
			for k, x := range a.xs {
				text, _ := a.t.of.write(nil, x) // it was unpacked
				vars = append(vars, model.Var{Owner: b.s.names[k], Name: name, Value: string(text)})
			}
			continue
		}
		text, _ := of.write(nil, v) // likewise
		vars = append(vars, model.Var{Name: name, Value: string(text)})
	}
	return vars
}

func texts(values []starlark.Value) (all []string) {
	for _, v := range values {
		text, err := word(v)
		if err != nil { // no word, and not kept in a state
			text = short(v)
		}
		all = append(all, text)
	}
	return all
}
