package model

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"unsafe"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
)

// A system is a System with its types erased, and the Space of it: a state's bytes are its words.
type system struct {
	System[codec.Opaque] // without Init
	init                 []value
	of                   *codec.Kind   // of the states
	canonical            func(s value) // replaces a state by the representative of its orbit

	actions []lts.Action
	judges  property.Judges
	pads    []pad // of a state
}

func (sys *system) instance() Instance {
	if err := sys.check(); err != nil {
		return Instance{Mistake: err}
	}
	sys.System.Actions = unfolded(sys.System.Actions)
	sys.System.Fairness = sys.conditions()
	ofUse := property.Rewritten(sys.System.Properties, func(p *property.Erased) {
		if p.OfUse != nil {
			property.JudgedByUse(p, sys.use)
		}
	})
	sys.System.Properties = property.Merged(property.Assume(ofUse, sys.Assume), sys.Processes)
	sys.actions = listed(sys.System.Actions)
	sys.judges = property.NewJudges(sys.System.Properties, sys.actions)
	sys.pads, _ = layoutOf(sys.of.Type)
	p := &systemPlain{sys: sys}
	p.PlainJudge = property.PlainJudge{
		Judges: sys.judges, Shown: sys.copied,
		By:    func(t *lts.Transition) Proc { return sys.by(t.Label()) },
		Names: sys.Processes,
	}
	return Instance{Space: sys, Plain: p, Capacity: sys.Capacity}
}

func listed(actions []SystemAction[codec.Opaque]) []lts.Action {
	return mapped(actions, func(a SystemAction[codec.Opaque]) lts.Action {
		return lts.Action{Name: a.Name, Source: a.Source, Kind: a.Kind}
	})
}

func (sys *system) Actions() []lts.Action      { return sys.actions }
func (sys *system) Properties() []PropertyInfo { return property.Infos(sys.System.Properties) }
func (sys *system) Fairness() []Fairness       { return sys.System.Fairness }
func (sys *system) Delivery() lts.Delivery     { return lts.AnyDelivery }
func (sys *system) Bounds() string             { return "" }
func (sys *system) Reduced() bool              { return sys.Symmetry != nil }

func (sys *system) Open() lts.Opened { return lts.Opened{System: sys, States: sys} }

func (sys *system) Words() int        { return (sys.of.Size() + 3) / 4 }
func (sys *system) Constrained() bool { return sys.Constraint != nil }

// Traced lists all instances, unless a state is replaced by its representative after a step.
func (sys *system) Traced() (labels []Label) {
	for a := range sys.System.Actions {
		action := &sys.System.Actions[a]
		if action.Traced == nil || sys.Symmetry != nil {
			return nil
		}
		for i := range action.Instances {
			labels = append(labels, protocol.InstanceLabel(a, i))
		}
	}
	return labels
}

func (sys *system) Init(to *protocol.Successors) {
	x := sys.of.Fresh()
	for _, first := range sys.init {
		sys.of.Assign(x, first)
		if sys.Symmetry != nil {
			sys.canonical(x)
		}
		sys.store(to.Room, x)
		to.Take(0)
	}
}

func (sys *system) Canonical(to []byte, state []uint32) []byte {
	x := value(unsafe.Pointer(unsafe.SliceData(state))) // as it stands there
	if sys.of.Type.Align() > 4 {
		x = sys.load(sys.of.Fresh(), state)
	}
	return sys.of.Append(to, x)
}

func (sys *system) NewStepper() protocol.Stepper { return sys.newCursor() }

// bytesOf returns the bytes of a vector, which begins with the bytes of its state.
func bytesOf(v []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v))
}

func (sys *system) bytes(s value) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(s)), sys.of.Size())
}

// load copies a state from its vector, and store does the reverse.
func (sys *system) load(s value, v []uint32) value {
	copy(sys.bytes(s), bytesOf(v))
	return s
}

func (sys *system) store(v []uint32, s value) {
	v[len(v)-1] = 0 // a state may fill a part of the last word
	copy(bytesOf(v), sys.bytes(s))
	for _, p := range sys.pads {
		clear(bytesOf(v)[p.from:p.to])
	}
}

func (sys *system) Decode(v *protocol.Parts) State {
	return &systemState{sys.load(sys.of.Fresh(), v.Words), sys}
}

func (sys *system) copied(s State) value { return sys.of.Copied(s.(*systemState).s) }

func (sys *system) NewJudge() lts.Judge { return sys.newCursor() }

