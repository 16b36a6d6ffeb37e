package starfile

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unsafe"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A system is the declaration system(...) of a file.
type system struct {
	b       *builder
	state   *valueType
	places  []place // of the fields
	words   int
	reads   []read           // parts of words that are read at once
	members []starlark.Value // the processes, which take the actions
	names   []string         // of the members
}

func (b *builder) system(set *settings) (starlark.Value, error) {
	s, of := &system{b: b, members: set.list("members")},
		required[*recordType](set, "state", "record(...), the variables with their types")
	if set.err == nil {
		s.state = of.valueType
		if err := s.lay(); err != nil {
			return nil, err
		}
	}
	pattern := set.text("names")
	for _, m := range s.members {
		name, err := word(m)
		if err != nil {
			set.fail("members: %v", err)
		}
		if pattern != "" {
			name = strings.ReplaceAll(pattern, "{}", name)
		}
		s.names = append(s.names, name)
	}
	if set.err != nil {
		return nil, nil
	}
	if s.enter(set); b.args == nil || b.looks {
		return starlark.None, b.makes(model.Instance{}, set.err)
	}
	for _, size := range vectorSizes {
		if s.words <= size.words {
			in := size.build(s, set)
			return starlark.None, b.makes(in, set.err)
		}
	}
	return nil, nil // lay has refused larger states
}

