package model

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/movers"
	"github.com/atmostk/atmostk/model/property"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/model/values"
)

const reduceOption = usage.Option("reduce")

func (sys *system) Reduce(Instance, Reduction, uint64) (Instance, error) {
	return Instance{}, usage.Errorf("there is nothing to reduce: the model is one process that is the " +
		"whole state")
}

func (sp *compositionSpace) Reduce(in Instance, r Reduction, asked uint64) (Instance, error) {
	c := *sp.c
	c.runners = new(sync.Pool)
	less := *sp
	less.c = &c
	if r.Dead {
		if err := sp.mayForget(asked); err != nil {
			return in, err
		}
		less.forgets, less.judgedWhole = true, sp.looksAtWhole(asked)
		less.inLocal, less.inMessage = forgettables(c.locals.Type), forgettables(c.messages.Type)
		in.Plain = newPlain(sp.x, sp.judges, true)
	}
	if r.Crashes {
		if err := sp.mayLeaveCrashes(&c, asked); err != nil {
			return in, err
		}
	}
	if r.Movers {
		if err := less.mayReceiveAtOnce(asked); err != nil {
			return in, err
		}
		less.asked, less.movers = asked, sp.newMovers(asked)
	}
	if r.Symmetry {
		if err := less.mayExchange(r, asked); err != nil {
			return in, err
		}
		less.asked, less.renamings = asked, renamings(c.Symmetry, c.N)
		in.Plain = &plain{sp.x, newPlain(sp.x, sp.judges, false).PlainJudge, r.Dead, less.renamings}
	}
	less.declare()
	in.Space = &less
	return in, nil
}

// A hindrance is a reason why a reduction is not sound.
type hindrance struct {
	is  bool
	why string
}

// sound returns an error if there is a hindrance to a reduction, or if a property asked for is unfit.
func (sp *compositionSpace) sound(reduction string, of []hindrance, asked uint64,
	unfit func(*property.Erased) bool, why string) error {
	for _, h := range of {
		if h.is {
			return usage.Errorf("%s %s: %s", reduceOption, reduction, h.why)
		}
	}
	for i := range property.Among(asked) {
		if p := &sp.c.Properties[i]; unfit(p) {
			return usage.Errorf("%s %s: %s %s; %s leaves it out", reduceOption, reduction, p.Name, why,
				usage.Option("property"))
		}
	}
	return nil
}

func aboutRuns(p *property.Erased) bool { return p.Kind == Liveness || p.Kind == Costs }

// readsMore reports whether a property reads more of states than local states one by one and units in use.
func readsMore(p *property.Erased) bool {
	return p.Kind != Invariant && p.Kind != Reachable || p.OfUse == nil && p.OfLocal == nil
}

// mayForget returns an error if normal forms cannot replace local states.
func (sp *compositionSpace) mayForget(asked uint64) error {
	return sp.sound("dead", []hindrance{
		{sp.c.Forget == nil, "the model does not say what is dead in a local state; allowed are models " +
			"with Forget"},
		{sp.c.Clocks != nil, "with rounds=inf or any states are compared up to times, and normal forms are " +
			"not; allowed are rounds that end"},
		{sp.c.Links != nil, "link views depend on forgotten variables, too"},
	}, asked, aboutRuns, "is about runs, and only properties of states and steps can be asked then")
}

// looksAtWhole returns the name of a property asked for that may read several local states at once; "": none.
func (sp *compositionSpace) looksAtWhole(asked uint64) string {
	for i := range sp.c.Properties {
		p := &sp.c.Properties[i]
		if asked>>i&1 == 1 && p.OfUse == nil && p.OfLocal == nil && p.OfInbox == nil &&
			p.Kind != DeadlockFree {
			return p.Name
		}
	}
	return ""
}

