// Package instance is a model with all parameters fixed, as it is searched, replayed and shown: its
// declarations, its plain semantics, and judgements on runs.
package instance

import (
	"cmp"
	"context"
	"strings"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/property"
)

// A Space has the declarations of an instance. If a function of the model that it calls fails it panics,
// and Catch turns the panic into an Error. The same holds for Instance.
type Space interface {
	Actions() []lts.Action
	Properties() []property.PropertyInfo
	// Fairness returns the conditions on runs without end, and Delivery those on messages.
	Fairness() []property.Fairness
	Delivery() lts.Delivery
	// Bounds describes the bounds that cut off states, so that no property is known to hold; "": none.
	Bounds() string
	// Reduced reports whether a state represents its orbit under symmetry.
	Reduced() bool
	// Open returns the model for a new search.
	Open() lts.Opened
	// Reduce is Instance.Reduce.
	Reduce(in Instance, r Reduction, asked uint64) (Instance, error)
}

// An Instance is a model with all parameters fixed.
type Instance struct {
	// Arguments are the model's name and all its parameters, as passed to Instantiate; "": Instantiate
	// did not make the instance. They identify the instance of a search in files.
	Arguments string
	// Text is the digest of the files that the model was read from; "": it is built into the program.
	Text string

	Space Space
	Plain lts.Plain
	// Interp is the interpreter of a composition, to follow and play single runs; nil in a System.
	Interp *interp.Interp
	// Capacity is the number of units of the resource; 0: not known.
	Capacity int
	// Picture returns the picture of a state; nil: see Spec.Picture.
	Picture func(lts.State) drawing.Drawing

	// Numbers returns, of an instance whose times count by their order only, the same with numbers, with a
	// bound on the difference of two times of a state, or 0; nil: it has numbers itself.
	Numbers func(skew int) Numbered

	// Types are the types of a model in a file; nil: the model is in Go.
	Types []Typed

	// Until makes slow functions of the model end with ctx, until release is called; nil: they do not.
	// See Error.Stopped.
	Until func(ctx context.Context) (release func())

	Mistake error // why the instance is not complete: see Check
}

// A Typed is a variable, a message or a function of a model in a file, with its type for readers.
type Typed struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Build calls build. If that panics because of the model, Check returns the mistake.
func Build(build func() Instance) (in Instance) {
	var mistake *check.Error
	defer func() {
		if mistake != nil {
			in = Instance{Mistake: mistake}
		}
	}()
	defer check.Catch(&mistake)
	return build()
}

// Searched reports whether the instance can be searched; other ones can only be played.
func (in Instance) Searched() bool { return in.Mistake == nil }

// Check returns the first mistake in the declarations of a model, an *Error, or nil. It checks
// names, forms, ranges and combinations before a search; handlers are checked
// while they run. Every search and every Spec.Instantiate begin with it.
func (in Instance) Check() error {
	switch {
	case in.Mistake != nil:
		return in.Mistake
	case in.Space == nil || in.Plain == nil:
		return &check.Error{What: "an Instance is made by Compose or NewSystem: this one has no Space"}
	}
	return nil
}

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