func (sys *system) Coverage(states iter.Seq[*protocol.Parts], least lts.Coverage) (c lts.Coverage) {
	if states == nil { // it has no tables
		return c
	}
	c.Unused = sys.Units != nil
	all, x := newConstancy(sys.of), sys.of.Fresh()
	if sys.System.Actions[0].Traced != nil { // a file: each variable has bits of its own
		all.vars = func(x value) []Var { return sys.vars(&systemState{x, sys}) }
	}
	ones, zeros := make([]uint32, sys.Words()), make([]uint32, sys.Words()) // in some state
	for s := range states {
		sys.load(x, s.Words)
		if c.Unused {
			used, _ := sys.use(x)
			c.Unused = used == 0
		}
		news := false // a variable that changes first does so with a bit that changes first
		for i := range ones {
			w := s.Words[i]
			news = news || w&^ones[i]|^w&^zeros[i] != 0
			ones[i], zeros[i] = ones[i]|w, zeros[i]|^w
		}
		if news && all.see(x) && !sys.Reduced() {
			c.Unchanged = all.names()
		}
		if c.Unused == least.Unused && slices.Equal(c.Unchanged, least.Unchanged) {
			break
		}
	}
	return c
}

// systemCursor takes steps, and judges. Its scratch states are allocated once: a state whose address is
// passed to an unknown function would be allocated for each successor.
type systemCursor struct {
	*system
	property.PartsJudge
	from, next   value
	sought, also value // scratch states to judge steps under symmetry
	choice       Choice
	purity       systemPurity
}

// cacheLine is the number of bytes of a cache line, or more.
const cacheLine = 64

func (sys *system) newCursor() *systemCursor {
	c := &systemCursor{system: sys}
	// in cache lines of their own, since one goroutine writes them all the time
	size := (sys.of.Size() + cacheLine - 1) / cacheLine * cacheLine
	room := unsafe.Pointer(unsafe.SliceData(make([]uint64, (4*size+2*cacheLine)/8)))
	for i, s := range []*value{&c.from, &c.next, &c.sought, &c.also} {
		*s = value(unsafe.Add(room, cacheLine+i*size))
	}
	c.PartsJudge = property.PartsJudge{All: &sys.judges, See: func(v *protocol.Parts) value {
		return sys.load(c.from, v.Words)
	}}
	c.newPurityChecks()
	return c
}

func (c *systemCursor) Expand(state []uint32, to *protocol.Successors) {
	c.choice.Drawn(nil) // a panic may have left it anywhere
	for a := range c.System.Actions {
		c.try(state, a, 0, c.System.Actions[a].Instances, nil, to)
	}
}

func (c *systemCursor) Step(state []uint32, l Label, touched []uint32, to *protocol.Successors) {
	c.try(state, int(l.Action), l.Instance(), l.Instance()+1, touched, to)
}

// try adds the successors of a state by instances i to n-1 of an action. It sets the bits that they touch,
// unless touched is nil.
func (c *systemCursor) try(state []uint32, a, i, n int, touched []uint32, to *protocol.Successors) {
	action, taken := &c.System.Actions[a], int64(0)
	from, next := bytesOf(state), c.bytes(c.next)
	for i < n {
		copy(next, from)
		if touched == nil && action.Do(c.next, i, &c.choice) ||
			touched != nil && action.Traced(c.next, i, &c.choice, touched) {
			if c.Symmetry != nil {
				c.canonical(c.next)
			}
			label := uint32(a) | uint32(i)<<16 // see Label.Word
			if c.store(to.Room, c.next); slices.Equal(to.Room, state) {
				to.Loops = append(to.Loops, protocol.LabelOf(label))
			} else {
				to.Take(label)
			}
			taken++
		}
		if !c.choice.Picked() || !c.choice.Again() { // otherwise again, with other picks
			i++
		}
	}
	if taken > 0 {
		to.Fired[uint8(a)] += taken
		to.Any = true
		to.Ordinary = to.Ordinary || action.Kind == protocol.Ordinary
	}
}

func (c *systemCursor) Keeps(state []uint32) bool {
	return c.Constraint == nil || c.Constraint(c.load(c.next, state))
}

func (c *systemCursor) Judge(v *protocol.Parts, which uint64) uint64 {
	return c.judges.States(c.See(v), which)
}

func (c *systemCursor) JudgeStep(v *protocol.Parts, l Label, w *protocol.Parts, which uint64) uint64 {
	if which &= c.judges.Steps[l.Action]; which == 0 {
		return 0
	}
	c.See(v)
	if c.Symmetry != nil {
		return c.judgeActual(l, w, which)
	}
	return c.judges.Step(c.from, int(l.Action), c.by(l), c.load(c.next, w.Words), which)
}