// mayLeaveCrashes leaves crashes out of the network of c. It is an error if that is not sound: see
// docs/decisions/05-reductions.md.
func (sp *compositionSpace) mayLeaveCrashes(c *composition, asked uint64) error {
	if sp.unnoticed(asked) {
		c.Network.Crashable, c.mostUse = 0, mostUnits/c.N
	} else if c.Network.CrashSends != NoPart {
		c.Network.CrashSends += largest
	}
	return sp.sound("crashes", []hindrance{
		{c.Links != nil, "links break when a process crashes, so others notice"},
		{c.Recover != nil, "a process that comes up again is not only slow"},
		{c.Clocks != nil || c.Network.MaxInFlight > 0, "bounds of states leave out times of the dead and " +
			"messages to them; allowed are rounds that end, without max-in-flight"},
	}, asked, readsMore, "reads more than local states one by one and the units in use, so it may tell a "+
		"crash from slowness")
}

// unnoticed reports whether no crash can be distinguished from slowness: no process is notified of crashes,
// a message that a crashing process does not send could also stay under way, and no property asked for holds
// only because of a crash.
func (sp *compositionSpace) unnoticed(asked uint64) bool {
	c := sp.c
	if c.Notice != nil || c.History.Step != nil && !c.History.Watches ||
		(c.Network.Channel == FIFO || c.Constraint != nil) && c.Network.CrashSends != NoPart {
		return false
	}
	for i := range c.Properties {
		p := &c.Properties[i]
		// Fewer reach a goal about all live processes more easily.
		if asked>>i&1 == 1 && (p.OfLocal != nil && p.Kind == Reachable ||
			p.OfUse != nil && !rises(p, c.N-c.Network.Dead.Len())) {
			return false
		}
	}
	return true
}

// mostUnits is the largest number of units in use for which rises asks.
const mostUnits = 1 << 14

// rises reports whether a property that is reported for some units in use, up to mostUnits and after crashes,
// is also reported for as many or more units in use among the largest number of live processes.
func rises(p *property.Erased, all int) bool {
	reported := func(used, live int) bool { return p.OfUse(used, live) == (p.Kind == Reachable) }
	always := true // it is reported for this number of units and all larger ones
	for used := mostUnits; used >= 0; used-- {
		always = always && reported(used, all)
		for live := range all {
			if !always && reported(used, live) {
				return false
			}
		}
	}
	return true
}

// Forgetting dead variables: see Composition.Forget.

// Mistakes of Forget, which the search finds when it fills the memos.
const (
	forgetsTooMuch = "it forgets a variable that is read: a local state and its normal form are distinguished"
	forgetsAgain   = "it changes its own normal form"
	changesMessage = "it changes more of a message than to forget Counters and Groups"
	mergesOn       = "it forgets a variable that goes on changing, so that the local states to be compared " +
		"have no end: make it a Counter or a Group, or forget variables that stay the same until they " +
		"are written again"
)

// forget returns the normal form of a local state of p.
func (c *composition) forget(p Proc, l value) value {
	defer check.Named(func() Error {
		return Error{Part: "Forget", Process: c.Names.Of(p), State: c.spelled(l)}
	})
	of := c.locals
	once := of.Copied(l)
	c.Forget(p, once)
	second, twice := of.Copied(l), of.Copied(once)
	c.Forget(p, second)
	c.Forget(p, twice)
	switch {
	case !of.Equal(second, once):
		panic(&Error{What: check.Nondeterministic, First: c.spelled(once), Second: c.spelled(second)})
	case !of.Equal(twice, once):
		panic(&Error{What: forgetsAgain, First: c.spelled(once), Second: c.spelled(twice)})
	}
	return once
}

// normalForm returns the state in which local states and messages are normal forms.
func (c *composition) normalForm(x *interp.Interp, s *interp.State) *interp.State {
	locals, inboxes := make([]value, c.N), make([][]interp.Envelope, c.N)
	for p := range Proc(c.N) {
		locals[p] = c.forget(p, s.Local(p))
		for _, e := range s.Inbox(p) {
			e.M = c.forgetMessage(e.M)
			inboxes[p] = append(inboxes[p], e)
		}
	}
	return x.StateOf(s.Dead, locals, inboxes, s.History(), s.Record())
}

