package starfile

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/drawing"
)

// A system is the declaration system(...) of a file.
type system struct {
	b       *builder
	state   *valueType
	places  []int // the first bits of the fields
	words   int
	members []starlark.Value // the processes, which take the actions
	texts   []string         // of the members,
	names   []string         // as reports show them

	exchange *exchange // of interchangeable members; nil: none
}

func (b *builder) system(set *settings) (starlark.Value, error) {
	s := &system{b: b, members: set.list("members")}
	s.state = set.record("state", "the variables with their types")
	s.lay(set)
	tick := func(a *stepValue) bool { _, is := a.f.(*starlark.Builtin); return is }
	if s.state.ticks() && !slices.ContainsFunc(set.steps("actions"), tick) {
		set.fail("no time passes for a timer(...) unless actions has tick()")
	}
	pattern := cmp.Or(set.text("names"), "{}")
	for _, m := range s.members {
		name, err := word(m)
		if err != nil {
			set.fail("members: %v", err)
		}
		s.texts = append(s.texts, name)
		s.names = append(s.names, strings.ReplaceAll(pattern, "{}", name))
	}
	if set.err != nil {
		return nil, nil
	}
	if s.exchange = s.symmetry(set); set.err != nil {
		return nil, nil
	}
	b.spec.Picture = s.vessels(set)
	if s.enter(set); b.args == nil || b.looks {
		return starlark.None, b.makes(model.Instance{}, set.err)
	}
	for _, size := range vectorSizes {
		if s.words <= size.words {
			in := size.build(s, set)
			b.bounded = set.given("constraint") != nil
			b.filled = func(values *starlark.Dict) (model.State, error) {
				return s.filled(in, size.words, values)
			}
			return starlark.None, b.makes(in, set.err)
		}
	}
	return nil, nil // lay has refused larger states
}

func (s *system) enter(set *settings) {
	s.b.entries = entries{messages: newMessages(nil), vars: []named{{"s", s.state}}}
	state, count := ofType(s.state), ofKind("int")
	roles := map[string]role{
		"state":  roleOf("the state", state),
		"one":    roleOf("the state, and a member", state, shapeOf(s.members)),
		"member": roleOf("a member", shapeOf(s.members)),
		"states": roleOf("the state before and after a step", state, state), "taker": {},
		"used": roleOf("the units in use, and how many live", count, count),
	}
	s.b.entries.enter(set, roles)
}

// vessels returns the picture of variables as vessels, whose room is the range of a variable; nil: there are
// none.
func (s *system) vessels(set *settings) func(*model.Args, model.State) drawing.Drawing {
	room := map[string]int{}
	for _, name := range set.strings("vessels") {
		i := slices.Index(s.state.fields, name)
		if i < 0 || s.state.types[i].is != numbers {
			set.fail("vessels holds %q; allowed: variables whose type is a range", name)
			return nil
		}
		room[name] = s.state.types[i].hi
	}
	if len(room) == 0 {
		return nil
	}
	return func(_ *model.Args, at model.State) (d drawing.Drawing) {
		for _, v := range at.Vars() {
			n, err := strconv.Atoi(v.Value)
			if of := room[v.Name]; err == nil && of > 0 {
				d.Nodes = append(d.Nodes, drawing.Node{Name: v.Name, Note: v.Value, Of: of, Holds: n})
			}
		}
		return d
	}
}

// largest is the largest number of words of a state.
const largest = 64

// vectors are the states of systems of files.
type vectors interface {
	[1]uint32 | [2]uint32 | [3]uint32 | [4]uint32 | [6]uint32 | [8]uint32 | [16]uint32 | [64]uint32
}

// vectorSizes are the sizes of states, in words, each with the function that builds systems of such states: a
// state takes as little memory as these allow.
var vectorSizes = []struct {
	words int
	build func(*system, *settings) model.Instance
}{
	{1, build[[1]uint32]},
	{2, build[[2]uint32]},
	{3, build[[3]uint32]},
	{4, build[[4]uint32]},
	{6, build[[6]uint32]},
	{8, build[[8]uint32]},
	{16, build[[16]uint32]},
	{largest, build[[largest]uint32]},
}

