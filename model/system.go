package model

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// A System is a nondeterministic transition system over states of type S, for
// models that are not message passing between processes. S is a comparable type
// of fixed size without pointers, strings or floats; package values has sequences, bags and
// sets for it.
type System[S comparable] struct {
	Init       []S
	Actions    []SystemAction[S]
	Constraint func(*S) bool // nil: none. TLC's meaning, as in a Composition
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
	s := &systemSpace[S]{
		System: sys, actions: actions, judges: newJudges(sys.Properties, actions), pads: pads,
		of: codec.ShapeOf(reflect.TypeFor[S]()),
	}
	return Instance{Space: s, Plain: (*systemPlain[S])(s), Capacity: sys.Capacity}
}

func (sys *System[S]) actions() (as []lts.Action) {
	for _, a := range sys.Actions {
		as = append(as, lts.Action{Name: a.Name, Source: a.Source, Kind: a.Kind})
	}
	return as
}

// systemSpace is the Space of a System: a state's bytes are its words.
type systemSpace[S comparable] struct {
	System[S]
	actions []lts.Action
	judges  judges[S]
	pads    []pad // of S
	of      *codec.Shape
}

func (sp *systemSpace[S]) Actions() []lts.Action      { return sp.actions }
func (sp *systemSpace[S]) Properties() []PropertyInfo { return info(sp.System.Properties) }
func (sp *systemSpace[S]) Fairness() []Fairness       { return sp.System.Fairness }
func (sp *systemSpace[S]) Delivery() lts.Delivery     { return lts.AnyDelivery }
func (sp *systemSpace[S]) Bounds() string             { return "" }
func (sp *systemSpace[S]) Reduced() bool              { return sp.Symmetry != nil }

func (sp *systemSpace[S]) Open() lts.Opened {
	return lts.Opened{System: systemSteps[S]{sp}, States: systemStates[S]{sp}}
}

// systemSteps is a system as the kernel asks about it.
type systemSteps[S comparable] struct{ sp *systemSpace[S] }

func (s systemSteps[S]) Words() int {
	var x S
	return int(unsafe.Sizeof(x)+3) / 4
}

func (s systemSteps[S]) Constrained() bool { return s.sp.Constraint != nil }

func (s systemSteps[S]) Init(to *protocol.Successors) {
	c := &systemCursor[S]{systemSpace: s.sp}
	for _, x := range s.sp.Init {
		c.next = x
		if c.Symmetry != nil {
			canonical(&c.next, c.Symmetry)
		}
		c.put(to, 0)
	}
}

func (s systemSteps[S]) Canonical(to []byte, state []uint32) []byte {
	if unsafe.Alignof(*new(S)) <= 4 {
		return s.sp.of.AppendAt(to, unsafe.Pointer(unsafe.SliceData(state))) // as it stands there
	}
	var x S
	load(&x, state)
	return s.sp.of.AppendAt(to, unsafe.Pointer(&x))
}

func (s systemSteps[S]) NewStepper() protocol.Stepper { return &systemCursor[S]{systemSpace: s.sp} }

// systemStates are the States of a system.
type systemStates[S comparable] struct{ *systemSpace[S] }

func (s systemStates[S]) Decode(v *protocol.Parts) State {
	var x S
	load(&x, v.Words)
	return &systemState[S]{x, &s.System}
}

func (s systemStates[S]) NewJudge() lts.Judge {
	c := &systemCursor[S]{systemSpace: s.systemSpace}
	c.newPurityChecks()
	return c
}

// systemCursor takes steps, and judges. It keeps its scratch states here because variables whose address is
// passed to an unknown function would be allocated anew for each successor.
type systemCursor[S comparable] struct {
	_ cacheLine
	*systemSpace[S]
	from, next S
	choice     Choice

	looking, trial S // of judging steps where there is symmetry

	ofState, ofStep              purityCheck
	checked                      S // the state that a purity check is about
	copied, copiedFrom, copiedTo S // of it; of the states of a step
	steps, stepsAgain            []triedStep[S]
	step, copiedStep             triedStep[S] // that is checked, and that was copied
	_                            cacheLine
}

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

func (c *systemCursor[S]) Expand(state []uint32, to *protocol.Successors) {
	load(&c.from, state)
	for a := range c.System.Actions {
		action := &c.System.Actions[a]
		if taken := c.try(a, action, to); taken > 0 {
			to.Fired[uint8(a)] += taken
			to.Any = true
			to.Ordinary = to.Ordinary || action.Kind == protocol.Ordinary
		}
	}
}

// try adds the successors to which an action leads, and returns how many steps that are.
func (c *systemCursor[S]) try(a int, action *SystemAction[S], to *protocol.Successors) (taken int64) {
	do, n := action.Do, action.Instances
	for i := 0; i < n; {
		c.next = c.from
		if do(&c.next, i, &c.choice) {
			c.add(to, uint32(a)|uint32(i)<<16) // the word of its label
			taken++
		}
		if c.choice.at == 0 || !c.choice.Again() { // else once more, with other picks
			i++
		}
	}
	return taken
}

// add adds c.next, in its canonical form where there is symmetry.
func (c *systemCursor[S]) add(to *protocol.Successors, label uint32) {
	if c.Symmetry != nil {
		canonical(&c.next, c.Symmetry)
	}
	if c.next == c.from {
		to.Loops = append(to.Loops, protocol.LabelOf(label))
		return
	}
	c.put(to, label)
}

// put adds c.next as it is.
func (c *systemCursor[S]) put(to *protocol.Successors, label uint32) {
	store(to.Room, &c.next)
	if c.pads != nil {
		clearPads(to.Room, c.pads)
	}
	to.Take(label)
}