// local returns a local state by its number, also one that is merged into another.
func (t *processParts) local(id uint32) value {
	if id >= protocol.Merged {
		return t.merged[id-protocol.Merged]
	}
	return t.locals[id]
}

// Forget returns the normal form of a local state of p, and the local state to compare with it, with
// the Counters and Groups forgotten that are in the normal form.
func (t *adapter) Forget(p Proc, local []byte) (compared, normal []byte) {
	l := t.c.locals.Value(local)
	n := t.c.forget(p, l)
	forgetAlike(t.inLocal, l, n)
	t.compared, t.normal = t.c.locals.Append(t.compared[:0], l), t.c.locals.Append(t.normal[:0], n)
	return t.compared, t.normal
}

// normalMessage returns a message as the search keeps it: its normal form, if normal forms
// replace local states.
func (sp *compositionSpace) normalMessage(m value) value {
	c, of := sp.c, sp.c.messages
	if !sp.forgets || c.ForgetMessage == nil {
		return m
	}
	defer check.Named(func() Error { return Error{Part: "ForgetMessage", State: of.Text(m)} })
	compared, normal := of.Copied(m), c.forgetMessage(m)
	if forgetAlike(sp.inMessage, compared, normal); !of.Equal(compared, normal) {
		panic(&Error{What: changesMessage, First: of.Text(compared), Second: of.Text(normal)})
	}
	return normal
}

// forgetMessage returns the normal form of a message.
func (c *composition) forgetMessage(m value) value {
	m = c.messages.Copied(m)
	if c.ForgetMessage != nil {
		c.ForgetMessage(m)
	}
	return m
}

// A forgettable is a Counter or a Group.
type forgettable interface {
	Forget()
	Forgotten() bool
}

// forgettables lists the Counters and Groups in values of a type: each function returns one of a value.
func forgettables(t reflect.Type) (all []func(value) forgettable) {
	codec.Walk(t, 0, func(t reflect.Type, at uintptr) (inside bool) {
		switch t {
		case reflect.TypeFor[Counter]():
			all = append(all, func(x value) forgettable {
				return (*Counter)(unsafe.Add(unsafe.Pointer(x), at))
			})
		case reflect.TypeFor[values.Group]():
			all = append(all, func(x value) forgettable {
				return (*values.Group)(unsafe.Add(unsafe.Pointer(x), at))
			})
		}
		return true
	})
	return all
}

// forgetAlike forgets the Counters and Groups of x that are forgotten in y.
func forgetAlike(all []func(value) forgettable, x, y value) {
	for _, of := range all {
		if of(y).Forgotten() {
			of(x).Forget()
		}
	}
}

// Merge introduces a local state that is merged into its normal form, and compares the facts about both.
func (t *adapter) Merge(p Proc, id uint32, local []byte, normal uint32) {
	l := t.c.locals.Value(local)
	if t.judgedWhole != "" {
		panic(&Error{Part: "Forget", Process: t.c.Names.Of(p), State: t.c.spelled(l),
			What: fmt.Sprintf("it forgets a variable that is no Counter or Group, and property %s may read "+
				"several local states at once: not all of these are compared", t.judgedWhole)})
	}
	t.procs[p].merged = append(t.procs[p].merged[:id-protocol.Merged], l)
	t.alike(p, t.procs[p].locals[normal], p, l, func(part string, first, second any) {
		panic(&Error{Part: "Forget", What: forgetsTooMuch + " by " + part, Process: t.c.Names.Of(p),
			State: t.c.spelled(l), First: fmt.Sprint(first), Second: fmt.Sprint(second)})
	})
}

// MergesOn panics with the mistake that local states with one normal form have no end.
func (t *adapter) MergesOn(p Proc, merged uint32) {
	panic(&Error{Part: "Forget", What: mergesOn, Process: t.c.Names.Of(p),
		State: t.c.spelled(t.procs[p].local(merged))})
}