// judgeActual judges the steps with label l from c.from to states that w represents: in them the members,
// and with them the owner of the step, may be in another order.
func (c *systemCursor) judgeActual(l Label, w *protocol.Parts, which uint64) (found uint64) {
	c.load(c.sought, w.Words)
	action, i := &c.System.Actions[l.Action], l.Instance()
	for again := true; again; again = c.choice.Picked() && c.choice.Again() {
		c.of.Assign(c.next, c.from)
		if !action.Do(c.next, i, &c.choice) {
			continue
		}
		c.of.Assign(c.also, c.next)
		if c.canonical(c.also); c.of.Equal(c.also, c.sought) {
			found |= c.judges.Step(c.from, int(l.Action), c.by(l), c.next, which)
		}
	}
	return found
}

type systemState struct {
	s   value
	sys *system
}

func (st *systemState) Key() string { return st.sys.of.Spell(st.s) }

// Code returns the code of the only component of a system.
func (st *systemState) Code() protocol.Code { return protocol.CodeOf(0, st.sys.of.Append(nil, st.s)) }

func (st *systemState) Vars() []Var {
	vars := st.sys.vars(st)
	defer check.Named(func() Error { return Error{Part: "Dead", State: st.Key()} })
	for i, name := range st.sys.Processes {
		if st.sys.dead(st.s, i) {
			at := slices.IndexFunc(vars, func(v Var) bool { return v.Owner == name })
			vars = slices.Insert(vars, max(at, 0), Var{Owner: name, Name: "crashed", Value: "true"})
		}
	}
	return vars
}

type systemPlain struct {
	property.PlainJudge
	sys *system
}

func (p *systemPlain) to(s value) lts.Transition {
	next := &systemState{s, p.sys}
	defer check.Named(func() Error { return Error{Part: "Constraint", State: check.Described(next)} })
	outside := p.sys.Constraint != nil && !p.sys.Constraint(p.sys.of.Copied(s))
	return lts.Transition{Next: next, Outside: outside}
}

func (p *systemPlain) Init() []lts.Transition { return mapped(p.sys.init, p.to) }

func (p *systemPlain) Steps(from State) (ts []lts.Transition) {
	for a := range p.sys.System.Actions {
		action := &p.sys.System.Actions[a]
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

// Like returns the steps from a state that have a label.
func (p *systemPlain) Like(from State, l Label) []lts.Transition {
	return slices.DeleteFunc(p.Steps(from), func(t lts.Transition) bool { return t.Label() != l })
}

func (p *systemPlain) step(from State, a, i int, c *Choice) (t lts.Transition, enabled bool) {
	action := &p.sys.System.Actions[a]
	defer check.Named(func() Error {
		e := p.sys.taking(protocol.InstanceLabel(a, i))
		e.State = check.Described(from)
		return e
	})
	s := p.Shown(from)
	if !action.Do(s, i, c) {
		return t, false
	}
	t = p.to(s)
	if owner := action.owner(i); owner >= 0 {
		t.Owner = p.sys.Processes[owner]
		t.Crashed = p.sys.crashes(from.(*systemState), t.Next.(*systemState), owner)
	}
	return t, true
}

func (p *systemPlain) InUse(s State) (uses []lts.Use) {
	defer check.Named(func() Error { return Error{Part: "Units", State: check.Described(s)} })
	for i, name := range p.sys.Processes {
		if n := p.sys.units(s.(*systemState).s, i); n > 0 {
			uses = append(uses, lts.Use{Owner: name, Units: n})
		}
	}
	return uses
}

func (p *systemPlain) Stands(stored, s State) bool {
	c := p.Shown(s)
	defer check.Named(func() Error { return Error{Part: "Symmetry", State: check.Described(s)} })
	p.sys.canonical(c)
	return p.sys.of.Equal(stored.(*systemState).s, c)
}

// A pad is a range of bytes of a type that belongs to no field. The compiler leaves any values there, so
// it is cleared where states are compared byte by byte.
type pad struct{ from, to uintptr }

// layoutOf returns the pads of a type of states, or the reason why its values cannot be compared by bytes.
func layoutOf(t reflect.Type) (pads []pad, why string) {
	end := uintptr(0)
	skip := func(to uintptr) {
		if to > end {
			pads = append(pads, pad{end, to})
		}
	}
	codec.Walk(t, 0, func(t reflect.Type, at uintptr) (inside bool) {
		switch k := t.Kind(); {
		case k == reflect.Array || k == reflect.Struct:
			return true
		case k < reflect.Bool || k > reflect.Uint64:
			why = fmt.Sprintf("a state cannot hold a %v", t)
		}
		skip(at)
		end = at + t.Size()
		return false
	})
	skip(t.Size())
	return pads, why
}
