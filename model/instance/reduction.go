package instance

// A Reduction says what a search leaves out, so that fewer states are visited. The verdicts are those of
// the search of all states, and so are the lengths of shortest runs. docs/reductions.md says what
// each of them saves, and for which properties it can be asked.
type Reduction struct {
	// Dead: local states are taken for their normal forms, see Composition.Forget.
	Dead bool
	// Crashes: those are left out that nobody can tell from slowness. Where processes are told of
	// crashes, of the parts of its messages that a crashing process gets out only the largest are taken.
	Crashes bool
}

// String lists what is left out: "dead", "crashes", "dead,crashes" or "none".
func (r Reduction) String() string {
	switch {
	case r.Dead && r.Crashes:
		return "dead,crashes"
	case r.Dead:
		return "dead"
	case r.Crashes:
		return "crashes"
	}
	return "none"
}

// Reduce returns the instance as a search of less has it, for the properties among asked (bit i: property i):
// its Plain is that of all states. It is an error if the reduction is not sound for the model or for
// one of the properties.
func (in Instance) Reduce(r Reduction, asked uint64) (Instance, error) {
	if r == (Reduction{}) {
		return in, nil
	}
	return in.Space.Reduce(in, r, asked)
}
