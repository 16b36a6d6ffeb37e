package instance

import (
	"cmp"
	"strings"
)

// A Reduction lets a search leave out states. Verdicts and the lengths of shortest runs are the same as in
// the search of all states. docs/large.md has the savings, and the properties that each reduction
// preserves.
type Reduction struct {
	// Dead: normal forms replace local states, see Composition.Forget.
	Dead bool
	// Crashes: crashes are left out that no process can tell from slowness. Where processes are notified of
	// crashes, a crashing process sends only the largest parts of its messages.
	Crashes bool
	// Movers: messages are received at once where the receipt commutes with all that their receiver can do.
	Movers bool
	// Symmetry: states that differ only by an exchange of processes count as one, see Composition.Symmetry.
	Symmetry bool
}

// String lists the reductions, as in "dead,movers", or is "none".
func (r Reduction) String() string {
	var words []string
	for _, x := range []struct {
		on   bool
		word string
	}{{r.Dead, "dead"}, {r.Crashes, "crashes"}, {r.Movers, "movers"}, {r.Symmetry, "symmetry"}} {
		if x.on {
			words = append(words, x.word)
		}
	}
	return cmp.Or(strings.Join(words, ","), "none")
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
