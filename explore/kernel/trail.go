package kernel

// A Trail is what a state remembers of the step by which it was first reached, so
// that steps that commute with that one need not be looked up. Let the state t have
// been reached from s by a step b of process q. A step a of a process p before q that
// was possible in s already does not read what b writes, nor b what a writes: a after
// b leads to the same state as b after a. The state after a alone is reached no later
// than t; so what a leads to from t is reached from there, and no later.
//
// Whatever is reached is still looked up from somewhere: of all steps to a state from
// the level before it, one of the last process in the order is never left out, because
// a step left out is replaced by one of a later process.
//
// A message that b sent was not there for a. Crashes are taken to commute with nothing, and
// neither do two steps of which the history takes note. A step a to a state that the
// constraint rejects is never left out, as nothing is reached from there.
//
// A trail also counts the units in use in t, so that most states need not be judged.
type Trail uint32

const (
	trailProc    Trail = 15     // q
	trailNoted   Trail = 1 << 4 // the history takes note of b
	trailSuspect Trail = 1 << 5 // t has to be judged
	trailMany    Trail = 1 << 6 // b sends more than one message to somebody
	trailUse           = 8      // where the 8 bits begin that count the units
	trailHeard         = 16     // where the processes begin to which b sends
)

func (t Trail) proc() int        { return int(t & trailProc) }
func (t Trail) heard(p int) bool { return t>>trailHeard>>(p&15)&1 == 1 }
func (t Trail) use() uint32      { return uint32(t>>trailUse) & 0xff }

// Suspect reports whether the state has to be judged by the properties that are ByTable.
func (t Trail) Suspect() bool { return t&trailSuspect != 0 }

// Better returns that of two trails of the same state, reached from states of one level,
// that leaves out more.
func (t Trail) Better(u Trail) Trail {
	if u.proc() > t.proc() {
		return u
	}
	return t
}

// Over returns the one of two trails of the same state, reached from states of one level, that Better
// returns, and of two that are as good always the same one, in whatever order they come.
func (t Trail) Over(u Trail) Trail {
	if t.proc() == u.proc() {
		return min(t, u)
	}
	return t.Better(u)
}

// Forgotten returns the trail without what it says of steps.
func (t Trail) Forgotten() Trail { return t & (0xff << trailUse) }

// Enabled tells what was found enabled in an expanded state.
type Enabled struct {
	Any    bool // a step is, and no assumption forbids it
	Pruned int  // steps that an assumption forbids: enabled, not taken
	// Beyond counts steps beyond the bounds that Space.Bounds names. They are treated as if
	// a constraint rejected them, but where there are any, states are missing.
	Beyond   int
	Ordinary bool // an ordinary step is enabled, taken or pruned
}

// Quiet reports whether nothing has to happen any more.
func (e Enabled) Quiet() bool { return !e.Ordinary }

// Usual reports whether an ordinary step is enabled, and all steps are taken.
func (e Enabled) Usual() bool { return e.Any && e.Ordinary && e.Pruned|e.Beyond == 0 }