func (c *systemCursor[S]) Keeps(state []uint32) bool {
	load(&c.next, state)
	return c.Constraint == nil || c.Constraint(&c.next)
}

func (c *systemCursor[S]) Judge(v *protocol.Parts, which uint64) uint64 {
	load(&c.from, v.Words)
	return c.judges.states(&c.from, which)
}

func (c *systemCursor[S]) JudgeQuiet(v *protocol.Parts, which uint64) uint64 {
	load(&c.from, v.Words)
	return c.judges.quiet(&c.from, which)
}

func (c *systemCursor[S]) JudgeStep(v *protocol.Parts, l Label, w *protocol.Parts, which uint64) uint64 {
	if which &= c.judges.steps[l.Action]; which == 0 {
		return 0
	}
	load(&c.from, v.Words)
	if c.Symmetry != nil {
		return c.judgeActual(l, w, which)
	}
	load(&c.next, w.Words)
	return c.judges.step(&c.from, int(l.Action), c.by(l), &c.next, which)
}

// judgeActual judges the steps from c.from of a label to states for which w stands: w has its members in
// another order, perhaps, and who did the step may be another one in it.
func (c *systemCursor[S]) judgeActual(l Label, w *protocol.Parts, which uint64) (found uint64) {
	load(&c.looking, w.Words)
	action, i := &c.System.Actions[l.Action], l.Instance()
	for again := true; again; again = c.choice.at > 0 && c.choice.Again() {
		c.next = c.from
		if !action.Do(&c.next, i, &c.choice) {
			continue
		}
		c.trial = c.next
		if canonical(&c.trial, c.Symmetry); c.trial == c.looking {
			found |= c.judges.step(&c.from, int(l.Action), c.by(l), &c.next, which)
		}
	}
	return found
}

func (c *systemCursor[S]) Origins(v *protocol.Parts, i int) uint64 {
	load(&c.from, v.Words)
	return c.judges.origins(&c.from, i)
}

func (c *systemCursor[S]) Marks(v *protocol.Parts, i, k int) lts.Marks {
	load(&c.from, v.Words)
	return c.judges.marks(&c.from, i, k)
}

func (c *systemCursor[S]) Served(*protocol.Parts, int) int { panic("model: a system has no costs") }

// systemPlain is the plain semantics of the same System.
type systemPlain[S comparable] systemSpace[S]

type systemState[S comparable] struct {
	s   S
	sys *System[S]
}

func (st *systemState[S]) Key() string { return fmt.Sprintf("%#v", st.s) }

// Code is that of the only component of a system.
func (st *systemState[S]) Code() protocol.Code {
	return protocol.CodeOf(0, codec.ShapeOf(reflect.TypeFor[S]()).AppendAt(nil, unsafe.Pointer(&st.s)))
}

func (st *systemState[S]) Vars() []Var {
	vars := st.sys.vars(st)
	defer named(func() Error { return Error{Part: "Dead", State: st.Key()} })
	for i, name := range st.sys.Processes {
		if st.sys.dead(&st.s, i) {
			at := slices.IndexFunc(vars, func(v Var) bool { return v.Owner == name })
			vars = slices.Insert(vars, max(at, 0), Var{Owner: name, Name: "crashed", Value: "true"})
		}
	}
	return vars
}

func (p *systemPlain[S]) to(s S) lts.Transition {
	next := &systemState[S]{s, &p.System}
	defer named(func() Error { return Error{Part: "Constraint", State: described(next)} })
	return lts.Transition{Next: next, Outside: p.Constraint != nil && !p.Constraint(&s)}
}

func (p *systemPlain[S]) Init() (ts []lts.Transition) {
	for _, s := range p.System.Init {
		ts = append(ts, p.to(s))
	}
	return ts
}

func (p *systemPlain[S]) Steps(from State) (ts []lts.Transition) {
	for a := range p.System.Actions { //nolint:staticcheck // p.Actions would be the method of the other form
		action := &p.System.Actions[a] //nolint:staticcheck // likewise
		for i := range action.Instances {
			var c Choice
			for again := true; again; again = c.Again() {
				if t, enabled := p.step(from, a, i, &c); enabled {
					t.SetLabel(protocol.InstanceLabel(a, i))
					t.Text = func() string { return action.text(i) }
					ts = append(ts, t)
				}
			}
		}
	}
	return ts
}

// step takes instance i of action a from a state.
func (p *systemPlain[S]) step(from State, a, i int, c *Choice) (t lts.Transition, enabled bool) {
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

func (p *systemPlain[S]) Marks(s State, i, k int) lts.Marks {
	defer named(p.judges.context(i, s))
	judged := s.(*systemState[S]).s
	return p.judges.marks(&judged, i, k)
}

func (p *systemPlain[S]) JudgeStep(s State, tr lts.Transition, i int) bool {
	defer named(p.judges.context(i, s))
	from, to := s.(*systemState[S]).s, tr.Next.(*systemState[S]).s
	return p.judges.step(&from, tr.Action, p.by(tr.Label()), &to, 1<<i) != 0
}

func (p *systemPlain[S]) Part(s State, tr *lts.Transition, i int) string {
	from := &s.(*systemState[S]).s
	if tr == nil {
		return p.judges.part(from, 0, nil, i)
	}
	return p.judges.part(from, p.by(tr.Label()), &tr.Next.(*systemState[S]).s, i)
}

func (p *systemPlain[S]) InUse(s State) (uses []lts.Use) {
	defer named(func() Error { return Error{Part: "Units", State: described(s)} })
	for i, name := range p.Processes {
		if n := p.units(&s.(*systemState[S]).s, i); n > 0 {
			uses = append(uses, lts.Use{Owner: name, Units: n})
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
