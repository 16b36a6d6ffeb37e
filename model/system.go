package model

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// A System is a nondeterministic transition system over states of type S, for
// models that are not message passing between processes. S is a comparable type
// of fixed size without pointers, strings or floats; package values has sequences, bags and
// sets for it.
type System[S comparable] struct {
	Init       []S
	Actions    []SystemAction[S]
	Constraint func(*S) bool // nil: none. TLC's meaning: see Batch.Outside
	Properties []Property[S]
	Fairness   []Fairness         // in addition to what stands beside the actions
	Assume     []StateFairness[S] // fairness about states
	Symmetry   []Symmetry[S]      // nil: states are stored as they are
	Vars       func(*S) []Var     // nil: the fields of S. VarsOf lists what processes have

	// Processes are the names of those who act, one lane each in the drawings of runs; nil:
	// nobody in particular does. SystemAction.Owner, Units and Dead speak of them by index.
	Processes []string
	// Units says how many units of the resource a process uses; nil: there is no resource. Those
	// of the dead are free.
	Units func(s *S, p int) int
	// Capacity is the number of units that there are: drawings mark where more are in use.
	// 0: it is not known.
	Capacity int
	// Dead says which processes have crashed; nil: none does.
	Dead func(s *S, p int) bool
}

// NewSystem makes a system explorable. If there is a mistake in it, Check tells.
func NewSystem[S comparable](sys System[S]) (in Instance) {
	defer caught(&in)()
	if err := sys.check(); err != nil {
		return Instance{mistake: err}
	}
	sys.prepare()
	actions := sys.actions()
	pads, _ := layoutOf(reflect.TypeFor[S]())
	s := &systemSpace[S]{System: sys, actions: actions, judges: newJudges(sys.Properties, actions), pads: pads}
	return Instance{Space: s, Plain: (*systemPlain[S])(s), Capacity: sys.Capacity}
}

func (sys *System[S]) actions() (as []Action) {
	for _, a := range sys.Actions {
		as = append(as, Action{Name: a.Name, Source: a.Source, Kind: a.Kind})
	}
	return as
}

// systemSpace is the Space of a System: a state's bytes are its vector.
type systemSpace[S comparable] struct {
	System[S]
	actions []Action
	judges  judges[S]
	pads    []pad // of S
}

func (sp *systemSpace[S]) Width() int {
	var s S
	return int(unsafe.Sizeof(s)+3) / 4
}

func (sp *systemSpace[S]) Actions() []Action          { return sp.actions }
func (sp *systemSpace[S]) Properties() []PropertyInfo { return info(sp.System.Properties) }
func (sp *systemSpace[S]) Fairness() []Fairness       { return sp.System.Fairness }
func (sp *systemSpace[S]) Delivery() Delivery         { return AnyDelivery }
func (sp *systemSpace[S]) Bounds() string             { return "" }
func (sp *systemSpace[S]) Reduced() bool              { return sp.Symmetry != nil }
func (sp *systemSpace[S]) Grow() Translation          { panic("model: a system does not grow") }
func (sp *systemSpace[S]) Grown() int                 { return sp.Width() }
func (sp *systemSpace[S]) Footprint() int64           { return 0 }

func (sp *systemSpace[S]) Init(b *Batch) {
	c := sp.NewCursor().(*systemCursor[S])
	for _, s := range sp.System.Init {
		c.next = s
		if c.Symmetry != nil {
			canonical(&c.next, c.Symmetry)
		}
		c.put(b, 0)
	}
}

func (sp *systemSpace[S]) Decode(v []uint32) State {
	var s S
	load(&s, v)
	return &systemState[S]{s, &sp.System}
}

func (sp *systemSpace[S]) NewCursor() Cursor {
	return &systemCursor[S]{systemSpace: sp}
}

// NewLearner returns a cursor, as there is nothing to learn.
func (sp *systemSpace[S]) NewLearner() Learner { return &systemCursor[S]{systemSpace: sp} }

func (c *systemCursor[S]) Err() error { return nil }

// systemCursor keeps its scratch states here because variables whose address is
// passed to an unknown function would be allocated anew for each successor.
type systemCursor[S comparable] struct {
	_ cacheLine
	*systemSpace[S]
	from, next S
	choice     Choice
	parent     uint32 // of the successors
	recent     [1 << recentBits]uint64

	looking, trial    S // of Look
	looks, looksAgain []looked[S]
	_                 cacheLine
}

// recentBits is the logarithm of the number of successors that are recognised when they come
// again: see repeated. As many as stay in the first-level cache.
const recentBits = 11

// A cacheLine, before and behind what one worker writes all the time, keeps it out of the
// cache lines of what another one uses.
type cacheLine [64]byte