// wordsOf returns the words of a state, which may be written.
func wordsOf[S vectors](s *S) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(s)), unsafe.Sizeof(*s)/4)
}

// A systemBinding makes functions of states of type S.
type systemBinding[S vectors] struct{ s *system }

func build[S vectors](s *system, set *settings) (in model.Instance) {
	b := systemBinding[S]{s}
	of := b.binding()
	sys := model.System[S]{Processes: s.names, Capacity: set.whole("capacity", 0), Vars: b.vars,
		Constraint: of.predicate(set.function("constraint")), Units: of.each(set.function("units"), counts),
		Dead: of.eachHolds(set.function("dead")), Symmetry: symmetries[S](s.exchange)}
	for _, a := range set.steps("actions") {
		sys.Actions = append(sys.Actions, b.action(a, set))
	}
	b.fairness(&sys, set)
	sys.Properties = properties(set, of)
	if set.err == nil {
		sys.Init = b.initial(listOf(set, "init", "functions of the state", cast[*starlark.Function]))
		in = model.NewSystem(sys)
	}
	return in
}

// initial returns the initial states: the first value of each variable, changed in all ways by the functions
// of init, one after the other. All ways together take a limited number of steps of Starlark.
func (b systemBinding[S]) initial(fs []*starlark.Function) []S {
	defer check.Named(check.Part("init"))
	all, asked := make([]S, 1), &call{steps: maxStepsOfInit, left: maxStepsOfInit}
	apply(wordsOf(&all[0]), b.s.changes(b.s.state.zero().(*record), nil))
	for _, f := range fs {
		do, before, known := b.s.newFunction(f), all, map[S]bool{}
		do.asked, all = asked, nil
		for _, from := range before {
			choice := model.Choice{}
			for again := true; again; again = choice.Again() {
				s := from
				if do.do(wordsOf(&s), &choice, nil) && !known[s] {
					known[s], all = true, append(all, s)
				}
			}
		}
	}
	return all
}

// vars are the variables as a person reads them: an array over the members is one of each of them.
func (b systemBinding[S]) vars(x *S) (vars []model.Var) {
	for i, name := range b.s.state.fields {
		of := b.s.state.types[i]
		v := of.unpack(&unpacker{words: wordsOf(x), at: b.s.places[i]})
		if a, ok := v.(*array); ok && b.overMembers(a.t.key.values) {
			for k, x := range a.xs {
				vars = a.t.of.flat(vars, model.Var{Owner: b.s.names[k], Name: name}, x)
			}
			continue
		}
		vars = of.flat(vars, model.Var{Name: name}, v)
	}
	return vars
}

func (b systemBinding[S]) overMembers(values []starlark.Value) bool {
	return len(b.s.members) > 0 && slices.Equal(textsOf(values), b.s.texts)
}

func (b systemBinding[S]) binding() *binding[S] {
	return &binding[S]{
		b: b.s.b, members: len(b.s.members), names: b.s.names, parts: refuseParts[S],
		at:  func(q *question, x *S, i int) int { return ask(b.s, q, i, wordsOf(x)) },
		of:  func(q *question, x *S) int { return ask(b.s, q, none, wordsOf(x)) },
		one: func(q *question, x *S, i int) int { return ask(b.s, q, i, wordsOf(x)) },
		taken: func(q *question, from *S, _ model.Proc, to *S) int {
			return ask(b.s, q, none, wordsOf(from), wordsOf(to))
		},
		image: func(q *inquiry[string], x *S) string { return ask(b.s, q, none, wordsOf(x)) },
	}
}