// enter notes the functions that a system calls.
func (s *system) enter(set *settings) {
	s.b.entries = entries{messages: newMessages(nil)}
	state, count := ofType(s.state), ofKind("int")
	roles := map[string]role{
		"state":  roleOf("the state", state),
		"one":    roleOf("the state, and a member", state, shapeOf(s.members)),
		"states": roleOf("the state before and after a step", state, state), "taker": {},
		"used": roleOf("the units in use, and how many live", count, count),
	}
	s.b.entries.enter(set, roles)
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

// build makes the model.
func build[S vectors](s *system, set *settings) (in model.Instance) {
	b := systemBinding[S]{s}
	of := b.binding()
	sys := model.System[S]{Processes: s.names, Capacity: set.whole("capacity", 0), Vars: b.vars,
		Constraint: of.predicate(set.function("constraint"))}
	if units := of.each(set.function("units"), counts); units != nil {
		sys.Units = func(x *S, i int) int { return units[i](x) }
	}
	if dead := of.each(set.function("dead"), conditions); dead != nil {
		sys.Dead = func(x *S, i int) bool { return dead[i](x) != 0 }
	}
	for _, a := range set.steps("actions") {
		sys.Actions = append(sys.Actions, b.action(a))
	}
	b.fairness(&sys, set)
	sys.Properties = properties(set, of)
	if set.err == nil {
		sys.Init = b.initial(set)
	}
	if set.err != nil {
		return in
	}
	return model.NewSystem(sys)
}

// initial returns the initial states: the first value of each variable, changed by init in all ways.
func (b systemBinding[S]) initial(set *settings) (all []S) {
	var zero S
	w := &packer{words: wordsOf(&zero)}
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
	for i, name := range b.s.state.fields {
		of := b.s.state.types[i]
		v := of.unpack(&unpacker{words: wordsOf(x), at: b.s.places[i].at})
		if a, ok := v.(*array); ok && b.overMembers(a.t.key.values) {
			for k, x := range a.xs {
				vars = append(vars, model.Var{Owner: b.s.names[k], Name: name, Value: a.t.of.text(x)})
			}
			continue
		}
		vars = append(vars, model.Var{Name: name, Value: of.text(v)})
	}
	return vars
}

// overMembers reports whether values are the members.
func (b systemBinding[S]) overMembers(values []starlark.Value) bool {
	return len(b.s.members) > 0 && slices.Equal(textsOf(values), textsOf(b.s.members))
}

// binding makes functions of states.
func (b systemBinding[S]) binding() *binding[S] {
	of := func(q *question, more ...starlark.Value) func(*S) int {
		ask := b.s.asks(q, more...)
		return func(x *S) int { return ask(wordsOf(x)) }
	}
	return &binding[S]{
		b: b.s.b, members: len(b.s.members), parts: refuseParts[S],
		of:  func(q *question) func(*S) int { return of(q) },
		one: func(q *question, i int) func(*S) int { return of(q, b.s.members[i]) },
		taken: func(q *question) func(*S, model.Proc, *S) int {
			ask := b.s.asks(q)
			return func(from *S, _ model.Proc, to *S) int { return ask(wordsOf(from), wordsOf(to)) }
		},
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

// action makes an action of the model.
func (b systemBinding[S]) action(a *stepValue) model.SystemAction[S] {
	combinations := a.combinations()
	var each []*systemFunction
	for _, c := range combinations {
		each = append(each, b.s.newFunction(a.f, c...))
	}
	made := model.SystemAction[S]{
		Name: a.name, Source: a.lines, Kind: a.kind, Fair: a.fair, Instances: len(each),
		Do:   func(x *S, i int, c *model.Choice) bool { return each[i].do(wordsOf(x), c) },
		Text: func(is ...int) string { return a.says(combinations[is[0]]) },
	}
	if len(a.domains) > 0 && b.overMembers(a.domains[0]) {
		made.Owner = func(is ...int) int { return is[0] / (len(each) / len(b.s.members)) }
	}
	return made
}

// fairness sets the fairness conditions: one strength for all actions, or a list of conditions.
func (b systemBinding[S]) fairness(sys *model.System[S], set *settings) {
	if v, is := set.given("fairness").(starlark.String); is {
		if set.oneOf("fairness", "none", "weak", "strong") >= 0 {
			sys.Fair(string(v))
		}
		return
	}
	for _, v := range set.list("fairness") {
		f, ok := v.(*fairValue)
		if !ok {
			set.fail("fairness holds %s; allowed: none, weak, strong, or a list of weak(...) and strong(...)",
				short(v))
			return
		}
		sys.Fairness = append(sys.Fairness, b.condition(f, sys.Actions, set))
	}
}

// condition makes a condition of fairness.
func (b systemBinding[S]) condition(
	f *fairValue, actions []model.SystemAction[S], set *settings,
) model.Fairness {
	var listed []string
	has := map[int]func(instance int) bool{}
	for i := range actions {
		a := &actions[i]
		if listed = append(listed, a.Name); !slices.Contains(f.steps, a.Name) {
			continue
		}
		has[i] = func(int) bool { return true }
		if f.by != nil {
			which := slices.Index(textsOf(b.s.members), textsOf([]starlark.Value{f.by})[0])
			if which < 0 || a.Owner == nil {
				set.fail("fairness %s: by is for actions of members, and %s is not one", f.name, a.Name)
			}
			has[i] = func(instance int) bool { return a.Owner(instance) == which }
		}
	}
	for _, step := range f.steps {
		if !slices.Contains(listed, step) {
			set.fail("fairness %q: there is no action %s%s; listed are %s", f.name, step,
				usage.Nearest(step, listed), words(listed))
		}
	}
	return model.Fairness{Name: f.name, Strong: f.strong, Has: func(l model.Label) bool {
		of := has[int(l.Action)]
		return of != nil && of(l.Instance())
	}}
}

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
		n := of.bits
		if n == unbounded {
			return fmt.Errorf(
				"system: variable %s has values without bounds (%s): a state of a system has a fixed size, "+
					"so numbers need a range(...), and lists need max=", s.state.fields[i], of)
		}
		if n > 32-at%32 && at%32 != 0 {
			at += 32 - at%32
		}
		p := place{at: at, bits: n, parts: make([][]uint32, 1)}
		if of.is == arrays {
			p.bits, p.parts = of.of.bits, make([][]uint32, of.fixed())
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
	if of.is == arrays {
		element := func(k int) starlark.Value { return t.part(p, k, of.of) }
		return &array{t: of, parts: parts{xs: make([]starlark.Value, len(p.parts)), source: element}}
	}
	return t.part(p, 0, of)
}

// part reads a part of a field.
func (t *tracked) part(p *place, k int, of *valueType) starlark.Value {
	for _, x := range p.parts[k] {
		*t.trace = append(*t.trace, step{uint32(t.first) + x, t.s.find(x, t.words)})
	}
	return of.unpack(&unpacker{words: t.words, at: p.at + k*p.bits})
}

// asks makes a function of one or two states of a system from a question, with more arguments behind them.
func (s *system) asks(q *question, more ...starlark.Value) func(states ...[]uint32) int {
	n := uint32(len(s.reads))
	return func(states ...[]uint32) int {
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