// load and store copy between a state and its vector. A state whose size is not
// a multiple of four leaves the rest of the last word zero.
func load[S comparable](s *S, v []uint32) {
	if unsafe.Alignof(*s) <= 4 {
		*s = *(*S)(unsafe.Pointer(unsafe.SliceData(v))) // no call, other than copying bytes
		return
	}
	copy(bytesOf(s), unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v)))
}

func store[S comparable](v []uint32, s *S) {
	v[len(v)-1] = 0
	if unsafe.Alignof(*s) <= 4 {
		*(*S)(unsafe.Pointer(unsafe.SliceData(v))) = *s
		return
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v)), bytesOf(s))
}

func bytesOf[S comparable](s *S) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Sizeof(*s))
}

func (c *systemCursor[S]) Expand(v []uint32, _ Trail, b *Batch) (e Enabled, ok bool) {
	b.Began = b.Mark()
	load(&c.from, v)
	c.parent = Parent(uint64(hashWords(v)))
	for a := range c.System.Actions {
		action := &c.System.Actions[a]
		if taken := c.try(a, action, b); taken > 0 {
			b.Fired[uint8(a)] += taken
			e.Any = true
			e.Ordinary = e.Ordinary || action.Kind == Ordinary
		}
	}
	return e, true
}

// try adds the successors to which an action leads, and returns how many steps that are.
func (c *systemCursor[S]) try(a int, action *SystemAction[S], b *Batch) (taken int64) {
	do, n := action.Do, action.Instances
	for i := 0; i < n; {
		c.next = c.from
		if do(&c.next, i, &c.choice) {
			c.add(b, instanceLabel(a, i).word())
			taken++
		}
		if c.choice.at == 0 || !c.choice.again() { // else once more, with other picks
			i++
		}
	}
	return taken
}

// add appends c.next, in its canonical form where there is symmetry.
func (c *systemCursor[S]) add(b *Batch, label uint32) {
	if c.Symmetry != nil {
		canonical(&c.next, c.Symmetry)
	}
	if c.next == c.from {
		b.Loops = append(b.Loops, labelOf(label))
		return
	}
	c.put(b, label)
}

// put appends c.next as it is.
func (c *systemCursor[S]) put(b *Batch, label uint32) {
	words, at := b.Words, len(b.Words)
	if cap(words)-at < b.Stride {
		b.grow()
		words = b.Words
	}
	b.Words = words[:at+b.Stride]
	v := words[at : at+b.Width]
	store(v, &c.next)
	if c.pads != nil {
		clearPads(v, c.pads)
	}
	h := hashWords(v)
	if b.Distinct && c.repeated(b.Words, v, h) {
		b.Words = words[:at]
		return
	}
	end := (*[recordExtra]uint32)(words[at+b.Width : at+b.Stride])
	end[RecordTrail], end[RecordParent], end[recordLabel] = uint32(trailSuspect), c.parent, label
	end[recordHash], end[recordHash+1] = uint32(h), uint32(h>>32)
	if c.Constraint != nil && !c.Constraint(&c.next) {
		b.moveOutside()
	}
}

// repeated reports whether a successor is among the records already, as far as it was one of
// the latest whose hash begins so. For each first bits of a hash, recent holds the last 32
// bits of that, and where its record begins; what another batch left there does no harm.
// States that follow each other in a level are mostly siblings and have children in common: of
// 2pc n=9's successors that are not loops 70% are repeats, and need neither be written nor
// looked up.
func (c *systemCursor[S]) repeated(records, v []uint32, h hash) bool {
	at := len(records) - len(v) - recordExtra
	r := &c.recent[h>>(64-recentBits)]
	if j := int(uint32(*r)); uint32(*r>>32) == uint32(h) && j < at && slices.Equal(records[j:j+len(v)], v) {
		return true
	}
	*r = uint64(h)<<32 | uint64(at)
	return false
}

func (c *systemCursor[S]) Hash(v []uint32) uint64 { return uint64(hashWords(v)) }

func (c *systemCursor[S]) Judge(v []uint32, which uint64) uint64 {
	load(&c.from, v)
	return c.judges.states(&c.from, which)
}

func (c *systemCursor[S]) JudgeQuiet(v []uint32, which uint64) uint64 {
	load(&c.from, v)
	return c.judges.quiet(&c.from, which)
}

func (c *systemCursor[S]) JudgeStep(v []uint32, l Label, w []uint32, which uint64) uint64 {
	if which&c.judges.steps[l.Action] == 0 {
		return 0
	}
	load(&c.from, v)
	load(&c.next, w)
	return c.judges.step(&c.from, int(l.Action), c.by(l), &c.next, which)
}