// mayReceiveAtOnce returns an error if messages cannot be received at once: see kernel.movers.
func (sp *compositionSpace) mayReceiveAtOnce(asked uint64) error {
	seesMessages := func(p *property.Erased) bool {
		return p.Kind != Quiet && p.Kind != DeadlockFree && readsMore(p)
	}
	return sp.sound("movers", []hindrance{
		{sp.c.Links != nil, "under links handlers read what is under way"},
		{sp.c.Recover != nil, "a process that comes up again may be sent what it missed"},
		{sp.c.Clocks != nil || sp.c.Network.MaxInFlight > 0, "bounds of states count times and messages " +
			"under way; allowed are rounds that end, without max-in-flight"},
	}, asked, seesMessages, "reads more than local states one by one, the units in use or quiet states, so "+
		"it may see that a message is under way")
}

// newMovers returns the movers with which a search begins: all receipts.
func (sp *compositionSpace) newMovers(asked uint64) *movers.Movers {
	m := &movers.Movers{MayCrash: asked&^sp.judges.OfStates == 0}
	m.Fails = func(run func()) bool { return check.Caught(run) != nil }
	for _, a := range sp.c.actions {
		m.Add(a.Name, a.Receipt)
	}
	return m
}

func (t *adapter) Distinguished(p Proc, a, b uint32) string {
	first, second := t.procs[p].locals[a], t.procs[p].locals[b]
	switch {
	case a == b:
		return ""
	case t.c.Keeps(p, first) != t.c.Keeps(p, second):
		return "the constraint"
	case t.c.Units(p, first) != t.c.Units(p, second):
		return "the count of units"
	}
	for i := range t.c.Properties {
		of := t.c.Properties[i].OfLocal
		if t.asked>>i&1 == 1 && of != nil && answer(t, i, of, p, first) != answer(t, i, of, p, second) {
			return "property " + t.c.Properties[i].Name
		}
	}
	return ""
}

// readsHistory reports whether a property asked for may read the history, with movers or renamings.
func (sp *compositionSpace) readsHistory() bool {
	for i, p := range sp.c.Properties {
		parts := p.Kind == DeadlockFree || p.OfUse != nil || p.OfLocal != nil || p.OfInbox != nil
		if sp.asked>>i&1 == 1 && !parts {
			return true
		}
	}
	return false
}

// mostRenamings is the largest number of renamings: of 7 processes.
const mostRenamings = 5040

// mayExchange returns an error if states cannot stand for others with exchanged processes.
func (sp *compositionSpace) mayExchange(r Reduction, asked uint64) error {
	c, f, may, orders, some := sp.c, &sp.c.Network.Faults, sp.c.Network.Crashable, 1, false
	for _, s := range c.Symmetry {
		some = some || s&may != 0 && s&^may != 0
		for j := 2; j <= s.Len() && orders <= mostRenamings; j++ {
			orders *= j
		}
	}
	sp.asked = asked
	return sp.sound("symmetry", []hindrance{
		{c.Symmetry == nil, "it does not say which processes are interchangeable: Symmetry, or symmetric"},
		{orders > mostRenamings, fmt.Sprint("too many orders of processes; allowed are ", mostRenamings)},
		{r.Movers, "the order of processes decides what movers receive at once; allowed is one of the two"},
		{(some || c.Network.CrashSends%largest == Prefix) && c.mayEver() && may != 0, "the processes crash " +
			"in unequal ways; allowed are all as crashable, and crash-sends=none or subset"},
		{c.Links != nil || c.Clocks != nil || c.Network.MaxInFlight > 0 || f.On != nil || f.Split != 0,
			"links, bounds of states, partitions and faults of single channels are not renamed; allowed " +
				"are rounds that end, without these"},
		{c.History.Step != nil && (!c.History.Watches || sp.readsHistory()), "the history is not renamed; " +
			"allowed are properties of local states, inboxes or units, and histories that exclude no step"},
	}, asked, func(p *property.Erased) bool { return aboutRuns(p) || p.Kind == StepInvariant },
		"is about steps or runs, and only properties of states can be asked then")
}
