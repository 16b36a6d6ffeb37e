package instance

// A Reduction lets a search leave out states. Verdicts and the lengths of shortest runs are the same as in
// the search of all states. docs/large.md has the savings, and the properties that each reduction
// preserves.
type Reduction struct {
	// Dead: normal forms replace local states, see Composition.Forget.
	Dead bool
	// Crashes: crashes are left out that no process can tell from slowness. Where processes are notified of
	// crashes, a crashing process sends only the largest parts of its messages.
	Crashes bool
}

// String lists the reductions: "dead", "crashes", "dead,crashes" or "none".
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

// Reduce returns the instance for a search that leaves out states, for the properties among asked (bit i:
// property i); its Plain has all states. It is an error if the reduction is not sound for the model or for
// one of the properties.
func (in Instance) Reduce(r Reduction, asked uint64) (Instance, error) {
	if r == (Reduction{}) {
		return in, nil
	}
	return in.Space.Reduce(in, r, asked)
}