func (c *systemCursor[S]) Origins(v []uint32, i int) uint64 {
	load(&c.from, v)
	return c.judges.origins(&c.from, i)
}

func (c *systemCursor[S]) Roles(v []uint32, i, k int) Roles {
	load(&c.from, v)
	return c.judges.roles(&c.from, i, k)
}

func (c *systemCursor[S]) Mail(_ []uint32, to []Mail) []Mail { return to }
func (c *systemCursor[S]) Receive([]uint32, Mail, *Batch)    { panic("model: a system has no messages") }

// systemPlain is the plain semantics of the same System.
type systemPlain[S comparable] systemSpace[S]

type systemState[S comparable] struct {
	s   S
	sys *System[S]
}

func (st *systemState[S]) Key() string { return fmt.Sprintf("%#v", st.s) }

func (st *systemState[S]) Vars() []Var {
	vars := st.sys.vars(st)
	defer named(func() Error { return Error{Part: "Dead", State: st.Key()} })
	for i, name := range st.sys.Processes {
		if st.sys.dead(&st.s, i) {
			at := slices.IndexFunc(vars, func(v Var) bool { return v.Owner == name })
			vars = slices.Insert(vars, max(at, 0), Var{name, "crashed", "true"})
		}
	}
	return vars
}

func (p *systemPlain[S]) to(s S) Transition {
	next := &systemState[S]{s, &p.System}
	defer named(func() Error { return Error{Part: "Constraint", State: described(next)} })
	return Transition{Next: next, Outside: p.Constraint != nil && !p.Constraint(&s)}
}

func (p *systemPlain[S]) Init() (ts []Transition) {
	for _, s := range p.System.Init {
		ts = append(ts, p.to(s))
	}
	return ts
}

func (p *systemPlain[S]) Steps(from State) (ts []Transition) {
	for a := range p.System.Actions { //nolint:staticcheck // p.Actions would be the method of the other form
		action := &p.System.Actions[a] //nolint:staticcheck // likewise
		for i := range action.Instances {
			var c Choice
			for again := true; again; again = c.again() {
				if t, enabled := p.step(from, a, i, &c); enabled {
					t.setLabel(instanceLabel(a, i))
					t.Text = func() string { return action.text(i) }
					ts = append(ts, t)
				}
			}
		}
	}
	return ts
}

// step takes instance i of action a from a state.
func (p *systemPlain[S]) step(from State, a, i int, c *Choice) (t Transition, enabled bool) {
	action := &p.System.Actions[a] //nolint:staticcheck // p.Actions would be the method of the other form
	defer named(func() Error {
		e := p.taking(a, i)
		e.State = described(from)
		return e
	})
	s := from.(*systemState[S]).s
	if !action.Do(&s, i, c) {
		return t, false
	}
	t = p.to(s)
	if who := action.owner(i); who >= 0 {
		t.Owner = p.Processes[who]
		t.Crashed = p.crashes(from.(*systemState[S]), t.Next.(*systemState[S]), who)
	}
	return t, true
}

func (p *systemPlain[S]) Judge(s State, i int) bool {
	defer named(p.judges.context(i, s))
	judged := s.(*systemState[S]).s
	return p.judges.flags(&judged, i)
}

func (p *systemPlain[S]) Roles(s State, i, k int) Roles {
	defer named(p.judges.context(i, s))
	judged := s.(*systemState[S]).s
	return p.judges.roles(&judged, i, k)
}

func (p *systemPlain[S]) JudgeStep(s State, tr Transition, i int) bool {
	defer named(p.judges.context(i, s))
	from, to := s.(*systemState[S]).s, tr.Next.(*systemState[S]).s
	return p.judges.step(&from, tr.Action, p.by(tr.Label()), &to, 1<<i) != 0
}

func (p *systemPlain[S]) Part(s State, tr *Transition, i int) string {
	from := &s.(*systemState[S]).s
	if tr == nil {
		return p.judges.part(from, 0, nil, i)
	}
	return p.judges.part(from, p.by(tr.Label()), &tr.Next.(*systemState[S]).s, i)
}

func (p *systemPlain[S]) InUse(s State) (uses []Use) {
	defer named(func() Error { return Error{Part: "Units", State: described(s)} })
	for i, name := range p.Processes {
		if n := p.units(&s.(*systemState[S]).s, i); n > 0 {
			uses = append(uses, Use{name, n})
		}
	}
	return uses
}

func (p *systemPlain[S]) Stands(stored, s State) bool {
	c := s.(*systemState[S]).s
	defer named(func() Error { return Error{Part: "Symmetry", State: described(s)} })
	canonical(&c, p.Symmetry)
	return stored.(*systemState[S]).s == c
}