// refuseParts refuses the arguments of invariants that are for processes.
func refuseParts[S any](_ *model.Property[S], s *settings) {
	for _, name := range []string{"each", "inbox", "message", "count", "messages", "clear"} {
		if s.given(name) != nil {
			s.fail("%s is for processes; in a system use holds", name)
		}
	}
	if s.given("holds") == nil && s.given("use") == nil {
		s.fail("holds is missing: a function of the state")
	}
}

// The layout of the variables of a system in the words of its states, and functions of such states: actions,
// remembered by their reads and picks, and questions.

// A read of a part of a word is a number. From its lowest bits on, it has the number of bits read, the first
// bit, the word, and the state: 0, or 1 for the state after a step.
const (
	readMember                    = 1 << 30   // instead, a read of the member in a question
	readFrom, readWord, readState = 8, 16, 24 // bits
	picked                        = 1 << 31   // instead, a pick; the rest is the number of alternatives
)

// lay gives each field its bits. A field of up to 32 bits stands in one word.
func (s *system) lay(set *settings) {
	at := 0
	for i, of := range s.state.types {
		if of.bits == unbounded {
			set.fail("variable %s has values without bounds (%s): a state of a system has a fixed size, "+
				"so numbers need a range(...), and lists need max=", s.state.fields[i], of)
		}
		if of.bits > 32-at%32 && at%32 != 0 {
			at += 32 - at%32
		}
		s.places = append(s.places, at)
		at += of.bits
	}
	s.words = max(1, (at+31)/32)
	if s.words > largest {
		set.fail("a state takes %d bits; allowed are %d", at, 32*largest)
	}
}

// partsOf returns how many parts of a variable are read one by one, and their type: the elements of an array,
// or the whole value.
func partsOf(of *valueType) (int, *valueType) {
	if of.is == arrays {
		return of.fixed(), of.of
	}
	return 1, of
}

// reads are the reads of some bits of a state, one for each word.
func reads(at, bits int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for end := at + bits; at < end; {
			n := min(end-at, 32-at%32)
			if !yield(uint32(at/32<<readWord | at%32<<readFrom | n)) {
				return
			}
			at += n
		}
	}
}

// masked returns the word of a read, and a mask of the bits that are read.
func masked(read uint32) (word, mask uint32) {
	return read >> readWord & 0xff, uint32(1<<(read&0xff)-1) << (read >> readFrom & 0xff)
}

func find(read uint32, words []uint32) key {
	word, mask := masked(read)
	return key{x: uint64(words[word] & mask)}
}

// tracked is a state as a function of the model sees it; it records the reads.
type tracked struct {
	s     *system
	words []uint32
	which int // 0, or 1 for the state after a step
	trace *[]step
}

func (t *tracked) record(frozen bool) *record {
	return &record{t: t.s.state,
		parts: parts{xs: make([]starlark.Value, len(t.s.places)), source: t.field, frozen: frozen}}
}

func (t *tracked) field(i int) starlark.Value {
	n, part := partsOf(t.s.state.types[i])
	known := false // all parts
	read := func(at, bits int) {
		for x := range reads(at, bits) {
			*t.trace = append(*t.trace, step{uint32(t.which)<<readState | x, find(x, t.words)})
		}
	}
	element := func(k int) starlark.Value {
		at := t.s.places[i] + k*part.bits
		if !known {
			read(at, part.bits)
		}
		return part.unpack(&unpacker{words: t.words, at: at})
	}
	if of := t.s.state.types[i]; of != part {
		return &array{t: of, parts: parts{xs: make([]starlark.Value, n), source: element, whole: func() {
			read(t.s.places[i], n*part.bits)
			known = true
		}}}
	}
	return element(0)
}

// none is the member in questions about the state alone.
const none = -1

// ask answers a question about a state, or about the states before and after a step, and about a member.
func ask[R any](s *system, q *inquiry[R], member int, states ...[]uint32) R {
	return q.ask(func(read uint32) key {
		if read == readMember {
			return key{x: uint64(member)}
		}
		return find(read, states[read>>readState])
	}, func(trace *[]step) (args []starlark.Value) {
		for i, words := range states {
			args = append(args, (&tracked{s: s, words: words, which: i, trace: trace}).record(true))
		}
		if member != none {
			*trace = append(*trace, step{readMember, key{x: uint64(member)}})
			args = append(args, s.members[member])
		}
		return args
	})
}

// An effect is the result of an action.
type effect struct {
	enabled bool
	writes  []write
}

type write struct{ word, mask, bits uint32 }

// A systemFunction is a function of the state, with arguments, that picks.
type systemFunction struct {
	s    *system
	f    starlark.Callable
	args []starlark.Value
	// asked is the call whose limit all executions share; nil: each execution is a call of its own.
	asked *call
	memo  memo[effect]
}

func (s *system) newFunction(f starlark.Callable, args ...starlark.Value) *systemFunction {
	return &systemFunction{s: s, f: f, args: args, memo: memo[effect]{room: &s.b.room}}
}

// do takes the step in place, or returns false if it is not enabled. It sets the bits that it reads or writes
// in touched, unless that is nil.
func (a *systemFunction) do(words []uint32, c *model.Choice, touched []uint32) bool {
	var picks []int // made on the way
	e, found := a.memo.find(func(what uint32) key {
		if what&picked == 0 {
			touch(touched, what)
			return find(what, words)
		}
		x := c.Pick(int(what &^ picked))
		picks = append(picks, x)
		return key{x: uint64(x)}
	})
	if !found {
		e = a.run(words, c, picks, touched)
	}
	if touched != nil {
		for _, w := range e.writes {
			touched[w.word] |= w.mask
		}
	}
	apply(words, e.writes)
	return e.enabled
}

// touch sets the bits of a read, unless touched is nil.
func touch(touched []uint32, read uint32) {
	if touched != nil {
		word, mask := masked(read)
		touched[word] |= mask
	}
}

func apply(words []uint32, writes []write) {
	for _, w := range writes {
		words[w.word] = words[w.word]&^w.mask | w.bits
	}
}

// run executes the action, which makes the given picks first.
func (a *systemFunction) run(words []uint32, c *model.Choice, picks []int, touched []uint32) effect {
	var trace []step
	t := &tracked{s: a.s, words: words, trace: &trace}
	state := t.record(false)
	asked := a.asked
	if asked == nil {
		asked = &call{}
	}
	asked.pick = func(n int) int {
		x := 0
		if len(picks) > 0 {
			x, picks = picks[0], picks[1:]
		} else {
			x = c.Pick(n)
		}
		trace = append(trace, step{picked | uint32(n), key{x: uint64(x)}})
		return x
	}
	_, enabled := a.s.b.searches.run(asked, a.f, append([]starlark.Value{state}, a.args...)...)
	e := effect{enabled: enabled}
	if enabled {
		e.writes = a.s.changes(state, a.f)
	}
	a.memo.add(trace, e)
	for _, x := range trace {
		if x.what&picked == 0 {
			touch(touched, x.what)
		}
	}
	return e
}

// changes returns the writes that bring a state to the values of a record.
func (s *system) changes(state *record, f starlark.Callable) (ws []write) {
	next := &packer{words: make([]uint32, s.words)}
	for i, v := range state.xs {
		_, part := partsOf(s.state.types[i])
		xs := []starlark.Value{v}
		if a, ok := v.(*array); ok {
			xs = a.xs
		}
		for k, v := range xs {
			if v == nil {
				continue // neither read nor written
			}
			next.at = s.places[i] + k*part.bits
			at := next.at
			if err := part.pack(next, v); err != nil {
				panic(mistakeIn(f, within("variable "+s.state.fields[i], err).Error()))
			}
			for x := range reads(at, part.bits) {
				word, mask := masked(x)
				ws = append(ws, write{word, mask, next.words[word] & mask})
			}
		}
	}
	return ws
}
